// OptionTable: one table describes an options struct. It parses OptionFlags to typed values, refuses unknown keys and
// lists itself for `popscope options` and the documentation.
//
//   static const OptionTable table("engine", {
//       {.key = "debug.allowOutOfMemory", .kind = OptionKind::Bool, .defaultValue = "false",
//        .help = "finish a compilation that does not fit", .since = "0.1"},
//       {.key = "debug.computeInstrumentationLevel", .kind = OptionKind::Enumeration, .defaultValue = "tile",
//        .help = "...", .since = "0.1", .values = {"vertex", "tile", "ipu"}}});
//   const OptionValues values = table.parse(flags);
//   options.allowOutOfMemory = values.getBool("debug.allowOutOfMemory");
#pragma once
#include <poplar/OptionFlags.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace popscope {

enum class OptionKind : std::uint8_t { Bool, Unsigned, String, Enumeration };

struct OptionRow {
  std::string key;
  OptionKind kind = OptionKind::String;
  std::string defaultValue{};
  std::string unit{};                // "" = none
  std::string help{};                // one sentence without the full stop
  std::string since{};               // version of Popscope
  std::vector<std::string> values{}; // Enumeration: all values, in the order of documentation
  std::uint64_t min = 0;             // Unsigned: inclusive limits
  std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  bool hasEffect = true; // false: accepted because programs set it; `help` states so
};

/// Returns "true or false", "an unsigned integer", "one of a, b, c" ...
[[nodiscard]] std::string describeValues(const OptionRow &row);

/// Values of all rows of one table. A key that the table lacks, or a wrong kind, is our bug.
class OptionValues {
public:
  [[nodiscard]] bool getBool(const std::string &key) const;
  [[nodiscard]] std::uint64_t getUnsigned(const std::string &key) const;
  /// Returns a String or Enumeration, as spelt in the table.
  [[nodiscard]] const std::string &getString(const std::string &key) const;
  /// Returns the position of an Enumeration's value in OptionRow::values.
  [[nodiscard]] std::size_t getIndex(const std::string &key) const;
  /// Returns false if the value is the default.
  [[nodiscard]] bool isSet(const std::string &key) const;

private:
  friend class OptionTable;
  struct Value {
    OptionKind kind = OptionKind::String;
    bool set = false;
    bool boolean = false;
    std::uint64_t number = 0; // the value of an Unsigned, or the index of an Enumeration
    std::string text;
  };
  const Value &at(const std::string &key, OptionKind kind) const;
  std::map<std::string, Value> values_;
};

class OptionTable {
public:
  /// Makes a table. `name` identifies the options in errors: "engine", "target". Throws InternalError unless keys are
  /// distinct and defaults parse.
  OptionTable(std::string name, std::vector<OptionRow> rows);

  [[nodiscard]] const std::string &name() const { return name_; }
  /// Returns the rows in the given order.
  [[nodiscard]] const std::vector<OptionRow> &rows() const { return rows_; }
  [[nodiscard]] const OptionRow *find(const std::string &key) const; // null = unknown
  /// Parses options. Throws poplar::invalid_option: an unknown key with the nearest known one, or a bad value with the
  /// key and the allowed values.
  [[nodiscard]] OptionValues parse(const poplar::OptionFlags &flags) const;

private:
  [[nodiscard]] OptionValues::Value parseValue(const OptionRow &row, const std::string &text) const;
  std::string name_;
  std::vector<OptionRow> rows_;
};

} // namespace popscope
