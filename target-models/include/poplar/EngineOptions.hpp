// EngineOptions: the options and the target of an engine, checked once. EngineOptions can be compared and hashed. They
// can therefore be a part of the keys of a cache of compiled programs.
#pragma once
#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>

namespace poplar {

class EngineOptions {
public:
  /// Checks the options against the table of engine options. Throws invalid_option for an option that is not in this
  /// table, and for a value that the table does not allow.
  explicit EngineOptions(const OptionFlags &flags = {});
  EngineOptions(const OptionFlags &flags, const Target &target, unsigned replicationFactor = 1);
  /// Returns the options as they were passed to the constructor.
  const OptionFlags &flags() const { return flags_; }
  unsigned replicationFactor() const { return replicationFactor_; }
  /// Returns whether the options, the targets and the numbers of replicas are equal. Values are compared as text. An
  /// option that is set to its default counts as not set.
  bool operator==(const EngineOptions &other) const;
  bool operator!=(const EngineOptions &other) const { return !(*this == other); }
  std::size_t hash() const;

private:
  OptionFlags flags_, effective_;
  Target target_;
  unsigned replicationFactor_;
  bool hasTarget_;
};

/// Returns the hash. boost::hash finds this function by its name.
inline std::size_t hash_value(const EngineOptions &options) { return options.hash(); }

} // namespace poplar

namespace std {
template <> struct hash<poplar::EngineOptions> {
  size_t operator()(const poplar::EngineOptions &options) const { return options.hash(); }
};
} // namespace std
