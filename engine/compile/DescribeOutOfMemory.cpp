// The exception text of a program that does not fit. The text names the worst tiles, the step that fills these tiles
// most, the causes of the overflow, the largest contributors at that step, and changes with which the program would
// fit.
#include "base/OperandBuffers.hpp"
#include "base/ShownText.hpp"
#include "engine/compile/Compile.hpp"
#include "graph/steps/DescribeStep.hpp"
#include "liveness/layout/MeasureOverflow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace popscope {
namespace {

constexpr std::size_t kTilesNamed = 3, kContributors = 5;

struct Contributor {
  std::string name; // the name with its debug path
  Bytes bytes;
};

class Describer {
public:
  explicit Describer(const CompiledProgram &compiled)
      : c_(compiled), p_(compiled.program), limit_(compiled.machine.bytesPerTile) {}

  std::string text() const {
    const auto &over = c_.layout.tilesOutOfMemory;
    std::string out = fmt::format("{} of {} tiles need more than the {} bytes that a tile has.", over.size(),
                                  p_.numTiles, limit_.count());
    std::vector<TileOverflow> measured;
    for (std::size_t i = 0; i < std::min(over.size(), kTilesNamed); ++i) {
      measured.push_back(
          measureOverflow(p_, c_.ranges, c_.machine, LayoutOptions{hasCode(c_.machine)}, c_.layout, over[i]));
      out += tileText(over[i], measured.back());
    }
    if (over.size() > kTilesNamed)
      out +=
          fmt::format("\n  and {} tile{} more.", over.size() - kTilesNamed, over.size() == kTilesNamed + 1 ? "" : "s");
    if (!over.empty())
      out += whatWouldFit(measured);
    return out;
  }

