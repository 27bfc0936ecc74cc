#include "graph/ir/SerializeParts.hpp"
#include "graph/ir/ViewOps.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace popscope {
namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
constexpr auto kLargestType = static_cast<std::uint64_t>(ElementType::QuarterMetadata);
constexpr std::uint64_t kElementLimit = std::uint64_t(1) << 40; // of one variable or view: far beyond any machine

ElementType readType(ByteReader &in, bool mayBeInvalid) {
  const auto type = static_cast<ElementType>(in.number(kLargestType, "an element type"));
  if (type == ElementType::Invalid && !mayBeInvalid)
    in.fail("an element type is missing");
  return type;
}

void writeInitialMapping(ByteWriter &out, const GraphVar &var) {
  out.list(var.mapping, [&](const MappedRange &range) {
    out.number(range.begin);
    out.number(range.end);
    out.number(range.tile.index());
  });
  out.raw(var.initial);
}

void readInitialMapping(ByteReader &in, GraphVar &var) {
  in.list(
      var.mapping,
      [&] {
        MappedRange range;
        range.begin = in.number();
        range.end = in.number();
        range.tile = TileId(readId(in, 0xffffffff, "a tile"));
        return range;
      },
      24);
  std::uint64_t end = 0;
  for (const MappedRange &range : var.mapping) {
    if (range.begin < end || range.end <= range.begin || range.end > var.elements || !range.tile.valid())
      in.fail(fmt::format("the mapping of [{},{}) is out of order or beyond the variable's {} elements", range.begin,
                          range.end, var.elements));
    end = range.end;
  }
  var.initial = in.raw();
  if (!var.initial.empty() && var.initial.size() != var.elements * elementBytes(var.type))
    in.fail(fmt::format("{} bytes of initial values for {} elements of {}", var.initial.size(), var.elements,
                        elementTypeName(var.type)));
}

} // namespace

void writeId(ByteWriter &out, bool valid, std::uint32_t index) { out.number(valid ? index : kNone); }

std::uint32_t readId(ByteReader &in, std::size_t count, const char *what) {
  const std::size_t at = in.at();
  const std::uint64_t v = in.number();
  if (v == kNone)
    return std::numeric_limits<std::uint32_t>::max();
  if (v >= count)
    ByteReader::fail(at, fmt::format("{} is {}; there are {}", what, v, count));
  return static_cast<std::uint32_t>(v);
}

void writeVar(ByteWriter &out, const GraphVar &var) {
  writeId(out, var.name.valid(), var.name.index());
  out.number(static_cast<std::uint64_t>(var.type));
  out.number(var.elements);
  out.number(var.constant);
  out.number(var.replicaIndex);
  writeInitialMapping(out, var);
}

GraphVar readVar(ByteReader &in, std::size_t names, bool needsName) {
  GraphVar var;
  var.name = NameId(readId(in, names, "a name"));
  if (needsName && !var.name.valid())
    in.fail("a variable has no name");
  var.type = readType(in, false);
  var.elements = in.number(kElementLimit, "the number of elements of a variable");
  var.constant = in.number(1, "a flag") != 0;
  var.replicaIndex = in.number(1, "a flag") != 0;
  readInitialMapping(in, var);
  return var;
}

namespace {

void writeRuns(ByteWriter &out, const RunList &runs) {
  out.list(runs, [&](const ViewRun &run) {
    out.number(run.var.index());
    out.number(run.begin);
    out.integer(run.stride);
    out.number(run.count);
  });
}

} // namespace

void writeView(ByteWriter &out, const View &view) {
  out.number(static_cast<std::uint64_t>(view.type));
  out.list(view.shape, [&](std::size_t d) { out.number(d); });
  writeRuns(out, view.runs);
}

