# SPDX-License-Identifier: MIT
"""What the field's harnesses found, to set our own figures beside. Measured on one NVIDIA H200
(132 SMs, 60 MB L2, driver 580.159, CUDA 13.0, SM clock 1980 MHz, nothing set on the card) on
2026-11-30; the kernel was vLLM's FlashAttention-2 as Ferrum's shim calls it, inputs N(0, 1),
shuffled block table, 32 query heads and 4 KV heads unless a name or its config says otherwise."""

PROVENANCE = (
    "The other harnesses timed vLLM's FlashAttention-2, itself against itself, on the same\n"
    "workloads, on an H200 with driver 580.159 and CUDA 13.0, 15 pairs each: nvbench 1.1 to 2.4 s\n"
    "a time, Triton's do_bench 0.13 s, do_bench_cudagraph 1 s (warm L2), and calls taken in turn,\n"
    "in a fixed order, 100 pairs a time.")

HARNESSES = ("nvbench", "do_bench", "do_bench_cudagraph", "in turn")

# |ratio - 1| of consecutive results in percent: (median, worst), in the order of HARNESSES.
CONSECUTIVE_PERCENT = {
    "decode 16 x 1024": ((0.06, 0.36), (0.6, 0.9), (0.10, 0.74), (0.33, 0.59)),
    "decode 32 x 4096": ((0.30, 2.9), (1.7, 5.1), (0.17, 0.41), (0.13, 0.25)),
    "prefill 4 x 256": ((0.16, 0.37), (1.2, 2.2), (0.02, 0.07), (1.0, 1.2)),
    "prefill 1 x 4096": ((0.18, 0.59), (0.37, 1.2), (0.20, 0.49), (0.11, 0.61)),
}

# Of a criterion (part, name): what stands beside it.
BESIDE = {
    ("gate", "added *"): "a kernel that spins for 20 µs: 5.2 µs without a gate, 0.03 µs with one",
    ("floor", "null_kernel"): "5.60 µs without a gate (p99 18.3)",
    ("pace", "range decode 32 x 4096"): "10.3 % at full duty, as every harness runs",
    ("pace", "range prefill 1 x 4096"): "3.0 to 10 % at full duty",
    ("pace", "cap *"): "the cap, at 570 to 691 W of 700, at full duty",
}

# GPU time of one cold call of vLLM's FlashAttention-2 in µs, by the name of the workload. Of one
# sequence of 31744 it was 610 to 616 whatever q was.
FA2_US = {
    "decode 1 x 4096": 85, "decode 1 x 32768": 630, "decode 8 x 4096": 124, "decode 16 x 1024": 67,
    "decode 32 x 384": 56, "decode 32 x 4096": 463, "decode 128 x 2048": 968,
    "decode 256 x 1024": 1072, "decode 64 x 4096, 8 KV heads": 934,
    "prefill 4 x 256": 26.4, "prefill 4 x 512": 58.1, "prefill 1 x 4096": 517,
    "prefill 1 x 16384": 7366,
    "mixed 3x256 prefill + 4x(1 of 257)": 29.2, "mixed 1x(512 of 4608) + 32x(1 of 2048)": 422,
    **{f"verify {q} of 31744": 613 for q in (1, 2, 4, 8, 16, 64)},
    "decode 4 x 131072": 2515, "decode 1 x 65536 among 32 x 512": 1885,
    "prefill chunk 2048 of 34816": 3695,
}
