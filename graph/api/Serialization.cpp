// Graph::serialize, serializeTensors and deserializeTensors.
#include "base/ReadOwnBytes.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/ir/CheckReferences.hpp"
#include "graph/ir/Replicas.hpp"
#include "graph/ir/Serialize.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <fmt/format.h>
#include <map>

using popscope::GraphAccess;
using popscope::GraphVarId;
using popscope::TensorData;

namespace poplar {

namespace {

void write(std::ostream &out, const std::string &bytes) {
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out)
    throw poplar_error(fmt::format("Serialization: {} bytes could not be written to the stream.", bytes.size()));
}

void requireOurs(SerializationFormat format, const char *what) {
  if (format == SerializationFormat::JSON)
    throw poplar_error(fmt::format("Graph::{}: there is no JSON form; give SerializationFormat::Binary.", what));
}

} // namespace

void Graph::serialize(std::ostream &out, ArrayRef<program::Program> progs, SerializationFormat format) const {
  requireOurs(format, "serialize");
  if (!GraphAccess::shared(*this)->ir.splits.empty())
    throw graph_replication_error(
        "Graph::serialize: a graph with replicated parts (createReplicatedGraph) cannot be written; compile it with "
        "compileGraph and write the Executable with Executable::serialize.");
  const popscope::GraphIr &ir = popscope::irOf(*this);
  const std::vector<popscope::ProgramPtr> nodes = popscope::nodesOf(progs, ir);
  std::vector<popscope::ProgramPtr> bodies; // including the bodies of functions that no program calls
  for (const auto &function : ir.functions)
    bodies.push_back(function.body);
  popscope::checkReferences(bodies, ir);
  write(out, popscope::writeGraph(ir, nodes));
}

void Graph::serialize(std::ostream &out, SerializationFormat format) const { serialize(out, {}, format); }

void Graph::serializeTensors(std::ostream &out, ArrayRef<Tensor> ts, SerializationFormat format) const {
  requireOurs(format, "serializeTensors");
  const auto &shared = GraphAccess::shared(*this);
  std::vector<const TensorData *> all;                  // the tensors, then metadata that is not among them
  std::map<const TensorData *, std::uint64_t> metadata; // lookup only
  for (const Tensor &t : ts)
    all.push_back(&GraphAccess::data(t));
  for (std::size_t i = 0; i < ts.size(); ++i)
    if (const TensorData *m = all[i]->metadata.get())
      if (metadata.emplace(m, all.size() + 1).second)
        all.push_back(m);
  std::vector<popscope::TensorRecord> records;
  for (const TensorData *t : all) {
    if (t->graph != shared)
      throw poplar_error("serializeTensors: a tensor belongs to another graph.");
    records.push_back({t->view, t->metadata ? metadata.at(t->metadata.get()) : 0});
  }
  popscope::TensorFile file = popscope::collectTensors(popscope::irOf(*this), records);
  file.asked = ts.size();
  write(out, popscope::writeTensors(file));
}

std::vector<Tensor> Graph::deserializeTensors(std::istream &in, SerializationFormat format) {
  requireOurs(format, "deserializeTensors");
  const auto &shared = GraphAccess::shared(*this);
  popscope::TensorFile file =
      popscope::readTensors(popscope::readOwnBytes(in, popscope::kGraphHeaderBytes, popscope::kGraphLengthAt));
  for (const popscope::GraphVar &var : file.vars) // makes all checks first, so that a bad file leaves the graph as it
                                                  // was
    for (const popscope::MappedRange &range : var.mapping)
      if (range.tile.index() >= shared->ir.machine.numTiles())
        throw invalid_tile_mapping(
            fmt::format("deserializeTensors: variable \"{}\" lies on tile {}; this graph has {} tiles.",
                        file.names[var.name.index()], range.tile.index(), shared->ir.machine.numTiles()));
  std::vector<GraphVarId> made;
  for (popscope::GraphVar &var : file.vars) {
    var.name = shared->ir.names.intern(file.names[var.name.index()]);
    made.push_back(popscope::addVariable(shared->ir, std::move(var), GraphAccess::handle(*this).split));
  }
  std::vector<Tensor> tensors;
  for (popscope::TensorRecord &record : file.tensors) {
    record.view.runs.renameVars([&](const popscope::ViewRun &run) { return made[run.var.index()]; });
    tensors.push_back(GraphAccess::tensor(shared, std::move(record.view)));
  }
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (file.tensors[i].metadata != 0)
      tensors[i] = tensors[i].associateMetadata(tensors[file.tensors[i].metadata - 1]);
  tensors.resize(file.asked);
  return tensors;
}

} // namespace poplar