namespace {

ViewRun readRun(ByteReader &in, const std::vector<GraphVar> &vars, ElementType type) {
  ViewRun run;
  run.var = GraphVarId(readId(in, vars.size(), "a variable"));
  run.begin = in.number();
  run.stride = in.integer();
  run.count = in.number(kElementLimit, "the length of a run");
  const auto limit = static_cast<std::int64_t>(kElementLimit);
  if (!run.var.valid() || run.count == 0 || run.stride > limit || run.stride < -limit)
    in.fail("a run of elements names no variable, is empty or has an impossible stride");
  const GraphVar &var = vars[run.var.index()];
  // In doubles: the product may pass 64 bits, and being near is being far too large.
  const double last =
      static_cast<double>(run.begin) + static_cast<double>(run.count - 1) * static_cast<double>(run.stride);
  if (run.begin >= var.elements || last < 0 || last >= static_cast<double>(var.elements) ||
      elementBytes(var.type) != elementBytes(type))
    in.fail(fmt::format("a run of {} elements of {} from {} by {} does not lie in a variable of {} elements of {}",
                        run.count, elementTypeName(type), run.begin, run.stride, var.elements,
                        elementTypeName(var.type)));
  return run;
}

} // namespace

View readView(ByteReader &in, const std::vector<GraphVar> &vars) {
  View view;
  view.type = readType(in, true); // views that a program does not have
  std::uint64_t product = 1, sum = 0;
  in.list(view.shape, [&] {
    const std::size_t d = in.number(kElementLimit, "a dimension");
    product *= d;
    if (product > kElementLimit)
      in.fail(fmt::format("a tensor has more than {} elements", kElementLimit));
    return d;
  });
  std::vector<ViewRun> runs;
  in.list(
      runs,
      [&] {
        const ViewRun run = readRun(in, vars, view.type);
        sum += run.count;
        return run;
      },
      32);
  view.runs = std::move(runs);
  const bool isNothing = view.type == ElementType::Invalid && view.shape.empty() && view.runs.empty();
  if (sum != product && !isNothing)
    in.fail(fmt::format("a tensor of {} elements has runs of {} in all", product, sum));
  return view;
}

