// SPDX-License-Identifier: MIT
// Attention shapes of well-known models, so that a config can say `"model": "qwen3-30b-a3b"`.
#pragma once

namespace fa2bench {

struct ModelPreset {
  const char* name;
  int num_heads;     ///< num_attention_heads of the model's config.json, per GPU
  int num_kv_heads;  ///< num_key_value_heads, per GPU
  int layers;        ///< num_hidden_layers
  int head_dim;      ///< head_dim, or hidden_size / num_attention_heads where the key is absent
};

inline constexpr ModelPreset kModelPresets[] = {
    // meta-llama/Llama-3.1-8B, config.json: num_attention_heads 32, num_key_value_heads 8,
    // hidden_size 4096.
    {"llama-3.1-8b", 32, 8, 32, 128},
    // meta-llama/Llama-3.1-70B, config.json: num_attention_heads 64, num_key_value_heads 8,
    // hidden_size 8192. Tensor parallelism over n GPUs leaves 1/n of both kinds of heads on each.
    {"llama-3.1-70b", 64, 8, 80, 128},
    {"llama-3.1-70b-tp2", 32, 4, 80, 128},
    {"llama-3.1-70b-tp4", 16, 2, 80, 128},
    {"llama-3.1-70b-tp8", 8, 1, 80, 128},
    // Qwen/Qwen3-30B-A3B, config.json: num_attention_heads 32, num_key_value_heads 4, head_dim 128.
    {"qwen3-30b-a3b", 32, 4, 48, 128},
    // Qwen/Qwen2.5-7B, config.json: num_attention_heads 28, num_key_value_heads 4,
    // hidden_size 3584.
    {"qwen2.5-7b", 28, 4, 28, 128},
    // Qwen/Qwen2.5-14B, config.json: num_attention_heads 40, num_key_value_heads 8,
    // hidden_size 5120.
    {"qwen2.5-14b", 40, 8, 48, 128},
};

}  // namespace fa2bench
