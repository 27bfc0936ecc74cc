// OptionTable: one table describes all options of a struct. The table parses OptionFlags to typed values and rejects
// unknown keys. `popscope options` and docs/OPTIONS.md are generated from the engine's table.
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

/// The time at which an option acts. The executable stores the values of the options that act when a graph is compiled.
/// An engine that loads the executable uses these values.
enum class OptionActs : std::uint8_t { WhenLoaded, WhenCompiled, WhenCompiledForIpu };

struct OptionRow {
  std::string key;
  OptionKind kind = OptionKind::String;
  std::string defaultValue{};
  std::string unit{};                // "" if the option has no unit
  std::string help{};                // one or more sentences, without the last full stop
  std::string since{};               // first version of Popscope with the option
  std::vector<std::string> values{}; // for an Enumeration: all values, in the order of the documentation
  std::uint64_t min = 0;             // for an Unsigned: inclusive limits
  std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  OptionActs acts = OptionActs::WhenLoaded;
  bool hasEffect = true; // false: the option is accepted for compatibility and changes nothing; `help` states so
};

/// Returns a description of the allowed values, for example "true or false", "a whole number from 1 to 64" or "one of
/// a, b, c".
[[nodiscard]] std::string describeValues(const OptionRow &row);

/// The values of all rows of one table. The getters throw InternalError for a key that the table does not have. They
/// also throw InternalError for an option whose kind the getter cannot return.
class OptionValues {
public:
  [[nodiscard]] bool getBool(const std::string &key) const;
  [[nodiscard]] std::uint64_t getUnsigned(const std::string &key) const;
  /// Returns the value of a String or Enumeration. The value of an Enumeration has the spelling of the table.
  [[nodiscard]] const std::string &getString(const std::string &key) const;
  /// Returns the position of an Enumeration's value in OptionRow::values.
  [[nodiscard]] std::size_t getIndex(const std::string &key) const;
  /// Returns whether the parsed options contain the key. If the options do not contain the key, the value is the
  /// default.
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
  /// Makes a table. `name` identifies the options in error messages, for example "engine" or "target". `listCommand` is
  /// the command that lists the options. The message about an unknown key contains this command or, if `listCommand` is
  /// empty, all keys. Throws InternalError if two rows have the same key, or if a default cannot be parsed. Also throws
  /// InternalError if an Enumeration has no `values`, or if a row of another kind has `values`.
  OptionTable(std::string name, std::vector<OptionRow> rows, std::string listCommand = {});

  [[nodiscard]] const std::string &name() const { return name_; }
  /// Returns the rows in the order of the constructor's argument.
  [[nodiscard]] const std::vector<OptionRow> &rows() const { return rows_; }
  [[nodiscard]] const OptionRow *find(const std::string &key) const; // null if the table lacks the key
  /// Parses options. Throws poplar::invalid_option for an unknown key. The message about this key contains one hint:
  /// the hint of foreignWord() or, without this hint, the nearest known key. If no key is near enough, the hint is the
  /// command that lists all keys or, without a command, the list of all keys. Also throws poplar::invalid_option for a
  /// bad value; the message contains the key and the allowed values.
  [[nodiscard]] OptionValues parse(const poplar::OptionFlags &flags) const;

private:
  [[nodiscard]] OptionValues::Value parseValue(const OptionRow &row, const std::string &text) const;
  std::string name_;
  std::vector<OptionRow> rows_;
  std::string listCommand_;
};

} // namespace popscope