namespace {

void writeVertex(ByteWriter &out, const GraphIr &graph, const GraphVertex &v) {
  const auto &fields = graph.codelets.at(v.codelet).fields;
  out.number(static_cast<std::uint64_t>(v.codelet));
  writeId(out, v.computeSet.valid(), v.computeSet.index());
  writeId(out, v.tile.valid(), v.tile.index());
  out.number(v.edges().size());
  for (const GraphEdge &e : v.edges()) { // as a view of rank 1
    out.number(e.field);
    out.number(e.subIndex);
    out.number(static_cast<std::uint64_t>(fields.at(e.field).type));
    out.number(1);
    out.number(e.elements());
    writeRuns(out, e.runs);
  }
  const auto states = v.states();
  out.number(static_cast<std::uint64_t>(std::distance(states.begin(), states.end())));
  for (const GraphState &s : states) {
    out.number(s.field);
    out.number(s.elements);
    out.raw({s.bytes.begin(), s.bytes.end()});
  }
  const auto sizes = v.fieldSizes();
  out.number(static_cast<std::uint64_t>(std::distance(sizes.begin(), sizes.end())));
  for (const GraphFieldSize &s : sizes) {
    out.number(s.field);
    out.number(s.elements);
  }
  out.list(v.elementSizes(), [&](const GraphElementSize &s) {
    out.number(s.field);
    out.number(s.subIndex);
    out.number(s.elements);
  });
  out.integer(v.cycleEstimate());
  out.integer(v.flopEstimate());
}

void readVertex(ByteReader &in, GraphIr &graph, std::size_t codelets) {
  const auto field = [&] { return static_cast<std::uint16_t>(in.number(0xffff, "a field")); };
  const auto sub = [&] { return static_cast<std::uint32_t>(in.number(0xffffffff, "an element of a field")); };
  const std::uint32_t codelet = readId(in, codelets, "a codelet");
  const ComputeSetId computeSet(readId(in, graph.computeSets.size(), "a compute set"));
  if (codelet >= codelets || !computeSet.valid())
    in.fail("a vertex has no codelet or no compute set");
  VertexTable &table = graph.vertices;
  const VertexId v = table.add(static_cast<int>(codelet), computeSet, TileId(readId(in, 0xffffffff, "a tile")));
  in.each([&] {
    const std::uint16_t f = field();
    const std::uint32_t subIndex = sub();
    if (!table.connect(v, f, subIndex, readView(in, graph.vars.raw())))
      in.fail(fmt::format("element {} of field {} of a vertex is connected twice", subIndex, f));
  });
  in.each([&] {
    const std::uint16_t f = field();
    const std::uint64_t elements = in.number();
    const std::vector<std::uint8_t> bytes = in.raw();
    std::copy(bytes.begin(), bytes.end(), table.writeState(v, f, elements, bytes.size()).begin());
  });
  in.each([&] {
    const std::uint16_t f = field();
    table.setFieldSize(v, f, in.number());
  });
  in.each([&] {
    const std::uint16_t f = field();
    const std::uint32_t subIndex = sub();
    table.setElementSize(v, f, subIndex, in.number());
  });
  const std::int64_t cycles = in.integer(), flops = in.integer(), most = std::int64_t(1) << 48;
  if (cycles > most || flops > most)
    in.fail(fmt::format("an estimate of {} cycles and {} operations is more than {}", cycles, flops, most));
  if (cycles >= 0)
    table.setEstimate(v, cycles, std::max<std::int64_t>(flops, -1));
}

void writeStream(ByteWriter &out, const GraphStream &s) {
  out.text(s.handle);
  out.number(static_cast<std::uint64_t>(s.type));
  out.number(s.elements);
  out.number(s.repeats);
  out.number(static_cast<std::uint64_t>(s.kind));
  out.number(s.rearrangeOnHost);
  out.number(s.optimiseMemory);
  out.number(s.broadcast);
  out.list(s.options, [&](const auto &option) {
    out.text(option.first);
    out.text(option.second);
  });
}

GraphStream readStream(ByteReader &in) {
  GraphStream s;
  s.handle = in.text();
  s.type = readType(in, false);
  s.elements = in.number();
  s.repeats = in.number();
  s.kind = static_cast<GraphStream::Kind>(
      in.number(static_cast<std::uint64_t>(GraphStream::Kind::Remote), "a kind of stream"));
  s.rearrangeOnHost = in.number(1, "a flag") != 0;
  s.optimiseMemory = in.number(1, "a flag") != 0;
  s.broadcast = in.number(1, "a flag") != 0;
  std::vector<std::pair<std::string, std::string>> options;
  in.list(options, [&] {
    const std::string key = in.text();
    return std::make_pair(key, in.text());
  });
  s.options.insert(options.begin(), options.end());
  return s;
}

void writeFormat(ByteWriter &out, const PrintFormat &f) {
  for (const unsigned n : {f.summariseThreshold, f.edgeItems, f.maxLineWidth, f.digits, f.floatFormat})
    out.number(n);
  for (const char c : {f.separator, f.open, f.close})
    out.number(static_cast<unsigned char>(c));
}

PrintFormat readFormat(ByteReader &in) {
  PrintFormat f;
  for (unsigned *n : {&f.summariseThreshold, &f.edgeItems, &f.maxLineWidth, &f.digits, &f.floatFormat})
    *n = static_cast<unsigned>(in.number(0xffffffff, "a number of a print format"));
  for (char *c : {&f.separator, &f.open, &f.close})
    *c = static_cast<char>(in.number(0xff, "a character"));
  return f;
}

void writeAccesses(ByteWriter &out, const std::vector<HostAccess> &accesses) {
  out.list(accesses, [&](const HostAccess &a) {
    out.text(a.handle);
    writeView(out, a.view);
    out.number(a.rearrangeOnHost);
  });
}

void readAccesses(ByteReader &in, const GraphIr &graph, std::vector<HostAccess> &accesses) {
  in.list(accesses, [&] {
    HostAccess a;
    a.handle = in.text();
    a.view = readView(in, graph.vars.raw());
    a.rearrangeOnHost = in.number(1, "a flag") != 0;
    return a;
  });
}

void writeHostFunction(ByteWriter &out, const GraphHostFunction &f) {
  out.text(f.handle);
  for (const auto *streams : {&f.inputs, &f.outputs})
    out.list(*streams, [&](StreamId s) { out.number(s.index()); });
}

/// The streams of a host function know it, too: its number and theirs among its arguments.
GraphHostFunction readHostFunction(ByteReader &in, GraphIr &graph) {
  GraphHostFunction f;
  f.handle = in.text();
  const auto index = static_cast<std::int64_t>(graph.hostFunctions.size());
  for (auto *streams : {&f.inputs, &f.outputs})
    in.list(*streams, [&] {
      const StreamId id(readId(in, graph.streams.size(), "a stream"));
      if (!id.valid())
        in.fail("an argument of a host function has no stream");
      graph.streams[id].hostFunction = index;
      graph.streams[id].argument = static_cast<std::uint32_t>(streams->size());
      return id;
    });
  return f;
}

} // namespace

