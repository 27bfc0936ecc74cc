// Creates functions on the host and buffers for code, and the programs that use such functions and buffers.
//
// A Call of a host function is a sequence of stream copies: each input to the host, then each output back. The host
// runs the function between the two. A call without arguments is an empty transfer to the host.
#include "base/CheckedSize.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/api/ProgramBuild.hpp"

#include "base/PublicTypes.hpp"

#include <poplar/Graph.hpp>
#include <poplar/HostFunctionCallback.hpp>
#include <poplar/exceptions.hpp>

#include <fmt/format.h>

using popscope::GraphAccess;
using popscope::GraphShared;
using popscope::GraphStream;
using popscope::ProgramKind;

namespace poplar {

void HostCallback::operator()(ArrayRef<const void *>, std::size_t, ArrayRef<void *>, std::size_t) {
  throw poplar_error("A HostCallback overrides neither of its call operators: override the one with two arguments.");
}

namespace {

/// Returns the stream that transfers one argument. The stream has no handle to which the user could connect.
GraphStream argumentStream(const GraphShared &graph, const std::string &function,
                           const std::tuple<Type, std::size_t> &argument, GraphStream::Kind kind, std::size_t number) {
  const char *role = kind == GraphStream::Kind::DeviceToHost ? "in" : "out";
  GraphStream s;
  s.handle = fmt::format("{}/{}{}", function, role, number);
  s.type = popscope::elementType(std::get<0>(argument));
  if (s.type == popscope::ElementType::Invalid)
    throw poplar_error(
        fmt::format("Host function \"{}\": {}put {} has no element type; a default-constructed Type was given.",
                    function, role, number));
  s.elements = std::get<1>(argument);
  const auto bytes = popscope::checkedProduct(s.elements, popscope::elementBytes(s.type));
  if (!bytes || *bytes > popscope::kMaxContentBytes)
    throw poplar_error(fmt::format("Host function \"{}\": {}put {} has {} elements of {}, which take more than {} "
                                   "bytes, the limit for one argument.",
                                   function, role, number, s.elements, popscope::elementTypeName(s.type),
                                   popscope::kMaxContentBytes));
  s.kind = kind;
  s.hostFunction = static_cast<std::int64_t>(graph.ir.hostFunctions.size());
  s.argument = static_cast<std::uint32_t>(number);
  return s;
}

} // namespace

HostFunction Graph::addHostFunction(StringRef handle, ArrayRef<HostFunctionArgument> inputs,
                                    ArrayRef<HostFunctionArgument> outputs) {
  GraphShared &graph = *GraphAccess::shared(*this);
  popscope::GraphHostFunction function;
  function.handle = handle.cloneAsString();
  if (function.handle.empty())
    throw poplar_error("A host function has an empty handle; give it a name.");
  // Checks everything before it adds anything, so that a failed call leaves the graph as it was.
  std::vector<GraphStream> ins, outs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    ins.push_back(argumentStream(graph, function.handle, inputs[i], GraphStream::Kind::DeviceToHost, i));
  for (std::size_t i = 0; i < outputs.size(); ++i)
    outs.push_back(argumentStream(graph, function.handle, outputs[i], GraphStream::Kind::HostToDevice, i));
  if (!graph.streamHandles.insert(function.handle).second)
    throw poplar_error(fmt::format(
        "The handle \"{}\" is used by another stream, remote buffer or host function of this graph.", function.handle));
  for (GraphStream &in : ins)
    function.inputs.push_back(graph.ir.streams.push(std::move(in)));
  for (GraphStream &out : outs)
    function.outputs.push_back(graph.ir.streams.push(std::move(out)));
  if (inputs.empty() && outputs.empty())
    function.signal = graph.ir.streams.push(argumentStream(
        graph, function.handle, HostFunctionArgument(UNSIGNED_INT, 0), GraphStream::Kind::DeviceToHost, 0));
  graph.ir.hostFunctions.push_back(std::move(function));
  return GraphAccess::hostFunction(graph.ir.hostFunctions.size() - 1, handle.cloneAsString(),
                                   GraphAccess::shared(*this));
}

FunctionBuffer Graph::addFunctionBuffer(const Function &f, FunctionBufferMappingType) {
  GraphShared &graph = *GraphAccess::shared(*this);
  if (const popscope::GraphId of = GraphAccess::graphOf(f); of.valid() && of != graph.ir.id)
    throw poplar_error(fmt::format("addFunctionBuffer: function {} belongs to another graph.", f.getId()));
  if (f == Function())
    throw poplar_error(
        "addFunctionBuffer: a default-constructed Function is used; create functions with Graph::addFunction.");
  if (f.getId() >= graph.ir.functions.size())
    throw poplar_error(fmt::format("addFunctionBuffer: function {} does not exist in this graph, which has {} "
                                   "functions; create functions with Graph::addFunction.",
                                   f.getId(), graph.ir.functions.size()));
  graph.ir.functionBuffers.push_back(popscope::FunctionId(f.getId()));
  return GraphAccess::functionBuffer(graph.ir.functionBuffers.size() - 1, f);
}

namespace program {

namespace {

void checkBuffer(const Function &function, const FunctionBuffer &buffer, const char *what) {
  const Function &of = GraphAccess::functionOf(buffer);
  if (of == Function() || of != function)
    throw control_program_error(
        of == Function()
            ? fmt::format(
                  "{}: a default-constructed FunctionBuffer is used; create buffers with Graph::addFunctionBuffer.",
                  what)
            : fmt::format("{}: the buffer holds the code of function {}, not of function {}.", what, of.getId(),
                          function.getId()));
  if (GraphAccess::graphOf(function).valid() && GraphAccess::graphOf(of).valid() &&
      GraphAccess::graphOf(function) != GraphAccess::graphOf(of))
    throw control_program_error(
        fmt::format("{}: function {} and the buffer belong to different graphs.", what, function.getId()));
}

/// Returns a program that moves code. The program does nothing, because code is always in place on a simulated machine.
popscope::ProgramPtr codeCopy(const Function &function, const FunctionBuffer &buffer, const DebugContext &dc) {
  checkBuffer(function, buffer, "Copy between a function and a buffer");
  return popscope::newNode(ProgramKind::Sequence, dc);
}

void checkArguments(const popscope::GraphHostFunction &f, std::size_t ins, std::size_t outs) {
  if (f.inputs.size() != ins || f.outputs.size() != outs)
    throw control_program_error(
        fmt::format("Call of host function \"{}\" with {} input(s) and {} output(s): the function has {} and {}.",
                    f.handle, ins, outs, f.inputs.size(), f.outputs.size()));
}

DataStream argumentOf(const std::shared_ptr<GraphShared> &graph, popscope::StreamId id) {
  return GraphAccess::stream(std::make_shared<const popscope::StreamData>(popscope::StreamData{graph, id}));
}

} // namespace

Copy::Copy(const Function &function, const FunctionBuffer &buffer, const DebugContext &dc) {
  node_ = codeCopy(function, buffer, dc);
}
Copy::Copy(const FunctionBuffer &buffer, const Function &function, const DebugContext &dc) {
  node_ = codeCopy(function, buffer, dc);
}

Call::Call(Function f, const FunctionBuffer &buffer, const DebugContext &dc) : Call(f, dc) {
  checkBuffer(f, buffer, "Call through a buffer");
}

Call::Call(HostFunction f, ArrayRef<Tensor> in, ArrayRef<Tensor> out, const DebugContext &dc) {
  if (f == HostFunction())
    throw control_program_error(
        "Call: a default-constructed HostFunction is used; create host functions with Graph::addHostFunction.");
  const std::shared_ptr<GraphShared> &own = GraphAccess::graphOf(f);
  const std::shared_ptr<GraphShared> graph =
      in.empty() && out.empty() ? own : GraphAccess::data(in.empty() ? out.front() : in.front()).graph;
  const auto &functions = graph->ir.hostFunctions;
  if (graph != own || f.getId() >= functions.size())
    throw control_program_error(
        fmt::format("Call of host function \"{}\": the tensors belong to a graph that has no such "
                    "function.",
                    f.handle()));
  const popscope::GraphHostFunction &function = functions[f.getId()];
  checkArguments(function, in.size(), out.size());
  auto node = popscope::newNode(ProgramKind::Sequence, dc);
  // Each copy gets the place of the call in the user's source.
  const DebugContext each = node->name.empty() ? DebugContext(dc, function.handle) : DebugContext(dc);
  if (function.signal.valid()) {
    const Tensor nothing = GraphAccess::tensor(graph, popscope::View{popscope::ElementType::UnsignedInt, {0}, {}});
    popscope::adopt(*node, popscope::nodeOf(Copy(nothing, argumentOf(graph, function.signal), false, each)));
  }
  for (std::size_t i = 0; i < in.size(); ++i)
    popscope::adopt(*node, popscope::nodeOf(Copy(in[i], argumentOf(graph, function.inputs[i]), false, each)));
  for (std::size_t i = 0; i < out.size(); ++i)
    popscope::adopt(*node, popscope::nodeOf(Copy(argumentOf(graph, function.outputs[i]), out[i], false, each)));
  node_ = std::move(node);
}

} // namespace program
} // namespace poplar
