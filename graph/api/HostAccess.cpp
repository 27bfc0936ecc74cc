// Graph: host reads and writes, streams, remote buffers, functions; DataStream and RemoteBuffer.
#include "base/CheckedSize.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/ir/Replicas.hpp"

#include "base/PublicTypes.hpp"
#include "base/settings/OptionTable.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <fmt/format.h>

using popscope::GraphAccess;
using popscope::GraphShared;
using popscope::GraphStream;

namespace poplar {

DataStream::DataStream() = default;
DataStream::DataStream(const DataStream &) = default;
DataStream::DataStream(DataStream &&) noexcept = default;
DataStream &DataStream::operator=(const DataStream &) = default;
DataStream &DataStream::operator=(DataStream &&) noexcept = default;
DataStream::~DataStream() = default;

std::string DataStream::handle() const { return GraphAccess::data(*this).stream().handle; }
std::size_t DataStream::numElements() const { return GraphAccess::data(*this).stream().elements; }
unsigned DataStream::replicationFactor() const {
  const popscope::GraphIr &ir = GraphAccess::data(*this).graph->ir;
  return ir.replicationFactor * popscope::partsOf(ir, GraphAccess::data(*this).stream().split);
}
ReplicatedStreamMode DataStream::replicatedMode() const {
  return GraphAccess::data(*this).stream().broadcast ? ReplicatedStreamMode::BROADCAST
                                                     : ReplicatedStreamMode::REPLICATE;
}
DataStreamType DataStream::type() const {
  return GraphAccess::data(*this).stream().kind == GraphStream::Kind::HostToDevice ? DataStreamType::HostToDeviceFIFO
                                                                                   : DataStreamType::DeviceToHostFIFO;
}
Type DataStream::elementType() const { return popscope::makeType(GraphAccess::data(*this).stream().type); }
bool DataStream::operator==(const DataStream &other) const { return data_ == other.data_; }
bool DataStream::operator!=(const DataStream &other) const { return data_ != other.data_; }

RemoteBuffer::RemoteBuffer() = default;
RemoteBuffer::RemoteBuffer(const RemoteBuffer &) = default;
RemoteBuffer::RemoteBuffer(RemoteBuffer &&) noexcept = default;
RemoteBuffer &RemoteBuffer::operator=(const RemoteBuffer &) = default;
RemoteBuffer &RemoteBuffer::operator=(RemoteBuffer &&) noexcept = default;
RemoteBuffer::~RemoteBuffer() = default;

std::string RemoteBuffer::handle() const { return GraphAccess::data(*this).stream().handle; }
std::size_t RemoteBuffer::numElements() const { return GraphAccess::data(*this).stream().elements; }
std::size_t RemoteBuffer::getRepeats() const { return GraphAccess::data(*this).stream().repeats; }
Type RemoteBuffer::elementType() const { return popscope::makeType(GraphAccess::data(*this).stream().type); }
bool RemoteBuffer::isRearrangeOnHost() const { return GraphAccess::data(*this).stream().rearrangeOnHost; }
bool RemoteBuffer::isOptimisedForMemory() const { return GraphAccess::data(*this).stream().optimiseMemory; }
bool RemoteBuffer::operator==(const RemoteBuffer &other) const { return data_ == other.data_; }
bool RemoteBuffer::operator!=(const RemoteBuffer &other) const { return data_ != other.data_; }

namespace {

/// Claims handles for one object. Throws poplar_error, and claims none, if one of them is empty or in use.
void claimHandles(std::unordered_set<std::string> &claimed, const std::vector<std::string> &handles, const char *what) {
  for (const std::string &handle : handles) {
    if (handle.empty())
      throw poplar_error(fmt::format("A {} has an empty handle; give it a name.", what));
    if (claimed.count(handle) != 0)
      throw poplar_error(fmt::format("The handle \"{}\" is used by another {} of this graph.", handle, what));
  }
  claimed.insert(handles.begin(), handles.end());
}

popscope::View hostView(const GraphShared &graph, const Tensor &t, const std::string &handle, bool isWrite) {
  const popscope::TensorData &data = GraphAccess::data(t);
  if (data.graph.get() != &graph)
    throw poplar_error(fmt::format("Handle \"{}\": {} belongs to another graph.", handle, popscope::describe(data)));
  if (isWrite && t.containsConstant())
    throw poplar_error(fmt::format("createHostWrite(\"{}\"): {} contains constants, which cannot be written.", handle,
                                   popscope::describe(data)));
  const std::uint32_t replicas = popscope::replicasOf(graph.ir, data.view);
  return replicas == 1 ? data.view : popscope::viewOfAllReplicas(graph.ir, data.view, replicas);
}

void addHostRead(GraphShared &graph, const std::string &handle, const Tensor &t, bool rearrangeOnHost) {
  popscope::View view = hostView(graph, t, handle, false);
  claimHandles(graph.readHandles, {handle}, "host read");
  graph.ir.hostReads.push_back({handle, std::move(view), rearrangeOnHost});
}

std::shared_ptr<const popscope::StreamData> addStream(const Graph &graph, GraphStream stream, const char *what) {
  const auto &shared = GraphAccess::shared(graph);
  if (stream.type == popscope::ElementType::Invalid)
    throw poplar_error(
        fmt::format("The {} \"{}\" has no element type: a default-constructed Type was given.", what, stream.handle));
  popscope::GraphIr &ir = shared->ir;
  stream.split = GraphAccess::handle(graph).split;
  const bool isReplicated = stream.split != 0 && !stream.broadcast; // has a stream for each replica
  std::vector<std::string> handles{stream.handle};
  if (isReplicated)
    for (std::uint32_t k = 1; k < ir.splits[stream.split - 1].replicas(); ++k)
      handles.push_back(fmt::format("{}/replica{}", stream.handle, k));
  claimHandles(shared->streamHandles, handles, "stream or remote buffer");
  std::vector<popscope::StreamId> ids;
  for (const std::string &handle : handles) {
    stream.handle = handle;
    ids.push_back(ir.streams.push(stream));
  }
  const popscope::StreamId first = ids.front();
  if (isReplicated)
    ir.streams[first].replicas = std::move(ids);
  return std::make_shared<const popscope::StreamData>(popscope::StreamData{shared, first});
}

const popscope::OptionTable &fifoOptionTable() {
  static const popscope::OptionTable table("FIFO", {{"bufferingDepth",
                                                     popscope::OptionKind::Unsigned,
                                                     "1",
                                                     "transfers",
                                                     "How many transfers the host may prefetch",
                                                     "0.1",
                                                     {},
                                                     0,
                                                     1000000},
                                                    {"splitLimit", popscope::OptionKind::Unsigned, "52428800", "bytes",
                                                     "Accepted; a transfer of the model is never split", "0.1"}});
  return table;
}

void checkStreamSize(const std::string &what, std::size_t elements, std::size_t rows) {
  const auto all = popscope::checkedProduct(elements, rows);
  if (elements > popscope::kMaxElements || !all || *all > popscope::kMaxElements)
    throw poplar_error(fmt::format("{} has {} elements{}; it may have {} (2^48) at most.", what, elements,
                                   rows == 1 ? "" : fmt::format(" in each of {} rows (repeats)", rows),
                                   popscope::kMaxElements));
}

GraphStream fifo(StringRef handle, const Type &type, std::size_t elements, GraphStream::Kind kind,
                 const OptionFlags &options) {
  GraphStream s;
  s.handle = handle.cloneAsString();
  checkStreamSize(fmt::format("{} \"{}\"", kind == GraphStream::Kind::Remote ? "Remote buffer" : "Stream", s.handle),
                  elements, 1);
  s.type = popscope::elementType(type);
  s.elements = elements;
  s.kind = kind;
  const popscope::OptionValues values = fifoOptionTable().parse(options);
  if (values.getUnsigned("bufferingDepth") == 0)
    throw invalid_option(fmt::format("Stream \"{}\": bufferingDepth is 0; a stream has at least 1 buffer.", s.handle));
  for (const auto &option : options)
    s.options[option.first] = option.second;
  return s;
}

} // namespace

void Graph::createHostWrite(StringRef handle, const Tensor &t, bool rearrangeOnHost, const DebugContext &) {
  GraphShared &graph = *GraphAccess::shared(*this);
  popscope::View view = hostView(graph, t, handle, true);
  claimHandles(graph.writeHandles, {handle}, "host write");
  graph.ir.hostWrites.push_back({handle.cloneAsString(), std::move(view), rearrangeOnHost});
  if (t.hasMetadata() && t.getMetadata().containsConstant())
    addHostRead(graph, popscope::constantMetadataHandle(handle), t.getMetadata(), false);
  else if (t.hasMetadata())
    createHostWrite(popscope::metadataHandle(handle), t.getMetadata());
}

void Graph::createHostRead(StringRef handle, const Tensor &t, bool rearrangeOnHost, const DebugContext &) {
  GraphShared &graph = *GraphAccess::shared(*this);
  addHostRead(graph, handle, t, rearrangeOnHost);
  if (t.hasMetadata())
    addHostRead(graph, popscope::metadataHandle(handle), t.getMetadata(), false);
}

DataStream Graph::addHostToDeviceFIFO(StringRef handle, const Type &elementType, std::size_t numElements,
                                      ReplicatedStreamMode mode, const OptionFlags &options, const DebugContext &) {
  GraphStream s = fifo(handle, elementType, numElements, GraphStream::Kind::HostToDevice, options);
  s.broadcast = mode == ReplicatedStreamMode::BROADCAST;
  return GraphAccess::stream(addStream(*this, std::move(s), "stream"));
}

DataStream Graph::addDeviceToHostFIFO(StringRef handle, const Type &elementType, std::size_t numElements,
                                      const OptionFlags &options, const DebugContext &) {
  GraphStream s = fifo(handle, elementType, numElements, GraphStream::Kind::DeviceToHost, options);
  return GraphAccess::stream(addStream(*this, std::move(s), "stream"));
}

RemoteBuffer Graph::addRemoteBuffer(StringRef handle, const Type &elementType, std::size_t numElements,
                                    std::size_t repeats, bool rearrangeOnHost, bool optimiseMemory,
                                    const DebugContext &) {
  GraphStream s = fifo(handle, elementType, numElements, GraphStream::Kind::Remote, {});
  checkStreamSize(fmt::format("Remote buffer \"{}\"", s.handle), numElements, repeats);
  s.repeats = repeats;
  s.rearrangeOnHost = rearrangeOnHost;
  s.optimiseMemory = optimiseMemory;
  return GraphAccess::buffer(addStream(*this, std::move(s), "remote buffer"));
}

Function Graph::addFunction(const program::Program &program) {
  GraphShared &graph = *GraphAccess::shared(*this);
  const popscope::ProgramPtr body = popscope::nodeOf(program);
  return GraphAccess::function(graph.ir.id, graph.ir.functions.push({body, body->name}));
}

} // namespace poplar
