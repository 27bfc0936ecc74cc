#include "report/pop/WriteSlots.hpp"

#include "base/Check.hpp"
#include "report/pop/NumberList.hpp"
#include "report/pop/PopReader.hpp"
#include "report/pop/Schema.hpp"
#include "report/pop/TileBlocks.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace popscope {

std::optional<SlotWriter::Parts> SlotWriter::pack(const SlotCycles &slots, std::size_t tiles) {
  constexpr Cycles kMost(std::numeric_limits<std::uint32_t>::max());
  POPSCOPE_CHECK(
      slots.threadCycles.size() == slots.tiles.size() * slots.slots && slots.supervisor.size() == slots.tiles.size(),
      "{} thread cycles of {} slots on {} tiles", slots.threadCycles.size(), slots.slots, slots.tiles.size());
  // Storing the fullest slot and the differences of the others takes fewer bits than storing the slots, because the
  // loads of the slots are mostly equal.
  std::vector<std::vector<std::uint32_t>> parts(slots.slots + 2, std::vector<std::uint32_t>(tiles));
  for (std::size_t i = 0; i < slots.tiles.size(); ++i) {
    const std::uint32_t tile = slots.tiles[i];
    POPSCOPE_CHECK(tile < tiles, "slots of tile {} of {}", tile, tiles);
    const auto load = std::span(slots.threadCycles).subspan(i * slots.slots, slots.slots);
    const Cycles fullest = load.empty() ? Cycles() : *std::max_element(load.begin(), load.end());
    if (fullest > kMost || slots.supervisor[i] > kMost)
      return std::nullopt;
    parts[kFullestSlot][tile] = narrow(fullest).count();
    for (std::size_t s = 0; s < load.size(); ++s)
      parts[kFirstSlot + s][tile] = narrow(fullest - load[s]).count();
    parts.back()[tile] = narrow(slots.supervisor[i]).count();
  }
  Parts packed;
  for (std::size_t part = 0; part < parts.size(); ++part)
    if (part == kFullestSlot ||
        std::any_of(parts[part].begin(), parts[part].end(), [](std::uint32_t c) { return c != 0; }))
      packed.emplace_back(part, packTiles(parts[part]));
  return packed;
}

std::optional<std::vector<std::string>> SlotWriter::packDealt(const SlotCycles &slots, std::size_t tiles) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  std::map<std::vector<std::pair<std::uint64_t, std::uint64_t>>, std::uint32_t> numbers;
  std::vector<std::uint32_t> pattern(tiles), runs, cycles, vertices;
  for (std::size_t i = 0; i < slots.dealt.size(); ++i) {
    if (slots.dealt[i].empty())
      continue;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> key;
    for (const DealtRun &run : slots.dealt[i])
      key.emplace_back(run.threadCycles.count(), run.vertices);
    const auto [at, isNew] = numbers.try_emplace(std::move(key), static_cast<std::uint32_t>(numbers.size() + 1));
    pattern.at(slots.tiles[i]) = at->second;
    if (!isNew)
      continue;
    runs.push_back(static_cast<std::uint32_t>(slots.dealt[i].size()));
    for (const DealtRun &run : slots.dealt[i]) {
      if (run.threadCycles.count() > kMost || run.vertices > kMost)
        return std::nullopt;
      cycles.push_back(narrow(run.threadCycles).count());
      vertices.push_back(static_cast<std::uint32_t>(run.vertices));
    }
  }
  if (runs.empty())
    return std::vector<std::string>();
  return std::vector<std::string>{packTiles(pattern), packList(runs), packList(cycles), packList(vertices)};
}

std::optional<std::uint64_t> SlotWriter::write(PopFile &file, const StepRecord &record, std::size_t tiles) {
  if (!record.slots)
    return std::nullopt;
  const auto [at, isFirst] = latest_.try_emplace(record.program);
  Latest &latest = at->second;
  if (!isFirst && latest.slots == record.slots)
    return latest.id;
  auto parts = pack(*record.slots, tiles);
  auto dealt = packDealt(*record.slots, tiles);
  if (!parts || !dealt) {
    latest_.erase(at);
    return std::nullopt;
  }
  latest.slots = record.slots;
  if (!isFirst && latest.parts == *parts && latest.dealt == *dealt)
    return latest.id;
  latest.parts = std::move(*parts);
  latest.dealt = std::move(*dealt);
  latest.id = next_;
  Query q(file, insertStatement("slot_cycles"));
  for (const auto &[part, cycles] : latest.parts)
    (q << next_++ << latest.id << part).blob(cycles).run();
  if (!latest.dealt.empty()) {
    Query vertices(file, insertStatement("dealt_vertices"));
    vertices << latest.id;
    for (const std::string &blob : latest.dealt)
      vertices.blob(blob);
    vertices.run();
  }
  return latest.id;
}

void SlotWriter::startAfter(PopFile &file) {
  Query q(file, "SELECT MAX(id) + 1 FROM slot_cycles");
  if (q.next())
    next_ = q.u64OrNull().value_or(0);
}

} // namespace popscope
