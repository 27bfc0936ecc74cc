#include "graph/ir/Serialize.hpp"

#include "graph/ir/SerializeParts.hpp"
#include "graph/ir/ViewOps.hpp"

#include <fmt/format.h>
#include <map>

namespace popscope {
namespace {

constexpr const char *kMagic = "popscope";
enum class FileKind : std::uint64_t { Tensors = 1, Graph = 2 };

void writeHeader(ByteWriter &out, FileKind kind) {
  out.text(kMagic);
  out.number(static_cast<std::uint64_t>(kind));
  out.number(kGraphFormatVersion);
}

void readHeader(ByteReader &in, FileKind kind) {
  if (in.left() < 16 || in.text() != kMagic)
    ByteReader::fail(0, "this is no file of tensors or graphs");
  const std::uint64_t found = in.number();
  if (found != static_cast<std::uint64_t>(kind))
    in.fail(fmt::format("the file is of kind {}, kind {} is expected (1: tensors, 2: a graph)", found,
                        static_cast<std::uint64_t>(kind)));
  const std::uint64_t version = in.number();
  if (version != kGraphFormatVersion)
    in.fail(fmt::format("the format has version {}, this library reads version {}", version, kGraphFormatVersion));
}

void requireEnd(const ByteReader &in) {
  if (in.left() != 0)
    in.fail(fmt::format("{} bytes follow the end", in.left()));
}

} // namespace

TensorFile collectTensors(const GraphIr &graph, const std::vector<TensorRecord> &tensors) {
  TensorFile file;
  file.tensors = tensors;
  file.asked = tensors.size();
  std::map<GraphVarId, GraphVarId> numbers; // of this graph -> of the file
  for (const TensorRecord &t : tensors)
    for (const ViewRun &run : t.view.runs)
      numbers.emplace(run.var, GraphVarId());
  for (auto &entry : numbers) {
    entry.second = GraphVarId(static_cast<std::uint32_t>(file.vars.size()));
    GraphVar var = graph.vars[entry.first];
    file.names.push_back(graph.names[var.name]);
    var.name = NameId(static_cast<std::uint32_t>(file.names.size() - 1));
    file.vars.push_back(std::move(var));
  }
  for (TensorRecord &t : file.tensors)
    t.view.runs.renameVars([&](const ViewRun &run) { return numbers.at(run.var); });
  return file;
}

std::string writeTensors(const TensorFile &file) {
  ByteWriter out;
  writeHeader(out, FileKind::Tensors);
  out.list(file.names, [&](const std::string &name) { out.text(name); });
  out.list(file.vars, [&](const GraphVar &var) { writeVar(out, var); });
  out.list(file.tensors, [&](const TensorRecord &t) {
    writeView(out, t.view);
    out.number(t.metadata);
  });
  out.number(file.asked);
  return out.take();
}

TensorFile readTensors(const std::string &bytes) {
  ByteReader in(bytes);
  readHeader(in, FileKind::Tensors);
  TensorFile file;
  in.list(file.names, [&] { return in.text(); });
  in.list(file.vars, [&] { return readVar(in, file.names.size(), true); });
  in.list(file.tensors, [&] {
    TensorRecord t;
    t.view = readView(in, file.vars);
    t.metadata = in.number();
    return t;
  });
  for (const TensorRecord &t : file.tensors) {
    const bool fits = t.metadata == 0 || (t.metadata <= file.tensors.size() && t.view.type == ElementType::Quarter &&
                                          file.tensors[t.metadata - 1].view.type == ElementType::QuarterMetadata);
    if (!fits)
      in.fail(fmt::format("a tensor of {} has metadata {}", elementTypeName(t.view.type), t.metadata));
  }
  file.asked = in.number(file.tensors.size(), "the number of tensors");
  requireEnd(in);
  return file;
}

std::string writeGraph(const GraphIr &graph, const std::vector<ProgramPtr> &programs) {
  ByteWriter out;
  writeHeader(out, FileKind::Graph);
  out.text(graph.machine.name);
  out.number(graph.machine.numTiles());
  out.number(graph.replicationFactor);
  out.number(graph.names.size());
  for (std::size_t i = 0; i < graph.names.size(); ++i)
    out.text(graph.names[NameId(static_cast<std::uint32_t>(i))]);
  out.number(graph.codelets.size());
  for (std::size_t i = 0; i < graph.codelets.size(); ++i)
    out.text(graph.codelets.at(static_cast<int>(i)).name);
  writeTables(out, graph);
  ProgramWriter writer(out);
  out.list(graph.functions.raw(), [&](const GraphIr::GraphFunction &f) {
    out.text(f.name);
    writer.program(f.body);
  });
  out.list(programs, [&](const ProgramPtr &p) { writer.program(p); });
  return out.take();
}

GraphFile readGraph(const std::string &bytes) {
  ByteReader in(bytes);
  readHeader(in, FileKind::Graph);
  GraphFile file;
  file.machineName = in.text();
  file.numTiles = in.number();
  file.ir.replicationFactor = static_cast<std::uint32_t>(in.number(0xffffffff, "the replication factor"));
  std::vector<std::string> names;
  in.list(names, [&] { return in.text(); });
  for (const std::string &name : names)
    file.ir.names.intern(name);
  if (file.ir.names.size() != names.size())
    in.fail("a name occurs twice");
  in.list(file.codeletNames, [&] { return in.text(); });
  readTables(in, file.ir, file.codeletNames.size());
  ProgramReader reader(in, file.ir);
  in.list(file.ir.functions.raw(), [&] {
    GraphIr::GraphFunction f;
    f.name = in.text();
    f.body = reader.program();
    return f;
  });
  in.list(file.programs, [&] { return reader.program(); });
  reader.checkCalls();
  for (const FunctionId f : file.ir.functionBuffers)
    if (!f.valid() || f.index() >= file.ir.functions.size())
      in.fail(fmt::format("a function buffer names a function that does not exist; there are {}",
                          file.ir.functions.size()));
  requireEnd(in);
  return file;
}

} // namespace popscope
