#include "graph/codelets/CodeletSet.hpp"

#include "base/EditDistance.hpp"
#include "graph/codelets/Words.hpp"

#include <cctype>

namespace popscope {

std::string normaliseVertexName(const std::string &name) {
  std::string result;
  for (std::size_t i = 0; i != name.size(); ++i) {
    if (std::isspace(static_cast<unsigned char>(name[i])) == 0) {
      result += name[i];
      continue;
    }
    // A blank is significant only between two words, as in "unsigned int".
    const std::size_t next = name.find_first_not_of(" \t\n\v\f\r", i);
    if (!result.empty() && isWordChar(result.back()) && next != std::string::npos && isWordChar(name[next]))
      result += ' ';
    i = next == std::string::npos ? name.size() - 1 : next - 1;
  }
  removeAll(result, "(anonymous namespace)::");
  removeAll(result, "(anonymousnamespace)::");
  for (std::size_t at = result.find("::"); at != std::string::npos; at = result.find("::", at + 1))
    if (at == 0 || result[at - 1] == '<' || result[at - 1] == ',')
      result.erase(at, 2);
  return result;
}

std::string CodeletSet::nearest(const std::string &name) const {
  std::vector<std::string> known;
  for (const auto &[vertex, index] : byName_)
    known.push_back(vertex);
  return popscope::nearest(normaliseVertexName(name), known);
}

std::vector<std::string> CodeletSet::instances(const std::string &name) const {
  const std::string normal = normaliseVertexName(name), stem = normal.substr(0, normal.find('<')) + "<";
  std::vector<std::string> found;
  for (auto known = byName_.lower_bound(stem); known != byName_.end() && known->first.rfind(stem, 0) == 0; ++known)
    found.push_back(known->first);
  return found;
}

int findField(const VertexClass &vertexClass, std::string_view name) {
  for (std::size_t i = 0; i != vertexClass.fields.size(); ++i)
    if (vertexClass.fields[i].name == name)
      return static_cast<int>(i);
  return -1;
}

} // namespace popscope
