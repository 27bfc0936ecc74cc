#include "engine/compile/Compile.hpp"

#include "base/Check.hpp"
#include "base/DebugSites.hpp"
#include "base/TerminalText.hpp"
#include "base/Version.hpp"
#include "engine/advice/ApplyAdvice.hpp"
#include "engine/advice/TryAdvice.hpp"
#include "engine/collect/Collect.hpp"
#include "engine/compile/WriteFiles.hpp"
#include "engine/executable/ExecutableFile.hpp"
#include "graph/codelets/standin/CompileStandIn.hpp"
#include "graph/lowering/CheckGraph.hpp"
#include "graph/lowering/CollectUses.hpp"
#include "graph/lowering/ElideCopies.hpp"
#include "graph/lowering/ExpandReplicas.hpp"
#include "graph/lowering/Lower.hpp"
#include "graph/lowering/NaiveProgram.hpp"
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckConsumers.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "liveness/explain/ExplainLiveness.hpp"
#include "liveness/layout/PlaceAllocations.hpp"

#include <poplar/Executable.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <istream>
#include <memory>
#include <ostream>

namespace popscope {
namespace {

void runCheckers(const StepProgram &program, const LiveRanges &ranges, const LayoutResult &layout,
                 const TileMachine &machine, Threads threads) {
  verifySteps(program);
  std::vector<std::string> findings = checkLiveness(program, ranges);
  const auto placed = checkLayout(program, ranges, layout, machine, hasCode(machine), threads);
  findings.insert(findings.end(), placed.begin(), placed.end());
  const auto consumers = checkConsumers(program, layout, machine, hasCode(machine));
  findings.insert(findings.end(), consumers.unreferenced.begin(), consumers.unreferenced.end());
  POPSCOPE_CHECK(findings.empty(), "the checkers found {} errors; the first: {}", findings.size(), findings.front());
}

TileId recordTile(const EngineSettings &settings, const TileMachine &machine) {
  if (settings.path.recordTile < 0)
    return TileId();
  if (settings.path.recordTile >= machine.numTiles())
    throw poplar::invalid_option(fmt::format(
        "engine option \"debug.branchRecordTile\": there is no tile {}; the device has {} tiles, numbered from 0",
        settings.path.recordTile, machine.numTiles()));
  return TileId(static_cast<std::uint32_t>(settings.path.recordTile));
}

// Throws if the code size of a vertex type is unknown because a tool or header that the user can install is missing.
// Without this size, the memory of the profile would be wrong.
void checkCodeSizes(const StepProgram &program) {
  const auto unknown = std::find_if(program.vertexTypes.begin(), program.vertexTypes.end(),
                                    [](const StepVertexType &type) { return !type.codeKnown; });
  if (unknown == program.vertexTypes.end())
    return;
  if (const std::string why = whyNoStandIn(); !why.empty())
    throw poplar::graph_program_compilation_error(
        fmt::format("vertex type \"{}\": the size of its code is unknown, and this target counts the code of "
                    "vertices as memory: {}",
                    unknown->name, why));
}

// Prints and records a warning about vertex types with code of unknown size, if the tools that measure code exist. The
// reasons are codelets that compile for the host only, and graph objects of a popc that lacked the tools.
void warnOfUnknownCode(const StepProgram &program, const CodeletSet &codelets, std::vector<WarningRecord> &warnings) {
  std::vector<const StepVertexType *> unknown;
  for (const StepVertexType &type : program.vertexTypes)
    if (!type.codeKnown)
      unknown.push_back(&type);
  if (unknown.empty())
    return;
  const StepVertexType &first = *unknown.front();
  const std::string &problem = codelets.at(static_cast<int>(first.codelet)).standInProblem;
  WarningRecord warning{
      "vertex type \"" + first.name + "\"",
      fmt::format("{}has code of unknown size, which counts as 0 bytes of memory: there is no code to measure ({}). "
                  "Correct the codelet and compile it again, or give the size in a machine file (/vertexCode)",
                  unknown.size() == 1 ? "" : fmt::format("and {} more: each ", unknown.size() - 1),
                  problem.substr(0, problem.find('\n')))};
  printMessage("Popscope: warning: " + warning.about + " " + warning.text);
  warnings.push_back(std::move(warning));
}

// Requests counters only for IPU devices, because a model knows its cycles without counters.
LoweringOptions loweringOptions(const EngineSettings &settings, const TileMachine &machine) {
  LoweringOptions options;
  options.threads = {settings.compilationThreads};
  options.tableScheduler = settings.tableScheduler;
  options.maxCopyMergeBytes = settings.copies.maxMergeBytes;
  options.mergesHostCopies = settings.copies.mergesHostCopies;
  if (machine.kind != DeviceKind::Cpu)
    options.blocks = settings.blocks;
  options.blocks.buffered = machine.kind == DeviceKind::Ipu;
  options.alwaysSwitch = settings.alwaysSwitch;
  options.multiAccessCopies = settings.multiAccessCopies;
  options.oneControlCopy = machine.rules.opening == OpeningRule::ByPrograms;
  options.hostRearranges = machine.rules.streamOrder == StreamOrder::Host;
  options.sharedMessages = machine.rules.sharedBus == SharedBus::Messages;
  options.oneCycleMessages = machine.rules.oneWordMessages == OneWordMessages::OneCycle;
  options.sortsAsSent = machine.rules.receivedPieces == ReceivedPieces::AsSent;
  if (machine.kind == DeviceKind::Ipu) {
    options.computeCounters = settings.instrumentCompute ? settings.counterLevel : CounterLevel::Off;
    options.externalExchangeCounters = settings.instrumentExternalExchange;
    options.controlFlowCounters = settings.path.controlFlow;
    options.recordTile = recordTile(settings, machine);
  }
  return options;
}

StackModel stackOf(const TileMachine &machine) {
  if (machine.kind == DeviceKind::Cpu)
    return machine.stack;
  StackModel stack = machine.stack;
  const StackRule rule = machine.rules.stack;
  if (rule == StackRule::Fixed) {
    stack = machine.releaseStacks.fixed;
  } else if (!hasCode(machine)) {
    stack = {};
  } else if (rule == StackRule::Linked) {
    stack = machine.releaseStacks.linked;
  }
  return stack;
}

// Throws if the options give stacks that do not fit on a tile.
void checkStacks(const EngineSettings &settings, const TileMachine &machine) {
  const std::uint64_t stacks =
      std::uint64_t(machine.workerContexts) * machine.stack.workerBytes + machine.stack.supervisorBytes;
  if ((settings.workerStackBytes != 0 || settings.supervisorStackBytes != 0) && machine.kind != DeviceKind::Cpu &&
      stacks > machine.bytesPerTile)
    throw poplar::invalid_option(
        fmt::format("engine options \"target.workerStackSizeInBytes\" and "
                    "\"target.supervisorStackSizeInBytes\": {} workers' stacks of {} bytes and a supervisor's of {} "
                    "take {} bytes; a tile has {}: give smaller stacks",
                    machine.workerContexts, machine.stack.workerBytes, machine.stack.supervisorBytes, stacks,
                    machine.bytesPerTile));
}

// Checks the options that name a tile, even if the device records nothing on the tile.
void checkTiles(const EngineSettings &settings, const TileMachine &machine) {
  (void)recordTile(settings, machine);
  if (machine.kind != DeviceKind::Cpu && settings.blocks.tile >= machine.tilesPerIpu)
    throw poplar::invalid_option(
        fmt::format("engine option \"profiler.blocks.tile\": value \"{}\" is not a tile of an IPU; give 0 to {}",
                    settings.blocks.tile, machine.tilesPerIpu - 1));
}

} // namespace

bool hasCode(const TileMachine &machine) { return machine.kind == DeviceKind::Ipu || machine.compileIpuCode; }

TileMachine machineWith(TileMachine machine, const EngineSettings &settings) {
  machine.rules.renamingCopies = chosenRule(settings.renamingCopies, machine.rules.renamingCopies);
  machine.stack = stackOf(machine);
  if (!hasCode(machine))
    machine.dataStartOffset = 0; // with code, the first memory element is free of data
  if (settings.workerStackBytes != 0)
    machine.stack.workerBytes = settings.workerStackBytes;
  if (settings.supervisorStackBytes != 0)
    machine.stack.supervisorBytes = settings.supervisorStackBytes;
  return machine;
}

namespace {

/// A compiler of the user's graph and programs. Moves of variables and vertices change a copy of the graph.
class Compilation {
public:
  Compilation(const GraphIr &graph, const std::vector<ProgramPtr> &programs, const VertexEstimates &estimates)
      : graph_(graph), programs_(programs), estimates_(estimates), costs_(graph.machine) {}

