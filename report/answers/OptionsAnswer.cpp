#include "report/answers/OptionsAnswer.hpp"

#include "base/ReadNumber.hpp"
#include "base/settings/EngineOptionTable.hpp"
#include "base/settings/OptionTableText.hpp"
#include "report/answers/Ranking.hpp"

#include <sstream>

namespace popscope {
namespace {

std::string kindName(OptionKind kind) {
  switch (kind) {
  case OptionKind::Bool: return "boolean";
  case OptionKind::Unsigned: return "number";
  case OptionKind::String: return "string";
  case OptionKind::Enumeration: break;
  }
  return "enumeration";
}

Cell defaultOf(const OptionRow &row) {
  if (row.kind == OptionKind::Bool)
    return row.defaultValue == "true";
  if (row.kind == OptionKind::Unsigned)
    return readWhole(row.defaultValue).value_or(0);
  return row.defaultValue;
}

std::string valuesOf(const OptionRow &row) {
  std::string all;
  for (const auto &value : row.values)
    all += (all.empty() ? "" : ", ") + std::string(value);
  return all;
}

} // namespace

Rows collectOptionsAnswer(const std::string &name, std::size_t count) {
  Rows rows("options");
  rows.notes.emplace_back("set one for a program with popscope run --set OPTION=VALUE -- PROGRAM");
  rows.next = {"popscope config show", "popscope run --list-templates"};
  Table table{"options",
              "Engine options",
              {{"key", "Option"},
               {"kind", "Kind"},
               {"default", "Default"},
               {"min", "Least"},
               {"max", "Most"},
               {"values", "Values"},
               {"unit", "Unit"},
               {"meaning", "Meaning"},
               {"since", "Since"},
               {"hasEffect", "Has an effect"}}};
  for (const OptionRow &row : engineOptionTable().rows()) {
    if (!nameMatches(name, row.key))
      continue;
    if (table.rows.size() >= count) {
      ++table.more;
      continue;
    }
    const bool whole = row.kind == OptionKind::Unsigned;
    table.rows.push_back({row.key, kindName(row.kind), defaultOf(row), knownOr(whole, row.min), knownOr(whole, row.max),
                          valuesOf(row), std::string(row.unit), std::string(row.help), std::string(row.since),
                          row.hasEffect});
    std::istringstream lines(optionText(row));
    for (std::string line; std::getline(lines, line);)
      rows.picture.push_back(line);
  }
  if (table.rows.empty())
    rows.picture.emplace_back("none; popscope options lists all");
  if (table.more != 0)
    rows.picture.push_back("    " + std::to_string(table.more) + " more; -n 0 shows all");
  rows.drawn = true;
  rows.tables.push_back(std::move(table));
  return rows;
}

} // namespace popscope
