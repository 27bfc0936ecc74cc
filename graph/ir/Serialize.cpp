#include "graph/ir/Serialize.hpp"

#include "graph/ir/SerializeParts.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>
#include <map>
#include <string_view>

namespace popscope {
namespace {

constexpr std::string_view kMagic("\x08\0\0\0\0\0\0\0popscope", 16); // the length of the text in 8 bytes, and the text
enum class FileKind : std::uint64_t { Tensors = 1, Graph = 2 };

template <class A> void transferHeader(A &a, FileKind kind) {
  transferMagic(a, kMagic, "this is no file of tensors or graphs");
  FileKind found = kind;
  transfer(a, found);
  if (found != kind)
    throw ArchiveError(fmt::format("the file is of kind {}, kind {} is expected (1: tensors, 2: a graph)",
                                   static_cast<std::uint64_t>(found), static_cast<std::uint64_t>(kind)));
  transferVersion(a, kGraphFormatVersion);
  std::uint64_t length = 0; // set later by putLength()
  transfer(a, length);
  if constexpr (A::kReads)
    if (length != a.left())
      a.fail(fmt::format("{} bytes are expected and {} follow", length, a.left()));
}

/// Writes the length into the header of a whole file.
std::string putLength(std::string bytes) {
  const std::uint64_t length = bytes.size() - kGraphHeaderBytes;
  bytes.replace(kGraphLengthAt, sizeof length, reinterpret_cast<const char *>(&length), sizeof length);
  return bytes;
}

template <class A> void transferTensors(A &a, TensorFile &file) {
  transferHeader(a, FileKind::Tensors);
  transfer(a, file.names);
  transferEach(a, file.vars, [&](GraphVar &var) { transferVar(a, var, file.names.size(), true); });
  transferEach(a, file.tensors, [&](TensorRecord &t) {
    transferView(a, t.view, file.vars);
    transfer(a, t.metadata);
  });
  transferUpTo(a, file.asked, file.tensors.size(), "the number of tensors");
}

void checkMetadata(const ArchiveReader &in, const TensorFile &file) {
  for (const TensorRecord &t : file.tensors) {
    const bool fits = t.metadata == 0 || (t.metadata <= file.tensors.size() && t.view.type == ElementType::Quarter &&
                                          file.tensors[t.metadata - 1].view.type == ElementType::QuarterMetadata);
    if (!fits)
      in.fail(fmt::format("a tensor of {} has metadata {}", elementTypeName(t.view.type), t.metadata));
  }
}

template <class A>
void transferGraph(A &a, std::string &machine, std::uint64_t &tiles, GraphIr &graph, std::vector<std::string> &codelets,
                   std::vector<ProgramPtr> &programs) {
  transferHeader(a, FileKind::Graph);
  transfer(a, machine);
  transfer(a, tiles);
  transfer(a, graph.replicationFactor);
  transfer(a, graph.names);
  transfer(a, codelets);
  transferTables(a, graph, codelets.size());
  ProgramArchive<A> archive(a, graph);
  transferEach(a, graph.functions, [&](GraphIr::GraphFunction &f) {
    transfer(a, f.name);
    ProgramPtr body = f.body; // a copy, because the graph must not change
    archive.program(body);
    if constexpr (A::kReads)
      f.body = body;
  });
  transferEach(a, programs, [&](ProgramPtr &program) { archive.program(program); });
  archive.checkCalls();
}

/// Runs `read`. Adds advice on what to do next to the error messages of `read`.
template <class F> auto readFile(const char *what, const char *writer, const F &read) {
  try {
    return read();
  } catch (const ArchiveError &e) {
    throw poplar::poplar_error(fmt::format("Serialized {} cannot be read: {}. Is the file whole? If another version "
                                           "wrote it, write it again with this version's {}.",
                                           what, e.what(), writer));
  }
}

} // namespace

TensorFile collectTensors(const GraphIr &graph, const std::vector<TensorRecord> &tensors) {
  TensorFile file;
  file.tensors = tensors;
  file.asked = tensors.size();
  std::map<GraphVarId, GraphVarId> numbers; // number in this graph -> number in the file
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
  ArchiveWriter out;
  transferTensors(out, written(file));
  return putLength(std::move(out.out));
}

TensorFile readTensors(const std::string &bytes) {
  return readFile("tensors", "Graph::serializeTensors", [&] {
    ArchiveReader in(bytes);
    TensorFile file;
    transferTensors(in, file);
    checkMetadata(in, file);
    in.requireEnd();
    return file;
  });
}

std::string writeGraph(const GraphIr &graph, const std::vector<ProgramPtr> &programs) {
  ArchiveWriter out;
  std::string machine = graph.machine.name;
  std::uint64_t tiles = graph.machine.numTiles();
  std::vector<std::string> codelets;
  for (std::size_t i = 0; i < graph.codelets.size(); ++i)
    codelets.push_back(graph.codelets.at(static_cast<int>(i)).name);
  std::vector<ProgramPtr> roots = programs;
  transferGraph(out, machine, tiles, written(graph), codelets, roots);
  return putLength(std::move(out.out));
}

GraphFile readGraph(const std::string &bytes) {
  return readFile("graphs", "Graph::serialize", [&] {
    ArchiveReader in(bytes);
    GraphFile file;
    transferGraph(in, file.machineName, file.numTiles, file.ir, file.codeletNames, file.programs);
    for (const FunctionId f : file.ir.functionBuffers)
      if (!f.valid() || f.index() >= file.ir.functions.size())
        in.fail(fmt::format("a function buffer names a function that does not exist; the file has {} functions",
                            file.ir.functions.size()));
    in.requireEnd();
    return file;
  });
}

} // namespace popscope