  /// Returns the graph to lower, with the moves of `changes` applied. The reference is valid until the next call.
  const GraphIr &changed(const AdviceChanges &changes) {
    if (!hasMoves(changes))
      return graph_;
    if (!moved_) { // reports mistakes in the user's own graph first
      const GraphUses uses = collectUses(graph_, programs_);
      checkGraph(graph_, uses);
      checkMapping(graph_, uses);
    }
    moved_ = std::make_unique<GraphIr>(graph_);
    applyMoves(changes, *moved_);
    return *moved_;
  }

  /// Compiles with the changes. Calls `ticked` after each of lowering, liveness and layout. `phases` may be null.
  Variant compile(const EngineSettings &original, const AdviceChanges &changes, const std::function<void()> &ticked,
                  PhaseListener *phases = nullptr) {
    EngineSettings settings = original;
    applyOptions(changes, settings);
    const Threads threads{settings.compilationThreads};
    Variant v;
    v.machine = machineWith(graph_.machine, settings);
    checkStacks(settings, v.machine);
    const GraphIr &graph = changed(changes);
    LoweringOptions options = loweringOptions(settings, v.machine);
    options.phases = phases;
    if (phases != nullptr && !settings.files.dumpedPasses.empty()) // `phases` is null in the trials of advice
      options.afterPass = [&](const char *pass, const auto &text) { writePassDump(settings, pass, text); };
    {
      const Phase phase(phases, "lowering");
      v.program = lowered(graph, settings, options);
    }
    applyUndefs(changes, graph_, threads, v.program);
    if (!settings.files.debugInfo) { // no file contains the names of the places
      for (auto &context : v.program.contexts)
        context = isDebugSite(context) ? 0 : context;
      std::erase_if(v.program.moreContexts, [](const StepContext &more) { return isDebugSite(more.context); });
    }
    ticked();
    {
      const Phase phase(phases, "liveness");
      v.ranges = analyseLiveness(v.program, {threads});
    }
    ticked();
    if (hasCode(v.machine) && v.machine.kind != DeviceKind::Cpu)
      checkCodeSizes(v.program);
    LayoutOptions layout{hasCode(v.machine)};
    layout.threads = threads;
    {
      const Phase phase(phases, "layout");
      v.layout = placeAllocations(v.program, v.ranges, v.machine, layout);
    }
    ticked();
    if (settings.verify) {
      const Phase phase(phases, "checkers");
      runCheckers(v.program, v.ranges, v.layout, v.machine, threads);
    }
    return v;
  }

private:
  StepProgram lowered(const GraphIr &graph, const EngineSettings &settings, const LoweringOptions &options) const {
    const auto from = [&](const GraphIr &of, const std::vector<ProgramPtr> &roots, const VertexEstimates &estimates) {
      decltype(elideCopies(of, roots)) elided;
      if (chosenRule(settings.renamingCopies, of.machine.rules.renamingCopies) == RenamingCopies::Gone) {
        const Phase phase(options.phases, "ElideCopies");
        elided = elideCopies(of, roots);
      }
      if (options.afterPass)
        options.afterPass("ElideCopies", [&] {
          std::string text;
          const GraphIr &left = elided ? elided->graph : of;
          for (const ProgramPtr &program : elided ? elided->programs : roots)
            text += "program\n" + dumpNaive(left, naiveBody(left, program, 0), 1);
          return text;
        });
      if (!elided)
        return lower(of, roots, estimates, costs_, options);
      StepProgram program = lower(elided->graph, elided->programs, estimates, costs_, options);
      program.passes.insert(program.passes.begin(), {"ElideCopies", "copies", elided->copies, 0});
      return program;
    };
    if (const auto expanded = expandReplicas(graph, programs_, estimates_))
      return from(expanded->graph, expanded->programs, expanded->estimates);
    return from(graph, programs_, estimates_);
  }

