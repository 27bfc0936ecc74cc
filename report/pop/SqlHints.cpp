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

std::string hintForColumn(const std::string &name, const std::string &sql) {
  const auto words = wordsOf(sql);
  std::vector<std::string> here;
  std::string owners;
  std::size_t more = 0;
  for (const Relation &r : relations()) {
    const bool named = words.count(r.name) != 0;
    if (named)
      here.insert(here.end(), r.columns.begin(), r.columns.end());
    else if (std::count(r.columns.begin(), r.columns.end(), name) != 0) {
      if (owners.size() < 60)
        owners += (owners.empty() ? "" : ", ") + r.name;
      else
        ++more;
    }
  }
  std::string hint = didYouMean(name, here);
  if (hint.empty() && !owners.empty())
    hint = " It is a column of " + owners + (more == 0 ? "" : " and " + std::to_string(more) + " more") + ";";
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
