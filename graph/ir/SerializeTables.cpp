#include "graph/ir/SerializeParts.hpp"
#include "graph/ir/ViewOps.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace popscope {
namespace {

constexpr auto kLargestType = static_cast<std::uint64_t>(ElementType::QuarterMetadata);

template <class A> void transferType(A &a, ElementType &type) {
  transferUpTo(a, type, kLargestType, "an element type");
  if constexpr (A::kReads)
    if (type == ElementType::Invalid)
      a.fail("an element type is missing");
}

void checkContents(const ArchiveReader &a, const GraphVar &var) {
  std::uint64_t end = 0;
  for (const MappedRange &range : var.mapping) {
    if (range.begin < end || range.end <= range.begin || range.end > var.elements || !range.tile.valid())
      a.fail(fmt::format("the mapping of [{},{}) is out of order or beyond the variable's {} elements", range.begin,
                         range.end, var.elements));
    end = range.end;
  }
  if (!var.initial.empty() && var.initial.size() != var.elements * elementBytes(var.type))
    a.fail(fmt::format("{} bytes of initial values for {} elements of {}", var.initial.size(), var.elements,
                       elementTypeName(var.type)));
}

} // namespace

template <class A> void transferVar(A &a, GraphVar &var, std::size_t names, bool needsName) {
  transferIdOrNone(a, var.name, names, "a name");
  transferType(a, var.type);
  transferUpTo(a, var.elements, kMaxElements, "the number of elements of a variable");
  transfer(a, var.constant);
  transfer(a, var.replicaIndex);
  transfer(a, var.mapping);
  transfer(a, var.initial);
  if constexpr (A::kReads) {
    if (needsName && !var.name.valid())
      a.fail("a variable has no name");
    checkContents(a, var);
  }
}

namespace {

void checkRun(const ArchiveReader &a, const ViewRun &run, const LargeTable<GraphVar> &vars, ElementType type) {
  const auto limit = static_cast<std::int64_t>(kMaxElements);
  if (run.count == 0 || run.stride > limit || run.stride < -limit)
    a.fail("a run of elements is empty or has an impossible stride");
  const GraphVar &var = vars[run.var.index()];
  // Computes in doubles, because the product may exceed 64 bits. A value near that limit is far too large anyway.
  const double last =
      static_cast<double>(run.begin) + static_cast<double>(run.count - 1) * static_cast<double>(run.stride);
  if (run.begin >= var.elements || last < 0 || last >= static_cast<double>(var.elements) ||
      elementBytes(var.type) != elementBytes(type))
    a.fail(fmt::format("a run of {} elements of {} from {} by {} does not lie in a variable of {} elements of {}",
                       run.count, elementTypeName(type), run.begin, run.stride, var.elements,
                       elementTypeName(var.type)));
}

/// Transfers runs one by one. Returns `runs` when writing, and the runs from the file when reading.
template <class A>
std::vector<ViewRun> transferRuns(A &a, const RunList &runs, const LargeTable<GraphVar> &vars, ElementType type) {
  const auto one = [&](ViewRun &run) {
    transferId(a, run.var, vars.size(), "a variable");
    transfer(a, run.begin);
    transfer(a, run.stride);
    transferUpTo(a, run.count, kMaxElements, "the length of a run");
  };
  std::vector<ViewRun> read;
  if constexpr (A::kReads) {
    std::uint64_t sum = 0;
    transferEach(a, read, [&](ViewRun &run) {
      one(run);
      checkRun(a, run, vars, type);
      sum += run.count;
      if (sum > kMaxElements)
        a.fail(fmt::format("a list of runs has more than {} elements", kMaxElements));
    });
  } else {
    (void)transferCount(a, runs.size());
    for (ViewRun run : runs)
      one(run);
  }
  return read;
}

void checkShape(const ArchiveReader &a, const View &view) {
  const auto product = checkedElements(view.shape);
  const std::uint64_t sum = view.runs.elements();
  const bool isNothing = view.type == ElementType::Invalid && view.shape.empty() && view.runs.empty();
  if (product != sum && !isNothing)
    a.fail(fmt::format("a tensor of shape {} has runs of {} elements in all", fmt::join(view.shape, " x "), sum));
}

} // namespace

template <class A> void transferView(A &a, View &view, const LargeTable<GraphVar> &vars) {
  transferUpTo(a, view.type, kLargestType, "an element type"); // the missing views of a program have no type
  transfer(a, view.shape);
  [[maybe_unused]] std::vector<ViewRun> runs = transferRuns(a, view.runs, vars, view.type);
  if constexpr (A::kReads) {
    view.runs = runs;
    checkShape(a, view);
  }
}

