// OptionTable: one table describes an options struct. It parses OptionFlags to typed values, refuses what it does not
// know and lists itself for `popscope options` and the documentation.
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

enum class OptionKind : std::uint8_t { Bool, Unsigned, Double, String, Enumeration };

struct OptionRow {
  std::string key;
  OptionKind kind = OptionKind::String;
  std::string defaultValue{};
  std::string unit{};                // "" = none
  std::string help{};                // one sentence without the full stop
  std::string since{};               // version of Popscope
  std::vector<std::string> values{}; // Enumeration: all, in the order of documentation
  std::uint64_t min = 0;             // Unsigned: inclusive limits
  std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  bool hasEffect = true; // false: accepted for the sake of programs that set it; `help` says so
};

/// "true or false", "an unsigned integer", "one of a, b, c" ...
[[nodiscard]] std::string describeValues(const OptionRow &row);

/// Values of all rows of one table. Asking for a key that the table lacks, or with the wrong kind, is our bug.
class OptionValues {
public:
  [[nodiscard]] bool getBool(const std::string &key) const;
  [[nodiscard]] std::uint64_t getUnsigned(const std::string &key) const;
  [[nodiscard]] double getDouble(const std::string &key) const;
  /// String or Enumeration, as spelt in the table.
  [[nodiscard]] const std::string &getString(const std::string &key) const;
  /// Position of an Enumeration's value in OptionRow::values.
  [[nodiscard]] std::size_t getIndex(const std::string &key) const;
  /// False where the default stands.
  [[nodiscard]] bool isSet(const std::string &key) const;

private:
  friend class OptionTable;
  struct Value {
    OptionKind kind = OptionKind::String;
    bool set = false;
    bool boolean = false;
    std::uint64_t number = 0; // Unsigned, and the index of an Enumeration
    double real = 0;
    std::string text;
  };
  const Value &at(const std::string &key, OptionKind kind) const;
  std::map<std::string, Value> values_;
};

class OptionTable {
public:
  /// `name` says in errors whose options these are: "engine", "target". Keys are distinct and defaults parse, or
  /// InternalError is thrown.
  OptionTable(std::string name, std::vector<OptionRow> rows);

  [[nodiscard]] const std::string &name() const { return name_; }
  /// In the order given.
  [[nodiscard]] const std::vector<OptionRow> &rows() const { return rows_; }
  [[nodiscard]] const OptionRow *find(const std::string &key) const; // null = unknown
  /// Throws poplar::invalid_option: an unknown key with the nearest known one; a bad value with key, value and what is
  /// allowed.
  [[nodiscard]] OptionValues parse(const poplar::OptionFlags &flags) const;

private:
  [[nodiscard]] OptionValues::Value parseValue(const OptionRow &row, const std::string &text) const;
  std::string name_;
  std::vector<OptionRow> rows_;
};

} // namespace popscope
