// Host values to and from the bytes of device types. Halves and quarters round to nearest even; integers that do not
// fit throw overflow_error. `dst` and `src` of the device side hold as many elements as the host side has.
#pragma once
#include <poplar/ArrayRef.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>

namespace popscope {
/// `metadata` may be null unless `type` is QUARTER.
void convertToDevice(const poplar::Type &type, const poplar::QuarterMetadata *metadata,
                     const poplar::TypeTraits &traits, const void *src, std::size_t count, void *dst);
void convertFromDevice(const poplar::Type &type, const poplar::QuarterMetadata *metadata,
                       const poplar::TypeTraits &traits, const void *src, std::size_t count, void *dst);
} // namespace popscope

namespace poplar {

template <class T>
void convertToDeviceType(const Type &dstType, const QuarterMetadata &metadata, gccs::ArrayRef<T> src, void *dst) {
  popscope::convertToDevice(dstType, &metadata, TypeTraits::make<T>(), src.data(), src.size(), dst);
}
template <class T> void convertToDeviceType(const Type &dstType, gccs::ArrayRef<T> src, void *dst) {
  popscope::convertToDevice(dstType, nullptr, TypeTraits::make<T>(), src.data(), src.size(), dst);
}
/// Writes through `dst`, whose elements must not be const objects.
template <class T>
void convertFromDeviceType(const Type &srcType, const QuarterMetadata &metadata, const void *src,
                           gccs::ArrayRef<T> dst) {
  popscope::convertFromDevice(srcType, &metadata, TypeTraits::make<T>(), src, dst.size(), const_cast<T *>(dst.data()));
}
template <class T> void convertFromDeviceType(const Type &srcType, const void *src, gccs::ArrayRef<T> dst) {
  popscope::convertFromDevice(srcType, nullptr, TypeTraits::make<T>(), src, dst.size(), const_cast<T *>(dst.data()));
}

} // namespace poplar
