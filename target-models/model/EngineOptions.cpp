// EngineOptions and RuntimeOptions: checked option flags that can be compared and hashed.
#include "base/settings/EngineOptionTable.hpp"

#include <poplar/EngineOptions.hpp>
#include <poplar/RuntimeOptions.hpp>

namespace poplar {

namespace {

/// Returns the options that differ from their defaults. Throws invalid_option.
OptionFlags effectiveFlags(const OptionFlags &flags) {
  const popscope::OptionTable &table = popscope::engineOptionTable();
  (void)table.parse(flags);
  OptionFlags effective;
  for (const auto &option : flags)
    if (table.find(option.first)->defaultValue != option.second)
      effective.set(option.first, option.second);
  return effective;
}

std::size_t mix(std::size_t seed, std::size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

} // namespace

EngineOptions::EngineOptions(const OptionFlags &flags)
    : flags_(flags), effective_(effectiveFlags(flags)), replicationFactor_(1), hasTarget_(false) {}

EngineOptions::EngineOptions(const OptionFlags &flags, const Target &target, unsigned replicationFactor)
    : flags_(flags), effective_(effectiveFlags(flags)), target_(target), replicationFactor_(replicationFactor),
      hasTarget_(true) {}

bool EngineOptions::operator==(const EngineOptions &other) const {
  return effective_ == other.effective_ && replicationFactor_ == other.replicationFactor_ &&
         hasTarget_ == other.hasTarget_ && (!hasTarget_ || target_ == other.target_);
}

std::size_t EngineOptions::hash() const {
  const std::size_t options = mix(std::hash<OptionFlags>()(effective_), replicationFactor_);
  return hasTarget_ ? mix(options, std::hash<Target>()(target_)) : options;
}

RuntimeOptions::RuntimeOptions(const OptionFlags &flags) : flags_(flags), effective_(effectiveFlags(flags)) {}
std::size_t RuntimeOptions::hash() const { return std::hash<OptionFlags>()(effective_); }

} // namespace poplar
