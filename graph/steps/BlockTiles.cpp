#include "graph/steps/BlockTiles.hpp"

#include "graph/steps/ExecutedSets.hpp"
#include "graph/steps/StepPayloads.hpp"

namespace popscope {
namespace {

using Ipus = std::vector<bool>;

class Participants {
public:
  explicit Participants(const StepProgram &program)
      : p_(program), ipus_(program.tilesPerIpu == 0 ? 1 : program.numTiles / program.tilesPerIpu),
        executes_(p_.executes.size()), exchanges_(p_.exchanges.size()), copies_(p_.streamCopies.size()),
        functions_(p_.functions.size()) {}

  /// Returns the IPUs that take part in the steps [begin, end).
  Ipus of(std::uint32_t begin, std::uint32_t end) {
    Ipus all(ipus_, false);
    for (std::uint32_t s = begin; s < end; ++s)
      if (const Ipus *some = ofStep(p_.steps[StepIndex(s)]))
        for (std::size_t i = 0; i < ipus_; ++i)
          all[i] = all[i] || (*some)[i];
    return all;
  }

private:
  void add(Ipus &ipus, TileId tile) const { ipus[tile.index() / p_.tilesPerIpu] = true; }
  /// Returns the IPUs of a step, or null for a step without work. Computes the IPUs once for each payload.
  const Ipus *ofStep(const Step &step) {
    const auto once = [&](Ipus &known, const auto &make) {
      if (known.empty()) {
        known.assign(ipus_, false);
        make(known);
      }
      return &known;
    };
    return visitPayload(
        p_, step,
        Overloaded{[&](const ExecuteStep &e) -> const Ipus * {
                     return once(executes_[step.payload], [&](Ipus &ipus) {
                       for (const StepVertex &vertex : verticesOf(p_, e))
                         add(ipus, vertex.tile);
                       for (const CopyVertex &copy : copiesOf(p_, e))
                         add(ipus, copy.tile);
                     });
                   },
                   [&](const ExchangeStep &e) -> const Ipus * {
                     return once(exchanges_[step.payload], [&](Ipus &ipus) {
                       for (std::uint32_t m = e.firstMessage; m < e.firstMessage + e.numMessages; ++m) {
                         add(ipus, p_.homes[p_.messages[m].src].tile);
                         add(ipus, p_.homes[p_.messages[m].dst].tile);
                       }
                     });
                   },
                   [&](const StreamCopyStep &c) -> const Ipus * {
                     return once(copies_[step.payload], [&](Ipus &ipus) {
                       for (std::uint32_t t = c.firstTile; t < c.firstTile + c.numTiles; ++t)
                         add(ipus, p_.hostTiles[t].tile);
                     });
                   },
                   [&](const CallStep &call) -> const Ipus * { // calls of functions never form a cycle, so this ends
                     const StepIndex root = p_.functions[call.function].root;
                     return once(functions_[call.function.index()],
                                 [&](Ipus &ipus) { ipus = of(root.index(), p_.steps[root].end); });
                   },
                   [](const auto &) -> const Ipus * { return nullptr; }});
  }

  const StepProgram &p_;
  std::size_t ipus_;
  std::vector<Ipus> executes_, exchanges_, copies_, functions_; // by payload, or by function; empty = not computed yet
};

} // namespace

std::vector<std::vector<TileId>> blockTiles(const StepProgram &program) {
  std::vector<std::vector<TileId>> result(program.blocks.size());
  if (!program.blockProfile.on)
    return result;
  Participants participants(program);
  for (std::uint32_t s = 0; s < program.steps.size(); ++s) {
    const Step &step = program.steps[StepIndex(s)];
    if (step.kind != StepKind::Block || !program.blocks[step.payload].recorded)
      continue;
    const Ipus working = participants.of(s + 1, step.end);
    std::vector<TileId> &tiles = result[step.payload];
    for (const TileId tile : program.blockProfile.tiles)
      if (working[tile.index() / program.tilesPerIpu])
        tiles.push_back(tile);
    if (tiles.empty())
      tiles = program.blockProfile.tiles;
  }
  return result;
}

} // namespace popscope