void writeTables(ByteWriter &out, const GraphIr &graph) {
  out.list(graph.vars, [&](const GraphVar &var) { writeVar(out, var); });
  out.list(graph.computeSets, [&](const GraphComputeSet &cs) {
    writeId(out, cs.name.valid(), cs.name.index());
    out.list(cs.vertices, [&](VertexId v) { out.number(v.index()); });
  });
  out.number(graph.vertices.size());
  for (std::size_t i = 0; i != graph.vertices.size(); ++i)
    writeVertex(out, graph, graph.vertices[graph.vertices.idAt(i)]);
  out.list(graph.streams, [&](const GraphStream &s) { writeStream(out, s); });
  writeAccesses(out, graph.hostWrites);
  writeAccesses(out, graph.hostReads);
  out.list(graph.printFormats, [&](const PrintFormat &f) { writeFormat(out, f); });
  out.list(graph.hostFunctions, [&](const GraphHostFunction &f) { writeHostFunction(out, f); });
  out.list(graph.functionBuffers, [&](FunctionId f) { out.number(f.index()); });
}

void readTables(ByteReader &in, GraphIr &graph, std::size_t codelets) {
  in.list(graph.vars.raw(), [&] { return readVar(in, graph.names.size(), false); });
  in.list(graph.computeSets.raw(), [&] {
    GraphComputeSet cs;
    cs.name = NameId(readId(in, graph.names.size(), "a name"));
    in.each([&] { cs.vertices.push_back(VertexId(readId(in, 0xffffffff, "a vertex"))); });
    return cs;
  });
  in.each([&] { readVertex(in, graph, codelets); });
  for (const GraphComputeSet &cs : graph.computeSets)
    for (const VertexId v : cs.vertices)
      if (!v.valid() || v.index() >= graph.vertices.size())
        in.fail(fmt::format("a compute set names a vertex that does not exist; there are {}", graph.vertices.size()));
  in.list(graph.streams.raw(), [&] { return readStream(in); });
  readAccesses(in, graph, graph.hostWrites);
  readAccesses(in, graph, graph.hostReads);
  graph.printFormats.clear();
  in.list(graph.printFormats, [&] { return readFormat(in); });
  in.list(graph.hostFunctions, [&] { return readHostFunction(in, graph); });
  // Functions follow the tables: the reader of programs checks these numbers.
  in.list(graph.functionBuffers, [&] { return FunctionId(readId(in, 0xffffffff, "a function")); });
}

} // namespace popscope
