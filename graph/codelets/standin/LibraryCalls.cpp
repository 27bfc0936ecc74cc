#include "graph/codelets/standin/LibraryCalls.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <poplar/IeeeHalf.hpp>
#include <unordered_map>

namespace popscope {
namespace {

constexpr unsigned kA0 = 10, kFa0 = 10;

template <class T> T pairAt(const Rv32 &m, unsigned reg) {
  const std::uint64_t bits = (static_cast<std::uint64_t>(m.x[reg + 1]) << 32) | m.x[reg];
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T> void setPair(Rv32 &m, T value) {
  static_assert(sizeof(T) == 8);
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  m.x[kA0] = static_cast<std::uint32_t>(bits);
  m.x[kA0 + 1] = static_cast<std::uint32_t>(bits >> 32);
}
void setInt(Rv32 &m, std::int64_t value) { m.x[kA0] = static_cast<std::uint32_t>(value); }
double d0(const Rv32 &m) { return pairAt<double>(m, kA0); }
double d1(const Rv32 &m) { return pairAt<double>(m, kA0 + 2); }
std::int64_t l0(const Rv32 &m) { return pairAt<std::int64_t>(m, kA0); }
std::int64_t l1(const Rv32 &m) { return pairAt<std::int64_t>(m, kA0 + 2); }
std::uint64_t u0(const Rv32 &m) { return pairAt<std::uint64_t>(m, kA0); }
std::uint64_t u1(const Rv32 &m) { return pairAt<std::uint64_t>(m, kA0 + 2); }
float f0(const Rv32 &m) { return m.floatOf(kFa0); }
float f1(const Rv32 &m) { return m.floatOf(kFa0 + 1); }
std::int32_t i0(const Rv32 &m) { return static_cast<std::int32_t>(m.x[kA0]); }

/// Converts to an integer. A value outside the range becomes the nearest bound, and NaN becomes 0.
template <class To> To saturate(double value) {
  constexpr double low = static_cast<double>(std::numeric_limits<To>::min());
  constexpr double high = static_cast<double>(std::numeric_limits<To>::max());
  if (std::isnan(value))
    return 0;
  return value <= low    ? std::numeric_limits<To>::min()
         : value >= high ? std::numeric_limits<To>::max()
                         : static_cast<To>(value);
}

using Native = void (*)(Rv32 &);
using NativeTable = std::unordered_map<std::string, Native>;

template <float (*Function)(float)> void unary(Rv32 &m) { m.setFloat(kFa0, Function(f0(m))); }
template <float (*Function)(float, float)> void binary(Rv32 &m) { m.setFloat(kFa0, Function(f0(m), f1(m))); }
template <double (*Function)(double)> void unaryDouble(Rv32 &m) { setPair(m, Function(d0(m))); }
template <double (*Function)(double, double)> void binaryDouble(Rv32 &m) { setPair(m, Function(d0(m), d1(m))); }

NativeTable floatFunctions() {
  return {{"expf", unary<::expf>},
          {"exp2f", unary<::exp2f>},
          {"expm1f", unary<::expm1f>},
          {"logf", unary<::logf>},
          {"log2f", unary<::log2f>},
          {"log10f", unary<::log10f>},
          {"log1pf", unary<::log1pf>},
          {"sqrtf", unary<::sqrtf>},
          {"cbrtf", unary<::cbrtf>},
          {"sinf", unary<::sinf>},
          {"cosf", unary<::cosf>},
          {"tanf", unary<::tanf>},
          {"asinf", unary<::asinf>},
          {"acosf", unary<::acosf>},
          {"atanf", unary<::atanf>},
          {"sinhf", unary<::sinhf>},
          {"coshf", unary<::coshf>},
          {"tanhf", unary<::tanhf>},
          {"erff", unary<::erff>},
          {"erfcf", unary<::erfcf>},
          {"floorf", unary<::floorf>},
          {"ceilf", unary<::ceilf>},
          {"truncf", unary<::truncf>},
          {"roundf", unary<::roundf>},
          {"rintf", unary<::rintf>},
          {"fabsf", unary<::fabsf>},
          {"nearbyintf", unary<::nearbyintf>},
          {"powf", binary<::powf>},
          {"fmodf", binary<::fmodf>},
          {"atan2f", binary<::atan2f>},
          {"hypotf", binary<::hypotf>},
          {"fminf", binary<::fminf>},
          {"fmaxf", binary<::fmaxf>},
          {"remainderf", binary<::remainderf>},
          {"copysignf", binary<::copysignf>},
          {"fmaf", [](Rv32 &m) { m.setFloat(kFa0, std::fma(f0(m), f1(m), m.floatOf(kFa0 + 2))); }},
          {"ldexpf", [](Rv32 &m) { m.setFloat(kFa0, std::ldexp(f0(m), i0(m))); }},
          {"scalbnf", [](Rv32 &m) { m.setFloat(kFa0, std::ldexp(f0(m), i0(m))); }}};
}

NativeTable doubleFunctions() {
  return {{"exp", unaryDouble<::exp>},      {"log", unaryDouble<::log>},     {"log2", unaryDouble<::log2>},
          {"sqrt", unaryDouble<::sqrt>},    {"sin", unaryDouble<::sin>},     {"cos", unaryDouble<::cos>},
          {"tan", unaryDouble<::tan>},      {"tanh", unaryDouble<::tanh>},   {"atan", unaryDouble<::atan>},
          {"floor", unaryDouble<::floor>},  {"ceil", unaryDouble<::ceil>},   {"fabs", unaryDouble<::fabs>},
          {"trunc", unaryDouble<::trunc>},  {"round", unaryDouble<::round>}, {"pow", binaryDouble<::pow>},
          {"fmod", binaryDouble<::fmod>},   {"fmin", binaryDouble<::fmin>},  {"fmax", binaryDouble<::fmax>},
          {"atan2", binaryDouble<::atan2>}, {"hypot", binaryDouble<::hypot>}};
}

/// Returns the three-way result of a comparison helper, of which only the sign counts. For NaN, returns `unordered`,
/// which makes the caller's test false.
int compare(const Rv32 &m, int unordered) {
  const double a = d0(m), b = d1(m);
  return std::isnan(a) || std::isnan(b) ? unordered : (a > b) - (a < b);
}

NativeTable doubleHelpers() {
  return {{"__adddf3", [](Rv32 &m) { setPair(m, d0(m) + d1(m)); }},
          {"__subdf3", [](Rv32 &m) { setPair(m, d0(m) - d1(m)); }},
          {"__muldf3", [](Rv32 &m) { setPair(m, d0(m) * d1(m)); }},
          {"__divdf3", [](Rv32 &m) { setPair(m, d0(m) / d1(m)); }},
          {"__negdf2", [](Rv32 &m) { setPair(m, -d0(m)); }},
          {"__eqdf2", [](Rv32 &m) { setInt(m, compare(m, 1)); }},
          {"__nedf2", [](Rv32 &m) { setInt(m, compare(m, 1)); }},
          {"__ltdf2", [](Rv32 &m) { setInt(m, compare(m, 1)); }},
          {"__ledf2", [](Rv32 &m) { setInt(m, compare(m, 1)); }},
          {"__gtdf2", [](Rv32 &m) { setInt(m, compare(m, -1)); }},
          {"__gedf2", [](Rv32 &m) { setInt(m, compare(m, -1)); }},
          {"__unorddf2", [](Rv32 &m) { setInt(m, std::isnan(d0(m)) || std::isnan(d1(m))); }},
          {"__extendsfdf2", [](Rv32 &m) { setPair(m, static_cast<double>(f0(m))); }},
          {"__truncdfsf2", [](Rv32 &m) { m.setFloat(kFa0, static_cast<float>(d0(m))); }},
          {"__fixdfsi", [](Rv32 &m) { setInt(m, saturate<std::int32_t>(d0(m))); }},
          {"__fixunsdfsi", [](Rv32 &m) { setInt(m, saturate<std::uint32_t>(d0(m))); }},
          {"__floatsidf", [](Rv32 &m) { setPair(m, static_cast<double>(i0(m))); }},
          {"__floatunsidf", [](Rv32 &m) { setPair(m, static_cast<double>(m.x[kA0])); }}};
}

NativeTable wideHelpers() {
  return {
      {"__muldi3", [](Rv32 &m) { setPair(m, u0(m) * u1(m)); }},
      {"__udivdi3", [](Rv32 &m) { setPair(m, u1(m) == 0 ? ~std::uint64_t(0) : u0(m) / u1(m)); }},
      {"__umoddi3", [](Rv32 &m) { setPair(m, u1(m) == 0 ? u0(m) : u0(m) % u1(m)); }},
      {"__divdi3", [](Rv32 &m) { setPair(m, l1(m) == 0 || l1(m) == -1 ? std::int64_t(0 - u0(m)) : l0(m) / l1(m)); }},
      {"__moddi3", [](Rv32 &m) { setPair(m, l1(m) == 0 || l1(m) == -1 ? std::int64_t(0) : l0(m) % l1(m)); }},
      {"__ashldi3", [](Rv32 &m) { setPair(m, u0(m) << (m.x[kA0 + 2] & 63u)); }},
      {"__lshrdi3", [](Rv32 &m) { setPair(m, u0(m) >> (m.x[kA0 + 2] & 63u)); }},
      {"__ashrdi3", [](Rv32 &m) { setPair(m, l0(m) >> (m.x[kA0 + 2] & 63u)); }},
      {"__fixsfdi", [](Rv32 &m) { setPair(m, saturate<std::int64_t>(static_cast<double>(f0(m)))); }},
      {"__fixunssfdi", [](Rv32 &m) { setPair(m, saturate<std::uint64_t>(static_cast<double>(f0(m)))); }},
      {"__fixdfdi", [](Rv32 &m) { setPair(m, saturate<std::int64_t>(d0(m))); }},
      {"__fixunsdfdi", [](Rv32 &m) { setPair(m, saturate<std::uint64_t>(d0(m))); }},
      {"__floatdisf", [](Rv32 &m) { m.setFloat(kFa0, static_cast<float>(l0(m))); }},
      {"__floatundisf", [](Rv32 &m) { m.setFloat(kFa0, static_cast<float>(u0(m))); }},
      {"__floatdidf", [](Rv32 &m) { setPair(m, static_cast<double>(l0(m))); }},
      {"__floatundidf", [](Rv32 &m) { setPair(m, static_cast<double>(u0(m))); }},
      {"__fixhfdi", [](Rv32 &m) { setPair(m, saturate<std::int64_t>(static_cast<double>(m.halfOf(kFa0)))); }},
      {"__fixunshfdi", [](Rv32 &m) { setPair(m, saturate<std::uint64_t>(static_cast<double>(m.halfOf(kFa0)))); }},
      {"__floatdihf", [](Rv32 &m) { m.setHalf(kFa0, static_cast<double>(l0(m))); }},
      {"__floatundihf", [](Rv32 &m) { m.setHalf(kFa0, static_cast<double>(u0(m))); }},
      // Codelets that were compiled before the stand-in had halves call these two functions.
      {"__extendhfsf2",
       [](Rv32 &m) { m.setFloat(kFa0, popscope_device::halfToFloat(static_cast<std::uint16_t>(m.x[kA0]))); }},
      {"__truncsfhf2", [](Rv32 &m) { m.x[kA0] = popscope_device::floatToHalf(f0(m)); }},
      {"__truncdfhf2", [](Rv32 &m) {
         m.setHalf(kFa0, d0(m));
         m.x[kA0] = m.f[kFa0] & 0xffffu; // codelets without halves look for the result there
       }}};
}

/// Returns functions that print nothing, because a codelet prints when it runs and not when it is measured.
NativeTable silentFunctions() {
  return {{"printf", [](Rv32 &m) { setInt(m, 0); }}, {"puts", [](Rv32 &m) { setInt(m, 0); }}, {"putchar", [](Rv32 &m) {
                                                                                                 setInt(m, 0);
                                                                                               }}};
}

struct LibraryFunction {
  Native run = nullptr;
  std::uint64_t flops = 0;
};

/// Returns all functions. A mathematical function counts as one operation, like an instruction. Rounding, conversions,
/// comparisons and changes of sign count as no operation.
std::unordered_map<std::string, LibraryFunction> allFunctions() {
  std::unordered_map<std::string, LibraryFunction> all;
  const auto add = [&all](const NativeTable &table, std::uint64_t flops) {
    for (const auto &[name, run] : table)
      all[name] = {run, flops};
  };
  add(floatFunctions(), 1);
  add(doubleFunctions(), 1);
  add(doubleHelpers(), 0);
  add(wideHelpers(), 0);
  add(silentFunctions(), 0);
  for (const char *name : {"floorf", "ceilf", "truncf", "roundf", "rintf", "nearbyintf", "fabsf", "copysignf", "ldexpf",
                           "scalbnf", "floor", "ceil", "trunc", "round", "fabs"})
    all.at(name).flops = 0;
  for (const char *name : {"__adddf3", "__subdf3", "__muldf3", "__divdf3"})
    all.at(name).flops = 1;
  all.at("fmaf").flops = 2;
  return all;
}

LibraryCallStatus memoryFunction(const std::string &function, Rv32 &m, LibraryWork &work, std::string &problem) {
  const bool set = function == "memset";
  if (!set && function != "memcpy" && function != "memmove")
    return LibraryCallStatus::Unknown;
  Rv32Memory &memory = m.memory();
  const std::uint32_t to = m.x[kA0], from = m.x[kA0 + 1], count = m.x[kA0 + 2];
  work.words = (static_cast<std::uint64_t>(count) + 3) / 4;
  if (count == 0)
    return LibraryCallStatus::Done;
  if (!memory.contains(to, count) || to < memory.writableFrom || (!set && !memory.contains(from, count))) {
    problem = function + " of " + std::to_string(count) + " bytes reaches outside the memory";
    return LibraryCallStatus::Failed;
  }
  if (set)
    std::memset(memory.at(to), static_cast<int>(from & 0xffu), count);
  else
    std::memmove(memory.at(to), memory.at(from), count);
  return LibraryCallStatus::Done;
}

} // namespace

LibraryCallStatus callLibrary(const std::string &function, Rv32 &machine, LibraryWork &work, std::string &problem) {
  static const auto table = allFunctions();
  work = {};
  if (function == "abort" || function.rfind("__assert", 0) == 0) {
    problem = "the codelet called " + function;
    return LibraryCallStatus::Failed;
  }
  const auto at = table.find(function);
  if (at == table.end())
    return memoryFunction(function, machine, work, problem);
  at->second.run(machine);
  work.flops = at->second.flops;
  return LibraryCallStatus::Done;
}

} // namespace popscope
