// Program, Sequence and the programs of which sequences consist.
#include "base/DebugSites.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/ProgramBuild.hpp"
#include "graph/ir/ProgramKinds.hpp"
#include "graph/ir/ViewOps.hpp"

#include "base/CheckedSize.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

using popscope::GraphAccess;
using popscope::ProgramKind;
using popscope::ProgramNode;
using popscope::ProgramPtr;

namespace popscope {

std::shared_ptr<ProgramNode> newNode(ProgramKind kind, const poplar::DebugContext &dc) {
  auto node = std::make_shared<ProgramNode>();
  node->kind = kind;
  node->arguments = initialArguments(kind);
  node->name = dc.getPathName();
  node->context = debugIdOf(dc);
  return node;
}

std::shared_ptr<ProgramNode> ownNode(poplar::program::Program &program) {
  const ProgramPtr &node = GraphAccess::node(program);
  if (node == nullptr)
    return std::make_shared<ProgramNode>();
  // newNode makes all nodes as non-const objects. With a use count of 1, only `program` sees the node.
  if (node.use_count() == 1)
    return std::const_pointer_cast<ProgramNode>(node);
  return std::make_shared<ProgramNode>(*node);
}

const View &take(ProgramNode &node, const TensorData &tensor) {
  const GraphId graph = tensor.graph->ir.id;
  if (node.graph.valid() && node.graph != graph)
    throw poplar::control_program_error(
        fmt::format("{}: {} and the other objects of the program belong to different graphs.", programLabel(node),
                    describe(tensor)));
  node.graph = graph;
  return tensor.view;
}

void adopt(ProgramNode &node, ProgramPtr child, std::size_t place) {
  if (child->depth >= kMaxNesting)
    throw poplar::control_program_error(fmt::format(
        "{}: its programs are nested {} deep; the limit is {}. Add the steps to one Sequence, or use Repeat.",
        programLabel(node), child->depth + 1, kMaxNesting));
  node.depth = std::max(node.depth, child->depth + 1);
  node.children.insert(node.children.begin() + static_cast<std::ptrdiff_t>(place), std::move(child));
}
void adopt(ProgramNode &node, ProgramPtr child) { adopt(node, std::move(child), node.children.size()); }

void checkScalar(const poplar::Tensor &t, bool allowBool, const char *role) {
  const TensorData &data = GraphAccess::data(t);
  const ElementType type = data.view.type;
  const bool typeFits =
      type == ElementType::Int || type == ElementType::UnsignedInt || (allowBool && type == ElementType::Bool);
  if (data.view.elements() != 1 || !typeFits)
    throw poplar::control_program_error(fmt::format("The {} must be one element of {}int or unsigned int; {} is not.",
                                                    role, allowBool ? "bool, " : "", describe(data)));
}

void checkWritable(const TensorData &t, const char *role) {
  for (const ViewRun &run : t.view.runs)
    if (t.graph->ir.vars[run.var].constant)
      throw poplar::control_program_error(
          fmt::format("The {} contains constants, which cannot be written: {}.", role, describe(t)));
  if (containsAliases(t.view))
    throw poplar::control_program_error(
        fmt::format("The {} names an element more than once, so that its result would depend on the order of writes: "
                    "{}.",
                    role, describe(t)));
}

namespace {
bool sameView(const View &a, const View &b) { return a.type == b.type && a.shape == b.shape && sameElements(a, b); }
bool sameArguments(const ProgramNode &a, const ProgramNode &b) {
  // A handle that was made from a number fits every graph.
  const bool sameGraph = !a.graph.valid() || !b.graph.valid() || a.graph == b.graph;
  return sameGraph && a.arguments == b.arguments && sameView(a.a, b.a) && sameView(a.b, b.b) &&
         sameView(a.offset, b.offset);
}

/// Compares programs, each pair of shared parts only once.
class ProgramComparison {
public:
  bool same(const ProgramPtr &a, const ProgramPtr &b) {
    if (a == b || equal_.count({a.get(), b.get()}) != 0)
      return true;
    if (!a || !b || a->kind != b->kind || a->children.size() != b->children.size() || !sameArguments(*a, *b))
      return false;
    const bool result = std::equal(a->children.begin(), a->children.end(), b->children.begin(),
                                   [this](const ProgramPtr &c, const ProgramPtr &d) { return same(c, d); });
    if (result)
      equal_.emplace(a.get(), b.get());
    return result;
  }

private:
  std::set<std::pair<const ProgramNode *, const ProgramNode *>> equal_; // lookup only
};

} // namespace

bool sameProgram(const ProgramPtr &a, const ProgramPtr &b) { return ProgramComparison().same(a, b); }

} // namespace popscope

