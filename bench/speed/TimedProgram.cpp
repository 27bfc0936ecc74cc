#include "bench/speed/TimedProgram.hpp"

#include "target-models/costs/CostModel.hpp"

#include <random>

using namespace popscope;

namespace bench {
namespace {

constexpr std::uint32_t kTypes = 3;

std::uint32_t leaf(StepProgram &p, StepKind kind, std::size_t payload, const char *name = "") {
  Step s;
  s.kind = kind;
  s.name = p.names.intern(name);
  s.payload = static_cast<std::uint32_t>(payload);
  s.end = static_cast<std::uint32_t>(p.steps.size()) + 1;
  return p.steps.push(s).index();
}

void addExchange(StepProgram &p, std::uint32_t tiles, std::mt19937_64 &random) {
  ExchangeStep e;
  e.firstTile = static_cast<std::uint32_t>(p.exchangeTiles.size());
  e.numTiles = tiles;
  for (std::uint32_t t = 0; t < tiles; ++t) {
    ExchangeTile row;
    row.tile = TileId(t);
    const auto words = static_cast<std::uint32_t>(1 + random() % 64);
    row.bytesSent = row.bytesReceived = Bytes32(4 * words);
    row.cycles = narrow(Cycles(100 + words));
    p.exchangeTiles.push_back(row);
  }
  p.exchanges.push_back(e);
  leaf(p, StepKind::DoExchange, p.exchanges.size() - 1, "exchange");
}

void addExecute(StepProgram &p, const TimedShape &shape, std::mt19937_64 &random) {
  if (p.forms.empty())
    p.forms.emplace_back(); // no operands
  ExecuteStep e;
  e.firstVertex = static_cast<std::uint32_t>(p.vertices.size());
  e.numVertices = shape.tiles * shape.verticesPerTile;
  for (std::uint32_t t = 0; t < shape.tiles; ++t)
    for (std::uint32_t i = 0; i < shape.verticesPerTile; ++i) {
      StepVertex v;
      v.type = VertexTypeId(i * kTypes / shape.verticesPerTile);
      v.tile = TileId(t);
      v.estimate = static_cast<std::int64_t>(100 + random() % 64);
      p.vertices.push_back(v);
    }
  p.executes.push_back(e);
  leaf(p, StepKind::OnTileExecute, p.executes.size() - 1, "compute");
}

} // namespace

StepProgram timedProgram(const TimedShape &shape) {
  std::mt19937_64 random(11);
  StepProgram p;
  p.numTiles = p.tilesPerIpu = shape.tiles;
  for (std::uint32_t t = 0; t < kTypes; ++t) {
    StepVertexType type;
    type.name = "bench::Timed<" + std::to_string(t) + ">";
    type.codelet = 0;
    p.vertexTypes.push(type);
  }
  p.root = StepIndex(leaf(p, StepKind::Sequence, 0));
  p.repeats.push_back({shape.repeats});
  const StepIndex repeat(leaf(p, StepKind::Repeat, 0));
  p.syncs.push_back({static_cast<std::uint8_t>(SyncKind::Internal)});
  for (std::uint32_t c = 0; c < shape.computeSets; ++c) {
    leaf(p, StepKind::Sync, 0);
    addExchange(p, shape.tiles, random);
    addExecute(p, shape, random);
  }
  p.steps[repeat].end = p.steps[p.root].end = static_cast<std::uint32_t>(p.steps.size());
  p.programs.resize(1);
  p.programs.front().root = p.root;
  return p;
}

CodeletSet timedCodelets() {
  CodeletSet set;
  VertexClass c;
  c.name = "bench::Timed";
  c.hostSize = 8;
  c.hostAlign = 8;
  c.run = [](void *, unsigned) { return true; };
  set.addClass(c);
  return set;
}

} // namespace bench
