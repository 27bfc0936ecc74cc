// ReceivedMessages: of which sizes the messages are that tiles receive in exchanges within IPUs. Each combination of
// sizes has a number, in the order of steps and tiles in which it comes first.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/profile/Records.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace popscope {

class ReceivedMessages {
public:
  /// `program` must outlive this. n log n in the messages of an exchange.
  ReceivedMessages(const StepProgram &program, std::uint32_t tilesPerIpu);
  /// Sets messageSizes and receiveDistance. Threads may ask at once.
  void collect(const ExchangeStep &exchange, ProgramTilesRecord &record) const;
  /// By number, from 1.
  [[nodiscard]] std::vector<MessageSizesRecord> sizes() const;

private:
  struct Received {
    std::uint32_t to = 0, distance = 0; // in tiles
    Bytes bytes;
  };
  template <class Use> void eachTile(const ExchangeStep &exchange, const Use &use) const;

  const StepProgram &program_;
  std::uint32_t tilesPerIpu_;
  std::map<MessageSizesRecord, std::uint64_t> numbers_;
};

} // namespace popscope
