// TensorRearranger: an order of the elements of a tensor, which other tensors of as many elements can be brought into
// and out of again. Graph::getSimplifyingRearranger makes one. A value; const members may be called from several
// threads.
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
  /// Not valid: everything but assignment and valid() throws poplar_error.
  TensorRearranger();
  TensorRearranger(const TensorRearranger &);
  TensorRearranger(TensorRearranger &&) noexcept;
  TensorRearranger &operator=(const TensorRearranger &) &;
  TensorRearranger &operator=(TensorRearranger &&) &noexcept;
  ~TensorRearranger();
  bool valid() const;

  /// Flat views. Throw poplar_error for a tensor with another number of elements than the one that this was made for.
  Tensor rearrange(const Tensor &t) const;
  Tensor undoRearrangement(const Tensor &t) const;
  /// Half-open intervals of a flat tensor -> those of the rearranged one that hold the same elements, in the order of
  /// the elements; an interval may become several. Throw index_error for one that ends outside.
  std::vector<Interval> rearrange(ArrayRef<Interval> intervals) const;
  std::vector<Interval> undoRearrangement(ArrayRef<Interval> intervals) const;

private:
  friend struct popscope::GraphAccess;
  std::shared_ptr<const popscope::Rearrangement> order_;
};

} // namespace poplar
