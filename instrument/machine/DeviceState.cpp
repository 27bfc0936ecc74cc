#include "instrument/machine/DeviceState.hpp"

#include "base/Check.hpp"

#include <cstring>
#include <numeric>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

// Home indices ordered by tile, then by id: a counting sort, because there may be millions.
std::vector<std::uint32_t> homesByTile(const StepProgram &program) {
  std::vector<std::uint32_t> start(program.numTiles + 1, 0);
  for (const Home &home : program.homes) {
    POPSCOPE_CHECK(home.tile.index() < program.numTiles, "a home of '{}' is on tile {} of {}",
                   program.names[program.vars[home.var].name], home.tile.index(), program.numTiles);
    ++start[home.tile.index() + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::uint32_t> order(program.homes.size());
  for (std::uint32_t h = 0; h < program.homes.size(); ++h)
    order[start[program.homes[HomeId(h)].tile.index()]++] = h;
  return order;
}

template <class T> std::int64_t load(const std::uint8_t *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<std::int64_t>(value);
}

} // namespace

DeviceState::DeviceState(const StepProgram &program, std::uint32_t replica) : homes_(program.homes.size(), nullptr) {
  const auto order = homesByTile(program);
  std::uint64_t total = kHomeAlignment;
  for (const std::uint32_t h : order)
    total += roundUp(program.homeBytes(HomeId(h)) + kHomeSlack, kHomeAlignment);
  // calloc: pages of memory that the program never touches cost nothing.
  arena_.reset(std::calloc(total, 1));
  if (!arena_)
    throw poplar::poplar_error(fmt::format("The host cannot allocate {} bytes for the memory of {} tiles ({} variables on "
                                           "tiles). Use a smaller model or a host with more memory.",
                                           total, program.numTiles, program.homes.size()));
  auto *next = static_cast<std::uint8_t *>(arena_.get());
  next += roundUp(reinterpret_cast<std::uintptr_t>(next), kHomeAlignment) - reinterpret_cast<std::uintptr_t>(next);
  for (const std::uint32_t h : order) {
    homes_[HomeId(h)] = next;
    next += roundUp(program.homeBytes(HomeId(h)) + kHomeSlack, kHomeAlignment);
  }
  copyInitialData(program, replica);
}

void DeviceState::copyInitialData(const StepProgram &program, std::uint32_t replica) {
  for (const StepVar &var : program.vars) {
    if (var.replicaIndex) {
      for (std::uint32_t h = var.firstHome; h < var.firstHome + var.numHomes; ++h)
        std::memcpy(at(HomeId(h)), &replica, sizeof replica);
      continue;
    }
    if (var.initialData < 0)
      continue;
    const std::uint64_t size = elementBytes(var.type);
    const std::uint64_t first = static_cast<std::uint64_t>(var.initialData);
    POPSCOPE_CHECK(first + var.elements * size <= program.data.size(), "initial data of '{}' ends after the data table",
                   program.names[var.name]);
    for (std::uint32_t p = var.firstPiece; p < var.firstPiece + var.numPieces; ++p) {
      const Piece &piece = program.pieces[p];
      std::memcpy(at(piece.home, piece.homeElement * size), program.data.data() + first + piece.elements.begin * size,
                  (piece.elements.end - piece.elements.begin) * size);
    }
  }
}

void DeviceState::read(const HomeBytes &from, void *to) const {
  if (from.bytes != 0)
    std::memcpy(to, at(from.home, from.offset), from.bytes);
}

void DeviceState::write(const HomeBytes &to, const void *from) const {
  if (to.bytes != 0)
    std::memcpy(at(to.home, to.offset), from, to.bytes);
}

std::int64_t DeviceState::readInteger(const HomeBytes &element, ElementType type) const {
  const std::uint8_t *from = at(element.home, element.offset);
  switch (type) {
  case ElementType::Bool: return *from != 0 ? 1 : 0;
  case ElementType::Char: case ElementType::SignedChar: return load<std::int8_t>(from);
  case ElementType::UnsignedChar: return load<std::uint8_t>(from);
  case ElementType::Short: return load<std::int16_t>(from);
  case ElementType::UnsignedShort: return load<std::uint16_t>(from);
  case ElementType::Int: return load<std::int32_t>(from);
  case ElementType::UnsignedInt: return load<std::uint32_t>(from);
  case ElementType::Long: case ElementType::LongLong: return load<std::int64_t>(from);
  case ElementType::UnsignedLong: case ElementType::UnsignedLongLong: return load<std::int64_t>(from);
  default: break;
  }
  POPSCOPE_CHECK(false, "a control value of type {} is not an integer", elementTypeName(type));
  return 0;
}

} // namespace popscope
