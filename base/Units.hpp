// Quantities with a unit in the type. Quantities of the same unit can be added, subtracted and compared; Bytes and
// Cycles do not mix. Conversions from and to plain numbers are explicit: a constructor makes a quantity from a number,
// and count() returns the number. Tables with millions of rows contain narrow quantities of 32 bits, Bytes32 and
// Cycles32. The sum of two narrow quantities is wide. A narrow quantity converts to a wide quantity implicitly. The
// opposite conversion is explicit: narrow(wide).
//
// The types also express positions. An offset into memory has the type Bytes and counts from the start of the memory. A
// time has the type Cycles and counts from the start of the run. The times of a BlockRecord are an exception: they
// continue from run to run.
#pragma once
#include <compare>
#include <concepts>
#include <cstdint>

namespace popscope {

template <class Tag, class Rep = std::uint64_t> class Quantity {
public:
  using Wide = Quantity<Tag, std::uint64_t>;
  constexpr Quantity() = default;
  /// Makes a quantity from a number whose type is no wider than Rep. To make a Bytes32 from a 64-bit number, use
  /// narrow(Bytes(number)).
  template <std::integral N>
  requires(sizeof(N) <= sizeof(Rep)) constexpr explicit Quantity(N count) : count_(static_cast<Rep>(count)) {}
  [[nodiscard]] constexpr Rep count() const { return count_; }
  constexpr operator Wide() const // NOLINT(google-explicit-constructor): loses nothing
      requires(sizeof(Rep) < sizeof(std::uint64_t)) {
    return Wide(count_);
  }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Wide operator+(Quantity a, Quantity b) { return Wide(std::uint64_t(a.count_) + b.count_); }
  friend constexpr Wide operator-(Quantity a, Quantity b) { return Wide(std::uint64_t(a.count_) - b.count_); }
  /// Returns the quantity multiplied by `times`.
  template <std::integral N> friend constexpr Wide operator*(Quantity a, N times) {
    return Wide(std::uint64_t(a.count_) * static_cast<std::uint64_t>(times));
  }
  template <std::integral N> friend constexpr Wide operator*(N times, Quantity a) { return a * times; }
  /// Returns one of `parts` equal parts, rounded down.
  template <std::integral N> friend constexpr Wide operator/(Quantity a, N parts) {
    return Wide(a.count_ / static_cast<std::uint64_t>(parts));
  }
  /// Returns how many times b fits into a. operator% returns the remainder.
  friend constexpr std::uint64_t operator/(Quantity a, Quantity b) { return a.count_ / b.count_; }
  friend constexpr Wide operator%(Quantity a, Quantity b) { return Wide(std::uint64_t(a.count_ % b.count_)); }
  constexpr Quantity &operator+=(Quantity b) requires(sizeof(Rep) == sizeof(std::uint64_t)) {
    count_ += b.count_;
    return *this;
  }
  constexpr Quantity &operator-=(Quantity b) {
    count_ -= b.count_;
    return *this;
  }

private:
  Rep count_ = 0;
};

using Bytes = Quantity<struct BytesTag>;
using Cycles = Quantity<struct CyclesTag>;
using Bytes32 = Quantity<struct BytesTag, std::uint32_t>;
using Cycles32 = Quantity<struct CyclesTag, std::uint32_t>;

/// Converts a quantity from 64 bits to 32 bits. Only this function makes this conversion. The value must fit into 32
/// bits. The size of a home and offsets within a home always fit, because a home has fewer than 2^32 bytes.
template <class Tag> [[nodiscard]] constexpr Quantity<Tag, std::uint32_t> narrow(Quantity<Tag> wide) {
  return Quantity<Tag, std::uint32_t>(static_cast<std::uint32_t>(wide.count()));
}

/// A number of elements, or the index of one element of a variable, in 4 bytes. Every variable has fewer than 2^32
/// elements (CheckMapping refuses larger variables). Results computed from an ElementNumber have 64 bits.
class ElementNumber {
public:
  static constexpr std::uint64_t kMost = 0xffffffffU;
  constexpr ElementNumber() = default;
  constexpr ElementNumber(std::uint64_t number) // NOLINT(google-explicit-constructor): see above
      : number_(static_cast<std::uint32_t>(number)) {}
  constexpr operator std::uint64_t() const { return number_; } // NOLINT(google-explicit-constructor): loses nothing
  constexpr ElementNumber &operator+=(std::uint64_t more) { return *this = number_ + more; }

private:
  std::uint32_t number_ = 0;
};
/// Returns the number for {fmt}, which applies no implicit conversions since version 10.
constexpr std::uint64_t format_as(ElementNumber elements) { return elements; } // NOLINT(readability-identifier-naming)
/// Returns the number of bytes of `elements` elements of `size` bytes each.
constexpr Bytes operator*(ElementNumber elements, Bytes size) { return std::uint64_t(elements) * size; }

/// Returns `value` rounded up to a multiple of `align` (> 0; not necessarily a power of two).
constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}
constexpr Bytes roundUp(Bytes value, std::uint64_t align) { return Bytes(roundUp(value.count(), align)); }
/// Returns whether an offset or a size is a multiple of `of` bytes.
constexpr bool isMultiple(Bytes value, std::uint64_t of) { return value.count() % of == 0; }

} // namespace popscope
