// libFuzzer target: the reader must read any bytes, or refuse them with its own exception.
#include "tests/fuzz/pop/ReadEverything.hpp"

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  static const std::string path = "/dev/shm/popscope-fuzz-" + std::to_string(::getpid()) + ".pop";
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (file == nullptr)
    return 0;
  std::fwrite(data, 1, size, file);
  std::fclose(file);
  try {
    (void)fuzz::readEverything(path);
  } catch (const std::runtime_error &) { // ProfileError; anything else is a finding
  }
  std::remove(path.c_str());
  return 0;
}
