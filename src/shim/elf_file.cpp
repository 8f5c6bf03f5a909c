// SPDX-License-Identifier: MIT
// The only file with libelf in it.
#include "shim/elf_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>

namespace fa2bench {
namespace {

/// An open descriptor and libelf's view of it.
class OpenElf {
 public:
  explicit OpenElf(const std::filesystem::path& path) {
    if (elf_version(EV_CURRENT) == EV_NONE) return;
    fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    // Not mapped: a file that shrinks while it is read must not end the process.
    if (fd_ >= 0) elf_ = elf_begin(fd_, ELF_C_READ, nullptr);
    if (elf_ != nullptr && elf_kind(elf_) != ELF_K_ELF) {
      elf_end(elf_);
      elf_ = nullptr;
    }
  }
  OpenElf(const OpenElf&) = delete;
  OpenElf& operator=(const OpenElf&) = delete;
  ~OpenElf() {
    if (elf_ != nullptr) elf_end(elf_);
    if (fd_ >= 0) close(fd_);
  }
  [[nodiscard]] Elf* get() const { return elf_; }

 private:
  int fd_ = -1;
  Elf* elf_ = nullptr;
};

std::string string_at(Elf* elf, GElf_Word table, std::uint64_t offset) {
  const char* text = elf_strptr(elf, table, offset);
  return text == nullptr ? std::string{} : std::string(text);
}

/// Entries in a section's data; 0 if its header is nonsense.
int entry_count(const GElf_Shdr& header, const Elf_Data& data) {
  if (header.sh_entsize == 0) return 0;
  return static_cast<int>(std::min<std::uint64_t>(data.d_size / header.sh_entsize, 1U << 24U));
}

/// Calls `visit(header, data)` for every section of the type.
template <typename Visit>
void for_sections(Elf* elf, GElf_Word type, Visit visit) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != type) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data != nullptr) visit(header, *data);
  }
}

void read_segments(Elf* elf, ElfFacts& facts) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment{};
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr) continue;
    if (segment.p_type != PT_LOAD) continue;
    facts.bytes_needed = std::max(facts.bytes_needed, segment.p_offset + segment.p_filesz);
  }
}

void read_dynamic(Elf* elf, ElfFacts& facts) {
  for_sections(elf, SHT_DYNAMIC, [&](const GElf_Shdr& header, Elf_Data& data) {
    for (int i = 0; i < entry_count(header, data); ++i) {
      GElf_Dyn entry{};
      if (gelf_getdyn(&data, i, &entry) == nullptr || entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) {
        facts.needed.push_back(string_at(elf, header.sh_link, entry.d_un.d_val));
      } else if (entry.d_tag == DT_SONAME) {
        facts.soname = string_at(elf, header.sh_link, entry.d_un.d_val);
      } else if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) != 0) {
        facts.type = ElfFacts::Type::executable;
      }
    }
  });
}

void read_build_id(Elf* elf, ElfFacts& facts) {
  for_sections(elf, SHT_NOTE, [&](const GElf_Shdr&, Elf_Data& data) {
    GElf_Nhdr note{};
    std::size_t name = 0;
    std::size_t content = 0;
    std::size_t at = 0;
    while (at < data.d_size && (at = gelf_getnote(&data, at, &note, &name, &content)) > 0) {
      const auto* bytes = static_cast<const unsigned char*>(data.d_buf);
      const bool gnu = note.n_namesz == 4 && std::equal(bytes + name, bytes + name + 4, "GNU");
      if (!gnu || note.n_type != NT_GNU_BUILD_ID || !facts.build_id.empty()) continue;
      for (std::size_t i = 0; i < note.n_descsz; ++i) {
        facts.build_id += fmt::format("{:02x}", bytes[content + i]);
      }
    }
  });
}

ElfFacts::Type type_of(GElf_Half type) {
  switch (type) {
    case ET_REL:
      return ElfFacts::Type::relocatable;
    case ET_EXEC:
      return ElfFacts::Type::executable;
    case ET_DYN:
      return ElfFacts::Type::shared;
    default:
      return ElfFacts::Type::other;
  }
}

}  // namespace

std::optional<ElfFacts> read_elf_facts(const std::filesystem::path& path) {
  const OpenElf file(path);
  GElf_Ehdr header{};
  if (file.get() == nullptr || gelf_getehdr(file.get(), &header) == nullptr) return std::nullopt;
  ElfFacts facts;
  facts.type = type_of(header.e_type);
  facts.bits = header.e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;
  facts.little_endian = header.e_ident[EI_DATA] == ELFDATA2LSB;
  facts.machine = header.e_machine;
  read_segments(file.get(), facts);
  read_dynamic(file.get(), facts);
  read_build_id(file.get(), facts);
  return facts;
}

std::vector<ElfSymbol> read_exported_symbols(const std::filesystem::path& path) {
  const OpenElf file(path);
  std::vector<ElfSymbol> symbols;
  if (file.get() == nullptr) return symbols;
  for_sections(file.get(), SHT_DYNSYM, [&](const GElf_Shdr& header, Elf_Data& data) {
    for (int i = 0; i < entry_count(header, data); ++i) {
      GElf_Sym symbol{};
      if (gelf_getsym(&data, i, &symbol) == nullptr || symbol.st_shndx == SHN_UNDEF) continue;
      const auto type = GELF_ST_TYPE(symbol.st_info);
      symbols.push_back({string_at(file.get(), header.sh_link, symbol.st_name),
                         type == STT_OBJECT || type == STT_TLS});
    }
  });
  return symbols;
}

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "aarch64";
    case EM_386:
      return "i386";
    case EM_ARM:
      return "arm";
    case EM_RISCV:
      return "riscv";
    case EM_PPC64:
      return "ppc64";
    case EM_S390:
      return "s390";
    default:
      return fmt::format("machine {}", machine);
  }
}

unsigned own_machine() {
#if defined(__x86_64__)
  return EM_X86_64;
#elif defined(__aarch64__)
  return EM_AARCH64;
#elif defined(__riscv)
  return EM_RISCV;
#elif defined(__powerpc64__)
  return EM_PPC64;
#else
#error "name this machine's EM_ constant here"
#endif
}

}  // namespace fa2bench
