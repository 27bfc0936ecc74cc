#include <poplar/ProfileValue.hpp>

#include "base/EditDistance.hpp"

#include <fmt/format.h>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace poplar {
namespace {

const char *typeName(ProfileValue::Type type) {
  switch (type) {
  case ProfileValue::Type::BOOL: return "a boolean";
  case ProfileValue::Type::NUMBER: return "a number";
  case ProfileValue::Type::STRING: return "a string";
  case ProfileValue::Type::VECTOR: return "a vector";
  case ProfileValue::Type::MAP: return "a map";
  }
  return "nothing";
}

[[noreturn]] void doesNotFit(double value, const std::string &limits) {
  throw overflow_error(
      fmt::format("profile value {:.17g} does not fit the requested integer type ({}); read the value with asDouble()",
                  value, limits));
}

template <class T> std::unique_ptr<T> copyOf(const std::unique_ptr<T> &p) {
  return p ? std::make_unique<T>(*p) : nullptr;
}

/// Adds up all numbers below `v`. Throws overflow_error if an integer `sum` cannot hold the result.
template <class Sum, class Read> void addNumbers(const ProfileValue &v, Sum &sum, Read read) {
  if (v.type() == ProfileValue::Type::NUMBER) {
    const Sum number = read(v);
    if constexpr (std::is_integral_v<Sum>) {
      using Limits = std::numeric_limits<Sum>;
      if (Sum more = 0; !__builtin_add_overflow(sum, number, &more))
        sum = more;
      else
        doesNotFit(static_cast<double>(sum) + static_cast<double>(number),
                   fmt::format("{} to {}", Limits::min(), Limits::max()));
    } else
      sum += number;
  } else if (v.type() == ProfileValue::Type::VECTOR)
    for (const ProfileValue &entry : v.asVector())
      addNumbers(entry, sum, read);
  else if (v.type() == ProfileValue::Type::MAP)
    for (const auto &entry : v.asMap())
      addNumbers(entry.second, sum, read);
}

} // namespace

ProfileValue::ProfileValue() : type_(Type::MAP), kind_(NumberKind::DOUBLE) { number_.u = 0; }
ProfileValue::ProfileValue(const Vector &v) : ProfileValue(Vector(v)) {}
ProfileValue::ProfileValue(Vector &&v) : ProfileValue() {
  type_ = Type::VECTOR;
  vector_ = std::make_unique<Vector>(std::move(v));
}
ProfileValue::ProfileValue(const Map &m) : ProfileValue(Map(m)) {}
ProfileValue::ProfileValue(Map &&m) : ProfileValue() { map_ = std::make_unique<Map>(std::move(m)); }
ProfileValue::ProfileValue(const std::string &s) : ProfileValue() {
  type_ = Type::STRING;
  string_ = std::make_unique<String>(s);
}
ProfileValue::ProfileValue(const char *s) : ProfileValue(std::string(s)) {}
ProfileValue::ProfileValue(const ProfileValue &o)
    : type_(o.type_), kind_(o.kind_), number_(o.number_), string_(copyOf(o.string_)), vector_(copyOf(o.vector_)),
      map_(copyOf(o.map_)) {}
ProfileValue::ProfileValue(ProfileValue &&) noexcept = default;
ProfileValue &ProfileValue::operator=(const ProfileValue &other) { return *this = ProfileValue(other); }
ProfileValue &ProfileValue::operator=(ProfileValue &&) noexcept = default;

// A value of any depth ends without recursion: the containers within it move to a list, and end there one by one.
ProfileValue::~ProfileValue() {
  Vector rest;
  const auto takeContainers = [&rest](ProfileValue &from) {
    const auto take = [&rest](ProfileValue &entry) {
      if (entry.vector_ || entry.map_)
        rest.push_back(std::move(entry));
    };
    if (from.vector_)
      std::for_each(from.vector_->begin(), from.vector_->end(), take);
    if (from.map_)
      for (auto &entry : *from.map_)
        take(entry.second);
  };
  takeContainers(*this);
  while (!rest.empty()) {
    ProfileValue last = std::move(rest.back());
    rest.pop_back();
    takeContainers(last);
  }
}

void ProfileValue::require(Type type) const {
  if (type_ != type)
    throw type_error(fmt::format("profile value is {}, not {}", typeName(type_), typeName(type)));
}

std::string ProfileValue::asString() const {
  require(Type::STRING);
  return string_ ? *string_ : std::string();
}

const ProfileValue::Vector &ProfileValue::asVector() const {
  static const Vector empty;
  require(Type::VECTOR);
  return vector_ ? *vector_ : empty;
}

const ProfileValue::Map &ProfileValue::asMap() const {
  static const Map empty;
  require(Type::MAP);
  return map_ ? *map_ : empty;
}

ProfileValue::Vector &ProfileValue::asVector() {
  require(Type::VECTOR);
  if (!vector_)
    vector_ = std::make_unique<Vector>();
  return *vector_;
}

ProfileValue::Map &ProfileValue::asMap() {
  require(Type::MAP);
  if (!map_)
    map_ = std::make_unique<Map>();
  return *map_;
}

