#include "tests/unit/liveness/StepBuilder.hpp"

#include "base/Check.hpp"

namespace popscope::testing {

StepBuilder::StepBuilder(std::uint32_t numTiles) {
  program_.numTiles = program_.tilesPerIpu = numTiles;
  begin(StepKind::Sequence);
}

VarId StepBuilder::variable(const std::string &name, std::uint64_t elements, const std::vector<std::uint32_t> &tiles) {
  StepVar v;
  v.name = program_.names.intern(name);
  v.elements = elements;
  v.firstHome = static_cast<std::uint32_t>(program_.homes.size());
  v.firstPiece = static_cast<std::uint32_t>(program_.pieces.size());
  v.numHomes = v.numPieces = static_cast<std::uint32_t>(tiles.size());
  const VarId id = program_.vars.push(v);
  const std::uint64_t each = elements / tiles.size();
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    const HomeId home = program_.homes.push(Home{id, TileId(tiles[t]), each});
    program_.pieces.push_back(Piece{{t * each, (t + 1) * each}, home, 0});
  }
  return id;
}

SourceId StepBuilder::source() { return program_.sources.push(Source{}); }

std::uint32_t StepBuilder::leaf(StepKind kind, const std::vector<AccessSpec> &accesses, std::uint32_t payload,
                                SourceId source) {
  const std::uint32_t s = begin(kind, accesses, payload);
  program_.steps[StepIndex(s)].source = source;
  end();
  return s;
}

std::uint32_t StepBuilder::step(const std::vector<AccessSpec> &accesses, SourceId source) {
  return leaf(StepKind::OnTileExecute, accesses, 0, source);
}

std::uint32_t StepBuilder::begin(StepKind kind, const std::vector<AccessSpec> &accesses, std::uint32_t payload) {
  Step s;
  s.kind = kind;
  s.payload = payload;
  s.firstAccess = static_cast<std::uint32_t>(program_.accesses.size());
  s.numAccesses = static_cast<std::uint32_t>(accesses.size());
  for (const AccessSpec &a : accesses) {
    program_.accesses.push_back(Access{a.var, a.kind, 0, static_cast<std::uint32_t>(program_.ranges.size()),
                                       static_cast<std::uint32_t>(a.ranges.size())});
    program_.ranges.insert(program_.ranges.end(), a.ranges.begin(), a.ranges.end());
  }
  open_.push_back(program_.steps.push(s).index());
  return open_.back();
}

void StepBuilder::end() {
  POPSCOPE_CHECK(!open_.empty(), "end() without begin()");
  program_.steps[StepIndex(open_.back())].end = static_cast<std::uint32_t>(program_.steps.size());
  open_.pop_back();
}

std::uint32_t StepBuilder::beginRepeat(std::uint32_t count) {
  program_.repeats.push_back(RepeatStep{count});
  return begin(StepKind::Repeat, {}, static_cast<std::uint32_t>(program_.repeats.size() - 1));
}

std::uint32_t StepBuilder::beginSwitch(std::vector<std::int32_t> labels, bool engine) {
  SwitchStep payload;
  payload.labels = std::move(labels);
  payload.engineSwitch = engine;
  program_.switches.push_back(payload);
  return begin(StepKind::Switch, {}, static_cast<std::uint32_t>(program_.switches.size() - 1));
}

std::uint32_t StepBuilder::call(std::uint32_t function) {
  program_.calls.push_back(CallStep{FunctionId(function)});
  return leaf(StepKind::Call, {}, static_cast<std::uint32_t>(program_.calls.size() - 1));
}

void StepBuilder::beginFunction() {
  POPSCOPE_CHECK(open_.size() == 1, "{} steps are open", open_.size());
  end();
  const std::uint32_t root = begin(StepKind::Sequence);
  program_.functions.push(StepProgram::FunctionInfo{StepIndex(root), NameId()});
}

StepProgram StepBuilder::finish() {
  POPSCOPE_CHECK(open_.size() == 1, "{} steps are open", open_.size());
  end();
  return std::move(program_);
}

TileMachine smallMachine(std::uint32_t numTiles) {
  TileMachine m;
  m.name = "small";
  m.tilesPerIpu = numTiles;
  m.workerContexts = 2;
  m.bytesPerTile = 1024;
  m.regions = {{RegionKind::NonInterleaved, 0, 256, 128, true},
               {RegionKind::NonInterleaved, 256, 256, 128, false},
               {RegionKind::Interleaved, 512, 512, 256, false}};
  m.dataStartOffset = 128;
  m.stack.workerBytes = 4;
  m.stack.supervisorBytes = 8;
  return m;
}

} // namespace popscope::testing
