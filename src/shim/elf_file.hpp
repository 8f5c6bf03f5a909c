// SPDX-License-Identifier: MIT
// What an ELF file says of itself, read without loading it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fa2bench {

/// The parts of an ELF file that decide whether and what the loader maps.
struct ElfFacts {
  enum class Type { relocatable, executable, shared, other };

  Type type = Type::other;  ///< a position-independent executable counts as executable
  int bits = 0;             ///< 32 or 64
  bool little_endian = true;
  unsigned machine = 0;             ///< EM_…
  std::uint64_t bytes_needed = 0;   ///< the size of a whole file, from its segments
  std::string soname;               ///< "" if none
  std::vector<std::string> needed;  ///< DT_NEEDED, in file order
  std::string build_id;             ///< GNU build id in hex, "" if none
};

/// A defined dynamic symbol.
struct ElfSymbol {
  std::string name;
  bool is_data = false;  ///< an object (STT_OBJECT, STT_TLS): calling it would crash
};

/// Nothing if the file cannot be read or is no ELF file, or its header is damaged.
[[nodiscard]] std::optional<ElfFacts> read_elf_facts(const std::filesystem::path& path);

/// The names that the file exports; empty where read_elf_facts() gives nothing.
[[nodiscard]] std::vector<ElfSymbol> read_exported_symbols(const std::filesystem::path& path);

/// "x86-64", "aarch64"; "machine 243" for one without a name here.
[[nodiscard]] std::string machine_name(unsigned machine);

/// The EM_… that this program was built for.
[[nodiscard]] unsigned own_machine();

}  // namespace fa2bench