bool ProfileValue::asBool() const {
  require(Type::BOOL);
  return number_.u != 0;
}

double ProfileValue::asDouble() const {
  require(Type::NUMBER);
  switch (kind_) {
  case NumberKind::SIGNED: return static_cast<double>(number_.i);
  case NumberKind::UNSIGNED: return static_cast<double>(number_.u);
  case NumberKind::DOUBLE: break;
  }
  return number_.d;
}

std::int64_t ProfileValue::signedIn(std::int64_t least, std::int64_t most) const {
  const double value = asDouble();
  std::int64_t integer = number_.i;
  bool fits = true;
  if (kind_ == NumberKind::UNSIGNED)
    fits = number_.u <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  else if (kind_ == NumberKind::DOUBLE) {
    fits = value >= -0x1p63 && value < 0x1p63; // false for NaN
    integer = fits ? static_cast<std::int64_t>(value) : 0;
  }
  if (!fits || integer < least || integer > most)
    doesNotFit(value, fmt::format("{} to {}", least, most));
  return integer;
}

std::uint64_t ProfileValue::unsignedIn(std::uint64_t most) const {
  const double value = asDouble();
  std::uint64_t integer = number_.u;
  bool fits = true;
  if (kind_ == NumberKind::SIGNED)
    fits = number_.i >= 0;
  else if (kind_ == NumberKind::DOUBLE) {
    fits = value > -1 && value < 0x1p64; // false for NaN
    integer = fits ? static_cast<std::uint64_t>(value) : 0;
  }
  if (!fits || integer > most)
    doesNotFit(value, fmt::format("0 to {}", most));
  return integer;
}

int ProfileValue::asInt() const { return as<int>(); }
unsigned ProfileValue::asUint() const { return as<unsigned>(); }
std::int64_t ProfileValue::asInt64() const { return as<std::int64_t>(); }
std::uint64_t ProfileValue::asUint64() const { return as<std::uint64_t>(); }

const ProfileValue &ProfileValue::operator[](const std::string &key) const {
  const Map &map = asMap();
  const auto it = map.find(key);
  if (it != map.end())
    return it->second;
  std::vector<std::string> keys;
  for (const auto &entry : map)
    keys.push_back(entry.first);
  throw index_error(
      fmt::format("profile map has no key \"{}\" ({} keys).{}", key, keys.size(), popscope::didYouMean(key, keys)));
}

ProfileValue &ProfileValue::operator[](const std::string &key) { return asMap()[key]; }

const ProfileValue &ProfileValue::operator[](std::size_t i) const {
  const Vector &vector = asVector();
  if (i >= vector.size())
    throw index_error(fmt::format("profile vector index {} is out of range: the vector has {} entries",
                                  static_cast<std::int64_t>(i), vector.size()));
  return vector[i];
}

ProfileValue &ProfileValue::operator[](std::size_t i) {
  return const_cast<ProfileValue &>(static_cast<const ProfileValue &>(*this)[i]);
}

int ProfileValue::sumInt() const {
  std::int64_t sum = 0;
  addNumbers(*this, sum, [](const ProfileValue &v) { return v.asInt64(); });
  return ProfileValue(sum).asInt();
}

unsigned ProfileValue::sumUint() const { return ProfileValue(sumUint64()).asUint(); }

std::uint64_t ProfileValue::sumUint64() const {
  std::uint64_t sum = 0;
  addNumbers(*this, sum, [](const ProfileValue &v) { return v.asUint64(); });
  return sum;
}

double ProfileValue::sumDouble() const {
  double sum = 0;
  addNumbers(*this, sum, [](const ProfileValue &v) { return v.asDouble(); });
  return sum;
}

const ProfileValue *ProfileValue::getOrNull(StringRef key) const {
  if (type_ != Type::MAP || !map_)
    return nullptr;
  const auto it = map_->find(key.cloneAsString());
  return it == map_->end() ? nullptr : &it->second;
}

std::size_t ProfileValue::size() const {
  switch (type_) {
  case Type::VECTOR: return vector_ ? vector_->size() : 0;
  case Type::MAP: return map_ ? map_->size() : 0;
  case Type::STRING: return string_ ? string_->size() : 0;
  case Type::BOOL:
  case Type::NUMBER: break;
  }
  return 1;
}

bool ProfileValue::operator==(const ProfileValue &o) const {
  if (type_ != o.type_)
    return false;
  switch (type_) {
  case Type::BOOL: return asBool() == o.asBool();
  case Type::STRING: return asString() == o.asString();
  case Type::VECTOR: return asVector() == o.asVector();
  case Type::MAP: return asMap() == o.asMap();
  case Type::NUMBER: break;
  }
  const bool negative = asDouble() < 0, otherNegative = o.asDouble() < 0;
  if (kind_ == NumberKind::DOUBLE || o.kind_ == NumberKind::DOUBLE)
    return asDouble() == o.asDouble();
  return negative == otherNegative && number_.u == o.number_.u;
}

} // namespace poplar
