#include "graph/lowering/MergeStreams.hpp"

#include <algorithm>
#include <utility>

namespace popscope {

bool StreamMerger::joins(const WaitingStream &copy) const {
  if (group_.empty())
    return true;
  const WaitingStream &first = group_.front();
  return first.joins && copy.joins && first.toDevice == copy.toDevice && group_.size() < kMaxMembers &&
         copy.bytes <= maxBytes_ - std::min(maxBytes_, bytes_) &&
         std::none_of(group_.begin(), group_.end(),
                      [&](const WaitingStream &w) { return w.program->stream == copy.program->stream; }) &&
         !written_.meet(copy.ranges);
}

void StreamMerger::add(WaitingStream copy) {
  bytes_ += copy.bytes;
  written_.add(copy.ranges);
  group_.push_back(std::move(copy));
}

std::vector<WaitingStream> StreamMerger::take() {
  bytes_ = {};
  written_ = {};
  return std::exchange(group_, {});
}

} // namespace popscope