namespace {

/// A vertex in the form of the file.
struct VertexRecord {
  struct Edge {
    std::uint16_t field = 0;
    std::uint32_t subIndex = 0;
    ElementType type = ElementType::Invalid;
    RunList written;
    std::vector<ViewRun> read;
  };
  struct State {
    std::uint16_t field = 0;
    std::uint64_t elements = 0;
    std::vector<std::uint8_t> bytes;
  };
  std::uint32_t codelet = 0;
  ComputeSetId computeSet;
  TileId tile;
  std::vector<Edge> edges = {};
  std::vector<State> states = {};
  std::vector<GraphFieldSize> sizes = {};
  std::vector<GraphElementSize> elementSizes;
  std::int64_t cycles = -1, flops = -1;
};

template <class A> void transferVertex(A &a, VertexRecord &v, const GraphIr &graph, std::size_t codelets) {
  transfer(a, v.codelet);
  transferId(a, v.computeSet, graph.computeSets.size(), "a compute set");
  transfer(a, v.tile);
  transferEach(a, v.edges, [&](VertexRecord::Edge &e) {
    transfer(a, e.field);
    transfer(a, e.subIndex);
    transferType(a, e.type);
    e.read = transferRuns(a, e.written, graph.vars.raw(), e.type);
  });
  transfer(a, v.states);
  transfer(a, v.sizes);
  transfer(a, v.elementSizes);
  transfer(a, v.cycles);
  transfer(a, v.flops);
  if constexpr (A::kReads) {
    const std::int64_t most = std::int64_t(1) << 48;
    if (v.cycles > most || v.flops > most)
      a.fail(fmt::format("an estimate of {} cycles and {} operations is more than {}", v.cycles, v.flops, most));
    if (v.codelet >= codelets)
      a.fail(fmt::format("a vertex is of codelet {}; the file has {} codelets", v.codelet, codelets));
  }
}

VertexRecord recordOf(const GraphIr &graph, const GraphVertex &v) {
  const auto &fields = graph.codelets.at(v.codelet).fields;
  VertexRecord record{.codelet = static_cast<std::uint32_t>(v.codelet),
                      .computeSet = v.computeSet,
                      .tile = v.tile,
                      .elementSizes = v.elementSizes(),
                      .cycles = v.cycleEstimate(),
                      .flops = v.flopEstimate()};
  for (const GraphEdge &e : v.edges())
    record.edges.push_back({e.field, e.subIndex, fields.at(e.field).type, e.runs, {}});
  for (const GraphState &s : v.states())
    record.states.push_back({s.field, s.elements, {s.bytes.begin(), s.bytes.end()}});
  for (const GraphFieldSize &s : v.fieldSizes())
    record.sizes.push_back(s);
  return record;
}

void addVertex(const ArchiveReader &a, VertexTable &table, const VertexRecord &record) {
  const VertexId v = table.add(static_cast<int>(record.codelet), record.computeSet, record.tile);
  for (const VertexRecord::Edge &e : record.edges)
    if (!table.connect(v, e.field, e.subIndex, RunList(e.read.data(), e.read.size())))
      a.fail(fmt::format("element {} of field {} of a vertex is connected twice", e.subIndex, e.field));
  for (const VertexRecord::State &s : record.states)
    std::copy(s.bytes.begin(), s.bytes.end(), table.writeState(v, s.field, s.elements, s.bytes.size()).begin());
  for (const GraphFieldSize &s : record.sizes)
    table.setFieldSize(v, s.field, s.elements);
  for (const GraphElementSize &s : record.elementSizes)
    table.setElementSize(v, s.field, s.subIndex, s.elements);
  if (record.cycles >= 0)
    table.setEstimate(v, record.cycles, std::max<std::int64_t>(record.flops, -1));
}

template <class A> void transferVertices(A &a, GraphIr &graph, std::size_t codelets) {
  const std::uint64_t n = transferCount(a, graph.vertices.size());
  for (std::uint64_t i = 0; i != n; ++i) {
    VertexRecord record;
    if constexpr (!A::kReads)
      record = recordOf(graph, graph.vertices[graph.vertices.idAt(i)]);
    transferVertex(a, record, graph, codelets);
    if constexpr (A::kReads)
      addVertex(a, graph.vertices, record);
  }
}

template <class A> void transferComputeSet(A &a, GraphComputeSet &cs, std::size_t names) {
  transferIdOrNone(a, cs.name, names, "a name");
  std::vector<VertexId> vertices(cs.vertices.begin(), cs.vertices.end());
  transfer(a, vertices);
  if constexpr (A::kReads)
    for (const VertexId v : vertices)
      cs.vertices.push_back(v);
}

template <class A> void transferStream(A &a, GraphStream &s) {
  transfer(a, s.handle);
  transferType(a, s.type);
  transferUpTo(a, s.elements, kMaxElements, "the number of elements of a stream");
  transfer(a, s.repeats);
  transferUpTo(a, s.kind, static_cast<std::uint64_t>(GraphStream::Kind::Remote), "a kind of stream");
  transfer(a, s.rearrangeOnHost);
  transfer(a, s.optimiseMemory);
  transfer(a, s.broadcast);
  transfer(a, s.options);
  transfer(a, s.hostFunction);
  transfer(a, s.argument);
}

template <class A> void transferAccess(A &a, HostAccess &access, const LargeTable<GraphVar> &vars) {
  transfer(a, access.handle);
  transferView(a, access.view, vars);
  transfer(a, access.rearrangeOnHost);
}

template <class A> void transferHostFunction(A &a, GraphHostFunction &f, std::size_t streams) {
  transfer(a, f.handle);
  for (auto *arguments : {&f.inputs, &f.outputs})
    transferEach(a, *arguments, [&](StreamId &s) { transferId(a, s, streams, "an argument of a host function"); });
  transferIdOrNone(a, f.signal, streams, "the signal of a host function");
}

/// Checks that host functions and their streams name each other.
void checkHostFunctions(const ArchiveReader &a, const GraphIr &graph) {
  std::size_t arguments = 0;
  for (std::size_t i = 0; i != graph.hostFunctions.size(); ++i) {
    const GraphHostFunction &f = graph.hostFunctions[i];
    std::vector<StreamId> signal;
    if (f.signal.valid())
      signal.push_back(f.signal);
    for (const auto *streams : {&f.inputs, &f.outputs, &std::as_const(signal)})
      for (std::size_t n = 0; n != streams->size(); ++n, ++arguments) {
        const GraphStream &s = graph.streams[(*streams)[n]];
        if (s.hostFunction != static_cast<std::int64_t>(i) || s.argument != n)
          a.fail(fmt::format("argument {} of host function {} is the stream of another host function", n, f.handle));
      }
  }
  for (const GraphStream &s : graph.streams)
    if (s.hostFunction != -1 && arguments-- == 0)
      a.fail(fmt::format("stream {} is an argument of no host function", s.handle));
}

void checkVertices(const ArchiveReader &a, const GraphIr &graph) {
  for (const GraphComputeSet &cs : graph.computeSets)
    for (const VertexId v : cs.vertices)
      if (!v.valid() || v.index() >= graph.vertices.size())
        a.fail(fmt::format("a compute set names a vertex that does not exist; the file has {} vertices",
                           graph.vertices.size()));
}

} // namespace

