// DataStreamType: what a stream connects, and in which direction.
#pragma once
#include <ostream>

namespace poplar {

enum class DataStreamType { HostToDeviceFIFO, DeviceToHostFIFO, HostToDeviceBuffer, DeviceToHostBuffer, RemoteBuffer };

/// Prints "HostToDeviceFIFO" and so on.
std::ostream &operator<<(std::ostream &os, DataStreamType type);

} // namespace poplar
