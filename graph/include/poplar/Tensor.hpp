// Tensor: a view on elements of a graph's variables. Tensors are values: copying a tensor is cheap, and no view
// operation moves data. Operations throw poplar_error, or a subclass of poplar_error, for wrong arguments; the message
// contains the tensor's shape and the wrong argument. Const members may be called from several threads at once.
#pragma once
#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Interval.hpp>
#include <poplar/OptionFlags.hpp> // for programs that include only Tensor.hpp and use OptionFlags
#include <poplar/StringRef.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <poplar/VariableRef.hpp>
#include <poplar/exceptions.hpp>

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace popscope {
struct TensorData;
struct GraphAccess;
} // namespace popscope

namespace poplar {

enum class UpsampleMethod { REPEAT };

class Tensor {
public:
  /// Creates an invalid tensor: valid() is false. Only copies, assignments, comparisons, valid(), getDebugStr(),
  /// output(), dump() and << accept an invalid tensor; every other operation throws poplar_error.
  Tensor();
  Tensor(const Tensor &);
  Tensor(Tensor &&) noexcept;
  ~Tensor();
  // An assignment to a temporary (t[0] = x) does not compile, because the assignment would have no effect.
  Tensor &operator=(const Tensor &) &;
  Tensor &operator=(Tensor &&) &noexcept;

  Type elementType() const;
  std::size_t numElements() const;
  std::size_t dim(unsigned i) const;
  std::vector<std::size_t> shape() const;
  unsigned rank() const;
  bool valid() const;

  // ---- parts
  Tensor operator[](std::size_t i) const &;
  Tensor &&operator[](std::size_t i) &&;
  /// Returns the part of the tensor in the half-open range [begin, end) of one dimension.
  Tensor slice(std::size_t begin, std::size_t end, unsigned dimension) const &;
  Tensor slice(std::size_t begin, std::size_t end) const;
  Tensor slice(const Interval &region, unsigned dimension = 0) const;
  /// Returns the part that has the half-open range [begin[i], end[i]) in each leading dimension i.
  Tensor slice(ArrayRef<std::size_t> begin, ArrayRef<std::size_t> end) const;
  /// These three functions return one tensor for each interval, each group of intervals, or each index. The slices of a
  /// group are concatenated along `dimension`. The tensor of an index keeps this dimension, with size 1. For an index
  /// outside the dimension, or an interval that begins after its end, slices throws index_error immediately. If an
  /// interval ends outside the dimension, slices returns a tensor that has only a type and a shape. Any use of the
  /// elements of this tensor, or of a view of this tensor, throws index_error. If the sliced tensor has no elements,
  /// slices throws index_error immediately for an interval that ends outside the dimension.
  std::vector<Tensor> slices(ArrayRef<Interval> intervals, unsigned dimension = 0) const;
  std::vector<Tensor> slices(const std::vector<std::vector<Interval>> &intervals, unsigned dimension = 0) const;
  std::vector<Tensor> slices(const ArrayRef<unsigned> &indices, unsigned dimension = 0) const;
  /// Returns the part with the given indices in the leading dimensions.
  Tensor index(ArrayRef<std::size_t> indices) const;
  Tensor subSample(unsigned stride, unsigned dimension) const;

  // ---- other shapes of the same elements
  Tensor flatten() const;
  /// Merges dimensions [dimBegin, dimEnd) into one.
  Tensor flatten(unsigned dimBegin, unsigned dimEnd) const;
  Tensor reshape(ArrayRef<std::size_t> shape) const;
  /// Replaces dimensions [beginIndex, endIndex) by newDims. The product of newDims must equal the product of the
  /// replaced dimensions.
  Tensor reshapePartial(unsigned beginIndex, unsigned endIndex, ArrayRef<std::size_t> newDims) const;
  /// Permutes dimensions: dimension i of the result is dimension permutation[i] of this tensor.
  Tensor dimShuffle(ArrayRef<unsigned> permutation) const;
  /// Moves dimension source[k] to position destination[k]; the other dimensions keep their order.
  Tensor dimShufflePartial(ArrayRef<unsigned> source, ArrayRef<unsigned> destination) const;
  Tensor dimRoll(unsigned dimIdx, unsigned newIdx = 0) const;
  /// Swaps the two dimensions of a matrix.
  Tensor transpose() const;
  Tensor reverse(unsigned dimension) const;
  /// Returns a view of the same bits as elements of `type`. The old and the new element type must have the same size.
  Tensor reinterpret(const Type &type) const;
  /// Inserts a dimension of size 1 before each of the given dimensions. The index rank() inserts at the end. A
  /// dimension that occurs n times in `indices` gets n new dimensions before it.
  Tensor expand(ArrayRef<std::size_t> indices) const;
  /// Removes the given dimensions, which must have size 1.
  Tensor squeeze(ArrayRef<std::size_t> indices) const;

