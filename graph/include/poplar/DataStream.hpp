// DataStream and RemoteBuffer: handles on a graph's FIFOs and on its buffers in host memory. Handles are cheap to copy.
#pragma once
#include <poplar/DataStreamType.hpp>
#include <poplar/ReplicatedStreamMode.hpp>
#include <poplar/Type.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace popscope {
struct StreamData;
struct GraphAccess;
} // namespace popscope

namespace poplar {

/// A FIFO between host and device, created by Graph::addHostToDeviceFIFO or addDeviceToHostFIFO.
class DataStream {
public:
  DataStream();
  DataStream(const DataStream &);
  DataStream(DataStream &&) noexcept;
  DataStream &operator=(const DataStream &);
  DataStream &operator=(DataStream &&) noexcept;
  ~DataStream();

  std::string handle() const;
  /// Returns the number of elements of one transfer. A Copy without an offset moves one transfer.
  std::size_t numElements() const;
  unsigned replicationFactor() const;
  ReplicatedStreamMode replicatedMode() const;
  DataStreamType type() const;
  Type elementType() const;
  bool operator==(const DataStream &other) const;
  bool operator!=(const DataStream &other) const;

private:
  friend struct popscope::GraphAccess;
  std::shared_ptr<const popscope::StreamData> data_;
};

/// A buffer in host memory. The buffer has `repeats` rows of `numElements` elements. Graph::addRemoteBuffer creates
/// remote buffers.
class RemoteBuffer {
public:
  RemoteBuffer();
  RemoteBuffer(const RemoteBuffer &);
  RemoteBuffer(RemoteBuffer &&) noexcept;
  RemoteBuffer &operator=(const RemoteBuffer &);
  RemoteBuffer &operator=(RemoteBuffer &&) noexcept;
  ~RemoteBuffer();

  std::string handle() const;
  /// Returns the number of elements of one row.
  std::size_t numElements() const;
  std::size_t getRepeats() const;
  Type elementType() const;
  bool isRearrangeOnHost() const;
  bool isOptimisedForMemory() const;
  bool operator==(const RemoteBuffer &other) const;
  bool operator!=(const RemoteBuffer &other) const;

private:
  friend struct popscope::GraphAccess;
  std::shared_ptr<const popscope::StreamData> data_;
};

} // namespace poplar
