#include "graph/api/ValueConversion.hpp"

#include "base/Check.hpp"
#include "base/ElementKind.hpp"
#include "base/Half.hpp"
#include "base/Quarter.hpp"

#include <poplar/exceptions.hpp>

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <type_traits>

namespace popscope {

namespace {

/// A number of any host or device type, stored without loss.
struct Number {
  enum class Kind { Float, Signed, Unsigned } kind = Kind::Signed;
  double real = 0;
  std::int64_t integer = 0; // for Unsigned, the bits of the unsigned value
};

constexpr double kFirstAboveFloat = 0x1.ffffffp127; // the least number that rounds to infinity

template <class T> T load(const void *p) {
  T v;
  std::memcpy(&v, p, sizeof(T));
  return v;
}
Number real(double v) { return {Number::Kind::Float, v, 0}; }
template <class T> Number integer(const void *p) {
  return {std::is_signed_v<T> ? Number::Kind::Signed : Number::Kind::Unsigned, 0,
          static_cast<std::int64_t>(load<T>(p))};
}

Number readInteger(std::size_t bytes, bool isSigned, const void *p) {
  switch (bytes) {
  case 1: return isSigned ? integer<std::int8_t>(p) : integer<std::uint8_t>(p);
  case 2: return isSigned ? integer<std::int16_t>(p) : integer<std::uint16_t>(p);
  case 4: return isSigned ? integer<std::int32_t>(p) : integer<std::uint32_t>(p);
  case 8: return isSigned ? integer<std::int64_t>(p) : integer<std::uint64_t>(p);
  default: break;
  }
  throw poplar::type_error(fmt::format("Host values of {} bytes cannot be converted to a device type.", bytes));
}

Number readHost(const poplar::TypeTraits &t, const void *p) {
  if (t.isFloat) {
    switch (t.size) {
    case 2: return real(halfToFloat(load<std::uint16_t>(p)));
    case sizeof(float): return real(static_cast<double>(load<float>(p)));
    case sizeof(double): return real(load<double>(p));
    default: return real(static_cast<double>(load<long double>(p)));
    }
  }
  return readInteger(t.size, t.isSigned, p);
}

double asReal(const Number &n) {
  if (n.kind == Number::Kind::Float)
    return n.real;
  return n.kind == Number::Kind::Signed ? static_cast<double>(n.integer)
                                        : static_cast<double>(static_cast<std::uint64_t>(n.integer));
}

std::string text(const Number &n) {
  if (n.kind == Number::Kind::Float)
    return fmt::format("{}", n.real);
  return n.kind == Number::Kind::Signed ? fmt::format("{}", n.integer)
                                        : fmt::format("{}", static_cast<std::uint64_t>(n.integer));
}

/// Returns whether the number, rounded towards zero, lies in [-2^(bits-1), 2^bits): the range of a signed or an
/// unsigned number of `bits` bits.
bool fits(const Number &n, unsigned bits) {
  if (n.kind == Number::Kind::Float)
    return std::trunc(n.real) >= -std::ldexp(1.0, static_cast<int>(bits) - 1) &&
           n.real < std::ldexp(1.0, static_cast<int>(bits));
  if (bits == 64)
    return true;
  const std::uint64_t top = std::uint64_t(1) << bits;
  if (n.kind == Number::Kind::Unsigned || n.integer >= 0)
    return static_cast<std::uint64_t>(n.integer) < top;
  return n.integer >= -static_cast<std::int64_t>(top / 2);
}

/// Returns whether the number lies in [-2^(bits-1), 2^(bits-1)), or in [0, 2^bits) for an unsigned type. Returns false
/// for NaN.
bool isInRange(const Number &n, unsigned bits, bool isSigned) {
  const int magnitude = static_cast<int>(bits) - (isSigned ? 1 : 0);
  if (n.kind == Number::Kind::Float) {
    const double top = std::ldexp(1.0, magnitude), bottom = isSigned ? -top : 0.0;
    return n.real >= bottom && n.real < top;
  }
  const bool negative = n.kind == Number::Kind::Signed && n.integer < 0;
  if (negative)
    return isSigned && (bits == 64 || n.integer >= -(std::int64_t(1) << magnitude));
  return magnitude == 64 || static_cast<std::uint64_t>(n.integer) < std::uint64_t(1) << magnitude;
}

[[noreturn]] void throwUnfit(const std::string &what, const Number &n, ElementType type, const std::string &range) {
  throw poplar::overflow_error(
      fmt::format("{}: the value {} does not fit {}, which holds {}.", what, text(n), elementTypeName(type), range));
}

/// Refuses a finite number that rounds to infinity; infinity itself is a value.
void checkFinite(const std::string &what, const Number &n, ElementType type, double limit, const char *range) {
  const double value = asReal(n);
  if (std::isfinite(value) && std::abs(value) >= limit)
    throwUnfit(what, n, type, range);
}

std::uint64_t asBits(const Number &n) {
  if (n.kind != Number::Kind::Float)
    return static_cast<std::uint64_t>(n.integer);
  return n.real < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(n.real))
                    : static_cast<std::uint64_t>(n.real);
}

template <class T> void store(std::uint8_t *out, T v) { std::memcpy(out, &v, sizeof(T)); }

void writeDevice(ElementType type, const Number &n, std::uint8_t *out, const std::string &what,
                 const poplar::QuarterMetadata *metadata, QuarterOverflow onOverflow) {
  switch (elementKind(type)) {
  case ElementKind::Bool: *out = asReal(n) != 0; return;
  case ElementKind::Float:
    return type == ElementType::Half ? store(out, doubleToHalf(asReal(n))) : store(out, static_cast<float>(asReal(n)));
  case ElementKind::Quarter:
    if (metadata == nullptr)
      throw poplar::type_error(what + ": values cannot be converted to quarter without metadata.");
    *out = doubleToQuarter(asReal(n), *metadata, onOverflow);
    return;
  case ElementKind::Invalid:
    throw poplar::type_error(fmt::format("{}: values cannot be converted to {}.", what, elementTypeName(type)));
  case ElementKind::Signed:
  case ElementKind::Unsigned: break;
  }
  const std::uint32_t bytes = elementBytes(type);
  if (!fits(n, bytes * 8)) // also refuses NaN
    throwUnfit(what, n, type, fmt::format("{} bits", bytes * 8));
  const std::uint64_t bits = asBits(n);
  std::memcpy(out, &bits, bytes); // little-endian, like the modelled machine
}

void checkExactly(ElementType type, const Number &n, const std::string &what) {
  switch (elementKind(type)) {
  case ElementKind::Bool:
    if (asReal(n) != 0 && asReal(n) != 1)
      throwUnfit(what, n, type, "0 and 1");
    return;
  case ElementKind::Float:
    return type == ElementType::Half
               ? checkFinite(what, n, type, 65520, "finite numbers up to 65504")
               : checkFinite(what, n, type, kFirstAboveFloat, "finite numbers up to 3.4028235e+38");
  case ElementKind::Quarter:
  case ElementKind::Invalid: return;
  case ElementKind::Signed:
  case ElementKind::Unsigned: break;
  }
  const unsigned bits = elementBytes(type) * 8;
  const bool isSigned = elementKind(type) == ElementKind::Signed;
  if (!isInRange(n, bits, isSigned))
    throwUnfit(what, n, type,
               isSigned ? fmt::format("-2^{0} to 2^{0} - 1", bits - 1) : fmt::format("0 to 2^{} - 1", bits));
  if (n.kind == Number::Kind::Float && n.real != std::trunc(n.real))
    throwUnfit(what, n, type, "whole numbers");
}

Number readDevice(ElementType type, const std::uint8_t *p, const poplar::QuarterMetadata *metadata) {
  POPSCOPE_CHECK(type != ElementType::Invalid, "read of element type {}", elementTypeName(type));
  if (type == ElementType::Quarter && metadata != nullptr)
    return real(quarterToDouble(*p, *metadata));
  if (elementKind(type) == ElementKind::Float)
    return real(type == ElementType::Half ? halfToFloat(load<std::uint16_t>(p)) : load<float>(p));
  return readInteger(elementBytes(type), elementKind(type) == ElementKind::Signed, p);
}

void writeHost(const poplar::TypeTraits &t, const Number &n, std::uint8_t *out) {
  if (t.isFloat) {
    if (t.size == 2)
      store(out, doubleToHalf(asReal(n)));
    else if (t.size == sizeof(float))
      store(out, static_cast<float>(asReal(n)));
    else if (t.size == sizeof(double))
      store(out, asReal(n));
    else
      store(out, static_cast<long double>(asReal(n)));
    return;
  }
  if (t.isBool)
    return store<std::uint8_t>(out, asReal(n) != 0 ? 1 : 0);
  if (!fits(n, static_cast<unsigned>(t.size) * 8))
    throw poplar::overflow_error(fmt::format("The value {} does not fit a host integer of {} bytes.", text(n), t.size));
  const std::uint64_t bits = asBits(n);
  std::memcpy(out, &bits, t.size);
}

/// Returns whether both sides have the same bits. Copying then keeps NaN payloads and is fast for large constants.
bool sameFormat(ElementType type, const poplar::TypeTraits &t) {
  if (elementKind(type) == ElementKind::Float)
    return t.isFloat && t.size == elementBytes(type);
  return (type == ElementType::Int || type == ElementType::UnsignedInt) && t.isIntegral && t.size == 4 &&
         t.isSigned == (type == ElementType::Int);
}

} // namespace

