// DataStreamType: the direction of a stream, and whether its host side is a FIFO, a buffer or a remote buffer.
#pragma once
#include <ostream>

namespace poplar {

enum class DataStreamType { HostToDeviceFIFO, DeviceToHostFIFO, HostToDeviceBuffer, DeviceToHostBuffer, RemoteBuffer };

inline bool isHostToDevice(DataStreamType type) {
  return type == DataStreamType::HostToDeviceFIFO || type == DataStreamType::HostToDeviceBuffer;
}
inline bool isDeviceToHost(DataStreamType type) {
  return type == DataStreamType::DeviceToHostFIFO || type == DataStreamType::DeviceToHostBuffer;
}
inline bool isRemoteBuffer(DataStreamType type) { return type == DataStreamType::RemoteBuffer; }

/// Prints the name of the enumerator, e.g. "HostToDeviceFIFO".
std::ostream &operator<<(std::ostream &os, DataStreamType type);

} // namespace poplar
