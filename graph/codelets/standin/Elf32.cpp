#include "graph/codelets/standin/Elf32.hpp"

namespace popscope {
namespace {

constexpr std::uint32_t kSymtab = 2, kRela = 4, kInitArray = 14; // section types
constexpr std::uint32_t kLoadSegment = 1;                        // segment type
constexpr std::uint16_t kAbsoluteSection = 0xfff1;

struct Truncated {};

struct Section {
  std::uint32_t type, address, offset, size, link, entryBytes;
};

class Reader {
public:
  explicit Reader(const std::string &file) : file_(file) {}
  [[nodiscard]] std::uint32_t number(std::uint64_t at, unsigned bytes) const {
    if (at + bytes > file_.size())
      throw Truncated();
    std::uint32_t value = 0;
    for (unsigned i = bytes; i-- > 0;)
      value = (value << 8) | static_cast<unsigned char>(file_[at + i]);
    return value;
  }
  [[nodiscard]] std::uint32_t word(std::uint64_t at) const { return number(at, 4); }
  [[nodiscard]] std::string slice(std::uint64_t at, std::uint64_t bytes) const {
    if (at + bytes > file_.size())
      throw Truncated();
    return file_.substr(at, bytes);
  }
  [[nodiscard]] std::string text(std::uint64_t at) const {
    const std::size_t end = at < file_.size() ? file_.find('\0', at) : std::string::npos;
    if (end == std::string::npos)
      throw Truncated();
    return file_.substr(at, end - at);
  }

private:
  const std::string &file_;
};

std::vector<Section> readSections(const Reader &in) {
  const std::uint32_t table = in.word(32), bytes = in.number(46, 2), count = in.number(48, 2);
  std::vector<Section> sections;
  for (std::uint64_t i = 0; i != count; ++i) {
    const std::uint64_t at = table + i * bytes;
    sections.push_back(
        {in.word(at + 4), in.word(at + 12), in.word(at + 16), in.word(at + 20), in.word(at + 24), in.word(at + 36)});
  }
  return sections;
}

void readSegments(const Reader &in, ElfImage &image) {
  const std::uint32_t table = in.word(28), bytes = in.number(42, 2), count = in.number(44, 2);
  for (std::uint64_t i = 0; i != count; ++i) {
    const std::uint64_t at = table + i * bytes;
    if (in.word(at) != kLoadSegment)
      continue;
    ElfSegment segment;
    segment.address = in.word(at + 8);
    segment.bytes = in.slice(in.word(at + 4), in.word(at + 16));
    segment.memoryBytes = in.word(at + 20);
    segment.writable = (in.word(at + 24) & 2u) != 0;
    image.segments.push_back(std::move(segment));
  }
}

std::vector<ElfSymbol> readSymbols(const Reader &in, const std::vector<Section> &sections, const Section &table) {
  if (table.link >= sections.size())
    throw Truncated();
  const std::uint32_t names = sections[table.link].offset;
  std::vector<ElfSymbol> symbols;
  for (std::uint64_t at = table.offset; at + 16 <= std::uint64_t(table.offset) + table.size; at += 16) {
    ElfSymbol symbol;
    symbol.name = in.text(std::uint64_t(names) + in.word(at));
    symbol.address = in.word(at + 4);
    symbol.bytes = in.word(at + 8);
    const std::uint32_t info = in.number(at + 12, 1), section = in.number(at + 14, 2);
    symbol.isFunction = (info & 15u) == 2;
    symbol.isObject = (info & 15u) == 1;
    symbol.isLocal = (info >> 4) == 0;
    symbol.isAbsolute = section == kAbsoluteSection;
    symbol.isDefined = section != 0;
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

void readRelocations(const Reader &in, const Section &table, ElfImage &image) {
  for (std::uint64_t at = table.offset; at + 12 <= std::uint64_t(table.offset) + table.size; at += 12) {
    const std::uint32_t info = in.word(at + 4), symbol = info >> 8;
    if (symbol >= image.symbols.size())
      throw Truncated();
    image.relocations.push_back({in.word(at), image.symbols[symbol].address + in.word(at + 8), info & 0xffu});
  }
}

} // namespace

bool parseElf32(const std::string &file, ElfImage &image, std::string &problem) {
  constexpr std::uint32_t kRiscv = 243;
  try {
    const Reader in(file);
    if (in.slice(0, 6) != std::string("\x7f"
                                      "ELF\x01\x01",
                                      6) ||
        in.number(18, 2) != kRiscv) {
      problem = "the image is not a 32-bit RISC-V ELF file";
      return false;
    }
    readSegments(in, image);
    const std::vector<Section> sections = readSections(in);
    for (const Section &section : sections) {
      if (section.type == kSymtab)
        image.symbols = readSymbols(in, sections, section);
      if (section.type == kInitArray) {
        image.initArray = section.address;
        image.initArrayBytes = section.size;
      }
    }
    for (const Section &section : sections)
      if (section.type == kRela)
        readRelocations(in, section, image);
  } catch (const Truncated &) {
    problem = "the image is cut off";
    return false;
  }
  return true;
}

} // namespace popscope
