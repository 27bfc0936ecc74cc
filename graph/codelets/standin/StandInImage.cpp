#include "graph/codelets/standin/StandInImage.hpp"

#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/MetadataField.hpp"
#include "graph/codelets/standin/LibraryCalls.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace popscope {
namespace {

constexpr std::uint64_t kSetupLimit = 10'000'000; // instructions that layout and constructors may take
constexpr std::uint32_t kMaxImageBytes = 1u << 28;

} // namespace

StandInImage::StandInImage(ElfImage image) : image_(std::move(image)) {
  end_ = Rv32::kTrapsEnd;
  for (const ElfSegment &segment : image_.segments)
    end_ = std::max(end_, segment.address + segment.memoryBytes);
  end_ = (end_ + 15u) & ~15u;
  writableFrom_ = end_;
  initial_.resize(end_ - Rv32::kTrapsEnd);
  for (const ElfSegment &segment : image_.segments) {
    std::memcpy(initial_.data() + (segment.address - Rv32::kTrapsEnd), segment.bytes.data(), segment.bytes.size());
    if (segment.writable)
      writableFrom_ = std::min(writableFrom_, segment.address);
  }
  for (const ElfSymbol &symbol : image_.symbols) {
    if (symbol.isFunction)
      functions_[symbol.name] = symbol.address;
    if (symbol.isAbsolute && symbol.address >= Rv32::kTrapsBegin && symbol.address < Rv32::kTrapsEnd)
      traps_[symbol.address] = symbol.name;
  }
  buildNodes();
  runConstructors();
}

Rv32Memory StandInImage::memory(std::uint64_t extra, std::uint32_t &extraBegin) const {
  Rv32Memory memory;
  memory.base = Rv32::kTrapsEnd;
  memory.writableFrom = writableFrom_;
  memory.bytes.reserve(initial_.size() + extra);
  memory.bytes = initial_;
  memory.bytes.resize(initial_.size() + extra);
  extraBegin = end_;
  return memory;
}

std::uint32_t StandInImage::function(const std::string &name) const {
  const auto at = functions_.find(name);
  return at == functions_.end() ? 0 : at->second;
}

const std::string &StandInImage::trapName(std::uint32_t address) const {
  static const std::string none;
  const auto at = traps_.find(address);
  return at == traps_.end() ? none : at->second;
}

void StandInImage::runConstructors() {
  std::uint32_t extra = 0;
  Rv32Memory ram = memory(kStandInStackBytes, extra);
  const Rv32::Trap trap = [&](Rv32 &machine, std::uint32_t address, std::uint64_t &, std::string &problem) {
    LibraryWork work;
    return callLibrary(trapName(address), machine, work, problem) == LibraryCallStatus::Done;
  };
  for (std::uint32_t at = 0; at + 4 <= image_.initArrayBytes && ram.contains(image_.initArray + at, 4); at += 4) {
    Rv32 machine(ram, trap);
    // If a constructor cannot run, its variable stays zero, as on a tile, where no constructor runs.
    machine.call(ram.load(image_.initArray + at, 4), extra + kStandInStackBytes, kSetupLimit);
  }
  std::copy(ram.bytes.begin(), ram.bytes.begin() + static_cast<std::ptrdiff_t>(initial_.size()), initial_.begin());
}

// Calls the function popscope_layout_<index> of the image on the interpreter. The function fills a table: the size of
// the state, the number of fields, then for each field its element size, offset, bytes and alignment. Only the compiler
// of the image knows these figures.
std::string StandInImage::readLayout(unsigned index, const std::vector<unsigned> &order, VertexClass &vertexClass) {
  const std::uint32_t entry = function(fmt::format("popscope_layout_{}", index));
  if (entry == 0 || function(fmt::format("popscope_entry_{}", index)) == 0)
    return "the stand-in image lacks this class";
  std::uint32_t out = 0;
  constexpr std::uint32_t kTableBytes = 64 * 1024;
  Rv32Memory ram = memory(kTableBytes + kStandInStackBytes, out);
  const Rv32::Trap trap = [&](Rv32 &machine, std::uint32_t address, std::uint64_t &, std::string &problem) {
    LibraryWork work; // the function copies large tables with memcpy
    return callLibrary(trapName(address), machine, work, problem) == LibraryCallStatus::Done;
  };
  Rv32 machine(ram, trap);
  machine.x[10] = out;
  const Rv32Outcome outcome = machine.call(entry, out + kTableBytes + kStandInStackBytes, kSetupLimit);
  if (!outcome.completed)
    return "the stand-in's layout table cannot be read: " + outcome.problem;
  const auto word = [&](std::uint32_t i) { return ram.load(out + 4 * i, 4); };
  constexpr std::uint32_t kFirstRow = 3, kRowWords = 5;
  Layout layout;
  layout.stateBytes = word(1);
  std::size_t f = 0;
  for (const unsigned number : order) {
    const std::uint32_t row = kFirstRow + kRowWords * number;
    FieldInfo &field = vertexClass.fields[f++];
    if (number >= word(2) || word(row) == 0 || word(row + 2) != elementBytes(field.type))
      return fmt::format("field '{}' has another size on a 32-bit machine than on this host; use a type of fixed size, "
                         "such as std::uint64_t",
                         field.name);
    layout.fieldOffsets.push_back(word(row + 1));
    if (field.halfAsFloat) // the host's code uses the alignment of a float
      field.minAlign = word(row + 4);
    // A field without a declaration is the metadata pointer at the end of the previous field (LoadLibrary.cpp).
    if (f != vertexClass.fields.size() && vertexClass.fields[f].name == metadataFieldName(field.name)) {
      layout.fieldOffsets.push_back(word(row + 1) + word(row + 3) - 4);
      ++f;
    }
  }
  layouts_[fmt::format("popscope_entry_{}", index)] = std::move(layout);
  return "";
}

std::shared_ptr<StandInImage> loadStandInImage(const std::string &path, std::string &problem) {
  ElfImage image;
  const std::optional<std::string> file = readFile(path);
  if (!file) {
    problem = "the stand-in image cannot be read";
    return nullptr;
  }
  if (!parseElf32(*file, image, problem))
    return nullptr;
  for (const ElfSegment &segment : image.segments)
    if (segment.address < Rv32::kTrapsEnd || segment.memoryBytes < segment.bytes.size() ||
        std::uint64_t(segment.address) + segment.memoryBytes > kMaxImageBytes) {
      problem = "the stand-in image lies outside the stand-in's memory";
      return nullptr;
    }
  return std::make_shared<StandInImage>(std::move(image));
}

} // namespace popscope
