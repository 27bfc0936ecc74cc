// Layers: groups of names (paths with '/') that share a prefix.
//
//   109/convolution/Conv_3x3/Convolve      109/convolution/Conv_3x3
//   109/convolution/Conv_3x3/Reduce        109/convolution/Conv_3x3
//   110/relu                               110/relu
#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace popscope {

/// Returns whether `name` is the name of a step of a broadcast that the compiler adds before a Switch.
[[nodiscard]] inline bool isChoiceOfProgram(const std::string &name) {
  return name.rfind("switchControlBroadcast", 0) == 0;
}

/// Returns the longest common prefix of two paths that consists of whole components.
[[nodiscard]] inline std::string commonPath(const std::string &a, const std::string &b) {
  std::size_t at = 0, end = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at])
    if (a[at++] == '/')
      end = at - 1;
  const bool whole = (at == a.size() && (at == b.size() || b[at] == '/')) || (at == b.size() && a[at] == '/');
  return a.substr(0, whole ? at : end);
}

/// Returns the first `parts` components of a path.
[[nodiscard]] inline std::string firstParts(const std::string &path, std::size_t parts) {
  std::size_t end = 0;
  for (; parts > 0; --parts)
    if (end = path.find('/', end); end == std::string::npos)
      return path;
    else if (parts > 1)
      ++end;
  return path.substr(0, end);
}

/// Returns the number of leading components that identify a layer, usually 1. The result is the smallest number with
/// which at least two layers contain several different names. For example, the result is 2 if all paths begin with the
/// name of one model. If no number gives two such layers, returns 1. Ignores a name that is alone in its layer. Also
/// ignores the names of the broadcasts that the compiler adds before a Switch.
///
///   encoder/layer0/attention/Convolve      2: encoder/layer0, encoder/layer1
///   encoder/layer0/feed/Convolve
///   encoder/layer1/attention/Convolve
///   encoder/layer1/feed/Convolve
///   loss/ExchangePre                       alone
///   switchControlBroadcast/ExchangePre     the compiler's
[[nodiscard]] inline std::size_t layerParts(const std::vector<std::string> &names) {
  for (std::size_t parts = 1;; ++parts) {
    std::map<std::string, std::set<std::string>> layers;
    for (const std::string &name : names)
      if (!isChoiceOfProgram(name))
        layers[firstParts(name, parts)].insert(name);
    const auto several = std::count_if(layers.begin(), layers.end(), [](const auto &l) { return l.second.size() > 1; });
    if (several == 0 || (parts == 1 && several > 1))
      return 1;
    if (several > 1)
      return parts;
  }
}

/// Returns the layer of each element of `all`. nameOf(element) returns the element's name. Names with the same first
/// `parts` components form a layer; the name of a layer is the common prefix of these names. With parts = 0, uses the
/// result of layerParts.
template <class T, class NameOf>
std::vector<std::string> layersOf(const std::vector<T> &all, const NameOf &nameOf, std::size_t parts = 0) {
  std::vector<std::string> layers;
  for (const T &one : all)
    layers.push_back(nameOf(one));
  if (parts == 0)
    parts = layerParts(layers);
  std::map<std::string, std::string> shared; // common prefix, by the first components
  for (const std::string &name : layers) {
    const auto [at, isNew] = shared.try_emplace(firstParts(name, parts), name);
    if (!isNew)
      at->second = commonPath(at->second, name);
  }
  for (std::string &name : layers)
    name = shared.at(firstParts(name, parts));
  return layers;
}

} // namespace popscope
