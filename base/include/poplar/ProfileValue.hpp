// ProfileValue: a JSON value that owns its contents. Integers of up to 64 bits are exact, because a number is stored as
// a double or as an integer (NumberKind). A conversion to a type that does not fit the value's type throws
// poplar::type_error; the message contains both types.
#pragma once
#include <poplar/StringRef.hpp>

namespace poplar {

class ProfileValue {
public:
  using Boolean = bool;
  using Number = double;
  using String = std::string;
  using Vector = std::vector<ProfileValue>;
  using Map = std::map<std::string, ProfileValue>;
#if defined(__GNUC__) // GCC's -Wshadow reports a scoped enumerator that hides poplar::BOOL
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
  enum class Type { BOOL, NUMBER, STRING, VECTOR, MAP };
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

  /// Makes an empty map.
  ProfileValue();
  ProfileValue(const Vector &v);
  ProfileValue(Vector &&v);
  ProfileValue(const Map &m);
  ProfileValue(Map &&m);
  ProfileValue(const std::string &s);
  ProfileValue(const char *s);
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  ProfileValue(T value) : ProfileValue() {
    setNumber(value, std::integral_constant < int,
              std::is_same<T, bool>::value       ? 0
              : std::is_floating_point<T>::value ? 1
              : std::is_signed<T>::value         ? 2
                                                 : 3 > ());
  }
  ProfileValue(const ProfileValue &other);
  ProfileValue(ProfileValue &&other) noexcept;
  ProfileValue &operator=(const ProfileValue &other);
  ProfileValue &operator=(ProfileValue &&other) noexcept;
  ~ProfileValue();

  Type type() const { return type_; }
  /// Converts the value to T. T may be bool, an arithmetic type, std::string, Vector or Map.
  template <class T> T as() const {
    T value;
    get(value);
    return value;
  }
  std::string asString() const;
  const Vector &asVector() const;
  const Map &asMap() const;
  Vector &asVector();
  Map &asMap();
  /// asBool() returns a boolean; the other functions of this group convert a number. The integer forms truncate
  /// fractions, and throw poplar::overflow_error if the number does not fit into the returned type.
  int asInt() const;
  unsigned asUint() const;
  std::int64_t asInt64() const;
  std::uint64_t asUint64() const;
  double asDouble() const;
  bool asBool() const;

  /// These operators return the value of a key. If the key is missing, the const overload throws poplar::index_error,
  /// and the overload that is not const adds an empty map.
  const ProfileValue &operator[](const std::string &key) const;
  ProfileValue &operator[](const std::string &key);
  const ProfileValue &operator[](const char *key) const { return (*this)[std::string(key)]; }
  ProfileValue &operator[](const char *key) { return (*this)[std::string(key)]; }
  /// These operators return an element of a vector. An index that is negative or past the end throws
  /// poplar::index_error.
  const ProfileValue &operator[](std::size_t i) const;
  ProfileValue &operator[](std::size_t i);
  const ProfileValue &operator[](int i) const { return (*this)[static_cast<std::size_t>(i)]; }
  ProfileValue &operator[](int i) { return (*this)[static_cast<std::size_t>(i)]; }

  /// These functions return the sum of all numbers in this value, including nested vectors and maps. The sum of a
  /// number is the number. The integer forms truncate each number before the addition. The integer forms throw
  /// poplar::overflow_error if a number does not fit into 64 bits, or if the sum does not fit into the returned type.
  /// The unsigned forms also throw poplar::overflow_error if a number is -1 or less.
  int sumInt() const;
  unsigned sumUint() const;
  std::uint64_t sumUint64() const;
  double sumDouble() const;
  double sum() const { return sumDouble(); }

  /// Returns the value of a key, or null if this value is not a map or does not have the key. The pointer is valid
  /// until this value changes.
  const ProfileValue *getOrNull(StringRef key) const;
  bool contains(StringRef key) const { return getOrNull(key) != nullptr; }
  /// Returns the number of elements of a vector or map, the number of bytes of a string, and 1 for other types.
  std::size_t size() const;

  bool operator==(const ProfileValue &other) const;
  bool operator!=(const ProfileValue &other) const { return !(*this == other); }

  /// The representation of a number: DOUBLE, or an exact integer (SIGNED or UNSIGNED).
  enum class NumberKind { DOUBLE, SIGNED, UNSIGNED };
  NumberKind numberKind() const { return kind_; }

private:
  void setNumber(bool v, std::integral_constant<int, 0>) { type_ = Type::BOOL, number_.u = v; }
  template <class T> void setNumber(T v, std::integral_constant<int, 1>) {
    set(NumberKind::DOUBLE).d = static_cast<double>(v);
  }
  template <class T> void setNumber(T v, std::integral_constant<int, 2>) { set(NumberKind::SIGNED).i = v; }
  template <class T> void setNumber(T v, std::integral_constant<int, 3>) { set(NumberKind::UNSIGNED).u = v; }
  template <class T> typename std::enable_if<std::is_floating_point<T>::value>::type get(T &v) const {
    v = static_cast<T>(asDouble());
  }
  template <class T>
  typename std::enable_if<std::is_integral<T>::value && std::is_signed<T>::value>::type get(T &v) const {
    v = static_cast<T>(signedIn(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
  template <class T>
  typename std::enable_if<std::is_integral<T>::value && !std::is_signed<T>::value>::type get(T &v) const {
    v = static_cast<T>(unsignedIn(std::numeric_limits<T>::max()));
  }
  void get(bool &v) const { v = asBool(); }
  void get(std::string &v) const { v = asString(); }
  void get(Vector &v) const { v = asVector(); }
  void get(Map &v) const { v = asMap(); }

  union Number64 {
    double d;
    std::int64_t i;
    std::uint64_t u;
  };
  Number64 &set(NumberKind kind) {
    type_ = Type::NUMBER, kind_ = kind;
    return number_;
  }
  void require(Type type) const;
  std::int64_t signedIn(std::int64_t least, std::int64_t most) const;
  std::uint64_t unsignedIn(std::uint64_t most) const;

  Type type_;
  NumberKind kind_;
  Number64 number_;
  std::unique_ptr<String> string_; // a pointer is set only if type_ is the type of its target. If type_ is STRING,
                                   // VECTOR or MAP, null means an empty value
  std::unique_ptr<Vector> vector_;
  std::unique_ptr<Map> map_;
};

/// Prints compact JSON.
std::ostream &operator<<(std::ostream &os, const ProfileValue &v);
/// Writes JSON. If `prettyPrint` is true, indents by two blanks per level. Keys are sorted. NaN and infinities become
/// null. All functions that write a value throw poplar_error if the value is nested more than 1,000 levels deep.
void serializeToJSON(std::ostream &out, const ProfileValue &val, bool prettyPrint = false);
void serializeToCBOR(std::ostream &out, const ProfileValue &val);

} // namespace poplar