  // ---- repeated elements
  Tensor upsample(unsigned scale, unsigned dimension, UpsampleMethod method) const;
  Tensor broadcast(unsigned N, unsigned dimension) const;

  // ---- questions
  bool isContiguous() const;
  bool containsAliases() const;
  bool containsConstant() const;
  /// Returns whether several vertices may write the tensor at the same time. The result is true if the tensor contains
  /// neither aliases nor constants.
  bool isParallelWriteable() const;
  /// Returns, in view order, intervals of the flattened view that are contiguous in one variable.
  std::vector<Interval> getContiguousRegions() const;
  /// Returns, in view order, the elements of the tensor as ranges of variables.
  std::vector<VariableInterval> getVarRegions() const;
  /// Reads the value of a tensor of one constant element, converted to T. Returns false for any other tensor.
  template <class T> bool getConstantValue(T *val) const { return readConstant(TypeTraits::make<T>(), val, 1); }
  /// Reads the values of a tensor of `elements` constant elements, in view order and converted to T. Returns false for
  /// any other tensor.
  template <class T> bool getConstantData(T *out, std::size_t elements) const {
    return readConstant(TypeTraits::make<T>(), out, elements);
  }
  /// Returns whether some element of this tensor is also an element of the other tensor.
  bool intersectsWith(const Tensor &other) const;
  /// Returns whether the other tensor has the same elements in the same order. The shapes and the element types may
  /// differ.
  bool isAliasOf(const Tensor &other) const;
  bool operator==(const Tensor &other) const;
  bool operator!=(const Tensor &other) const;

  // ---- text
  std::string getDebugStr() const;
  /// Returns the names of the variables that the tensor views, in view order and separated by commas. Each variable
  /// occurs once. After 8 names, "..." replaces the other names.
  std::string getVarStr() const;
  /// Returns the shape as text, e.g. "{2,3}".
  std::string shapeToString() const;
  std::ostream &output(std::ostream &os) const;
  std::ostream &outputRegions(std::ostream &os) const;
  void dump() const;        // writes output() to standard error
  void dumpRegions() const; // writes outputRegions() to standard error

  // ---- 8-bit float metadata
  /// Returns the metadata, or an invalid tensor if this tensor has none. Only tensors of type QUARTER have metadata.
  Tensor getMetadata() const;
  bool hasMetadata() const;
  Tensor associateMetadata(const Tensor &metadata) const;

private:
  friend struct popscope::GraphAccess;
  explicit Tensor(std::shared_ptr<const popscope::TensorData> data);
  bool readConstant(const TypeTraits &traits, void *out, std::size_t elements) const;
  std::shared_ptr<const popscope::TensorData> data_;
};

std::ostream &operator<<(std::ostream &os, const Tensor &tensor);

/// Joins tensors along a dimension. The tensors must belong to one graph and have one element type. The sizes of the
/// tensors in every other dimension must be equal.
Tensor concat(ArrayRef<Tensor> ts, unsigned dimension = 0);
Tensor concat(const Tensor &first, const Tensor &second, unsigned dimension = 0);
/// Appends `second` to `first`, as one more element of `first` along the dimension. `second` must have one dimension
/// fewer than `first`.
Tensor append(const Tensor &first, const Tensor &second, unsigned dimension);
Tensor append(const Tensor &first, const Tensor &second);

} // namespace poplar
