// Quantities with a unit in the type. Bytes and Cycles add, subtract and compare; they do not mix
// and convert only explicitly, in with a constructor and out with count().
#pragma once
#include <compare>
#include <cstdint>

namespace popscope {

template <class Tag> class Quantity {
public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(std::uint64_t count) : count_(count) {}
  [[nodiscard]] constexpr std::uint64_t count() const { return count_; }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.count_ + b.count_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.count_ - b.count_); }
  constexpr Quantity &operator+=(Quantity b) {
    count_ += b.count_;
    return *this;
  }
  constexpr Quantity &operator-=(Quantity b) {
    count_ -= b.count_;
    return *this;
  }

private:
  std::uint64_t count_ = 0;
};

using Bytes = Quantity<struct BytesTag>;
using Cycles = Quantity<struct CyclesTag>;

/// `value` rounded up to a multiple of `align` (a power of two or not; align > 0).
constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

} // namespace popscope
