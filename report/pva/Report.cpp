#include "base/TerminalText.hpp"
#include "report/pop/ExtensionRows.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pop/RunSql.hpp"
#include "report/pva/MakeReport.hpp"
#include "report/pva/Model.hpp"

#include <algorithm>
#include <cstdio>

namespace pva {

using detail::Model;

Report makeReport(std::shared_ptr<popscope::PopFile> file, bool reportExecution) {
  return Report(std::make_shared<const Model>(std::move(file)), reportExecution);
}

namespace {

/// Opens a profile. Prints a line on stderr if the profile is incomplete, because its figures look like those of a
/// complete profile.
Report named(const std::string &path, const std::string &debugInfoPath) {
  Report report = openReportQuietly(path, debugInfoPath);
  if (const std::string ending = report.popscope().ending(); !ending.empty())
    std::fprintf(stderr, "%s\n",
                 popscope::messageText("Popscope: " + path + " is not complete: it ends " + ending).c_str());
  return report;
}

} // namespace

Report openReport(const std::string &profilePath) { return named(profilePath, ""); }
Report openReport(const std::string &profilePath, const std::string &debugInfoPath) {
  return named(profilePath, debugInfoPath);
}
Report openReportQuietly(const std::string &profilePath, const std::string &debugInfoPath) {
  return Report(std::make_shared<const Model>(popscope::openPop(profilePath), debugInfoPath), true);
}

PoplarVersion::PoplarVersion(const std::string &text) : text_(text), major_(0), minor_(0), point_(0) {
  unsigned a = 0, b = 0, c = 0;
  if (std::sscanf(text.c_str(), "%5u.%5u.%5u", &a, &b, &c) == 3) {
    major_ = a;
    minor_ = b;
    point_ = c;
  }
  const auto open = text.find('('), close = text.find(')');
  if (open != std::string::npos && close != std::string::npos && open < close)
    hash_ = text.substr(open + 1, close - open - 1);
}

PoplarVersion Report::poplarVersion() const { return PoplarVersion(model_->meta().poplarVersion); }

ProfileReportVersion Report::version() const {
  const PoplarVersion v(model_->meta().formatVersion);
  return ProfileReportVersion(v.majorVer(), v.minorVer(), v.pointVer());
}

bool PopscopeData::codeIncluded() const { return model_->meta().codeIncluded; }
std::string PopscopeData::path() const { return model_->file().path(); }
std::string PopscopeData::program() const { return model_->meta().program; }
std::string PopscopeData::unfinishedBeside() const {
  const std::string own = path();
  return own.empty() ? "" : popscope::unfinishedBeside(own);
}
bool PopscopeData::complete() const { return model_->meta().complete; }
std::string PopscopeData::cycleProvenance() const { return model_->meta().cycleProvenance; }

std::vector<SettingWarning> PopscopeData::warnings() const {
  std::vector<SettingWarning> result;
  for (const popscope::WarningRecord &row : popscope::readWarnings(model_->file())) {
    SettingWarning w;
    w.about = row.about;
    w.text = row.text;
    result.push_back(w);
  }
  return result;
}

std::string PopscopeData::ending() const {
  const popscope::MetaRecord meta = model_->meta();
  if (meta.complete || popscope::isOurs(model_->file()))
    return meta.complete ? "" : meta.ended;
  if (!meta.ended.empty())
    return meta.ended;
  const auto execution = model_->execution();
  if (execution->runs.empty())
    return "before the first run: its program stopped, or goes on";
  const popscope::StoredRun &last = execution->runs.back();
  const std::string run = "run " + (last.numberKnown ? std::to_string(last.run.number) : std::to_string(last.id)) +
                          (last.run.name.empty() ? "" : " (\"" + last.run.name + "\")");
  return (last.complete
              ? "after " + run
              : "in " + run + ", after " + std::to_string(popscope::readStepIds(model_->file()).end - last.firstStep) +
                    " of its steps") +
         ": its program stopped, or goes on";
}

std::vector<std::uint32_t> PopscopeData::tilesOutOfMemory() const {
  return popscope::readTilesOutOfMemory(model_->file(), model_->limits());
}
std::uint64_t PopscopeData::alwaysLiveBytes() const { return popscope::readLivenessTotals(model_->file()).alwaysLive; }
std::uint64_t PopscopeData::maxLiveBytes() const { return popscope::readLivenessTotals(model_->file()).maxLive; }

std::vector<CompilePhase> PopscopeData::compilePhases() const {
  std::vector<CompilePhase> result;
  for (const popscope::CompilePhaseRecord &row : popscope::readCompilePhases(model_->file())) {
    CompilePhase p;
    p.name = row.name;
    p.isPart = row.parent >= 0;
    p.parent = p.isPart ? static_cast<std::size_t>(row.parent) : 0;
    p.startMicroseconds = row.startMicroseconds;
    p.wallMicroseconds = row.wallMicroseconds;
    p.cpuMicroseconds = row.cpuMicroseconds;
    p.memoryKnown = row.bytesBefore && row.bytesAfter && row.peakBytes;
    p.bytesBefore = row.bytesBefore.value_or(popscope::Bytes()).count();
    p.bytesAfter = row.bytesAfter.value_or(popscope::Bytes()).count();
    p.peakBytes = row.peakBytes.value_or(popscope::Bytes()).count();
    result.push_back(std::move(p));
  }
  return result;
}
std::string PopscopeData::plainDatabase() const { return popscope::plainImage(model_->file()); }
void PopscopeData::save(const std::string &path, std::uint64_t firstRun) const {
  popscope::savePop(model_->file(), path, firstRun);
}

namespace {

/// Returns the engine option's value, or "" if the profile has no such option.
std::string engineOption(const Model &model, const std::string &key) {
  for (const auto &row : popscope::readOptions(model.file()))
    if (row.scope == "engine" && row.key == key)
      return row.value;
  return "";
}

/// Returns whether the program set the engine option.
bool isChosen(const Model &model, const std::string &key) {
  const auto rows = popscope::readOptions(model.file());
  return std::any_of(rows.begin(), rows.end(),
                     [&](const auto &row) { return row.scope == "engine" && row.key == key && !row.isDefault; });
}

} // namespace

bool PopscopeData::couldNotRun() const {
  if (tilesOutOfMemory().empty() || engineOption(*model_, "debug.allowOutOfMemory") == "true")
    return false;
  const bool runsWithoutCode = model_->target().type == "IPU_MODEL" && !codeIncluded();
  return !runsWithoutCode || isChosen(*model_, "debug.allowOutOfMemory");
}

ComputeInstrumentationLevel InstrumentationSettings::compute() const {
  using L = ComputeInstrumentationLevel;
  const std::string on = engineOption(*model_, "debug.instrumentCompute");
  if (on != "true")
    return on.empty() ? L::Unknown : L::Off;
  const std::string level = engineOption(*model_, "debug.computeInstrumentationLevel");
  return level == "vertex"   ? L::Vertex
         : level == "tile"   ? L::Tile
         : level == "ipu"    ? L::Ipu
         : level == "device" ? L::Device
                             : L::Unknown;
}

ExternalExchangeInstrumentationLevel InstrumentationSettings::externalExchange() const {
  using L = ExternalExchangeInstrumentationLevel;
  const std::string on = engineOption(*model_, "debug.instrumentExternalExchange");
  return on == "true" ? L::Tile : on.empty() ? L::Unknown : L::Off;
}

bool InstrumentationSettings::controlFlow() const {
  return engineOption(*model_, "debug.instrumentControlFlow") == "true";
}

Target::Type Target::type() const {
  const std::string &type = model_->target().type;
  return type == "IPU" ? Type::Ipu : type == "IPU_MODEL" ? Type::IpuModel : type == "CPU" ? Type::Cpu : Type::Unknown;
}
IPU::Architecture Target::architecture() const {
  using A = IPU::Architecture;
  const std::string &name = model_->target().architecture;
  return name == "ipu1"    ? A::Ipu1
         : name == "ipu2"  ? A::Ipu2
         : name == "ipu21" ? A::Ipu21
         : name == "cpu"   ? A::Cpu
                           : A::Unknown;
}
std::string Target::architectureName() const { return model_->target().architecture; }
std::uint64_t Target::numIPUs() const { return model_->target().numIpus; }
std::uint64_t Target::tilesPerIpu() const { return model_->target().tilesPerIpu; }
std::uint64_t Target::numTiles() const { return numIPUs() * tilesPerIpu(); }
std::uint64_t Target::numReplicas() const { return model_->target().numReplicas; }
std::uint64_t Target::ipusPerReplica() const { return numIPUs() / numReplicas(); }
std::uint64_t Target::tilesPerReplica() const { return numTiles() / numReplicas(); }
std::uint64_t Target::memoryPerReplica() const { return tilesPerReplica() * bytesPerTile(); }
std::uint64_t Target::bytesPerTile() const { return model_->target().bytesPerTile.count(); }
std::uint64_t Target::bytesPerIPU() const { return tilesPerIpu() * bytesPerTile(); }
std::uint64_t Target::totalMemory() const { return numTiles() * bytesPerTile(); }
double Target::clockFrequency() const { return model_->target().clockHz; }
std::uint64_t Target::workerContexts() const { return model_->target().workerContexts; }
std::string Target::machine() const { return model_->target().machine; }
std::uint64_t Target::interleavedOffset() const { return model_->target().interleavedOffset.count(); }

namespace {
Values valuesOf(const std::vector<std::uint32_t> &numbers) {
  return Values(std::make_shared<const std::vector<std::uint64_t>>(numbers.begin(), numbers.end()));
}
std::uint64_t smallestDelay(const popscope::SyncDelayRecord &delay) {
  const auto least = std::min_element(delay.fromController.begin(), delay.fromController.end());
  return least == delay.fromController.end() ? 0 : *least;
}
} // namespace

List<SyncDelay> Target::syncDelays() const {
  std::vector<SyncDelay> result;
  for (const auto &row : model_->syncDelays())
    result.emplace_back(row.kind, row.acrossIpus, valuesOf(row.toController), valuesOf(row.fromController));
  return detail::listOf(std::move(result));
}
std::uint64_t Target::minSyncDelay() const {
  for (const auto &row : model_->syncDelays())
    if (!row.acrossIpus)
      return smallestDelay(row);
  return 0;
}
Values Target::relativeSyncDelayByTile() const {
  for (const auto &row : model_->syncDelays())
    if (!row.acrossIpus) {
      std::vector<std::uint32_t> delays = row.fromController;
      for (std::uint32_t &delay : delays)
        delay -= static_cast<std::uint32_t>(smallestDelay(row));
      return valuesOf(delays);
    }
  return Values();
}

std::uint64_t Graph::numComputeSets() const { return model_->graph().numComputeSets; }
std::uint64_t Graph::numVertices() const { return model_->graph().numVertices; }
std::uint64_t Graph::numEdges() const { return model_->graph().numEdges; }
std::uint64_t Graph::numVars() const { return model_->graph().numVariables; }

namespace {

ProgramList programList(const detail::Owner &model, const std::vector<std::uint32_t> &ids) {
  return detail::makeList<std::shared_ptr<Program>>(ids.size(),
                                                    [model, ids](std::size_t i) { return model->program(ids[i]); });
}

std::vector<Option> optionsOf(const Model &model, const char *scope) {
  std::vector<Option> options;
  for (const auto &row : popscope::readOptions(model.file())) {
    if (row.scope != scope)
      continue;
    Option o;
    o.scope = row.scope;
    o.key = row.key;
    o.value = row.value;
    o.isDefault = row.isDefault;
    options.push_back(o);
  }
  return options;
}

} // namespace

List<Tile> IPU::tiles() const {
  const auto perIpu = static_cast<std::size_t>(model_->target().tilesPerIpu);
  return detail::makeList<Tile>(
      perIpu, [model = model_, first = ipu_ * perIpu](std::size_t i) { return Tile(model, first + i); });
}

List<Tile> CompilationReport::tiles() const {
  return detail::makeList<Tile>(model_->limits().tiles, [model = model_](std::size_t i) { return Tile(model, i); });
}
List<IPU> CompilationReport::ipus() const {
  return detail::makeList<IPU>(model_->limits().ipus, [model = model_](std::size_t i) { return IPU(model, i); });
}
ProgramList CompilationReport::programs() const {
  return detail::makeList<std::shared_ptr<Program>>(model_->limits().programs, [model = model_](std::size_t i) {
    return model->program(static_cast<std::uint32_t>(i));
  });
}
ProgramList CompilationReport::controlPrograms() const { return programList(model_, model_->programs().control); }
ProgramList CompilationReport::functionPrograms() const { return programList(model_, model_->programs().functions); }
List<ComputeSet> CompilationReport::computeSets() const {
  return detail::makeList<ComputeSet>(model_->limits().computeSets,
                                      [model = model_](std::size_t i) { return ComputeSet(model, i); });
}
List<LivenessProgramStep> CompilationReport::livenessProgramSteps() const {
  return detail::makeList<LivenessProgramStep>(
      model_->livenessSteps().size(), [model = model_](std::size_t i) { return LivenessProgramStep(model, i); });
}
List<VertexType> CompilationReport::vertexTypes() const {
  return detail::makeList<VertexType>(model_->limits().vertexTypes,
                                      [model = model_](std::size_t i) { return VertexType(model, i); });
}
std::vector<MessageSizes> CompilationReport::messageSizes() const {
  std::vector<MessageSizes> result;
  for (const auto &row : popscope::readMessageSizes(model_->file())) {
    MessageSizes s;
    s.buses = row.buses;
    s.bytes = valuesOf(row.bytes);
    s.messages = valuesOf(row.messages);
    result.push_back(s);
  }
  return result;
}
std::vector<MachineCost> CompilationReport::machineCosts() const {
  std::vector<MachineCost> result;
  for (const auto &row : popscope::readMachineCosts(model_->file())) {
    MachineCost c;
    c.key = row.key;
    c.value = row.value;
    c.unit = row.unit;
    result.push_back(c);
  }
  return result;
}
std::vector<Option> CompilationReport::engineOptions() const { return optionsOf(*model_, "engine"); }
std::vector<Option> CompilationReport::targetOptions() const { return optionsOf(*model_, "target"); }
std::vector<Optimization> CompilationReport::optimizations() const {
  std::vector<Optimization> result;
  for (const auto &row : popscope::readOptimisations(model_->file())) {
    Optimization o;
    o.name = row.name;
    o.unit = row.unit;
    o.before = row.before;
    o.after = row.after;
    result.push_back(o);
  }
  return result;
}

// ------------------------------------------------------------------ programs
detail::Owner Program::owner() const { return model_->shared_from_this(); }
std::string Program::name() const { return model_->programs().rows.at(id_).name; }
Program::Type Program::type() const { return model_->programs().types.at(id_); }
ProgramList Program::children() const { return programList(owner(), model_->programs().children.at(id_)); }
Values Program::controlCodeByTile() const { return model_->values(popscope::ProgramVector::ControlCode, id_); }
Values ExchangeProgram::codeBytesByTile() const { return model_->values(popscope::ProgramVector::ExchangeCode, id_); }
Values ExchangeProgram::estimatedCyclesByTile() const {
  return model_->values(popscope::ProgramVector::EstimatedCycles, id_);
}
Values ExchangeProgram::bytesSentByTile() const { return model_->values(popscope::ProgramVector::BytesSent, id_); }
Values ExchangeProgram::bytesReceivedByTile() const {
  return model_->values(popscope::ProgramVector::BytesReceived, id_);
}
std::uint64_t Program::debugContextId() const { return model_->programs().rows.at(id_).debugContext; }
std::vector<std::uint64_t> Program::moreDebugContextIds() const {
  return popscope::readMoreContexts(model_->file(), id_);
}
std::vector<std::string> Program::barriers() const { return model_->programs().rows.at(id_).barriers; }
Values Program::counterCyclesByTile() const { return model_->values(popscope::ProgramVector::CounterCycles, id_); }
std::shared_ptr<Program> ExchangeProgram::codeSharedWith() const {
  const std::int64_t id = model_->programs().rows.at(id_).exchangeCodeOf;
  return id < 0 ? nullptr : model_->program(static_cast<std::uint32_t>(id));
}
std::shared_ptr<Program> CallProgram::function() const {
  const std::int64_t id = model_->programs().rows.at(id_).callee;
  return id < 0 ? nullptr : model_->program(static_cast<std::uint32_t>(id));
}
Values ExchangeProgram::messagesReceivedByTile() const {
  return model_->values(popscope::ProgramVector::MessagesReceived, id_);
}
Values ExchangeProgram::receiveLatencyByTile() const {
  return model_->values(popscope::ProgramVector::ReceiveLatency, id_);
}
Values ExchangeProgram::receiveTransferByTile() const {
  return model_->values(popscope::ProgramVector::ReceiveTransfer, id_);
}
Values ExchangeProgram::receiveControlsByTile() const {
  return model_->values(popscope::ProgramVector::ReceiveControls, id_);
}
Values Program::counterStoresByTile() const { return model_->values(popscope::ProgramVector::CounterStores, id_); }
Values ExchangeProgram::receiveDistanceByTile() const {
  return model_->values(popscope::ProgramVector::ReceiveDistance, id_);
}
Values ExchangeProgram::messageSizesByTile() const {
  return model_->values(popscope::ProgramVector::MessageSizes, id_);
}
std::vector<LinkTransfer> ExchangeProgram::linkTransfers() const {
  std::vector<LinkTransfer> result;
  for (const auto &row : popscope::readLinkTransfers(model_->file(), model_->limits(), id_)) {
    LinkTransfer l;
    l.fromIpu = row.fromIpu;
    l.toIpu = row.toIpu;
    l.bytes = row.bytes.count();
    std::vector<std::uint64_t> tiles(model_->tilesPerReplica());
    for (const auto &[tile, part] : row.tiles)
      if (tile < tiles.size())
        tiles[tile] = part;
    l.tiles = Values(std::make_shared<const std::vector<std::uint64_t>>(std::move(tiles)));
    result.push_back(l);
  }
  return result;
}
TileTraffic ExchangeProgram::traffic() const {
  const popscope::TrafficRecord row = popscope::readTraffic(model_->file(), model_->limits(), id_);
  TileTraffic result;
  result.tilesPerGroup = row.tilesPerGroup;
  result.fromGroups.assign(row.fromGroups.begin(), row.fromGroups.end());
  result.toGroups.assign(row.toGroups.begin(), row.toGroups.end());
  result.bytes.assign(row.bytes.begin(), row.bytes.end());
  return result;
}
std::uint64_t RepeatProgram::count() const { return model_->programs().rows.at(id_).count; }
ComputeSet OnTileExecuteProgram::computeset() const {
  const std::int64_t id = model_->programs().rows.at(id_).computeSet;
  if (id < 0)
    popscope::failProfile(model_->file(), "the profile is corrupt: an OnTileExecute has no compute set");
  return ComputeSet(owner(), static_cast<std::size_t>(id));
}

List<LoweredVariable> Program::vars() const {
  std::vector<LoweredVariable> vars;
  for (const std::uint32_t row : model_->liveLowered().at(id_))
    vars.emplace_back(owner(), row);
  return detail::listOf(std::move(vars));
}

// ------------------------------------------------------------------ compute sets
std::string ComputeSet::name() const { return model_->computeSetNames().at(id_); }
Values ComputeSet::estimatedCyclesByTile() const { return model_->values(Model::ComputeSetEstimate(), id_); }
namespace {
std::uint64_t cappedSum(std::uint64_t a, std::uint64_t b) { return b > ~a ? ~std::uint64_t(0) : a + b; }
} // namespace
Flops &Flops::operator+=(const Flops &other) {
  if (other.vertices == 0)
    return *this;
  recorded = other.recorded && (recorded || vertices == 0);
  vertices += other.vertices;
  estimatedVertices += other.estimatedVertices;
  countedVertices += other.countedVertices;
  operations = cappedSum(operations, other.operations);
  countedOperations = cappedSum(countedOperations, other.countedOperations);
  return *this;
}
namespace {
/// Returns the operations of a row's vertices: the estimated operations, and the operations that the stand-in counted.
Flops flopsOf(const std::vector<popscope::CycleSourceRecord> &sources, const popscope::FlopsRow &row) {
  Flops flops;
  flops.recorded = row.flopVertices >= 0;
  flops.vertices = row.vertices;
  flops.estimatedVertices = row.flopVertices < 0 ? 0 : static_cast<std::uint64_t>(row.flopVertices);
  flops.operations = row.flops < 0 ? 0 : static_cast<std::uint64_t>(row.flops);
  const auto before = [](const popscope::CycleSourceRecord &source, const popscope::FlopsRow &one) {
    return std::pair(source.computeSet, source.vertexType) < std::pair(one.computeSet, one.vertexType);
  };
  for (auto at = std::lower_bound(sources.begin(), sources.end(), row, before);
       at != sources.end() && at->computeSet == row.computeSet && at->vertexType == row.vertexType; ++at) {
    flops.countedVertices += at->flopVertices;
    flops.countedOperations = cappedSum(flops.countedOperations, at->flops);
  }
  flops.operations = cappedSum(flops.operations, flops.countedOperations);
  return flops;
}
} // namespace
std::vector<VertexOperand> ComputeSet::operands() const {
  std::vector<VertexOperand> all;
  for (const auto &row : popscope::readOperands(model_->file(), model_->limits(), static_cast<std::uint32_t>(id_))) {
    VertexOperand o;
    o.type = VertexType(model_, row.vertexType);
    o.field = row.field;
    o.elementType = row.elementType;
    o.read = row.read;
    o.written = row.written;
    o.edges = row.edges;
    o.elements = row.elements;
    o.leastElements = row.leastElements;
    o.mostElements = row.mostElements;
    o.bytes = row.bytes.count();
    all.push_back(o);
  }
  return all;
}
Flops ComputeSet::flops() const {
  const auto &rows = model_->flops(); // by compute set
  const auto sources = model_->cycleSources();
  Flops sum;
  const auto before = [](const popscope::FlopsRow &row, std::size_t set) { return row.computeSet < set; };
  for (auto row = std::lower_bound(rows.begin(), rows.end(), id_, before); row != rows.end() && row->computeSet == id_;
       ++row)
    sum += flopsOf(*sources, *row);
  return sum;
}
std::vector<VertexTypeFlops> CompilationReport::flops() const {
  std::vector<VertexTypeFlops> all;
  const auto sources = model_->cycleSources();
  for (const popscope::FlopsRow &row : model_->flops())
    all.push_back({ComputeSet(model_, row.computeSet), VertexType(model_, row.vertexType), flopsOf(*sources, row)});
  return all;
}
List<VertexInstances> ComputeSet::vertices() const {
  std::vector<VertexInstances> result;
  const auto sources = model_->cycleSources();
  for (const auto &row :
       popscope::readComputeSetVertices(model_->file(), model_->limits(), static_cast<std::uint32_t>(id_))) {
    std::vector<std::uint64_t> counts(model_->limits().tiles);
    std::uint64_t all = 0;
    for (const auto &entry : row.countByTile) {
      counts[entry.first] = entry.second;
      all += entry.second;
    }
    result.emplace_back(
        VertexType(model_, row.vertexType),
        Values(std::make_shared<const std::vector<std::uint64_t>>(std::move(counts))),
        flopsOf(*sources, {static_cast<std::uint32_t>(id_), row.vertexType, all, row.flopVertices, row.flops}));
  }
  return detail::listOf(std::move(result));
}

} // namespace pva
