// The messages of an exchange, from tile to tile. Several collectors compute records from these messages.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

struct TileMessage {
  std::uint32_t from = 0, to = 0; // tile numbers
  Bytes32 bytes;                  // bytes of the words that contain the data
};
/// Returns the messages, sorted by receiver, then bytes. Cost: linear in messages if each receiver has few messages and
/// the table of the exchange is sorted by receiver, as after lowering.
[[nodiscard]] std::vector<TileMessage> tileMessages(const StepProgram &program, const ExchangeStep &exchange);

} // namespace popscope
