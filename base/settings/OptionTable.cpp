#include "base/settings/OptionTable.hpp"

#include "base/Check.hpp"
#include "base/EditDistance.hpp"
#include "base/ReadNumber.hpp"
#include "base/settings/ForeignWords.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

std::string withUnit(const std::string &text, const OptionRow &row) {
  return row.unit.empty() ? text : text + " (" + row.unit + ")";
}

} // namespace

std::string describeValues(const OptionRow &row) {
  switch (row.kind) {
  case OptionKind::Bool: return "true or false";
  case OptionKind::String: return withUnit("a string", row);
  case OptionKind::Enumeration: return fmt::format("one of {}", fmt::join(row.values, ", "));
  case OptionKind::Unsigned: break;
  }
  return withUnit(fmt::format("a whole number from {} to {}", row.min, row.max), row);
}

const OptionValues::Value &OptionValues::at(const std::string &key, OptionKind kind) const {
  const auto it = values_.find(key);
  POPSCOPE_CHECK(it != values_.end(), "option table has no row \"{}\"", key);
  const bool stringLike = kind == OptionKind::String && it->second.kind == OptionKind::Enumeration;
  POPSCOPE_CHECK(it->second.kind == kind || stringLike, "option \"{}\" was asked for with the wrong kind", key);
  return it->second;
}

bool OptionValues::getBool(const std::string &key) const { return at(key, OptionKind::Bool).boolean; }
std::uint64_t OptionValues::getUnsigned(const std::string &key) const { return at(key, OptionKind::Unsigned).number; }
const std::string &OptionValues::getString(const std::string &key) const { return at(key, OptionKind::String).text; }
std::size_t OptionValues::getIndex(const std::string &key) const { return at(key, OptionKind::Enumeration).number; }

bool OptionValues::isSet(const std::string &key) const {
  const auto it = values_.find(key);
  POPSCOPE_CHECK(it != values_.end(), "option table has no row \"{}\"", key);
  return it->second.set;
}

OptionTable::OptionTable(std::string name, std::vector<OptionRow> rows, std::string listCommand)
    : name_(std::move(name)), rows_(std::move(rows)), listCommand_(std::move(listCommand)) {
  for (const OptionRow &row : rows_) {
    POPSCOPE_CHECK(find(row.key) == &row, "option table \"{}\" has two rows \"{}\"", name_, row.key);
    POPSCOPE_CHECK((row.kind == OptionKind::Enumeration) == !row.values.empty(),
                   "option \"{}\": values belong to enumerations, and each needs some", row.key);
    try {
      (void)parseValue(row, row.defaultValue);
    } catch (const poplar::invalid_option &e) {
      POPSCOPE_CHECK(false, "default value: {}", e.what());
    }
  }
}

const OptionRow *OptionTable::find(const std::string &key) const {
  const auto it = std::find_if(rows_.begin(), rows_.end(), [&](const OptionRow &row) { return row.key == key; });
  return it == rows_.end() ? nullptr : &*it;
}

OptionValues::Value OptionTable::parseValue(const OptionRow &row, const std::string &text) const {
  OptionValues::Value value;
  value.kind = row.kind;
  value.text = text;
  bool good = true;
  if (row.kind == OptionKind::Bool) {
    value.boolean = text == "true";
    good = text == "true" || text == "false";
  } else if (row.kind == OptionKind::Unsigned) {
    const auto number = readWhole(text, {row.min, row.max});
    good = number.has_value();
    value.number = number.value_or(0);
  } else if (row.kind == OptionKind::Enumeration) {
    const auto it = std::find(row.values.begin(), row.values.end(), text);
    good = it != row.values.end();
    value.number = static_cast<std::uint64_t>(it - row.values.begin());
  }
  if (!good)
    throw poplar::invalid_option(fmt::format("{} option \"{}\": value \"{}\" is not allowed; give {}.{}", name_,
                                             row.key, text, describeValues(row), didYouMean(text, row.values)));
  return value;
}

OptionValues OptionTable::parse(const poplar::OptionFlags &flags) const {
  OptionValues result;
  for (const OptionRow &row : rows_)
    result.values_[row.key] = parseValue(row, row.defaultValue);
  for (const auto &option : flags) {
    const OptionRow *row = find(option.first);
    if (row == nullptr) {
      std::vector<std::string> keys;
      for (const OptionRow &r : rows_)
        keys.push_back(r.key);
      std::string hint = foreignWord(option.first);
      if (hint.empty())
        hint = didYouMean(option.first, keys);
      if (hint.empty())
        hint = listCommand_.empty() ? fmt::format(" The options are {}.", fmt::join(keys, ", "))
                                    : fmt::format(" \"{}\" lists all options.", listCommand_);
      throw poplar::invalid_option(fmt::format("unknown {} option \"{}\".{}", name_, option.first, hint));
    }
    result.values_[row->key] = parseValue(*row, option.second);
    result.values_[row->key].set = true;
  }
  return result;
}

} // namespace popscope
