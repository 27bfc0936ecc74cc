// ValueConversion: converts host values of any arithmetic type to device bytes and back.
#pragma once
#include "graph/api/GraphShared.hpp"

#include "base/Quarter.hpp"

#include <poplar/Quarter.hpp>
#include <poplar/TypeTraits.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

/// Converts `count` values at `values` (described by `traits`) to device bytes. Halves round to nearest even. If a
/// value does not fit the bits of an integer type, throws poplar::overflow_error; the message contains `what`, the
/// value and the type. For an unsigned type, -1 becomes a number with all bits set. Throws poplar::type_error for a
/// type to which host values cannot be converted. Quarters need `metadata`.
std::vector<std::uint8_t> toDevice(ElementType type, const poplar::TypeTraits &traits, const void *values,
                                   std::size_t count, const std::string &what,
                                   const poplar::QuarterMetadata *metadata = nullptr,
                                   QuarterOverflow onOverflow = QuarterOverflow::NaN);
/// Converts values as toDevice does, but refuses values outside the range of the device type. Throws the exceptions of
/// toDevice, and also throws poplar::overflow_error for
/// - a number outside the range of an integer type, such as -1 for an unsigned type, even if its bits fit;
/// - a fraction, if the device type is an integer type;
/// - a number other than 0 and 1, if the device type is bool;
/// - a finite number that would become an infinite half or float.
std::vector<std::uint8_t> toDeviceExactly(ElementType type, const poplar::TypeTraits &traits, const void *values,
                                          std::size_t count, const std::string &what,
                                          const poplar::QuarterMetadata *metadata = nullptr);
/// Converts device bytes to host values, as C++ converts numbers (floats to integers by truncation). Throws
/// poplar::overflow_error if a value does not fit the bits of a host integer. Without `metadata`, the value of a
/// quarter is its bit pattern: an integer from 0 to 255.
void fromDevice(ElementType type, const std::vector<std::uint8_t> &bytes, const poplar::TypeTraits &traits, void *out,
                std::size_t count, const poplar::QuarterMetadata *metadata = nullptr);
/// Returns whether every value is 0 or -0 after a conversion to float.
bool areZero(const poplar::TypeTraits &traits, const void *values, std::size_t count, const std::string &what);
/// Returns whether the value of this metadata is known while the graph is built, so that metadataValue() can return the
/// value.
bool isKnownMetadata(const TensorData *metadata);
/// Returns the value of a metadata tensor. This value must be known while the graph is built. Throws poplar::type_error
/// for null, and for a variable without an initial value; the message contains `what`.
poplar::QuarterMetadata metadataValue(const TensorData *metadata, const std::string &what);
/// Returns the initial contents of a tensor in view order; elements without initial contents are 0.
std::vector<std::uint8_t> initialBytes(const TensorData &tensor);
std::vector<std::uint8_t> initialBytes(const GraphIr &ir, ElementType type, const RunList &runs);

} // namespace popscope
