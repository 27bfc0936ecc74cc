// TrafficCollector: collects the bytes that an exchange moves between tiles.
#pragma once
#include "engine/collect/TileMessages.hpp"
#include "instrument/profile/Records.hpp"

#include <cstddef>
#include <vector>

namespace popscope {

class TrafficCollector {
public:
  explicit TrafficCollector(const StepProgram &program);
  /// Returns the traffic of an exchange; empty for data between replicas. `messages`: the messages of the exchange.
  /// Thread-safe.
  [[nodiscard]] TrafficRecord of(const ExchangeStep &exchange, const std::vector<TileMessage> &messages) const;

private:
  std::size_t most_ = 0; // pairs of tiles per exchange
};

} // namespace popscope