  const GraphIr &graph_;
  const std::vector<ProgramPtr> &programs_;
  const VertexEstimates &estimates_;
  CostModel costs_;
  std::unique_ptr<GraphIr> moved_;
};

} // namespace

CollectInput collectInput(const CompiledProgram &compiled, bool explained) {
  const EngineSettings &settings = compiled.settings;
  return {compiled.program,
          compiled.ranges,
          compiled.layout,
          compiled.machine,
          hasCode(compiled.machine),
          settings.writeLoweredVars || !settings.files.loweredVariables.empty(),
          &compiled.codelets,
          explained,
          Threads{settings.compilationThreads}};
}

namespace {

/// Compiles a variant of a program that does not fit. In the variant, copies require no memory element. If the variant
/// exceeds the memory by fewer bytes, returns the variant, sets `settings` to the settings of the variant, and adds a
/// warning to `settings`. Otherwise returns no value. The requirements of codelets stay, because the user wrote these
/// requirements.
std::optional<Variant> withUndemandingCopies(Compilation &compilation, const AdviceChanges &applied,
                                             const Variant &made, EngineSettings &settings, PhaseListener *phases) {
  if (made.layout.tilesOutOfMemory.empty() || made.program.apart.empty() || !settings.multiAccessCopies)
    return std::nullopt;
  EngineSettings undemanding = settings;
  undemanding.multiAccessCopies = false;
  Variant other = compilation.compile(
      undemanding, applied, [] {}, phases);
  if (bytesPastEnd(other) >= bytesPastEnd(made))
    return std::nullopt;
  settings = std::move(undemanding);
  settings.warnings.push_back(
      {"opt.enableMultiAccessCopies",
       fmt::format("has no effect: {} of {} tiles cannot place copies between different memory elements; all copies "
                   "are of slower kinds, which do not need different elements",
                   made.layout.tilesOutOfMemory.size(), made.machine.numTiles())});
  return other;
}

/// Compiles the program with the changes, as an engine does. Changes `settings` if the result comes from
/// withUndemandingCopies().
Variant compileVariant(Compilation &compilation, const AdviceChanges &changes, EngineSettings &settings,
                       const std::function<void()> &tick, PhaseListener *phases) {
  Variant made = compilation.compile(settings, changes, tick, phases);
  auto other = withUndemandingCopies(compilation, changes, made, settings, phases);
  return other ? std::move(*other) : std::move(made);
}

/// Tries changes. `asked`: the settings from before compileVariant compiled the program without these changes.
std::vector<AdviceTrialRecord> trials(Compilation &compilation, const CompiledProgram &compiled,
                                      const EngineSettings &asked, const AdviceChanges &applied,
                                      const TileMachine &machine, const LivenessAdvice &liveness,
                                      const std::function<void()> &tick) {
  const StackModel stack = stackOf(machine);
  const GraphIr graph = compilation.changed(applied);
  const auto compile = [&](const AdviceChanges &changes) -> std::optional<Variant> {
    AdviceChanges all = applied;
    all.insert(all.end(), changes.begin(), changes.end());
    try {
      EngineSettings settings = asked;
      return compileVariant(
          compilation, all, settings, [] {}, nullptr);
    } catch (const poplar::poplar_error &) {
      return std::nullopt; // for example, a move removed the place of a WriteUndef
    }
  };
  return tryAdvice({graph, compiled, compiled.settings, stack, liveness, compile, tick});
}

} // namespace

// Compiles the graph with the changes of popscope.applyAdvice, and then tries changes if an option requests trials.
// Each trial compiles a variant; the result is always the first compilation. `progress` counts five stages plus the
// trials.
std::shared_ptr<CompiledProgram> compileProgram(const GraphIr &graph, const std::vector<ProgramPtr> &programs,
                                                const VertexEstimates &estimates, EngineSettings settings,
                                                const CompileProgress &progress, PhaseListener *phases) {
  checkTiles(settings, graph.machine);
  const bool tried = settings.advice.trials != 0 && graph.machine.kind != DeviceKind::Cpu;
  const int stages = 5 + (tried ? static_cast<int>(settings.advice.trials) : 0);
  int done = 0;
  const auto tick = [&] {
    if (progress)
      progress(++done, stages);
  };
  auto compiled = std::make_shared<CompiledProgram>();
  compiled->settings = std::move(settings);
  compiled->codelets = graph.codelets;
  compiled->printFormats = graph.printFormats;
  const AdviceChanges applied = readAdviceChanges(compiled->settings.advice.apply);
  Compilation compilation(graph, programs, estimates);
  const EngineSettings asked = compiled->settings;
  static_cast<Variant &>(*compiled) = compileVariant(compilation, applied, compiled->settings, tick, phases);
  applyOptions(applied, compiled->settings);
  if (hasCode(compiled->machine) && compiled->machine.kind != DeviceKind::Cpu)
    warnOfUnknownCode(compiled->program, compiled->codelets, compiled->settings.warnings);
  const Threads threads{compiled->settings.compilationThreads};
  const bool explained = compiled->settings.advice.explainLiveness;
  tick();
  LivenessAdvice advice;
  std::shared_ptr<const AccessTable> accesses;
  if (explained || tried) {
    const Phase phase(phases, "explanation of liveness");
    accesses = std::make_shared<const AccessTable>(collectAccesses(compiled->program, threads));
    ExplainOptions options{threads};
    options.plainLives = false; // profiles leave out plain lives
    options.accesses = accesses.get();
    advice = explainLiveness(compiled->program, compiled->ranges, options);
  }
  {
    const Phase phase(phases, "records of the profile");
    CollectInput input = collectInput(*compiled, explained);
    input.accesses = explained ? accesses : nullptr;
    compiled->record = collectCompilation(input, explained ? &advice : nullptr, compiled->rows);
  }
  const Phase phase(tried ? phases : nullptr, "trying advice");
  if (tried)
    compiled->record.advice.trials = trials(compilation, *compiled, asked, applied, graph.machine, advice, tick);
  compiled->record.options = compiled->settings.all;
  compiled->record.warnings = compiled->settings.warnings;
  compiled->record.poplarVersion = kVersionText;
  done = stages - 1;
  tick();
  return compiled;
}

std::shared_ptr<const CompiledProgram> &ExecutableAccess::of(poplar::Executable &executable) {
  return executable.compiled_;
}
const std::shared_ptr<const CompiledProgram> &ExecutableAccess::of(const poplar::Executable &executable) {
  return executable.compiled_;
}

void writeExecutable(const CompiledProgram &compiled, std::ostream &out) {
  const std::string bytes = executableToBytes(compiled);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out)
    throw poplar::poplar_error("the executable could not be written: the stream failed (disk full, or not open?)");
}

} // namespace popscope

namespace poplar {

Executable::Executable() = default;
Executable::~Executable() = default;
Executable::Executable(Executable &&) noexcept = default;
Executable &Executable::operator=(Executable &&) noexcept = default;
bool Executable::isValid() const { return compiled_ != nullptr; }

void Executable::serialize(std::ostream &out) const {
  if (!compiled_)
    throw poplar_error("an empty Executable cannot be serialized: compile one with compileGraph first");
  popscope::writeExecutable(*compiled_, out);
}

std::string Executable::getHash() const {
  if (!compiled_)
    throw poplar_error("an empty Executable has no hash: compile one with compileGraph first");
  return popscope::executableHash(*compiled_);
}

Executable Executable::deserialize(std::istream &in, bool checkPackageHash) {
  if (!in)
    throw poplar_error("an executable cannot be read from this stream: it is not open or has failed");
  Executable executable;
  executable.compiled_ = popscope::executableFromStream(in, checkPackageHash);
  return executable;
}

Executable Executable::deserialize(std::unique_ptr<std::istream> in, bool checkPackageHash) {
  if (!in)
    throw poplar_error("an executable cannot be read from this stream: it is a null pointer");
  return deserialize(*in, checkPackageHash);
}

} // namespace poplar