  /// Returns the first line, worded as in Poplar 2.0 and later, or as in 2.1 and later if a profile was written.
  [[nodiscard]] std::string firstLine(const std::string &profilePath) const {
    if (!profilePath.empty())
      return "Out of memory: Cannot fit all variable data onto one or more tiles. Profile saved to: " +
             shownText(profilePath);
    const TileId fullest = c_.layout.tilesOutOfMemory.front();
    return fmt::format("Out of memory on tile {}: {} bytes used but tiles only have {} bytes of memory",
                       fullest.index(), c_.layout.tiles[fullest.index()].totalIncludingGaps.count(), limit_.count());
  }

private:
  [[nodiscard]] std::string ownerText(const Allocation &a) const {
    const char *category = storageCategoryKey(a.category);
    const auto named = [&](const std::string &name) {
      return fmt::format("{} of '{}'", category, name.empty() ? "<anon>" : shownText(name));
    };
    switch (a.owner) {
    case OwnerKind::Home:
      return fmt::format("{} '{}'", category, shownText(p_.names[p_.vars[p_.homes[HomeId(a.ownerIndex)].var].name]));
    case OwnerKind::Vertex: return named(p_.vertexTypes[p_.vertices[a.ownerIndex].type].name);
    case OwnerKind::CopyVertex: return named(p_.vertexTypes[p_.copies[a.ownerIndex].type].name);
    case OwnerKind::VertexCode: return named(p_.vertexTypes[VertexTypeId(a.ownerIndex)].name);
    case OwnerKind::LibraryCode: return named(p_.libraryCode[a.ownerIndex].name);
    case OwnerKind::Runtime:
    case OwnerKind::Control:
    case OwnerKind::InternalExchange:
    case OwnerKind::HostExchange:
    case OwnerKind::GlobalExchange:
    case OwnerKind::HostHeader:
    case OwnerKind::GlobalHeader:
    case OwnerKind::Stack:
    case OwnerKind::Instrumentation:
    case OwnerKind::ControlTable:
    case OwnerKind::SharedData: break;
    }
    return category;
  }
  /// Returns the contents of the tile at the step, largest first. Allocations with one name are one contributor.
  [[nodiscard]] std::vector<Contributor> contributors(TileId tile, StepIndex step) const {
    std::map<std::string, Bytes> byName;
    for (const Allocation &a : c_.layout.ofTile(tile))
      if (c_.ranges.contains(a.occupied, step))
        byName[ownerText(a)] += a.bytes;
    std::vector<Contributor> rows;
    for (const auto &[name, bytes] : byName)
      rows.push_back({name, bytes});
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Contributor &a, const Contributor &b) { return a.bytes > b.bytes; });
    return rows;
  }
  /// Returns, for example, "4032 bytes of gaps: 3968 from alignment, 64 from fragmentation", or "no gaps". popscope oom
  /// shows the same bytes under the same names.
  [[nodiscard]] static std::string gapsText(const TileGaps &gaps) {
    std::string causes;
    for (const auto &[bytes, cause] : {std::pair(gaps.alignment, "alignment"),
                                       {gaps.elements, "operands in different memory elements"},
                                       {gaps.regions, "rules of regions"},
                                       {gaps.fragmentation, "fragmentation"}})
      if (bytes != 0)
        causes += fmt::format("{}{} from {}", causes.empty() ? ": " : ", ", bytes, cause);
    return causes.empty() ? "no gaps" : fmt::format("{} bytes of gaps{}", gaps.sum(), causes);
  }
  [[nodiscard]] std::string tileText(TileId tile, const TileOverflow &overflow) const {
    std::string out =
        fmt::format("\n  tile {}: {} bytes over (highest address {}); fullest at {}: {} bytes occupied there, ",
                    tile.index(), overflow.over.count(), (limit_ + overflow.over).count(),
                    describeStep(p_, overflow.worstStep), overflow.bytesThere.count());
    out += overflow.bytesThere > limit_
               ? fmt::format("{} more than a tile has", (overflow.bytesThere - limit_).count())
               : fmt::format("{} fewer than a tile has", (limit_ - overflow.bytesThere).count());
    out += ", " + gapsText(overflow.gaps) + ". Largest there:";
    const auto rows = contributors(tile, overflow.worstStep);
    for (std::size_t i = 0; i < std::min(rows.size(), kContributors); ++i)
      out += fmt::format("\n    {} B  {}{}", rows[i].bytes.count(), rows[i].name,
                         rows[i].bytes > limit_ ? " (more than a whole tile)" : "");
    return out;
  }

  /// Returns whether buffers for operands take most of the tile's bytes at the step, not counting variables and
  /// constants. popscope oom follows the same rule.
  [[nodiscard]] bool buffersPrevail(TileId tile, StepIndex step) const {
    Bytes buffers, others;
    for (const Allocation &a : c_.layout.ofTile(tile))
      if (c_.ranges.contains(a.occupied, step) && a.category != StorageCategory::Variable &&
          a.category != StorageCategory::Constant)
        (isOperandBuffer(a.category) ? buffers : others) += a.bytes;
    return buffers > others;
  }
  /// Returns, for example, "tile 2 with 400 bytes less of 'a' and 80 less of 'b'".
  [[nodiscard]] std::string cutText(TileId tile, const TileOverflow &overflow) const {
    if (overflow.mustGo.empty())
      return fmt::format("tile {} with {}", tile.index(),
                         buffersPrevail(tile, overflow.worstStep)
                             ? "smaller operands of its vertices, or with their compute set split into several that "
                               "run one after the other, because buffers for operands fill it"
                             : "fewer vertices, because it does not fit even without its variables");
    std::string out = fmt::format("tile {} with ", tile.index());
    for (std::size_t i = 0; i < std::min(overflow.mustGo.size(), kContributors); ++i) {
      const HomeCut &cut = overflow.mustGo[i];
      out += fmt::format("{}{} bytes less of '{}'", i == 0 ? "" : ", ", cut.bytes.count(),
                         shownText(p_.names[p_.vars[p_.homes[cut.home].var].name]));
    }
    if (overflow.mustGo.size() > kContributors)
      out += fmt::format(", {} bytes less of {} other variables", bytesOf(overflow, kContributors).count(),
                         overflow.mustGo.size() - kContributors);
    return out;
  }
  [[nodiscard]] static Bytes bytesOf(const TileOverflow &overflow, std::size_t from) {
    Bytes sum;
    for (std::size_t i = from; i < overflow.mustGo.size(); ++i)
      sum += overflow.mustGo[i].bytes;
    return sum;
  }

  /// Returns a text that states how many bytes at least must leave the overflowing tiles, and whether other tiles have
  /// space for these bytes.
  [[nodiscard]] std::string whatWouldFit(const std::vector<TileOverflow> &measured) const {
    Bytes over, room, mostRoom;
    for (const TileMemory &tile : c_.layout.tiles)
      if (tile.totalIncludingGaps > limit_) {
        over += tile.totalIncludingGaps - limit_;
      } else {
        room += limit_ - tile.totalIncludingGaps;
        mostRoom = std::max(mostRoom, limit_ - tile.totalIncludingGaps);
      }
    std::string out = "\nWhat would fit with the packing of this compiler, gaps included: ";
    for (std::size_t i = 0; i < measured.size(); ++i)
      out += (i == 0 ? "" : "; ") + cutText(c_.layout.tilesOutOfMemory[i], measured[i]);
    if (c_.layout.tilesOutOfMemory.size() > measured.size())
      out += "; and so on for the tiles not named";
    if (room < over)
      return out + fmt::format(". In all, {} bytes lie past the end of memory, and the other tiles have only {} bytes "
                               "free: use less data, or a device with more tiles.",
                               over.count(), room.count());
    return out + fmt::format(". Other tiles have {} bytes free, the emptiest {}.", room.count(), mostRoom.count());
  }

  const CompiledProgram &c_;
  const StepProgram &p_;
  Bytes limit_;
};

std::string inOneLine(const std::string &lines) {
  std::string out;
  for (const char c : lines)
    out += c == '\n' ? std::string("; ") : std::string(1, c);
  return out;
}

} // namespace

std::string describeOutOfMemory(const CompiledProgram &compiled, const std::string &profilePath) {
  const Describer describer(compiled);
  const std::string text = describer.firstLine(profilePath) + "\n" + describer.text();
  const auto &trials = compiled.record.advice.trials;
  if (trials.empty())
    return text;
  const AdviceTrialRecord &last = trials.back();
  if (last.purpose != "smallest" && last.purpose != "fit" && last.purpose != "fits")
    return text +
           fmt::format("\nNo set of changes that popscope.tryAdvice={} tried makes the program fit; popscope advise "
                       "lists what each change does.",
                       compiled.settings.advice.trials);
  return text + fmt::format("\nCompiled with {}, the program fits (see popscope fit): {}",
                            last.numChanges == 1 ? "one change" : fmt::format("{} changes", last.numChanges),
                            inOneLine(last.text));
}

} // namespace popscope
