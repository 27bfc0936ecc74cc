// TrafficCollector: from which tiles to which an exchange moves how much.
#pragma once
#include "engine/collect/TileMessages.hpp"
#include "instrument/profile/Records.hpp"

#include <cstddef>
#include <vector>

namespace popscope {

class TrafficCollector {
public:
  explicit TrafficCollector(const StepProgram &program);
  /// Empty for what goes between replicas; `messages`: those of the exchange. Threads may ask at once.
  [[nodiscard]] TrafficRecord of(const ExchangeStep &exchange, const std::vector<TileMessage> &messages) const;

private:
  std::size_t most_ = 0; // pairs of tiles that an exchange may have
};

} // namespace popscope
