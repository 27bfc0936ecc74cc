// Elf32: the parts of a linked 32-bit little-endian ELF file that the stand-in needs: loadable bytes, symbols, and the
// relocations that the linker kept (--emit-relocs). Popscope also reads the symbols of objects that are not linked yet.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

struct ElfSegment {
  std::uint32_t address = 0, memoryBytes = 0;
  bool writable = false;
  std::string bytes; // the contents; all further bytes, up to memoryBytes, are zero
};
struct ElfSymbol {
  std::string name;
  std::uint32_t address = 0, bytes = 0;
  bool isFunction = false, isObject = false, isAbsolute = false, isLocal = false, isDefined = false;
};
struct ElfRelocation {
  std::uint32_t at = 0, target = 0; // addresses
  std::uint32_t type = 0;
};
struct ElfImage {
  std::vector<ElfSegment> segments;
  std::vector<ElfSymbol> symbols;
  std::vector<ElfRelocation> relocations;
  std::uint32_t initArray = 0, initArrayBytes = 0; // address and size of the array that lists the static constructors
};

/// Parses the bytes `file` into `image`. Returns false, with the reason in `problem`, if `file` is truncated or is not
/// a 32-bit little-endian ELF file for RISC-V.
bool parseElf32(const std::string &file, ElfImage &image, std::string &problem);

} // namespace popscope
