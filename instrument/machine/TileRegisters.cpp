#include "instrument/machine/TileRegisters.hpp"

#include "base/Check.hpp"

#include <algorithm>
#include <cstring>

namespace popscope {
namespace {

/// Returns well mixed bits of a counter (the finaliser of SplitMix64).
std::uint32_t mixed(std::uint64_t i) {
  i = (i + 1) * 0x9e3779b97f4a7c15ULL;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9ULL;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<std::uint32_t>(i ^ (i >> 31));
}

} // namespace

TileRegisters::TileRegisters(const StepProgram &program, std::uint32_t workers, std::uint32_t replica,
                             std::uint32_t fpControl, std::uint64_t seed)
    : program_(program), workers_(workers), fpControlAtFirst_(fpControl) {
  bool anyOther = false;
  for (const TileRegisterStep &step : program.tileRegisters)
    (step.reg == TileRegister::CycleCounter ? readsCycles_ : anyOther) = true;
  if (!anyOther)
    return;
  const std::uint64_t start = (seed << 32U) + (seed >> 32U) * 0x9e3779b97f4a7c15ULL; // all 64 bits count
  seeds_.resize(std::size_t(program.numTiles) * tileRegisterWords(TileRegister::Seeds, workers));
  for (std::size_t i = 0; i < seeds_.size(); ++i)
    seeds_[i] = mixed(start + std::uint64_t(replica) * seeds_.size() + i);
  fpControl_.resize(program.numTiles, fpControl);
}

std::uint32_t *TileRegisters::words(TileRegister reg, TileId tile) {
  std::vector<std::uint32_t> &all = reg == TileRegister::Seeds ? seeds_ : fpControl_;
  return all.data() + std::size_t(tile.index()) * tileRegisterWords(reg, workers_);
}

void TileRegisters::run(const TileRegisterStep &step, const DeviceState &state, std::span<const Cycles> now) {
  if (step.reg == TileRegister::CycleCounter)
    readCycles(step, state, now);
  else if (step.write && step.pieces.empty())
    change(step);
  else
    move(step, state);
}

void TileRegisters::readCycles(const TileRegisterStep &step, const DeviceState &state,
                               std::span<const Cycles> now) const {
  POPSCOPE_CHECK(!step.write && !step.pieces.empty(), "the cycle counter is read only");
  std::uint64_t since = 0;
  auto *at = reinterpret_cast<std::uint8_t *>(&since);
  for (const HomeBytes &piece : step.since) {
    state.read(piece, at);
    at += piece.bytes.count();
  }
  const std::uint64_t count = (earlier_ + now[program_.homes[step.pieces.front().home].tile.index()]).count() - since;
  const auto *from = reinterpret_cast<const std::uint8_t *>(&count); // low word first, as on the modelled machine
  for (const HomeBytes &piece : step.pieces) {
    state.write(piece, from);
    from += piece.bytes.count();
  }
}

void TileRegisters::move(const TileRegisterStep &step, const DeviceState &state) {
  std::vector<Bytes> done(program_.numTiles); // per tile: bytes of its register that are already moved
  const Bytes size(sizeof(std::uint32_t) * tileRegisterWords(step.reg, workers_));
  for (const HomeBytes &piece : step.pieces) {
    const TileId tile = program_.homes[piece.home].tile;
    Bytes &at = done[tile.index()];
    POPSCOPE_CHECK(at + piece.bytes <= size, "{} bytes for register {} of tile {}, which has {}",
                   (at + piece.bytes).count(), tileRegisterName(step.reg), tile.index(), size.count());
    std::uint8_t *reg = reinterpret_cast<std::uint8_t *>(words(step.reg, tile)) + at.count();
    if (step.write)
      state.read(piece, reg);
    else
      state.write(piece, reg);
    at += piece.bytes;
  }
}

void TileRegisters::change(const TileRegisterStep &step) {
  const auto changeOne = [&](TileId tile) {
    std::uint32_t *reg = words(step.reg, tile);
    for (std::uint32_t w = 0; w < tileRegisterWords(step.reg, workers_); ++w)
      reg[w] = (reg[w] & ~step.clearBits) | step.setBits;
  };
  std::for_each(step.tiles.begin(), step.tiles.end(), changeOne);
  if (step.tiles.empty())
    for (std::uint32_t t = 0; t < program_.numTiles; ++t)
      changeOne(TileId(t));
}

void TileRegisters::endRun(std::span<const Cycles> now) {
  if (readsCycles_)
    earlier_ += *std::max_element(now.begin(), now.end());
}

} // namespace popscope
