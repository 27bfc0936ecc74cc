// ChunkedTable: a growing table of plain rows in chunks of a fixed size. Growth copies no rows, and does not write to
// the unused rows of a chunk.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace popscope {

template <class T> class ChunkedTable {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>);

public:
  ChunkedTable() = default;
  ChunkedTable(const ChunkedTable &other) : size_(other.size_) {
    for (const auto &chunk : other.chunks_)
      chunks_.push_back(std::make_unique<Chunk>(*chunk));
  }
  ChunkedTable(ChunkedTable &&other) noexcept { swap(other); }
  ChunkedTable &operator=(ChunkedTable other) noexcept {
    swap(other);
    return *this;
  }
  ~ChunkedTable() = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T &operator[](std::size_t i) { return (*chunks_[i >> kBits])[i & kMask]; }
  [[nodiscard]] const T &operator[](std::size_t i) const { return (*chunks_[i >> kBits])[i & kMask]; }
  void push_back(const T &row) {
    if (size_ >> kBits == chunks_.size())
      chunks_.push_back(std::unique_ptr<Chunk>(new Chunk)); // make_unique would write to the whole chunk
    ++size_;
    (*this)[size_ - 1] = row;
  }
  /// Removes all rows except the first `size` rows. The memory stays reserved.
  void truncate(std::size_t size) { size_ = std::min(size_, size); }

private:
  static constexpr unsigned kBits = 12;
  static constexpr std::size_t kMask = (std::size_t(1) << kBits) - 1;
  using Chunk = std::array<T, kMask + 1>;
  void swap(ChunkedTable &other) noexcept {
    chunks_.swap(other.chunks_);
    std::swap(size_, other.size_);
  }
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::size_t size_ = 0;
};

} // namespace popscope
