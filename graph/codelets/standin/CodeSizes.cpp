// Code sizes of a StandInImage: the graph of its functions, built from the relocations that the linker kept.
#include "graph/codelets/standin/StandInImage.hpp"

#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/Demangle.hpp"

#include <algorithm>

namespace popscope {
namespace {

/// Returns whether a relocation is the second half of an address pair. The symbol of such a relocation is a label in
/// the caller's own code.
bool isOwnLabel(std::uint32_t type) {
  constexpr std::uint32_t kPcrelLo12I = 24, kPcrelLo12S = 25;
  return type == kPcrelLo12I || type == kPcrelLo12S;
}

/// Returns a name that depends only on the code. So the name is the same in every folder and in a graph object.
std::string contentName(const ElfImage &image) {
  ContentHash hash;
  for (const ElfSegment &segment : image.segments)
    hash.add(std::to_string(segment.address)).add(std::string(segment.bytes.begin(), segment.bytes.end()));
  return hash.hex().substr(0, 8);
}

} // namespace

// Each function and each data object is a node. Data objects are nodes because a table can refer to functions.
void StandInImage::buildNodes() {
  const std::string library = contentName(image_);
  for (const ElfSymbol &symbol : image_.symbols) {
    if (symbol.bytes == 0 || symbol.isAbsolute || (!symbol.isFunction && !symbol.isObject))
      continue;
    Node node;
    node.begin = symbol.address;
    node.end = symbol.address + symbol.bytes;
    node.isFunction = symbol.isFunction;
    // File-local functions with the same name in two libraries are two functions.
    node.name = demangledSymbol(symbol.name) + (symbol.isLocal ? " [" + library + "]" : "");
    nodes_.push_back(std::move(node));
  }
  std::sort(nodes_.begin(), nodes_.end(),
            [](const Node &a, const Node &b) { return a.begin != b.begin ? a.begin < b.begin : a.name < b.name; });
  // A function with several names is one piece of code.
  nodes_.erase(
      std::unique(nodes_.begin(), nodes_.end(), [](const Node &a, const Node &b) { return a.begin == b.begin; }),
      nodes_.end());
  for (const ElfRelocation &relocation : image_.relocations) {
    const int from = nodeAt(relocation.at);
    if (from < 0 || isOwnLabel(relocation.type))
      continue;
    Node &node = nodes_[static_cast<std::size_t>(from)];
    const int to = nodeAt(relocation.target);
    if (to >= 0 && to != from)
      node.calls.insert(static_cast<std::uint32_t>(to));
    else if (!trapName(relocation.target).empty())
      node.library.insert(trapName(relocation.target));
  }
}

int StandInImage::nodeAt(std::uint32_t address) const {
  const auto after = std::upper_bound(nodes_.begin(), nodes_.end(), address,
                                      [](std::uint32_t a, const Node &node) { return a < node.begin; });
  if (after == nodes_.begin() || address >= std::prev(after)->end)
    return -1;
  return static_cast<int>(std::prev(after) - nodes_.begin());
}

std::set<std::uint32_t> StandInImage::reachable(std::uint32_t address, std::set<std::string> &library) const {
  std::set<std::uint32_t> seen;
  const int first = nodeAt(address);
  std::vector<std::uint32_t> open;
  if (first >= 0)
    open.push_back(static_cast<std::uint32_t>(first));
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (!seen.insert(at).second)
      continue;
    library.insert(nodes_[at].library.begin(), nodes_[at].library.end());
    open.insert(open.end(), nodes_[at].calls.begin(), nodes_[at].calls.end());
  }
  return seen;
}

void StandInImage::measure(const std::vector<std::string> &entries) {
  std::vector<std::set<std::uint32_t>> reached;
  std::vector<std::set<std::string>> library(entries.size());
  std::map<std::uint32_t, unsigned> users;
  for (std::size_t i = 0; i != entries.size(); ++i) {
    reached.push_back(reachable(function(entries[i]), library[i]));
    for (const std::uint32_t node : reached.back())
      ++users[node];
  }
  for (std::size_t i = 0; i != entries.size(); ++i) {
    CodeSize size;
    for (const std::uint32_t at : reached[i]) {
      const Node &node = nodes_[at];
      if (!node.isFunction)
        continue;
      if (users[at] == 1)
        size.ownBytes += node.end - node.begin;
      else
        size.shared.emplace_back(node.name, node.end - node.begin);
    }
    for (const std::string &name : library[i])
      size.shared.emplace_back(name, 0);
    std::sort(size.shared.begin(), size.shared.end());
    sizes_[entries[i]] = std::move(size);
  }
}

} // namespace popscope
