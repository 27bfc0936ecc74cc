// The messages of an exchange, from tile to tile: what several records of it are made of.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

struct TileMessage {
  std::uint32_t from = 0, to = 0; // tiles
  Bytes32 bytes;
};
/// By receiver, then bytes. Linear where the table has them by receiver, as lowering makes it, and receivers have few.
[[nodiscard]] std::vector<TileMessage> tileMessages(const StepProgram &program, const ExchangeStep &exchange);

} // namespace popscope
