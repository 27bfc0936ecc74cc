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
  /// Returns the bytes that an exchange moves from tile to tile. `messages` are the messages of the exchange. One
  /// exchange may record 64 to 4,096 pairs of a sender and a receiver; this limit depends on the number of exchanges in
  /// the program. If the exchange has more pairs, the result has the sums over groups of neighbouring tiles. The result
  /// is empty if the exchange moves data between replicas, or if the number of bytes of a pair (or of a pair of groups)
  /// does not fit into 32 bits. Thread-safe.
  [[nodiscard]] TrafficRecord of(const ExchangeStep &exchange, const std::vector<TileMessage> &messages) const;

private:
  std::size_t most_ = 0; // maximum number of pairs (of tiles, or of groups of tiles) that are recorded per exchange
};

} // namespace popscope
