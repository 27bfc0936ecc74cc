// SerializationFormat: the format in which graphs and tensors are written to a stream.
#pragma once

namespace poplar {

/// Binary and SCHEMA both select the one binary format of this library. Writing or reading JSON throws poplar_error.
enum class SerializationFormat { Binary, JSON, SCHEMA };

} // namespace poplar
