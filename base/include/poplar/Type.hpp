// Type: the element type of a tensor, stream or vertex field. A Type takes one byte.
#pragma once
#include <poplar/StringRef.hpp>
#include <poplar/TypeTraits.hpp>

namespace popscope {
struct TypeAccess;
}

namespace poplar {

class Type {
public:
  /// Makes the invalid type, which is not equal to any of the constants below.
  constexpr Type() : id_(0) {}

  /// Returns the name of the type in names of vertex types, for example "unsigned int". The StringRef never becomes
  /// invalid.
  StringRef toString() const;
  /// Returns true for types that need metadata in addition to the data (QUARTER).
  bool requiresMetadata() const;
  /// Returns true for QUARTER, HALF and FLOAT.
  bool isFloatingPoint() const;

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

// The constants are constant-initialised, so that static initialisers of a program may use them. As in Poplar, a `Type
// &` can refer to a constant; do not assign a value to a constant.
extern Type BOOL, CHAR, UNSIGNED_CHAR, SIGNED_CHAR, UNSIGNED_SHORT, SHORT, UNSIGNED_INT, INT, UNSIGNED_LONG, LONG,
    UNSIGNED_LONGLONG, LONGLONG, QUARTER, HALF, FLOAT, QUARTER_METADATA;

/// A struct whose member `value` is the device type that corresponds to the host type T.
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
POPLAR_DECLARE_EQUIV_TYPE(Half, HALF);
POPLAR_DECLARE_EQUIV_TYPE(float, FLOAT);

} // namespace poplar

namespace std {
template <> struct hash<poplar::Type> { size_t operator()(const poplar::Type &t) const; };
} // namespace std
