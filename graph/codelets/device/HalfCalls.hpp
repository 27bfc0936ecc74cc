// What the compiler calls to convert its half where the processor has no instruction that it may use. Text at the end
// of each registration unit: behind the source, so that object files do not depend on whether Registry.hpp was
// precompiled.
#if defined(POPSCOPE_NATIVE_HALF) && defined(__x86_64__)
extern "C" {
__attribute__((weak, visibility("hidden"), used)) float __gnu_h2f_ieee(unsigned short bits) {
  return popscope_device::halfToFloat(bits);
}
__attribute__((weak, visibility("hidden"), used)) unsigned short __gnu_f2h_ieee(float value) {
  return popscope_device::floatToHalf(value);
}
__attribute__((weak, visibility("hidden"), used)) unsigned short __truncdfhf2(double value) {
  return popscope_device::doubleToHalf(value);
}
}
#endif
