#include "SampleRecords.hpp"

#include "SampleLists.hpp"

#include <algorithm>

namespace sample {
namespace {

using namespace popscope;
constexpr std::uint64_t kTiles = 1216;

// Programs. The second root holds executed programs that the truncated liveness tree of the sample does not show.
enum Id : std::uint32_t {
  kRoot,
  kBegin1,
  kMid1,
  kEnd1,
  kBegin2,
  kMid2,
  kEnd2,
  kSync,
  kBroadcast,
  kSwitch,
  kInner,
  kSeedExchange,
  kSeedExecute,
  kOtherRoot,
  kConvExchange,
  kConvExecute,
  kRest
};

ProgramRecord program(const char *type, const char *name, std::int64_t parent, bool live = false) {
  ProgramRecord p;
  p.type = type;
  p.name = name;
  p.parent = parent;
  p.livenessPoint = live;
  return p;
}

void addPrograms(CompilationRecord &r) {
  r.programs = {program("Sequence", "", -1),
                program("StreamCopyBegin", "", kRoot),
                program("StreamCopyMid", "", kRoot, true),
                program("StreamCopyEnd", "", kRoot),
                program("StreamCopyBegin", "", kRoot),
                program("StreamCopyMid", "", kRoot, true),
                program("StreamCopyEnd", "", kRoot),
                program("Sync", "Internal", kRoot),
                program("DoExchange", "switchControlBroadcast13/ExchangePre", kRoot, true),
                program("Switch", "", kRoot, true),
                program("Sequence", "", kSwitch),
                program("DoExchange", "init/setMasterSeed/ExchangePre", kInner, true),
                program("OnTileExecute", "init/setMasterSeed", kInner, true),
                program("Sequence", "", -1),
                program("DoExchange", "Layer1/Fwd/Conv_1/Convolve/ExchangePre", kOtherRoot),
                program("OnTileExecute", "Layer1/Fwd/Conv_1/Convolve", kOtherRoot),
                program("OnTileExecute", "rest", kOtherRoot)};
  for (const Id id : {kSeedExecute, kConvExecute, kRest}) {
    r.programs[id].computeSet = static_cast<std::int64_t>(r.computeSets.size());
    r.computeSets.push_back({r.programs[id].name, {}, {}});
  }
  r.controlPrograms = {kRoot};
}

void addVariable(CompilationRecord &r, const char *name, std::uint64_t bytes, std::uint32_t from, std::uint32_t end) {
  LiveVariableRecord v;
  v.name = r.variableNames.intern(name);
  v.bytes = Bytes(bytes);
  v.liveClass = static_cast<std::int64_t>(r.livenessClasses.size());
  v.bytesByTile = {{0, bytes}};
  r.livenessClasses.push_back({{{from, end}}});
  r.variables.push_back(std::move(v));
}

void addLiveness(CompilationRecord &r) {
  for (const auto &v : kAlwaysLive) {
    LiveVariableRecord live;
    live.name = r.variableNames.intern(v.name);
    live.bytes = Bytes(v.bytes);
    live.alwaysLive = true;
    r.variables.push_back(live);
  }
  addVariable(r, "<anon>", 8, kRoot, kOtherRoot);
  addVariable(r, "<anon>", 4, kRoot, kSync);
  addVariable(r, "Layer1/Fwd/weights", 94080, kRoot, kOtherRoot);
  addVariable(r, "Layer1/Fwd/biases", 120, kRoot, kOtherRoot);
  addVariable(r, "Layer3/Fwd/biases", 40, kRoot, kOtherRoot);
  addVariable(r, "Layer3/Fwd/weights", 1200, kRoot, kOtherRoot);
  addVariable(r, "programId", 4, kMid2, kInner);
  addVariable(r, "broadcastProgramId", 4860, kBroadcast, kInner);
  addVariable(r, "<message:anon>", 9720, kSeedExchange, kOtherRoot);
  for (const auto &[id, bytes] : {std::pair<std::uint32_t, std::uint64_t>{kMid1, 95452},
                                  {kMid2, 95456},
                                  {kBroadcast, 100312},
                                  {kSwitch, 100312},
                                  {kSeedExchange, 105168},
                                  {kSeedExecute, 105168}})
    r.livenessSteps.push_back({id, Bytes(bytes), {Bytes(bytes)}});
  r.alwaysLiveBytes = Bytes(5976425);
  r.maxLiveBytes = Bytes(6556737);
}

/// Returns bytes by tile with the sample's histogram, total and maximum.
std::vector<std::uint64_t> bytesByTile() {
  constexpr std::uint64_t kTotal = 6720337, kFullest = 20294;
  std::vector<std::uint64_t> bytes = {kFullest};
  std::uint64_t sum = kFullest;
  for (const auto &bin : kHistogram)
    // tile 0 is the only tile in the bin from 19 kB
    for (std::uint64_t i = 0; i < bin.tiles && bin.kilobytes != 19; ++i) {
      bytes.push_back(bin.kilobytes * 1024);
      sum += bytes.back();
    }
  for (std::size_t t = 1; t < bytes.size() && sum < kTotal; ++t) { // spreads the remaining bytes within the bins
    const std::uint64_t more = std::min<std::uint64_t>(1023, kTotal - sum);
    bytes[t] += more;
    sum += more;
  }
  return bytes;
}

void addTiles(CompilationRecord &r) {
  r.tiles.resize(kTiles);
  const auto bytes = bytesByTile();
  constexpr std::uint64_t kIncluding = 67725024, kMaxIncluding = 131608;
  for (std::uint64_t t = 0; t < kTiles; ++t) {
    r.tiles[t].totalExcludingGaps = Bytes(bytes.at(t));
    const std::uint64_t others = kIncluding - kMaxIncluding;
    r.tiles[t].totalIncludingGaps =
        Bytes(t == 0 ? kMaxIncluding : others / (kTiles - 1) + (t <= others % (kTiles - 1)));
  }
  TileMemoryRecord &m = r.tiles[0];
  m.excludingGaps = {Bytes(6522641), Bytes(197696), Bytes()};
  m.afterOverlapping = Bytes(394596);
  m.usedBy[static_cast<std::size_t>(StorageCategory::Multiple)] = m.afterOverlapping;
  const auto set = [&](StorageCategory c, std::uint64_t notOverlapped, std::uint64_t overlapped = 0) {
    m.category[static_cast<std::size_t>(c)][0] = {Bytes(notOverlapped), Bytes(overlapped)};
    m.usedBy[static_cast<std::size_t>(c)] = Bytes(notOverlapped);
  };
  set(StorageCategory::Variable, 254280, 340056);
  set(StorageCategory::Message, 109788, 697128);
  set(StorageCategory::Rearrangement, 96, 15424);
  set(StorageCategory::HostExchangePacketHeader, 10720);
  set(StorageCategory::Stack, 3852288);
  set(StorageCategory::VertexInstanceState, 65768);
  set(StorageCategory::CopyDescriptor, 16161);
  set(StorageCategory::VectorListDescriptor, 528);
  set(StorageCategory::VertexFieldData, 24052);
  set(StorageCategory::ControlCode, 467696);
  set(StorageCategory::VertexCode, 1097868);
  set(StorageCategory::InternalExchangeCode, 215364);
  set(StorageCategory::HostExchangeCode, 211132);
}

struct Shape {
  std::uint64_t from, to, activeFrom, activeTo, tiles, busy, data, maxData;
};

StepRecord step(Id id, const Shape &s) {
  StepRecord r;
  r.program = id;
  StepOnIpu ipu;
  ipu.cycles = Cycles(s.activeTo - s.activeFrom);
  ipu.activeTiles = s.tiles;
  ipu.busyCycles = Cycles(s.busy);
  ipu.allFromMin = Cycles(s.activeFrom);
  ipu.allFromMax = Cycles(s.from);
  ipu.allToMin = Cycles(s.from);
  ipu.allToMax = Cycles(s.to);
  ipu.activeFromMin = ipu.activeFromMax = Cycles(s.activeFrom);
  ipu.activeToMin = ipu.activeToMax = Cycles(s.activeTo);
  ipu.dataIn = Bytes(s.data);
  ipu.dataOut = Bytes(s.data); // the text prints half of both
  ipu.maxTileData = Bytes(s.maxData);
  r.ipus = {ipu};
  return r;
}

void hostCopy(ProfileSink &sink, Id begin, const Shape &shape) {
  sink.step(step(begin, {}));
  sink.step(step(static_cast<Id>(begin + 1), shape));
  sink.step(step(static_cast<Id>(begin + 2), {}));
}

} // namespace

CompilationRecord compilation() {
  CompilationRecord r;
  r.poplarVersion = "1.0.0 (sample)";
  r.target.type = "IPU_MODEL";
  r.target.architecture = "ipu1";
  r.target.tilesPerIpu = kTiles;
  r.target.bytesPerTile = Bytes(262144);
  r.target.clockHz = 1.6e9;
  r.graph = {5564, 18564, 47973, 43};
  addPrograms(r);
  for (const auto &t : kTypes)
    r.vertexTypes.push_back({t.name, {}, t.instances, Bytes(t.memoryBytes), {}, "estimator"});
  VertexOnTileRecord v;
  v.internalState = Bytes(34114);
  v.edgePointers = Bytes(38876);
  v.copyPointers = Bytes(16668);
  v.padding = Bytes(346);
  v.descriptors = Bytes(16505);
  r.verticesOnTile = {v};
  addTiles(r);
  addLiveness(r);
  return r;
}

void writeRun(ProfileSink &sink) {
  sink.beginRun({});
  hostCopy(sink, kBegin1, {118, 118, 111, 118, 1, 7, 2, 4});
  hostCopy(sink, kBegin2, {472, 472, 463, 472, 1, 9, 4, 8});
  sink.step(step(kSync, {}));
  sink.step(step(kBroadcast, {826, 946, 826, 946, kTiles, 126367, 2432, 4}));
  hostCopy(sink, kBegin1, {1064, 1064, 1057, 1064, 1, 7, 2, 4});
  hostCopy(sink, kBegin1, {1418, 12098, 1398, 12098, 392, 392 * 10700, 25122, 196});
  sink.step(step(kSync, {}));
  sink.step(step(kConvExchange, {12432, 12581, 12412, 12581, 392, 57371, 125440, 640}));
  StepRecord convolve = step(kConvExecute, {12581, 13580, 12581, 13580, 392, 384944, 0, 0});
  convolve.threadCycles = Cycles(384944);
  convolve.vertexTypes = {{0, 392, convolve.threadCycles}};
  sink.step(convolve);
  StepRecord rest = step(kRest, {13580, 54202, 13580, 54202, kTiles, 1548380, 0, 0});
  for (std::uint32_t t = 0; t < std::size(kTypes); ++t)
    rest.vertexTypes.push_back({t, kTypes[t].instances, Cycles(kTypes[t].cycles - (t == 0 ? 384944 : 0))});
  sink.step(rest);
  RunTotals totals;
  totals.totalCycles = Cycles(54202);
  totals.compute = Cycles(1933324);
  totals.threadCycles = Cycles(1769242);
  totals.exchange = Cycles(482221);
  totals.hostExchange = Cycles(4194423);
  totals.sync = Cycles(58852900);
  sink.endRun(totals, 0);
}

} // namespace sample
