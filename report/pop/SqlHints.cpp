#include "report/pop/SqlHints.hpp"

#include "base/EditDistance.hpp"
#include "report/pop/Schema.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

namespace popscope {
namespace {

struct Relation {
  std::string name;
  std::vector<std::string> columns;
};

template <class Source> void add(const Source &source, std::vector<Relation> &all) {
  for (const auto &relation : source) {
    all.push_back({relation.name, {}});
    for (const auto &column : relation.columns)
      all.back().columns.emplace_back(column.name);
  }
}

std::vector<Relation> relations() { // views first, because they answer more questions
  std::vector<Relation> all;
  add(schemaViews(), all);
  add(schemaTables(), all);
  return all;
}

std::set<std::string> wordsOf(const std::string &sql) {
  std::set<std::string> words;
  std::string word;
  for (const char raw : sql + " ") {
    const auto c = static_cast<unsigned char>(raw);
    if (std::isalnum(c) != 0 || c == '_')
      word += static_cast<char>(std::tolower(c));
    else if (!word.empty()) {
      words.insert(word);
      word.clear();
    }
  }
  return words;
}

std::string hintForTable(const std::string &name) {
  std::vector<std::string> names;
  for (const Relation &r : relations())
    names.push_back(r.name);
  return didYouMean(name, names) + " popscope schema lists tables, views and columns";
}

/// Returns whether the column has the name as a word: "id" in "step_id".
bool hasWord(const std::string &column, const std::string &name) {
  return ("_" + column + "_").find("_" + name + "_") != std::string::npos;
}

// Proposes only columns of those relations in the query that do not have the column `name`. A relation in the query
// that has the column may be out of scope.
std::string hintForColumn(const std::string &name, const std::string &sql) {
  const auto words = wordsOf(sql);
  std::vector<std::string> here, owners, otherOwners;
  for (const Relation &r : relations()) {
    const bool named = words.count(r.name) != 0;
    if (std::count(r.columns.begin(), r.columns.end(), name) != 0)
      (named ? owners : otherOwners).push_back(r.name);
    else if (named)
      here.insert(here.end(), r.columns.begin(), r.columns.end());
  }
  std::string hint = didYouMean(name, here);
  if (hint.empty())
    if (const auto with = std::find_if(here.begin(), here.end(), [&](const auto &c) { return hasWord(c, name); });
        with != here.end())
      hint = " Did you mean \"" + *with + "\"?";
  owners.insert(owners.end(), otherOwners.begin(), otherOwners.end());
  if (hint.empty() && !owners.empty()) {
    std::string list;
    std::size_t listed = 0;
    for (; listed != owners.size() && list.size() < 60; ++listed)
      list += (list.empty() ? "" : ", ") + owners[listed];
    const std::size_t more = owners.size() - listed;
    hint = " It is a column of " + list + (more == 0 ? "" : " and " + std::to_string(more) + " more") + ";";
  }
  return hint + " popscope schema lists tables, views and columns";
}

} // namespace

std::string sqlHint(const std::string &message, const std::string &sql) {
  const auto nameAfter = [&](const std::string &start) {
    if (message.rfind(start, 0) != 0)
      return std::string();
    const std::string name = message.substr(start.size());
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos ? name : name.substr(dot + 1);
  };
  if (const std::string table = nameAfter("no such table: "); !table.empty())
    return hintForTable(table);
  if (const std::string column = nameAfter("no such column: "); !column.empty())
    return hintForColumn(column, sql);
  return "";
}

} // namespace popscope
