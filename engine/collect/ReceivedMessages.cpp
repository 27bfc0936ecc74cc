#include "engine/collect/ReceivedMessages.hpp"

#include "engine/collect/TileSums.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace popscope {

ReceivedMessages::ReceivedMessages(const StepProgram &program, std::uint32_t tilesPerIpu, Threads threads)
    : program_(program), tilesPerIpu_(tilesPerIpu) {
  std::vector<const ExchangeStep *> exchanges;
  for (const Step &step : program.steps.raw())
    if (step.kind == StepKind::DoExchange)
      exchanges.push_back(&program.exchanges[step.payload]);
  constexpr std::size_t kTogether = 64; // number of exchanges per task
  std::vector<std::vector<MessageSizesRecord>> found((exchanges.size() + kTogether - 1) / kTogether);
  parallelFor(threads, found.size(), [&](std::size_t part) {
    std::set<MessageSizesRecord> known;
    for (std::size_t e = part * kTogether; e < std::min(exchanges.size(), (part + 1) * kTogether); ++e)
      eachTile(*exchanges[e], tileMessages(program_, *exchanges[e]),
               [&](TileId, const MessageSizesRecord *sizes, std::uint32_t) {
                 if (sizes != nullptr && known.insert(*sizes).second)
                   found[part].push_back(*sizes);
               });
  });
  for (const std::vector<MessageSizesRecord> &part : found)
    for (const MessageSizesRecord &sizes : part)
      numbers_.emplace(sizes, numbers_.size() + 1); // unless these sizes already have a number
}

/// Calls use(tile, sizes, distance of the furthest sender) for each tile that receives, in ascending order. The sizes
/// are null if some messages use more buses than others. In this case, popscope whatif keeps the recorded transfer.
template <class Use>
void ReceivedMessages::eachTile(const ExchangeStep &exchange, const std::vector<TileMessage> &messages,
                                const Use &use) const {
  const auto distanceOf = [this](const TileMessage &message) {
    const std::uint32_t from = message.from % tilesPerIpu_, to = message.to % tilesPerIpu_;
    return from > to ? from - to : to - from;
  };
  MessageSizesRecord sizes;
  auto next = messages.begin();
  for (std::uint32_t t = exchange.firstTile; t < exchange.firstTile + exchange.numTiles; ++t) {
    const ExchangeTile &row = program_.exchangeTiles[t];
    while (next != messages.end() && next->to < row.tile.index())
      ++next;
    const auto begin = next;
    if (begin == messages.end() || begin->to != row.tile.index())
      continue;
    sizes.buses = row.buses;
    sizes.bytes.clear();
    sizes.messages.clear();
    std::uint32_t distance = 0;
    for (; next != messages.end() && next->to == row.tile.index(); ++next) {
      distance = std::max(distance, distanceOf(*next));
      if (next == begin || next->bytes != std::prev(next)->bytes) {
        sizes.bytes.push_back(next->bytes.count());
        sizes.messages.push_back(0);
      }
      ++sizes.messages.back();
    }
    use(row.tile, row.buses != 0 ? &sizes : nullptr, distance);
  }
}

void ReceivedMessages::collect(const ExchangeStep &exchange, const std::vector<TileMessage> &messages,
                               ProgramTilesRecord &record) const {
  record.messageSizes.reserve(exchange.numTiles);
  record.receiveDistance.reserve(exchange.numTiles);
  eachTile(exchange, messages, [&](TileId tile, const MessageSizesRecord *sizes, std::uint32_t distance) {
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
