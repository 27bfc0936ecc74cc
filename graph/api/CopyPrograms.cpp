// Copy in all its forms.
#include "base/CheckedSize.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/ProgramBuild.hpp"
#include "graph/ir/Replicas.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>
#include <limits>
#include <set>

using popscope::GraphAccess;
using popscope::ProgramKind;
using popscope::StreamData;
using popscope::TensorData;

namespace poplar {
namespace program {

namespace {

const char *kindName(popscope::GraphStream::Kind kind) {
  return kind == popscope::GraphStream::Kind::Remote ? "remote buffer" : "stream";
}

/// Returns "Copy between stream "x" and TENSOR", or the argument of the host function that the stream transfers.
std::string whatIsCopied(const TensorData &t, const popscope::GraphStream &s) {
  if (s.hostFunction < 0)
    return fmt::format("Copy between {} \"{}\" and {}", kindName(s.kind), s.handle, popscope::describe(t));
  return fmt::format("Call of host function \"{}\": {} {} and {}",
                     t.graph->ir.hostFunctions.at(static_cast<std::size_t>(s.hostFunction)).handle,
                     s.kind == popscope::GraphStream::Kind::DeviceToHost ? "input" : "output", s.argument,
                     popscope::describe(t));
}

/// Checks that tensor and stream agree in graph, type and number of elements (`rows` rows of a remote buffer).
void checkStream(const StreamData &stream, const TensorData &t, std::uint64_t rows) {
  const popscope::GraphStream &s = stream.stream();
  const std::string what = whatIsCopied(t, s);
  if (stream.graph != t.graph)
    throw control_program_error(what + ": they belong to different graphs.");
  if (s.type != t.view.type)
    throw type_error(fmt::format("{}: the element types {} and {} differ.", what, popscope::elementTypeName(s.type),
                                 popscope::elementTypeName(t.view.type)));
  const auto moved = popscope::checkedProduct(s.elements, rows);
  if (!moved || *moved != t.view.elements())
    throw control_program_error(fmt::format("{}: the tensor has {} elements, the {} moves {}{}.", what,
                                            t.view.elements(), s.hostFunction < 0 ? kindName(s.kind) : "call",
                                            s.elements, rows == 1 ? "" : fmt::format(" for each of {} offsets", rows)));
}

void checkDirection(const StreamData &stream, popscope::GraphStream::Kind kind) {
  const popscope::GraphStream &s = stream.stream();
  if (s.kind != kind)
    throw control_program_error(
        fmt::format("Copy: stream \"{}\" goes from {}; it cannot be used the other way.", s.handle,
                    s.kind == popscope::GraphStream::Kind::HostToDevice ? "host to device" : "device to host"));
}

std::uint64_t checkOffset(const char *kind, const std::string &handle, const Tensor &offset) {
  const TensorData &o = GraphAccess::data(offset);
  const bool typeFits = o.view.type == popscope::ElementType::Int || o.view.type == popscope::ElementType::UnsignedInt;
  if (!typeFits || o.view.shape.size() > 1 || o.view.elements() == 0)
    throw control_program_error(
        fmt::format("Copy with {} \"{}\": the offset must be a vector of int or unsigned int; {} is not.", kind, handle,
                    popscope::describe(o)));
  return o.view.elements();
}

std::shared_ptr<popscope::ProgramNode> streamNode(ProgramKind kind, const StreamData &stream, const TensorData &t,
                                                  const Tensor *offset, std::uint64_t rows, const DebugContext &dc) {
  const bool writesTensor = kind == ProgramKind::StreamToTensor || kind == ProgramKind::RemoteToTensor;
  checkStream(stream, t, rows);
  if (writesTensor)
    popscope::checkWritable(t, "destination of a copy");
  auto node = popscope::newNode(kind, dc);
  (writesTensor ? node->b : node->a) = popscope::take(*node, t);
  node->as<popscope::HostCopyArguments>().stream = stream.id;
  if (offset)
    node->offset = popscope::take(*node, popscope::GraphAccess::data(*offset));
  return node;
}

} // namespace

Copy::Copy(Tensor src, Tensor dst, bool, const DebugContext &dc) {
  const TensorData &from = GraphAccess::data(src);
  const TensorData &to = GraphAccess::data(dst);
  auto node = popscope::newNode(ProgramKind::Copy, dc);
  node->a = popscope::take(*node, from);
  node->b = popscope::take(*node, to);
  const std::string what = fmt::format("Copy from {} to {}", popscope::describe(from), popscope::describe(to));
  if (from.view.type != to.view.type)
    throw type_error(fmt::format("{}: the element types {} and {} differ.", what,
                                 popscope::elementTypeName(from.view.type), popscope::elementTypeName(to.view.type)));
  if (from.view.elements() != to.view.elements())
    throw control_program_error(fmt::format("{}: the source has {} elements, the destination {}.", what,
                                            from.view.elements(), to.view.elements()));
  popscope::checkWritable(to, "destination of a copy");
  node_ = std::move(node);
}

Copy::Copy(const DataStream &stream, Tensor dst, bool, const DebugContext &dc) {
  checkDirection(GraphAccess::data(stream), popscope::GraphStream::Kind::HostToDevice);
  node_ = streamNode(ProgramKind::StreamToTensor, GraphAccess::data(stream), GraphAccess::data(dst), nullptr, 1, dc);
}
Copy::Copy(Tensor src, const DataStream &stream, bool, const DebugContext &dc) {
  checkDirection(GraphAccess::data(stream), popscope::GraphStream::Kind::DeviceToHost);
  node_ = streamNode(ProgramKind::TensorToStream, GraphAccess::data(stream), GraphAccess::data(src), nullptr, 1, dc);
}

Copy::Copy(const RemoteBuffer &buffer, Tensor dst, const DebugContext &dc) {
  node_ = streamNode(ProgramKind::RemoteToTensor, GraphAccess::data(buffer), GraphAccess::data(dst), nullptr, 1, dc);
}
Copy::Copy(const RemoteBuffer &buffer, Tensor dst, Tensor offset, const DebugContext &dc) {
  const std::uint64_t rows = checkOffset("remote buffer", buffer.handle(), offset);
  node_ = streamNode(ProgramKind::RemoteToTensor, GraphAccess::data(buffer), GraphAccess::data(dst), &offset, rows, dc);
}
Copy::Copy(Tensor src, const RemoteBuffer &buffer, const DebugContext &dc) {
  node_ = streamNode(ProgramKind::TensorToRemote, GraphAccess::data(buffer), GraphAccess::data(src), nullptr, 1, dc);
}
Copy::Copy(Tensor src, const RemoteBuffer &buffer, Tensor offset, const DebugContext &dc) {
  const std::uint64_t rows = checkOffset("remote buffer", buffer.handle(), offset);
  node_ = streamNode(ProgramKind::TensorToRemote, GraphAccess::data(buffer), GraphAccess::data(src), &offset, rows, dc);
}

Copy::Copy(const DataStream &stream, Tensor dst, Tensor offset, std::size_t repeats, bool, const DebugContext &dc) {
  const StreamData &data = GraphAccess::data(stream);
  checkDirection(data, popscope::GraphStream::Kind::HostToDevice);
  if (repeats == 0 || repeats > std::numeric_limits<std::uint32_t>::max())
    throw control_program_error(fmt::format(
        "Copy from stream \"{}\" with an offset: its host buffer has {} blocks (repeats); 1 to {} are allowed.",
        data.stream().handle, repeats, std::numeric_limits<std::uint32_t>::max()));
  const std::uint64_t blocks = checkOffset("stream", data.stream().handle, offset);
  auto node = streamNode(ProgramKind::StreamToTensor, data, GraphAccess::data(dst), &offset, blocks, dc);
  node->as<popscope::HostCopyArguments>().blocks = static_cast<std::uint32_t>(repeats);
  node_ = std::move(node);
}
Copy::Copy(const DataStream &stream, const FunctionBuffer &, const DebugContext &dc) {
  checkDirection(GraphAccess::data(stream), popscope::GraphStream::Kind::HostToDevice);
  node_ = popscope::newNode(ProgramKind::Sequence, dc);
}

CrossReplicaCopy::CrossReplicaCopy(Tensor src, Tensor dst, std::map<unsigned, unsigned> replicaMap,
                                   const DebugContext &dc) {
  const Copy checked(src, dst, false, dc);
  auto node = popscope::newNode(ProgramKind::CrossReplicaCopy, dc);
  node->a = popscope::take(*node, popscope::GraphAccess::data(src));
  node->b = popscope::take(*node, popscope::GraphAccess::data(dst));
  const popscope::GraphIr &ir = GraphAccess::data(src).graph->ir;
  const std::uint32_t parts = popscope::replicasOf(ir, GraphAccess::data(src).view);
  if (parts != popscope::replicasOf(ir, GraphAccess::data(dst).view))
    throw control_program_error(
        "CrossReplicaCopy: source and destination must both belong to a replicated graph; only one does.");
  const std::uint32_t replicas = ir.replicationFactor * parts;
  for (const auto &pair : replicaMap)
    if (pair.first >= replicas || pair.second >= replicas)
      throw control_program_error(fmt::format("CrossReplicaCopy from replica {} to {}: the graph has {}.", pair.first,
                                              pair.second,
                                              replicas == 1 ? "one replica, 0" : fmt::format("{}", replicas)));
  for (std::uint32_t r = 0; r < replicas; ++r)
    if (replicaMap.count(r) == 0)
      throw control_program_error(fmt::format("CrossReplicaCopy: the map names {} of {} replicas; replica {} is "
                                              "missing. Every replica must send to one replica and receive from one.",
                                              replicaMap.size(), replicas, r));
  std::set<unsigned> targets;
  for (const auto &pair : replicaMap)
    if (!targets.insert(pair.second).second)
      throw control_program_error(fmt::format(
          "CrossReplicaCopy: replica {} would receive from two replicas; each may receive from one.", pair.second));
  node->as<popscope::CrossReplicaArguments>().replicaMap = std::move(replicaMap);
  node_ = std::move(node);
}

} // namespace program
} // namespace poplar