namespace poplar {
namespace program {

Program::Program() = default;
Program::Program(const Program &) = default;
Program::Program(Program &&) noexcept = default;
Program &Program::operator=(const Program &) = default;
Program &Program::operator=(Program &&) noexcept = default;
Program::~Program() = default;

bool Program::isEmpty() const { return !node_ || (node_->kind == ProgramKind::Sequence && node_->children.empty()); }
bool Program::operator==(const Program &p) const {
  return popscope::sameProgram(popscope::nodeOf(*this), popscope::nodeOf(p));
}
bool Program::operator!=(const Program &p) const { return !(*this == p); }

Sequence::Sequence(const DebugContext &debugContext) { node_ = popscope::newNode(ProgramKind::Sequence, debugContext); }

Sequence::Sequence(std::initializer_list<Program> programs, const DebugContext &debugContext)
    : Sequence(std::vector<Program>(programs), debugContext) {}

Sequence::Sequence(const std::vector<Program> &programs, const DebugContext &debugContext) : Sequence(debugContext) {
  for (const Program &p : programs)
    add(p);
}

Sequence::Sequence(const Program &program) : Sequence(DebugContext(SourceLocation())) { add(program); }

void Sequence::add(const Program &p) {
  const ProgramPtr child = popscope::nodeOf(p); // before ownNode, because a sequence may be added to itself
  auto node = popscope::ownNode(*this);
  popscope::adopt(*node, child);
  node_ = std::move(node);
}

Execute::Execute(ComputeSet cs, const DebugContext &dc) {
  auto node = popscope::newNode(ProgramKind::Execute, dc);
  if (cs == ComputeSet())
    throw control_program_error(
        "Execute: a default-constructed ComputeSet is used; create compute sets with Graph::addComputeSet.");
  node->as<popscope::ExecuteArguments>().computeSet = popscope::ComputeSetId(cs.getId());
  node->graph = GraphAccess::graphOf(cs);
  node_ = std::move(node);
}

Execute::Execute(ComputeSet cs, Tensor outTensor, const DebugContext &dc) : Execute(cs, dc) {
  const popscope::TensorData &out = GraphAccess::data(outTensor);
  if (out.view.type != popscope::ElementType::Bool || out.view.elements() != 1)
    throw control_program_error(
        fmt::format("The result of Execute must be one element of bool; {} is not.", popscope::describe(out)));
  popscope::checkWritable(out, "result of Execute");
  auto node = popscope::ownNode(*this);
  node->a = popscope::take(*node, out);
  node_ = std::move(node);
}

Sync::Sync(SyncType type, const DebugContext &dc) {
  auto node = popscope::newNode(ProgramKind::Sync, dc);
  node->as<popscope::SyncArguments>().type = static_cast<std::uint8_t>(type);
  node_ = std::move(node);
}

Call::Call(Function f, const DebugContext &dc) {
  if (f == Function())
    throw control_program_error(
        "Call: a default-constructed Function is used; create functions with Graph::addFunction.");
  auto node = popscope::newNode(ProgramKind::Call, dc);
  node->as<popscope::CallArguments>().function = popscope::FunctionId(f.getId());
  node->graph = GraphAccess::graphOf(f);
  node_ = std::move(node);
}

WriteUndef::WriteUndef(Tensor t, const DebugContext &dc) {
  auto node = popscope::newNode(ProgramKind::WriteUndef, dc);
  const popscope::TensorData &data = GraphAccess::data(t);
  if (t.containsConstant())
    throw control_program_error(
        fmt::format("WriteUndef: {} contains constants, which cannot be written.", popscope::describe(data)));
  node->a = popscope::take(*node, data);
  node_ = std::move(node);
}

AssumeEqualAcrossReplicas::AssumeEqualAcrossReplicas(Tensor t, const DebugContext &dc) {
  auto node = popscope::newNode(ProgramKind::AssumeEqualAcrossReplicas, dc);
  node->a = popscope::take(*node, popscope::GraphAccess::data(t));
  node_ = std::move(node);
}

Block::Block(const Program &body, const DebugContext &dc) {
  auto node = popscope::newNode(ProgramKind::Block, dc);
  popscope::adopt(*node, popscope::nodeOf(body));
  node_ = std::move(node);
}

} // namespace program
} // namespace poplar
