// ProgramBuild: builds the nodes of programs, and checks the tensors that programs use.
#pragma once
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"

#include <poplar/Program.hpp>

#include <memory>
#include <string>

namespace popscope {

std::shared_ptr<ProgramNode> newNode(ProgramKind kind, const poplar::DebugContext &dc);
/// Returns a node that the caller may change. The caller must then store the node as the program's node. The result is
/// a copy of the program's present node if another object also holds this node.
std::shared_ptr<ProgramNode> ownNode(poplar::program::Program &program);

/// Inserts `child` before child number `place` of `node`. Throws control_program_error if programs are nested more than
/// kMaxNesting deep.
void adopt(ProgramNode &node, ProgramPtr child, std::size_t place);
void adopt(ProgramNode &node, ProgramPtr child);

/// Records the tensor's graph in `node`, and returns the tensor's view. The caller stores the view in `node`. Throws
/// control_program_error if the node already uses an object of another graph.
const View &take(ProgramNode &node, const TensorData &tensor);

/// Throws poplar::control_program_error unless the tensor has one element of type INT or UNSIGNED_INT or, with
/// `allowBool`, BOOL.
void checkScalar(const poplar::Tensor &t, bool allowBool, const char *role);
/// Throws poplar::control_program_error if a tensor contains constants or aliases.
void checkWritable(const TensorData &t, const char *role);
bool sameProgram(const ProgramPtr &a, const ProgramPtr &b);

} // namespace popscope