std::vector<std::uint8_t> toDevice(ElementType type, const poplar::TypeTraits &traits, const void *values,
                                   std::size_t count, const std::string &what, const poplar::QuarterMetadata *metadata,
                                   QuarterOverflow onOverflow) {
  const std::size_t size = elementBytes(type);
  std::vector<std::uint8_t> bytes(size * count);
  if (count == 0)
    return bytes;
  if (sameFormat(type, traits)) {
    std::memcpy(bytes.data(), values, bytes.size());
    return bytes;
  }
  const auto *in = static_cast<const std::uint8_t *>(values);
  for (std::size_t i = 0; i < count; ++i)
    writeDevice(type, readHost(traits, in + i * traits.size), bytes.data() + i * size, what, metadata, onOverflow);
  return bytes;
}

std::vector<std::uint8_t> toDeviceExactly(ElementType type, const poplar::TypeTraits &traits, const void *values,
                                          std::size_t count, const std::string &what,
                                          const poplar::QuarterMetadata *metadata) {
  const auto *in = static_cast<const std::uint8_t *>(values);
  for (std::size_t i = 0; i < count && !sameFormat(type, traits); ++i)
    checkExactly(type, readHost(traits, in + i * traits.size), what);
  return toDevice(type, traits, values, count, what, metadata);
}

