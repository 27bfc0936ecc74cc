// TensorRearranger: an order of the elements of a tensor. `rearrange` brings a tensor with the same number of elements
// into this order, and `undoRearrangement` brings the tensor back. Graph::getSimplifyingRearranger creates rearrangers.
// Rearrangers are values; const members may be called from several threads at once.
#pragma once
#include <poplar/ArrayRef.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Tensor.hpp>

#include <memory>
#include <vector>

namespace popscope {
struct Rearrangement;
struct GraphAccess;
} // namespace popscope

namespace poplar {

class TensorRearranger {
public:
  /// Creates an invalid rearranger: every operation except copies, assignments and valid() throws poplar_error.
  TensorRearranger();
  TensorRearranger(const TensorRearranger &);
  TensorRearranger(TensorRearranger &&) noexcept;
  TensorRearranger &operator=(const TensorRearranger &) &;
  TensorRearranger &operator=(TensorRearranger &&) &noexcept;
  ~TensorRearranger();
  bool valid() const;

  /// Both functions return a flat view. Both functions throw poplar_error if the tensor does not have as many elements
  /// as the tensor for which the rearranger was created.
  Tensor rearrange(const Tensor &t) const;
  Tensor undoRearrangement(const Tensor &t) const;
  /// `rearrange` converts half-open intervals of a flat tensor to intervals of the rearranged tensor, and
  /// `undoRearrangement` converts in the opposite direction. The returned intervals contain the same elements as
  /// `intervals`, in the same order. One interval may become several. Both functions throw index_error for an interval
  /// that ends outside the tensor, or that ends before it begins.
  std::vector<Interval> rearrange(ArrayRef<Interval> intervals) const;
  std::vector<Interval> undoRearrangement(ArrayRef<Interval> intervals) const;

private:
  friend struct popscope::GraphAccess;
  std::shared_ptr<const popscope::Rearrangement> order_;
};

} // namespace poplar
