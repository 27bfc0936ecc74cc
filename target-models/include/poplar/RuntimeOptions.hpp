// RuntimeOptions: options for the run of a program, checked once. RuntimeOptions can be compared and hashed. The
// options have the names of the engine's options.
#pragma once
#include <poplar/OptionFlags.hpp>

namespace poplar {

class RuntimeOptions {
public:
  /// Checks the options. Throws invalid_option for an unknown option or a bad value, as the constructor of Engine does.
  explicit RuntimeOptions(const OptionFlags &flags = {});
  const OptionFlags &flags() const { return flags_; }
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
