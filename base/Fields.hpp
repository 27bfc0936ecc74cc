// Fields: visits the members of a plain aggregate in the order of their declaration. The aggregate has at most 32
// members. The caller does not list the members, so a new member needs no further code.
//
//   struct Message { HomeId src; std::uint64_t srcOffset; ... };
//   visitFields(message, [](auto &...field) { ... });      // field = message.src, message.srcOffset, ...
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

namespace popscope {

namespace fields_detail {
struct Any {
  std::size_t ignored;
  template <class T> constexpr operator T() const noexcept; // never called: used only in Makes
};
template <class T, class Seq> struct Makes;
template <class T, std::size_t... I> struct Makes<T, std::index_sequence<I...>> {
  static constexpr bool value = requires { T{Any{I}...}; };
};
/// Counts the members of T by bisection. T can be initialised with `fewest` values but not with `tooMany` values. To
/// test a number n, the compiler converts n values to members. If count() tested every number from 0 on, the tests
/// would take a large part of the time in which a table of records compiles.
template <class T, std::size_t fewest, std::size_t tooMany> consteval std::size_t count() {
  if constexpr (tooMany - fewest == 1)
    return fewest;
  else if constexpr (constexpr std::size_t middle = fewest + (tooMany - fewest) / 2;
                     Makes<T, std::make_index_sequence<middle>>::value)
    return count<T, middle, tooMany>();
  else
    return count<T, fewest, middle>();
}
} // namespace fields_detail

inline constexpr std::size_t kMaxFields = 64;
/// The number of members of the aggregate T. T must have at most kMaxFields members, and all of them must have
/// defaults.
template <class T>
requires std::is_default_constructible_v<T>
inline constexpr std::size_t kFieldCount = fields_detail::count<T, 0, kMaxFields + 1>();

/// Calls visit(member...) for an aggregate of 1 to 32 members, and returns the result. The function has one case per
/// number of members, because a structured binding must name all members.
template <class T, class Visit> auto visitFields(T &object, Visit &&visit) {
  static_assert(std::is_aggregate_v<std::remove_const_t<T>>);
  constexpr std::size_t n = kFieldCount<std::remove_const_t<T>>;
  static_assert(n > 0 && n <= 32, "this aggregate has too many members: visit them by hand");
  if constexpr (n == 1) {
    auto &[f0] = object;
    return visit(f0);
  } else if constexpr (n == 2) {
    auto &[f0, f1] = object;
    return visit(f0, f1);
  } else if constexpr (n == 3) {
    auto &[f0, f1, f2] = object;
    return visit(f0, f1, f2);
  } else if constexpr (n == 4) {
    auto &[f0, f1, f2, f3] = object;
    return visit(f0, f1, f2, f3);
  } else if constexpr (n == 5) {
    auto &[f0, f1, f2, f3, f4] = object;
    return visit(f0, f1, f2, f3, f4);
  } else if constexpr (n == 6) {
    auto &[f0, f1, f2, f3, f4, f5] = object;
    return visit(f0, f1, f2, f3, f4, f5);
  } else if constexpr (n == 7) {
    auto &[f0, f1, f2, f3, f4, f5, f6] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6);
  } else if constexpr (n == 8) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7);
  } else if constexpr (n == 9) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8);
  } else if constexpr (n == 10) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9);
  } else if constexpr (n == 11) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10);
  } else if constexpr (n == 12) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11);
  } else if constexpr (n == 13) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12);
  } else if constexpr (n == 14) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13);
  } else if constexpr (n == 15) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14);
  } else if constexpr (n == 16) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15);
  } else if constexpr (n == 17) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16);
  } else if constexpr (n == 18) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17);
  } else if constexpr (n == 19) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18);
  } else if constexpr (n == 20) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19);
  } else if constexpr (n == 21) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20);
  } else if constexpr (n == 22) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21);
  } else if constexpr (n == 23) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22] =
        object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                 f22);
  } else if constexpr (n == 24) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
           f23] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                 f22, f23);
  } else if constexpr (n == 25) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                 f22, f23, f24);
  } else if constexpr (n == 26) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                 f22, f23, f24, f25);
  } else if constexpr (n == 27) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                 f22, f23, f24, f25, f26);
  } else if constexpr (n == 28) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                 f22, f23, f24, f25, f26, f27);
  } else if constexpr (n == 29) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                 f22, f23, f24, f25, f26, f27, f28);
  } else if constexpr (n == 30) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                 f22, f23, f24, f25, f26, f27, f28, f29);
  } else if constexpr (n == 31) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                 f22, f23, f24, f25, f26, f27, f28, f29, f30);
  } else if constexpr (n == 32) {
    auto &[f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30, f31] = object;
    return visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                 f22, f23, f24, f25, f26, f27, f28, f29, f30, f31);
  }
}

} // namespace popscope
