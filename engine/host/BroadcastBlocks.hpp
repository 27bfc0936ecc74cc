// BroadcastBlocks: keeps each block of a BROADCAST stream until every replica has read it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace popscope {

class BroadcastBlocks {
public:
  using Block = std::vector<std::uint8_t>;

  /// Returns the next block of `replica`. If `replica` is the first replica to read this block, calls `fetch`
  /// (void(Block &)), which must fill the block.
  template <class Fetch> Block next(std::uint32_t replica, std::uint32_t replicas, std::size_t bytes, Fetch fetch) {
    taken_.resize(replicas, 0);
    const std::uint64_t index = taken_[replica];
    if (index == first_ + blocks_.size()) {
      Block block(bytes);
      fetch(block);
      blocks_.push_back(std::move(block));
    }
    Block result = blocks_[index - first_];
    ++taken_[replica];
    for (const std::uint64_t done = *std::min_element(taken_.begin(), taken_.end()); first_ < done; ++first_)
      blocks_.pop_front();
    return result;
  }
  /// Drops the kept blocks, so that each replica starts with a new block. `fetch` may call clear() while next() calls
  /// `fetch`. The block of this `fetch` then becomes the next block of all replicas.
  void clear() {
    first_ += blocks_.size();
    blocks_.clear();
    std::fill(taken_.begin(), taken_.end(), first_);
  }

private:
  std::uint64_t first_ = 0; // number of the first block in blocks_
  std::deque<Block> blocks_;
  std::vector<std::uint64_t> taken_; // per replica: number of blocks that the replica has read
};

} // namespace popscope
