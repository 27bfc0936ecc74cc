// ReceivedMessages: the sizes of the messages that tiles receive in exchanges within IPUs. The sizes of the messages
// that one tile receives in one exchange form a combination. The combinations have numbers in the order of their first
// appearance: in the order of steps and, within a step, of tiles.
#pragma once
#include "base/Parallel.hpp"
#include "engine/collect/TileMessages.hpp"
#include "instrument/profile/Records.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace popscope {

class ReceivedMessages {
public:
  /// Collects all combinations. `program` must outlive this object.
  ReceivedMessages(const StepProgram &program, std::uint32_t tilesPerIpu, Threads threads);
  /// Sets messageSizes and receiveDistance of the record. A tile has no messageSizes if some of its messages use more
  /// buses than others. `messages` are the messages of the exchange. Thread-safe.
  void collect(const ExchangeStep &exchange, const std::vector<TileMessage> &messages,
               ProgramTilesRecord &record) const;
  /// Returns the combinations in the order of their numbers, which begin with 1.
  [[nodiscard]] std::vector<MessageSizesRecord> sizes() const;

private:
  template <class Use>
  void eachTile(const ExchangeStep &exchange, const std::vector<TileMessage> &messages, const Use &use) const;

  const StepProgram &program_;
  std::uint32_t tilesPerIpu_;
  std::map<MessageSizesRecord, std::uint64_t> numbers_;
};

} // namespace popscope
