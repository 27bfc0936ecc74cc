// PvaDump PROFILE: prints what libpva reads from a profile; python/tests/AgreementTest.py prints the same lines with
// the Python package. A list of numbers is printed as its length and an order-dependent checksum.
#include <pva/pva.hpp>

#include <cstdio>
#include <initializer_list>
#include <iostream>

namespace {

struct Checksum {
  std::uint64_t size = 0, value = 0;
  void add(std::uint64_t number) {
    value = value * 1099511628211ULL + number;
    ++size;
  }
};
std::ostream &operator<<(std::ostream &out, const Checksum &c) { return out << c.size << ':' << c.value; }

template <class Numbers> Checksum sum(const Numbers &numbers) {
  Checksum c;
  for (const std::uint64_t number : numbers)
    c.add(number);
  return c;
}

template <class List> Checksum sizes(const List &variables) {
  Checksum c;
  for (const pva::Variable &v : variables) {
    c.add(v._id());
    c.add(v.size());
  }
  return c;
}

void line(const char *what, std::initializer_list<std::uint64_t> numbers) {
  std::cout << what;
  for (const auto number : numbers)
    std::cout << ' ' << number;
  std::cout << '\n';
}

/// Prints balances and the clock with the shortest text that identifies the double.
std::string real(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

void dumpTarget(const pva::Report &report) {
  const auto t = report.compilation().target();
  const auto g = report.compilation().graph();
  const auto version = report.version();
  std::cout << report.poplarVersion().string() << ' ' << report.poplarVersion().packageHash() << ' '
            << t.architectureName() << ' ' << real(t.clockFrequency()) << '\n';
  line("version", {version.majorVer(), version.minorVer(), version.pointVer(), report.poplarVersion().majorVer()});
  line("target", {std::uint64_t(t.type()), std::uint64_t(t.architecture()), t.numIPUs(), t.tilesPerIpu(), t.numTiles(),
                  t.numReplicas(), t.ipusPerReplica(), t.tilesPerReplica(), t.memoryPerReplica(), t.bytesPerTile(),
                  t.bytesPerIPU(), t.totalMemory(), t.workerContexts(), t.interleavedOffset()});
  line("graph", {g.numComputeSets(), g.numVertices(), g.numEdges(), g.numVars(), g.numVariables()});
  line("settings", {std::uint64_t(report.instrumentationSettings().compute()),
                    std::uint64_t(report.instrumentationSettings().externalExchange()), version.isUnstableFormat(),
                    report.poplarVersion().minorVer(), report.poplarVersion().pointVer()});
  for (const auto &ipu : report.compilation().ipus()) {
    Checksum used;
    for (const auto &tile : ipu.tiles())
      used.add(tile.memory().total().includingGaps());
    std::cout << "ipu " << used << '\n';
  }
  for (const auto &d : t.syncDelays())
    std::cout << d.kind() << ' ' << d.acrossIpus() << ' ' << sum(d.toControllerByTile()) << ' '
              << sum(d.fromControllerByTile()) << '\n';
  std::cout << "sync " << t.minSyncDelay() << ' ' << sum(t.relativeSyncDelayByTile()) << '\n';
  for (const auto &c : report.compilation().machineCosts())
    std::cout << c.key << ' ' << real(c.value) << ' ' << c.unit << '\n';
  std::cout << "machine " << t.machine() << '\n';
  for (const auto &f : report.compilation().flops())
    std::cout << "flops " << f.computeSet._id() << ' ' << f.type._id() << ' ' << f.flops.recorded << f.flops.known()
              << f.flops.complete() << ' ' << f.flops.vertices << ' ' << f.flops.estimatedVertices << ' '
              << f.flops.operations << ' ' << f.flops.countedVertices << ' ' << f.flops.countedOperations << '\n';
  for (const auto &set : report.compilation().computeSets())
    for (const auto &o : set.operands())
      std::cout << "operand " << set._id() << ' ' << o.type._id() << ' ' << o.field << ' ' << o.elementType << ' '
                << o.read << o.written << ' ' << o.edges << ' ' << o.elements << ' ' << o.leastElements << ' '
                << o.mostElements << ' ' << o.bytes << '\n';
  for (const auto &s : report.compilation().messageSizes())
    std::cout << "sizes " << s.buses << ' ' << sum(s.bytes) << ' ' << sum(s.messages) << '\n';
  for (const auto &o : report.compilation().optimizations())
    std::cout << o.name << ' ' << o.unit << ' ' << o.before << ' ' << o.after << '\n';
  for (const auto &options : {report.compilation().engineOptions(), report.compilation().targetOptions()})
    for (const auto &o : options)
      std::cout << o.scope << ' ' << o.key << '=' << o.value << (o.isDefault ? " default" : "") << '\n';
}

void dumpTile(const pva::CompilationReport &compilation, std::size_t tile) {
  const auto m = compilation.tiles()[tile].memory();
  Checksum c;
  for (const auto &size : {m.total(), m.nonInterleaved(), m.interleaved(), m.overflowed()}) {
    c.add(size.includingGaps());
    c.add(size.excludingGaps());
  }
  for (std::size_t i = 0; i < pva::storageCategoryNames().size(); ++i)
    for (const auto &r : {m.category().byIndex(i).nonInterleaved(), m.category().byIndex(i).interleaved(),
                          m.category().byIndex(i).overflowed()}) {
      c.add(r.nonOverlapped());
      c.add(r.overlapped());
    }
  const auto category = m.category();
  for (const auto &of :
       {category.constant(), category.controlCode(), category.copyDescriptor(), category.globalExchangeCode(),
        category.hostExchangeCode(), category.internalExchangeCode(), category.vectorListDescriptor(),
        category.vertexCode(), category.vertexFieldData(), category.vertexInstanceState()})
    c.add(of.total());
  for (const auto &v : m.vertices())
    for (const std::uint64_t n : {std::uint64_t(v.type()._id()), v.count(), v.codeBytes(), v.vertexDataBytes(),
                                  v.edgePtrBytes(), v.copyPtrBytes(), v.paddingBytes(), v.descriptorBytes()})
      c.add(n);
  for (const std::uint64_t n : m.occupiedByCategory())
    c.add(n);
  Checksum lowered;
  for (const auto &v : compilation.loweredVariables().forTile(tile))
    lowered.add(v._id());
  std::cout << "tile " << tile << ' ' << m.total().excludingGaps() << ' ' << m.alwaysLiveBytes() << ' '
            << m.notAlwaysLiveBytes() << ' ' << m.afterOverlappingBytes() << ' ' << m.lowerBoundOverlappedBytes() << ' '
            << c << ' ' << sizes(compilation.alwaysLiveVariablesForTile(tile)) << ' ' << lowered << '\n';
}

struct ExchangeDump : pva::ProgramVisitor {
  static void show(const pva::ExchangeProgram &p) {
    std::cout << "  " << sum(p.codeBytesByTile()) << ' ' << sum(p.estimatedCyclesByTile()) << ' '
              << sum(p.bytesSentByTile()) << ' ' << sum(p.bytesReceivedByTile()) << ' '
              << sum(p.messagesReceivedByTile()) << ' ' << sum(p.receiveLatencyByTile()) << ' '
              << sum(p.receiveTransferByTile()) << ' ' << sum(p.receiveControlsByTile()) << ' '
              << sum(p.counterStoresByTile()) << ' ' << sum(p.receiveDistanceByTile()) << ' '
              << sum(p.messageSizesByTile());
    for (const auto &link : p.linkTransfers())
      std::cout << ' ' << link.fromIpu << '-' << link.toIpu << ' ' << link.bytes << ' ' << sum(link.tiles);
    const pva::TileTraffic traffic = p.traffic();
    std::cout << " from " << traffic.tilesPerGroup << ' ' << sum(traffic.fromGroups) << ' ' << sum(traffic.toGroups)
              << ' ' << sum(traffic.bytes);
    if (const auto other = p.codeSharedWith())
      std::cout << ' ' << other->_id() << '\n';
    else
      std::cout << " -\n";
  }
  void visitDoExchange(const pva::DoExchangeProgram &p) override { show(p); }
  void visitGlobalExchange(const pva::GlobalExchangeProgram &p) override { show(p); }
  void visitStreamCopyBegin(const pva::StreamCopyBeginProgram &p) override { show(p); }
  void visitStreamCopyMid(const pva::StreamCopyMidProgram &p) override { show(p); }
  void visitStreamCopyEnd(const pva::StreamCopyEndProgram &p) override { show(p); }
  void visitRepeat(const pva::RepeatProgram &p) override { line("  count", {p.count()}); }
  void visitOnTileExecute(const pva::OnTileExecuteProgram &p) override {
    line("  computeset", {std::uint64_t(p.computeset()._id())});
  }
};

void dumpPrograms(const pva::CompilationReport &compilation) {
  ExchangeDump exchange;
  for (const auto &p : compilation.programs()) {
    Checksum children, vars;
    for (const auto &child : p->children())
      children.add(child->_id());
    for (const auto &v : p->vars())
      vars.add(v._id());
    std::cout << "program " << p->_id() << ' ' << pva::programTypeName(p->type()) << ' ' << p->name() << ' ' << children
              << ' ' << vars << ' ' << sum(p->controlCodeByTile()) << '\n';
    std::cout << "  context " << p->debugContextId() << ' ' << p->debugContext().name() << ' '
              << sum(p->counterCyclesByTile());
    for (const std::uint64_t id : p->moreDebugContextIds())
      std::cout << " +" << id;
    for (const auto &more : p->moreDebugContexts())
      std::cout << " +" << more.name();
    for (const std::string &barrier : p->barriers())
      std::cout << ' ' << barrier;
    std::cout << '\n';
    p->accept(exchange);
  }
  for (const auto &list : {compilation.controlPrograms(), compilation.functionPrograms()})
    for (const auto &p : list)
      line("root", {std::uint64_t(p->_id())});
  for (const auto &cs : compilation.computeSets()) {
    std::cout << "computeset " << cs.name() << ' ' << sum(cs.estimatedCyclesByTile()) << '\n';
    for (const auto &v : cs.vertices())
      std::cout << "  " << v.type().name() << ' ' << v.type().size() << ' ' << v.type().instances() << ' '
                << v.type().memoryBytes() << ' ' << v.type().cycleProvenance() << ' ' << sum(v.countByTile()) << '\n';
    for (const auto &s : cs.cycleSources())
      std::cout << "  source " << s.type.name() << ' ' << s.source << ' ' << s.vertices << ' ' << s.reason << '\n';
  }
}

void dumpLiveness(const pva::CompilationReport &compilation, std::size_t tile) {
  for (const auto &v : compilation.vertexTypes())
    std::cout << "type " << v._id() << ' ' << v.name() << ' ' << v.size() << '\n';
  for (const auto &v : compilation.variables()) {
    std::cout << "variable " << v._id() << ' ' << v.size() << ' ' << v.alwaysLive() << ' ' << sum(v.bytesByTile())
              << ' ' << sum(v.tiles()) << ' ' << v.bytesOn(0);
    for (const auto &span : v.liveSteps())
      std::cout << ' ' << span.start() << '-' << span.end();
    std::cout << " on tile";
    for (const auto &span : v.liveStepsOn(tile))
      std::cout << ' ' << span.start() << '-' << span.end();
    for (const auto &part : v.parts()) {
      std::cout << " part " << part.bytes << ' ' << part.isWhole << ' ' << part.tiles.size();
      for (const auto &span : part.liveSteps)
        std::cout << ' ' << span.start() << '-' << span.end();
    }
    std::cout << '\n';
  }
  for (const auto &v : compilation.alwaysLiveVariables())
    std::cout << "always live " << v._id() << ' ' << v.name() << ' ' << v.size() << ' ' << v.category() << '\n';
  for (const auto &step : compilation.livenessProgramSteps()) {
    const auto all = step.notAlwaysLiveMemory();
    const auto ipu = step.notAlwaysLiveMemoryForIpu(0);
    const auto one = step.notAlwaysLiveMemoryForTile(tile);
    std::cout << "step " << step.program()->_id() << ' ' << all.bytes() << ' ' << sizes(all.variables()) << ' '
              << ipu.bytes() << ' ' << sizes(ipu.variables()) << ' ' << one.bytes() << ' ' << sizes(one.variables())
              << '\n';
  }
  Checksum brief;
  for (const auto &v : compilation.loweredVariables().allBriefVars()) {
    for (const std::uint64_t n : {std::uint64_t(v.id()), v.bytes(), v.tileId()})
      brief.add(n);
    for (const auto &interval : v.equivalenceClass().steps()) {
      brief.add(interval.start());
      brief.add(interval.end());
    }
  }
  std::cout << "brief " << brief << '\n';
  for (const auto &v : compilation.loweredVariables().forTile(tile))
    std::cout << "lowered " << v.name() << ' ' << v.bytes() << ' ' << v.offset() << ' ' << v.alignment() << ' '
              << v.category() << ' ' << v.alwaysLive() << v.isConstant() << v.overlapped() << v.inInterleavedMem()
              << ' ' << (v.hasUnloweredVar() ? v.unloweredVar().name() : "-") << '\n';
}

void dumpStep(const pva::ExecutionStep &step) {
  std::cout << "executed " << step.program()->_id() << ' ' << step.threadCyclesKnown() << ' ' << step.threadCycles()
            << ' ' << sum(step.cyclesByTile()) << '\n';
  for (const auto &cs : step.computeSets())
    std::cout << "  " << cs.name() << ' ' << sum(cs.cyclesByTile()) << ' ' << sum(cs.estimatedCyclesByTile()) << ' '
              << cs.vertices().size() << '\n';
  const auto slots = step.workerSlots();
  std::cout << "  slots " << slots.known() << ' ' << slots.count();
  for (std::size_t s = 0; s < slots.count(); ++s)
    std::cout << ' ' << sum(slots.threadCyclesByTile(s));
  std::cout << ' ' << sum(slots.supervisorCyclesByTile()) << '\n';
  const auto dealt = slots.dealtVertices();
  std::cout << "  dealt " << sum(dealt.patternByTile);
  for (const auto &pattern : dealt.patterns)
    for (const auto &run : pattern)
      std::cout << ' ' << run.vertices << 'x' << run.threadCycles;
  std::cout << '\n';
  for (const auto &i : step.ipus()) {
    Checksum c;
    for (const auto &range : {i.allCycles(), i.activeCycles()})
      for (const std::uint64_t n : {range.from().min(), range.from().max(), range.to().min(), range.to().max()})
        c.add(n);
    std::cout << "  ipu " << i.cycles() << ' ' << i.activeTiles() << ' ' << i.busyCycles() << ' ' << i.dataIn() << ' '
              << i.dataOut() << ' ' << i.maxTileData() << ' ' << real(i.tileBalance()) << ' '
              << real(i.activeTileBalance()) << ' ' << real(i.dataBalance()) << ' ' << c << '\n';
  }
  for (const auto &v : step.vertexTypes())
    std::cout << "  " << v.type.name() << ' ' << v.instances << ' ' << v.known << ' ' << v.cycles << '\n';
}

void dumpTotals(const pva::CycleTotals &t) {
  line("totals", {t.total(), t.totalKnown(), t.compute(), t.computeWithoutIdle(), t.computeWithoutIdleKnown(),
                  t.exchange(), t.globalExchange(), t.hostExchange(), t.sharedStructureCopy(), t.sync(),
                  t.unattributed(), t.counterReads(), t.controlFlowReads()});
}

void dumpTypes(const char *what, const pva::List<pva::VertexTypeCycles> &types) {
  for (const auto &v : types)
    std::cout << what << ' ' << v.type.name() << ' ' << v.instances << ' ' << v.known << ' ' << v.cycles << '\n';
}

void dumpExecution(const pva::ExecutionReport &execution) {
  dumpTypes("all", execution.vertexTypes());
  dumpTypes("last", execution.lastVertexTypes());
  for (const auto &v : execution.vertices())
    std::cout << "vertex " << v.computeSet.name() << ' ' << v.type.name() << ' ' << v.tile << ' ' << v.operands << ' '
              << v.known << ' ' << v.cycles << '\n';
  for (const auto &run : execution.runs()) {
    std::cout << "run " << run.name() << ' ' << run.program() << ' ' << run.complete() << ' ' << run.steps().size()
              << ' ' << real(run.microseconds().start()) << ' ' << real(run.microseconds().end()) << '\n';
    dumpTotals(run.totalCycles());
    dumpTypes("last of run", run.lastVertexTypes());
    for (const auto &c : run.controlFlow())
      std::cout << "control " << c.program->_id() << ' ' << c.cycles << ' ' << c.takenKnown << ' ' << c.taken << '\n';
    for (const auto &e : run.executions())
      std::cout << "every " << e.program->_id() << ' ' << sum(e.starts) << ' ' << sum(e.cycles) << '\n';
  }
  dumpTotals(execution.totalCycles());
  for (const auto &b : execution.blocks(0)) {
    std::cout << "block " << b.program()->name() << ' ';
    line("of",
         {b.tile(), b.cyclesFrom(), b.cyclesTo(), b.isCommon(), b.isOverflow(), b.isBlockFlush(), b.isStreamCopy()});
  }
  for (const auto &step : execution.steps())
    dumpStep(step);
}

void dumpContext(const pva::DebugContext &context) {
  const auto place = context.location();
  std::cout << "  " << context.id() << ' ' << context.name() << ' ' << context.layer() << ' ' << place.lineNumber()
            << ' ' << place.functionName() << ' ' << place.fileName().size() << ' ' << context.json().size() << '\n';
}

void dumpOperations(const pva::Report &report) {
  const pva::OperationAnalysis analysis(report);
  for (const auto &o : analysis.operations()) {
    Checksum programs, vars;
    for (const auto &p : o.programs())
      programs.add(p->_id());
    for (const auto &v : o.vars())
      vars.add(v._id());
    std::cout << "operation " << o.name() << ' ' << programs << ' ' << vars << ' ' << o.firstStepIndex() << ' '
              << o.lastStepIndex() << ' ' << o.replacedDebugContext().size() << '\n';
    dumpContext(o.debugContext());
    for (const auto &parent : o.debugContext().parents())
      dumpContext(parent);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: PvaDump PROFILE [DEBUG_INFO]\n";
    return 2;
  }
  try {
    const pva::Report report = argc == 2 ? pva::openReport(argv[1]) : pva::openReport(argv[1], argv[2]);
    const auto compilation = report.compilation();
    dumpTarget(report);
    std::size_t fullest = 0;
    for (std::size_t tile = 0; tile < compilation.tiles().size(); ++tile) {
      dumpTile(compilation, tile);
      if (compilation.tiles()[tile].memory().total().excludingGaps() >
          compilation.tiles()[fullest].memory().total().excludingGaps())
        fullest = tile;
    }
    dumpPrograms(compilation);
    dumpLiveness(compilation, fullest);
    dumpExecution(report.execution());
    dumpOperations(report);
    const auto own = report.popscope();
    line("popscope", {own.codeIncluded(), own.complete(), own.alwaysLiveBytes(), own.maxLiveBytes()});
    std::cout << "out of memory " << sum(own.tilesOutOfMemory()) << '\n';
    for (const auto &variable : compilation.variables())
      for (const pva::VariableAccess &a : own.variableAccesses(variable))
        line("access", {variable._id(), a.program->_id(), a.elements, a.read, a.written, a.undefined});
  } catch (const std::exception &e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
