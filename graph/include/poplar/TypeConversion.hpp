// Functions that convert host values to and from the bytes of device types. Conversions to half and to quarter round to
// nearest even. If a value does not fit the bits of an integer type, the functions throw overflow_error. Each integer
// type of n bits, signed or unsigned, accepts the values -2^(n-1) to 2^n - 1. For example, -1 sets all bits of an
// unsigned number. The buffer with the bytes of the device (`dst` or `src`) must be large enough for all elements of
// the host's side.
#pragma once
#include <poplar/ArrayRef.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>

#include <vector>

namespace popscope {
/// Converts host values to the device type. `metadata` must not be null if `type` is QUARTER. For any other type,
/// `metadata` may be null, and `nanOnOverflow` has no effect. Throws type_error for QUARTER without metadata, and for a
/// type to which host values cannot be converted.
void convertToDevice(const poplar::Type &type, const poplar::QuarterMetadata *metadata,
                     const poplar::TypeTraits &traits, const void *src, std::size_t count, void *dst,
                     bool nanOnOverflow);
void convertFromDevice(const poplar::Type &type, const poplar::QuarterMetadata *metadata,
                       const poplar::TypeTraits &traits, const void *src, std::size_t count, void *dst);
/// Returns the metadata of `format` that gives the least sum of squared errors if `values` are converted to quarter.
/// Ignores values that are not finite.
poplar::QuarterMetadata metadataOfLeastSquareError(const std::vector<double> &values,
                                                   poplar::QuarterMetadata::Format format);
/// Throws type_error if `type` is not QUARTER, the only type that has metadata. The message contains `function`.
void requireQuarter(const poplar::Type &type, const char *function);
} // namespace popscope

namespace poplar {

/// The kind of error that calculateMetadataForConversion minimises.
enum class CostMetric { MEAN_SQUARE_ERROR };

/// Returns the metadata of `format` that gives the least error if `src` is converted to `dstType` (QUARTER). If several
/// scales give the same error, chooses the scale nearest to 0. If two of these scales are equally near to 0, chooses
/// the lower scale. Tries the 64 scales in the order 0, -1, 1, -2, 2 and so on, and stops at a scale without error.
/// Throws type_error if `dstType` is not QUARTER.
template <class T>
QuarterMetadata calculateMetadataForConversion(const Type &dstType, gccs::ArrayRef<T> src,
                                               QuarterMetadata::Format format,
                                               CostMetric metric = CostMetric::MEAN_SQUARE_ERROR) {
  (void)metric; // there is only one metric
  popscope::requireQuarter(dstType, "calculateMetadataForConversion");
  std::vector<double> values;
  for (const T &value : src)
    values.push_back(static_cast<double>(value));
  return popscope::metadataOfLeastSquareError(values, format);
}

/// Each conversion takes the host's side as an ArrayRef or as a vector. A conversion to or from QUARTER without
/// `metadata` throws type_error. For a value that is too large for a quarter, the result is NaN if `nanOnOverflow` is
/// true. Otherwise, the result is the largest quarter with the sign of the value.
template <class T>
void convertToDeviceType(const Type &dstType, const QuarterMetadata &metadata, gccs::ArrayRef<T> src, void *dst,
                         bool nanOnOverflow = true) {
  popscope::convertToDevice(dstType, &metadata, TypeTraits::make<T>(), src.data(), src.size(), dst, nanOnOverflow);
}
template <class T, class A>
void convertToDeviceType(const Type &dstType, const QuarterMetadata &metadata, const std::vector<T, A> &src, void *dst,
                         bool nanOnOverflow = true) {
  convertToDeviceType(dstType, metadata, gccs::ArrayRef<T>(src), dst, nanOnOverflow);
}
template <class T> void convertToDeviceType(const Type &dstType, gccs::ArrayRef<T> src, void *dst) {
  popscope::convertToDevice(dstType, nullptr, TypeTraits::make<T>(), src.data(), src.size(), dst, true);
}
template <class T, class A> void convertToDeviceType(const Type &dstType, const std::vector<T, A> &src, void *dst) {
  convertToDeviceType(dstType, gccs::ArrayRef<T>(src), dst);
}
/// Writes to the elements of `dst`, although an ArrayRef gives only const access. The elements must therefore not be
/// const objects.
template <class T>
void convertFromDeviceType(const Type &srcType, const QuarterMetadata &metadata, const void *src,
                           gccs::ArrayRef<T> dst) {
  popscope::convertFromDevice(srcType, &metadata, TypeTraits::make<T>(), src, dst.size(), const_cast<T *>(dst.data()));
}
template <class T, class A>
void convertFromDeviceType(const Type &srcType, const QuarterMetadata &metadata, const void *src,
                           std::vector<T, A> &dst) {
  convertFromDeviceType(srcType, metadata, src, gccs::ArrayRef<T>(dst));
}
template <class T> void convertFromDeviceType(const Type &srcType, const void *src, gccs::ArrayRef<T> dst) {
  popscope::convertFromDevice(srcType, nullptr, TypeTraits::make<T>(), src, dst.size(), const_cast<T *>(dst.data()));
}
template <class T, class A> void convertFromDeviceType(const Type &srcType, const void *src, std::vector<T, A> &dst) {
  convertFromDeviceType(srcType, src, gccs::ArrayRef<T>(dst));
}

} // namespace poplar
