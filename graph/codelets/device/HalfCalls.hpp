// Functions that convert the compiler's own half type. Compiled code calls these functions if the compiler may not use
// the processor's instructions for such conversions. This text is at the end of each registration unit, after the
// source, so that object files do not depend on whether Registry.hpp was precompiled. The functions check the
// processor, because an object file may run on another processor than the processor that compiled the file.
#if defined(POPSCOPE_NATIVE_HALF) && defined(__x86_64__)
namespace popscope_device {
namespace {
typedef float FourFloats __attribute__((vector_size(16)));
typedef short EightHalves __attribute__((vector_size(16)));
__attribute__((target("f16c"))) float halfToFloatF16c(unsigned short bits) {
  const EightHalves one = {static_cast<short>(bits)};
  return __builtin_ia32_vcvtph2ps(one)[0];
}
__attribute__((target("f16c"))) unsigned short floatToHalfF16c(float value) {
  const FourFloats one = {value};
  return static_cast<unsigned short>(__builtin_ia32_vcvtps2ph(one, 0)[0]); // 0: rounds to nearest even
}
bool askForF16c() {
  unsigned a = 1, b = 0, c = 0, d = 0;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  const unsigned wanted = 7u << 27; // OSXSAVE (the system saves wide registers), AVX, F16C
  if ((c & wanted) != wanted)
    return false;
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & 6u) == 6u;
}
const bool hasF16c = askForF16c();
} // namespace
} // namespace popscope_device
extern "C" {
__attribute__((weak, visibility("hidden"), used)) float __gnu_h2f_ieee(unsigned short bits) {
  return popscope_device::hasF16c ? popscope_device::halfToFloatF16c(bits) : popscope_device::halfToFloat(bits);
}
__attribute__((weak, visibility("hidden"), used)) unsigned short __gnu_f2h_ieee(float value) {
  return popscope_device::hasF16c ? popscope_device::floatToHalfF16c(value) : popscope_device::floatToHalf(value);
}
__attribute__((weak, visibility("hidden"), used)) unsigned short __truncdfhf2(double value) {
  return popscope_device::doubleToHalf(value);
}
}
#endif
