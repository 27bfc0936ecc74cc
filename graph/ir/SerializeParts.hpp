// The pieces of Serialize: variables, views, the tables of a graph, program trees. Internal to graph/ir.
#pragma once
#include "graph/ir/ByteStream.hpp"
#include "graph/ir/GraphIr.hpp"

#include <unordered_map>
#include <vector>

namespace popscope {

void writeVar(ByteWriter &out, const GraphVar &var);
/// `names`: entries of the table of names. `needsName`: the variable has one.
GraphVar readVar(ByteReader &in, std::size_t names, bool needsName);
void writeView(ByteWriter &out, const View &view);
/// Checked against the variables: type sizes, ranges, and as many elements as the shape says.
View readView(ByteReader &in, const std::vector<GraphVar> &vars);
std::uint32_t readId(ByteReader &in, std::size_t count, const char *what); // one past the end of Id's range = invalid
void writeId(ByteWriter &out, bool valid, std::uint32_t index);

/// Variables, compute sets, vertices, streams, host accesses, print formats.
void writeTables(ByteWriter &out, const GraphIr &graph);
void readTables(ByteReader &in, GraphIr &graph, std::size_t codelets);

/// A node that occurs several times is written once and named afterwards.
class ProgramWriter {
public:
  explicit ProgramWriter(ByteWriter &out) : out_(out) {}
  void program(const ProgramPtr &program);

private:
  ByteWriter &out_;
  std::unordered_map<const ProgramNode *, std::uint64_t> known_; // asked only
};

class ProgramReader {
public:
  ProgramReader(ByteReader &in, const GraphIr &graph) : in_(in), graph_(graph) {}
  ProgramPtr program(unsigned depth = 0);
  /// Called when all functions are known: every Call names one.
  void checkCalls() const;

private:
  void readArguments(ProgramNode &node);
  ByteReader &in_;
  const GraphIr &graph_;
  std::vector<ProgramPtr> known_;
};

} // namespace popscope