void fromDevice(ElementType type, const std::vector<std::uint8_t> &bytes, const poplar::TypeTraits &traits, void *out,
                std::size_t count, const poplar::QuarterMetadata *metadata) {
  const std::size_t size = elementBytes(type);
  POPSCOPE_CHECK(bytes.size() >= size * count, "{} bytes for {} elements", bytes.size(), count);
  auto *to = static_cast<std::uint8_t *>(out);
  for (std::size_t i = 0; i < count; ++i)
    writeHost(traits, readDevice(type, bytes.data() + i * size, metadata), to + i * traits.size);
}

std::vector<std::uint8_t> initialBytes(const TensorData &tensor) {
  return initialBytes(tensor.graph->ir, tensor.view.type, tensor.view);
}

std::vector<std::uint8_t> initialBytes(const GraphIr &ir, ElementType type, const RunList &runs) {
  const std::size_t size = elementBytes(type);
  std::vector<std::uint8_t> bytes(runs.elements() * size, 0);
  std::uint8_t *out = bytes.data();
  for (const ViewRun &run : runs) {
    const std::vector<std::uint8_t> &initial = ir.vars[run.var].initial;
    for (std::uint64_t i = 0; i < run.count; ++i, out += size)
      if (!initial.empty())
        std::memcpy(out, initial.data() + run.at(i) * size, size);
  }
  return bytes;
}

} // namespace popscope
