// SerializationFormat: how graphs and tensors are written to a stream.
#pragma once

namespace poplar {

enum class SerializationFormat { Binary, SCHEMA };

} // namespace poplar
