#include "graph/codelets/CodeletSet.hpp"

#include "graph/codelets/Words.hpp"

#include <algorithm>

namespace popscope {
namespace {

std::size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

} // namespace

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
  const std::string wanted = normaliseVertexName(name);
  // A name that shares no letter with a known name is no misspelling of it.
  std::size_t best = std::min(std::max<std::size_t>(2, wanted.size() / 3) + 1, wanted.size());
  std::string found;
  for (const auto &[known, index] : byName_) {
    const std::size_t distance = editDistance(wanted, known);
    if (distance < best) {
      best = distance;
      found = known;
    }
  }
  return found;
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
