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
  /// Returns the traffic of an exchange, whose messages are `messages`. If the number of pairs of tiles that exchange
  /// data exceeds the limit of an exchange, the pairs are summed over groups of neighbouring tiles. The limit is 64 to
  /// 4,096 pairs, depending on the number of exchanges in the program. The result is empty if the exchange moves data
  /// between replicas, or if the bytes of a pair (or of a pair of groups) exceed 32 bits. Thread-safe.
  [[nodiscard]] TrafficRecord of(const ExchangeStep &exchange, const std::vector<TileMessage> &messages) const;

private:
  std::size_t most_ = 0; // maximum number of pairs (of tiles, or of groups of tiles) that are recorded per exchange
};

} // namespace popscope
