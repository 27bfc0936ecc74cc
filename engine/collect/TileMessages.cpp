#include "engine/collect/TileMessages.hpp"

#include <algorithm>

namespace popscope {

std::vector<TileMessage> tileMessages(const StepProgram &program, const ExchangeStep &exchange) {
  std::vector<TileMessage> messages;
  messages.reserve(exchange.numMessages);
  for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
    const Message &message = program.messages[m];
    messages.push_back({program.homes[message.src].tile.index(), program.homes[message.dst].tile.index(),
                        narrow(message.wordBytes())});
  }
  const auto precedes = [](const TileMessage &a, const TileMessage &b) { return a.to < b.to; };
  if (!std::is_sorted(messages.begin(), messages.end(), precedes))
    std::stable_sort(messages.begin(), messages.end(), precedes);
  for (auto begin = messages.begin(); begin != messages.end();) {
    const auto end = std::find_if(begin, messages.end(), [&](const TileMessage &m) { return m.to != begin->to; });
    const auto smaller = [](const TileMessage &a, const TileMessage &b) { return a.bytes < b.bytes; };
    if (!std::is_sorted(begin, end, smaller))
      std::stable_sort(begin, end, smaller);
    begin = end;
  }
  return messages;
}

} // namespace popscope
