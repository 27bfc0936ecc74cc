// The parts of the format of Serialize: variables, views, the tables of a graph, and program trees. For each part, one
// function both writes and reads (graph/ir/Archive.hpp), and checks the data during reading. This header is internal to
// graph/ir.
#pragma once
#include "base/CheckedSize.hpp"
#include "graph/ir/Archive.hpp"
#include "graph/ir/GraphIr.hpp"

#include <unordered_map>
#include <vector>

namespace popscope {

/// Transfers a variable. `names` is the size of the table of names. If `needsName`, a reader requires that the variable
/// has a name.
template <class A> void transferVar(A &a, GraphVar &var, std::size_t names, bool needsName);
/// Transfers a view. A reader checks the size of the element type and the ranges of the runs against the variables, and
/// the shape against the number of elements.
template <class A> void transferView(A &a, View &view, const LargeTable<GraphVar> &vars);

/// Transfers variables, compute sets, vertices, streams, host accesses, print formats, host functions and function
/// buffers. `codelets` is the number of vertex classes.
template <class A> void transferTables(A &a, GraphIr &graph, std::size_t codelets);

/// A writer or reader of program trees. Writes a node that occurs several times only once. For each later occurrence of
/// the node, writes only the number of the node. Nodes are numbered in such an order that children come before their
/// parents.
template <class A> class ProgramArchive {
public:
  ProgramArchive(A &a, const GraphIr &graph) : a_(a), graph_(graph) {}
  /// Transfers the program and, unless the program is stored already, its children. A reader throws ArchiveError if
  /// programs are nested more than kMaxNesting deep.
  void program(ProgramPtr &program, unsigned depth = 0);
  /// In a reader, throws ArchiveError if a Call refers to a function that does not exist. A reader must call checkCalls
  /// after it has read all functions.
  void checkCalls() const;

private:
  void node(ProgramNode &node, unsigned depth);
  void arguments(std::monostate &);
  void arguments(ExecuteArguments &);
  void arguments(HostCopyArguments &);
  void arguments(CrossReplicaArguments &);
  void arguments(RepeatArguments &);
  void arguments(SwitchArguments &);
  void arguments(CallArguments &);
  void arguments(SyncArguments &);
  void arguments(TextArguments &);
  void arguments(TileRegisterArguments &);
  void checkNode(const ProgramNode &node) const;
  A &a_;
  const GraphIr &graph_;
  std::vector<ProgramPtr> known_;
  std::unordered_map<const ProgramNode *, std::uint64_t> numbers_; // numbers of the nodes that are written; lookup only
};

} // namespace popscope