template <class A> void transferTables(A &a, GraphIr &graph, std::size_t codelets) {
  const LargeTable<GraphVar> &vars = graph.vars.raw();
  transferEach(a, graph.vars, [&](GraphVar &var) { transferVar(a, var, graph.names.size(), false); });
  transferEach(a, graph.computeSets, [&](GraphComputeSet &cs) { transferComputeSet(a, cs, graph.names.size()); });
  transferVertices(a, graph, codelets);
  transferEach(a, graph.streams, [&](GraphStream &s) { transferStream(a, s); });
  for (auto *accesses : {&graph.hostWrites, &graph.hostReads})
    transferEach(a, *accesses, [&](HostAccess &access) { transferAccess(a, access, vars); });
  transfer(a, graph.printFormats);
  transferEach(a, graph.hostFunctions, [&](GraphHostFunction &f) { transferHostFunction(a, f, graph.streams.size()); });
  transfer(a, graph.functionBuffers); // their functions come later in the file and are checked then
  if constexpr (A::kReads) {
    checkVertices(a, graph);
    checkHostFunctions(a, graph);
  }
}

template void transferVar(ArchiveWriter &, GraphVar &, std::size_t, bool);
template void transferVar(ArchiveReader &, GraphVar &, std::size_t, bool);
template void transferView(ArchiveWriter &, View &, const LargeTable<GraphVar> &);
template void transferView(ArchiveReader &, View &, const LargeTable<GraphVar> &);
template void transferTables(ArchiveWriter &, GraphIr &, std::size_t);
template void transferTables(ArchiveReader &, GraphIr &, std::size_t);

} // namespace popscope
