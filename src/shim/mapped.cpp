// SPDX-License-Identifier: MIT
#include "shim/mapped.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>

#include "shim/elf_file.hpp"

namespace fa2bench {
namespace {

bool contains(const std::vector<MappedObject>& objects, const MappedObject& object) {
  return std::find(objects.begin(), objects.end(), object) != objects.end();
}

int collect(dl_phdr_info* info, std::size_t /*size*/, void* list) {
  const std::filesystem::path path(info->dlpi_name == nullptr ? "" : info->dlpi_name);
  if (path.is_absolute()) {
    static_cast<std::vector<MappedObject>*>(list)->push_back({path, info->dlpi_addr});
  }
  return 0;
}

/// An object and the names it answers to.
struct Node {
  MappedObject object;
  ElfFacts facts;
  bool wanted = false;

  [[nodiscard]] bool answers_to(const std::string& name) const {
    return facts.soname == name || object.path.filename() == name || object.path == name;
  }
};

/// Marks what `node` needs, and what those need. The first that answers to a name is taken.
void mark_needed(const Node& node, std::vector<Node>& nodes) {
  for (const std::string& name : node.facts.needed) {
    const auto other = std::find_if(nodes.begin(), nodes.end(), [&](const Node& candidate) {
      return candidate.answers_to(name);
    });
    if (other == nodes.end() || other->wanted) continue;
    other->wanted = true;
    mark_needed(*other, nodes);
  }
}

}  // namespace

std::vector<MappedObject> mapped_objects() {
  std::vector<MappedObject> objects;
  dl_iterate_phdr(&collect, &objects);
  return objects;
}

MappedObject object_of(void* handle) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr) return {};
  return {map->l_name, map->l_addr};
}

std::vector<std::filesystem::path> libraries_of(const MappedObject& root,
                                                const std::vector<MappedObject>& before,
                                                const std::vector<MappedObject>& after) {
  std::vector<Node> nodes;
  for (const MappedObject& object : after) {
    nodes.push_back({object, read_elf_facts(object.path).value_or(ElfFacts{}), false});
  }
  // A library of the same name that is in the process for another reason answers as well as the
  // right one would; the one that came with this root must win.
  std::stable_partition(nodes.begin(), nodes.end(),
                        [&](const Node& node) { return !contains(before, node.object); });
  const auto start = std::find_if(nodes.begin(), nodes.end(),
                                  [&](const Node& node) { return node.object == root; });
  if (start != nodes.end()) {
    start->wanted = true;
    mark_needed(*start, nodes);
  }
  std::vector<std::filesystem::path> libraries;
  for (const Node& node : nodes) {
    const bool came_with_it = node.wanted || !contains(before, node.object);
    if (came_with_it && node.object != root) libraries.push_back(node.object.path);
  }
  return libraries;
}

}  // namespace fa2bench
