// Type: the element type of a tensor, stream or vertex field. A value of one byte.
#pragma once
#include <poplar/StringRef.hpp>
#include <poplar/TypeTraits.hpp>

namespace popscope {
struct TypeAccess;
}

namespace poplar {

class Type {
public:
  /// Makes the invalid type, which equals no constant below.
  constexpr Type() : id_(0) {}

  /// Returns the spelling used in vertex names, for example "unsigned int". The view never dangles.
  StringRef toString() const;
  /// Returns true for types that need metadata in addition to the data (QUARTER).
  bool requiresMetadata() const;

  constexpr bool operator==(const Type &o) const { return id_ == o.id_; }
  constexpr bool operator!=(const Type &o) const { return id_ != o.id_; }
  constexpr bool operator<(const Type &o) const { return id_ < o.id_; }
  constexpr bool operator>(const Type &o) const { return id_ > o.id_; }
  constexpr bool operator<=(const Type &o) const { return id_ <= o.id_; }
  constexpr bool operator>=(const Type &o) const { return id_ >= o.id_; }

private:
  friend struct popscope::TypeAccess;
  constexpr explicit Type(unsigned char id) : id_(id) {}
  unsigned char id_;
};

std::ostream &operator<<(std::ostream &os, const Type &t);

// They are constant-initialised, so that static initialisers of a program may use them. As in Poplar, a `Type &` binds
// to them; do not assign to them.
extern Type BOOL, CHAR, UNSIGNED_CHAR, SIGNED_CHAR, UNSIGNED_SHORT, SHORT, UNSIGNED_INT, INT, UNSIGNED_LONG, LONG,
    UNSIGNED_LONGLONG, LONGLONG, QUARTER, HALF, FLOAT, QUARTER_METADATA;

/// The device type that corresponds to host type T is equivalent_device_type<T>().value.
template <class T> struct equivalent_device_type;

#define POPLAR_DECLARE_EQUIV_TYPE(HostType, DeviceType)                                                                \
  template <> struct equivalent_device_type<HostType> { const Type &value = DeviceType; }

POPLAR_DECLARE_EQUIV_TYPE(bool, BOOL);
POPLAR_DECLARE_EQUIV_TYPE(char, CHAR);
POPLAR_DECLARE_EQUIV_TYPE(unsigned char, UNSIGNED_CHAR);
POPLAR_DECLARE_EQUIV_TYPE(signed char, SIGNED_CHAR);
POPLAR_DECLARE_EQUIV_TYPE(unsigned short, UNSIGNED_SHORT);
POPLAR_DECLARE_EQUIV_TYPE(short, SHORT);
POPLAR_DECLARE_EQUIV_TYPE(unsigned int, UNSIGNED_INT);
POPLAR_DECLARE_EQUIV_TYPE(int, INT);
POPLAR_DECLARE_EQUIV_TYPE(unsigned long, UNSIGNED_LONG);
POPLAR_DECLARE_EQUIV_TYPE(long, LONG);
POPLAR_DECLARE_EQUIV_TYPE(unsigned long long, UNSIGNED_LONGLONG);
POPLAR_DECLARE_EQUIV_TYPE(long long, LONGLONG);
POPLAR_DECLARE_EQUIV_TYPE(float, FLOAT);

} // namespace poplar

namespace std {
template <> struct hash<poplar::Type> { size_t operator()(const poplar::Type &t) const; };
} // namespace std
