// DataStreamType: what a stream connects, and in which direction.
#pragma once
#include <ostream>

namespace poplar {

enum class DataStreamType { HostToDeviceFIFO, DeviceToHostFIFO, HostToDeviceBuffer, DeviceToHostBuffer, RemoteBuffer };

/// "HostToDeviceFIFO" and so on.
const char *toString(DataStreamType type);
std::ostream &operator<<(std::ostream &os, DataStreamType type);

} // namespace poplar
