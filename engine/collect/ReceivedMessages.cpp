#include "engine/collect/ReceivedMessages.hpp"

#include "engine/collect/TileSums.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace popscope {

ReceivedMessages::ReceivedMessages(const StepProgram &program, std::uint32_t tilesPerIpu)
    : program_(program), tilesPerIpu_(tilesPerIpu) {
  for (const Step &step : program.steps.raw())
    if (step.kind == StepKind::DoExchange)
      eachTile(program.exchanges[step.payload], [&](TileId, const MessageSizesRecord *sizes, std::uint32_t) {
        if (sizes != nullptr && numbers_.find(*sizes) == numbers_.end())
          numbers_.emplace(*sizes, numbers_.size() + 1);
      });
}

/// Calls use(tile, sizes, distance of the furthest sender) for each tile that receives, in ascending order. The sizes
/// are null where one takes more than 32 bits, and where some messages come by more buses than others: what-if keeps
/// the transfer as recorded.
template <class Use> void ReceivedMessages::eachTile(const ExchangeStep &exchange, const Use &use) const {
  std::vector<Received> received;
  received.reserve(exchange.numMessages);
  for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
    const Message &message = program_.messages[m];
    const std::uint32_t to = program_.homes[message.dst].tile.index(), from = program_.homes[message.src].tile.index();
    const std::uint32_t a = from % tilesPerIpu_, b = to % tilesPerIpu_;
    received.push_back({to, a > b ? a - b : b - a, message.bytes});
  }
  std::sort(received.begin(), received.end(),
            [](const Received &a, const Received &b) { return std::pair(a.to, a.bytes) < std::pair(b.to, b.bytes); });
  MessageSizesRecord sizes;
  auto next = received.begin();
  for (std::uint32_t t = exchange.firstTile; t < exchange.firstTile + exchange.numTiles; ++t) {
    const ExchangeTile &row = program_.exchangeTiles[t];
    while (next != received.end() && next->to < row.tile.index())
      ++next;
    if (next == received.end() || next->to != row.tile.index())
      continue;
    sizes.buses = row.buses;
    sizes.bytes.clear();
    sizes.messages.clear();
    std::uint32_t distance = 0;
    bool known = row.buses != 0;
    for (Bytes last(~std::uint64_t(0)); next != received.end() && next->to == row.tile.index(); ++next) {
      distance = std::max(distance, next->distance);
      known = known && next->bytes.count() <= std::numeric_limits<std::uint32_t>::max();
      if (next->bytes != last) {
        sizes.bytes.push_back(narrow(next->bytes).count());
        sizes.messages.push_back(0);
      }
      ++sizes.messages.back();
      last = next->bytes;
    }
    use(row.tile, known ? &sizes : nullptr, distance);
  }
}

void ReceivedMessages::collect(const ExchangeStep &exchange, ProgramTilesRecord &record) const {
  eachTile(exchange, [&](TileId tile, const MessageSizesRecord *sizes, std::uint32_t distance) {
    if (sizes != nullptr)
      record.messageSizes.emplace_back(tile.index(), numbers_.at(*sizes));
    addRow(record.receiveDistance, tile, distance);
  });
}

std::vector<MessageSizesRecord> ReceivedMessages::sizes() const {
  std::vector<MessageSizesRecord> all(numbers_.size());
  for (const auto &[row, number] : numbers_)
    all[number - 1] = row;
  return all;
}

} // namespace popscope
