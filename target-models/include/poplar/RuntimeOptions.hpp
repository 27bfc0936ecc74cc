// RuntimeOptions: options for the run of a program, checked once. RuntimeOptions can be compared and hashed. The
// options have the names of the engine's options.
#pragma once
#include <poplar/OptionFlags.hpp>

namespace poplar {

class RuntimeOptions {
public:
  /// Checks the options against the table of engine options. Throws invalid_option for an option that is not in this
  /// table, and for a value that the table does not allow.
  explicit RuntimeOptions(const OptionFlags &flags = {});
  /// Returns the options as they were passed to the constructor.
  const OptionFlags &flags() const { return flags_; }
  /// Returns whether the options are equal. Values are compared as text. An option that is set to its default counts as
  /// not set.
  bool operator==(const RuntimeOptions &other) const { return effective_ == other.effective_; }
  bool operator!=(const RuntimeOptions &other) const { return !(*this == other); }
  std::size_t hash() const;

private:
  OptionFlags flags_, effective_;
};

inline std::size_t hash_value(const RuntimeOptions &options) { return options.hash(); }

} // namespace poplar

namespace std {
template <> struct hash<poplar::RuntimeOptions> {
  size_t operator()(const poplar::RuntimeOptions &options) const { return options.hash(); }
};
} // namespace std
