#include "graph/steps/BlockTiles.hpp"

namespace popscope {
namespace {

using Ipus = std::vector<bool>;

class Participants {
public:
  explicit Participants(const StepProgram &program)
      : p_(program), ipus_(program.tilesPerIpu == 0 ? 1 : program.numTiles / program.tilesPerIpu),
        executes_(p_.executes.size()), exchanges_(p_.exchanges.size()), copies_(p_.streamCopies.size()),
        functions_(p_.functions.size()) {}

  /// Of the steps [begin, end).
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
  /// Null: nothing that works. Found once for each payload.
  const Ipus *ofStep(const Step &step) {
    const auto once = [&](Ipus &known, const auto &make) {
      if (known.empty()) {
        known.assign(ipus_, false);
        make(known);
      }
      return &known;
    };
    switch (step.kind) {
    case StepKind::OnTileExecute:
      return once(executes_[step.payload], [&](Ipus &ipus) {
        const ExecuteStep &e = p_.executes[step.payload];
        for (std::uint32_t v = e.firstVertex; v < e.firstVertex + e.numVertices; ++v)
          add(ipus, p_.vertices[v].tile);
        for (std::uint32_t c = e.firstCopy; c < e.firstCopy + e.numCopies; ++c)
          add(ipus, p_.copies[c].tile);
      });
    case StepKind::DoExchange:
    case StepKind::GlobalExchange:
      return once(exchanges_[step.payload], [&](Ipus &ipus) {
        const ExchangeStep &e = p_.exchanges[step.payload];
        for (std::uint32_t m = e.firstMessage; m < e.firstMessage + e.numMessages; ++m) {
          add(ipus, p_.homes[p_.messages[m].src].tile);
          add(ipus, p_.homes[p_.messages[m].dst].tile);
        }
      });
    case StepKind::StreamCopyBegin:
    case StepKind::StreamCopyMid:
    case StepKind::StreamCopyEnd:
      return once(copies_[step.payload], [&](Ipus &ipus) {
        const StreamCopyStep &c = p_.streamCopies[step.payload];
        for (std::uint32_t t = c.firstTile; t < c.firstTile + c.numTiles; ++t)
          add(ipus, p_.hostTiles[t].tile);
      });
    case StepKind::Call: { // functions do not call each other in circles
      const StepIndex root = p_.functions[p_.calls[step.payload].function].root;
      return once(functions_[p_.calls[step.payload].function.index()],
                  [&](Ipus &ipus) { ipus = of(root.index(), p_.steps[root].end); });
    }
    case StepKind::Sequence:
    case StepKind::Sync:
    case StepKind::Switch:
    case StepKind::If:
    case StepKind::Repeat:
    case StepKind::RepeatWhile:
    case StepKind::WhileTest:
    case StepKind::WriteUndef:
    case StepKind::PrintTensor:
    case StepKind::Abort:
    case StepKind::AbortOnCondition:
    case StepKind::ErrorProgram:
    case StepKind::Block:
    case StepKind::AssumeEqualAcrossReplicas:
    case StepKind::TileRegister: return nullptr;
    }
    return nullptr;
  }

  const StepProgram &p_;
  std::size_t ipus_;
  std::vector<Ipus> executes_, exchanges_, copies_, functions_; // by payload, or by function; empty = not asked yet
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
