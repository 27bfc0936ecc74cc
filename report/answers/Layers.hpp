// Layers: names with paths, grouped by their common prefix.
//
//   109/convolution/Conv_3x3/Convolve      109/convolution/Conv_3x3
//   109/convolution/Conv_3x3/Reduce        109/convolution/Conv_3x3
//   110/relu                               110/relu
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace popscope {

/// Returns the common prefix of two paths, in whole components.
[[nodiscard]] inline std::string commonPath(const std::string &a, const std::string &b) {
  std::size_t at = 0, end = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at])
    if (a[at++] == '/')
      end = at - 1;
  const bool whole = (at == a.size() && (at == b.size() || b[at] == '/')) || (at == b.size() && a[at] == '/');
  return a.substr(0, whole ? at : end);
}

/// Returns the layer of each name. Names with the same first component are a layer; its name is their common prefix.
template <class T, class NameOf> std::vector<std::string> layersOf(const std::vector<T> &all, const NameOf &nameOf) {
  std::map<std::string, std::string> shared; // by first component
  const auto first = [](const std::string &name) { return name.substr(0, name.find('/')); };
  for (const T &one : all) {
    const std::string &name = nameOf(one);
    const auto [at, isNew] = shared.try_emplace(first(name), name);
    if (!isNew)
      at->second = commonPath(at->second, name);
  }
  std::vector<std::string> layers;
  for (const T &one : all)
    layers.push_back(shared.at(first(nameOf(one))));
  return layers;
}

} // namespace popscope
