// EngineOptions: options of an engine together with what they are for, checked once and comparable, so that they can be
// part of the key under which a compiled program is kept.
#pragma once
#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>

namespace poplar {

class EngineOptions {
public:
  /// Throws invalid_option for an unknown option or a bad value, as the Engine would.
  explicit EngineOptions(const OptionFlags &flags = {});
  EngineOptions(const OptionFlags &flags, const Target &target, unsigned replicationFactor = 1);
  /// As they were given.
  const OptionFlags &flags() const { return flags_; }
  unsigned replicationFactor() const { return replicationFactor_; }
  /// The same effective values (an option that is set to its default counts as not set), target and number of replicas.
  bool operator==(const EngineOptions &other) const;
  bool operator!=(const EngineOptions &other) const { return !(*this == other); }
  std::size_t hash() const;

private:
  OptionFlags flags_, effective_;
  Target target_;
  unsigned replicationFactor_;
  bool hasTarget_;
};

/// Found by boost::hash.
inline std::size_t hash_value(const EngineOptions &options) { return options.hash(); }

} // namespace poplar

namespace std {
template <> struct hash<poplar::EngineOptions> {
  size_t operator()(const poplar::EngineOptions &options) const { return options.hash(); }
};
} // namespace std
