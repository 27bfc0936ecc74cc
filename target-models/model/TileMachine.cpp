#include "target-models/model/TileMachine.hpp"

#include <fmt/format.h>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <cmath>

namespace popscope {
namespace {

// More tiles would not fit the 32-bit ids of (tile, variable) pairs.
constexpr std::uint64_t kMaxTiles = std::uint64_t(1) << 24;
constexpr std::size_t kCopyVertexKinds = 17; // number of CopyVertexKind of the cost model
constexpr std::uint64_t kAddresses = std::uint64_t(1) << 32;
constexpr std::uint64_t kMaxElements = 1u << 16; // memory elements of a tile, which Target lists one by one
constexpr std::uint32_t kMaxWorkers = 256;
constexpr std::uint32_t kMaxReleaseStack = 1u << 20; // the limit of options that set a stack

[[noreturn]] void fail(const std::string &field, const std::string &value, const std::string &limit) {
  throw MachineFieldError(field, fmt::format("is {}; {}", value, limit));
}

void requirePositive(const char *field, std::uint64_t value) {
  if (value == 0)
    fail(field, "0", "it must be at least 1");
}

void requirePositive(const char *field, double value) {
  if (!(value > 0) || !std::isfinite(value))
    fail(field, fmt::format("{}", value), "it must be above 0 and finite");
}

void requireOrdered(const char *low, std::uint32_t lowValue, const char *high, std::uint32_t highValue) {
  if (lowValue > highValue)
    fail(low, std::to_string(lowValue), fmt::format("it must not exceed {} ({})", high, highValue));
}

void requireAtMost(const char *field, std::uint64_t value, std::uint64_t limit) {
  if (value > limit)
    fail(field, std::to_string(value), fmt::format("it must be at most {}", limit));
}

void checkElements(const MemoryRegion &region, std::size_t i) {
  const std::string field = fmt::format("regions/{}/elementSize", i);
  if (region.elementSize != 0 && region.size / region.elementSize > kMaxElements)
    fail(field, std::to_string(region.elementSize),
         fmt::format("a region of {} bytes has at most {} memory elements", region.size, kMaxElements));
  if (region.kind == RegionKind::Overflowed)
    fail(fmt::format("regions/{}/kind", i), "overflowed",
         "overflowed is not a kind of memory, but the addresses past the end of memory");
}

void checkRegions(const TileMachine &m) {
  std::uint64_t at = 0;
  if (m.regions.empty())
    fail("regions", "empty", "a tile needs at least one memory region");
  if (std::none_of(m.regions.begin(), m.regions.end(), [](const MemoryRegion &r) { return r.executable; }))
    fail("regions", fmt::format("{} regions that cannot hold code", m.regions.size()),
         "one of them must be executable");
  requireAtMost("memoryBase", m.memoryBase, kAddresses - std::min<std::uint64_t>(m.bytesPerTile, kAddresses));
  for (std::size_t i = 0; i < m.regions.size(); ++i) {
    const MemoryRegion &region = m.regions[i];
    if (region.offset != at)
      fail(fmt::format("regions/{}/offset", i), std::to_string(region.offset),
           fmt::format("regions must follow each other without a gap or an overlap: {} is expected", at));
    if (region.size == 0)
      fail(fmt::format("regions/{}/size", i), "0", "it must be at least 1");
    if (region.elementSize != 0 && region.offset % region.elementSize != 0 && region.kind == RegionKind::NonInterleaved)
      fail(fmt::format("regions/{}/elementSize", i), std::to_string(region.elementSize),
           "it must divide the region's offset");
    checkElements(region, i);
    at += region.size;
  }
  if (at != m.bytesPerTile)
    fail("bytesPerTile", std::to_string(m.bytesPerTile), fmt::format("the regions cover {} bytes", at));
  if (m.dataStartOffset >= m.bytesPerTile)
    fail("dataStartOffset", std::to_string(m.dataStartOffset),
         fmt::format("it must lie within the tile's {} bytes", m.bytesPerTile));
}

// Checks the numbers of the cost models: positive rates, ordered minimum and maximum, the number of copy vertices, and
// the sizes of stacks. Reports the first mistake with its JSON path.
void checkCosts(const TileMachine &m) {
  requirePositive("exchange/bytesPerCycle", std::uint64_t(m.exchange.bytesPerCycle));
  requirePositive("exchange/tilesPerSharedBus", std::uint64_t(m.exchange.tilesPerSharedBus));
  requirePositive("exchange/maxSendWords", std::uint64_t(m.exchange.maxSendWords));
  requirePositive("host/bytesPerCycle", m.host.bytesPerCycle);
  requirePositive("exchange/latencyExponent", m.exchange.latencyExponent);
  requirePositive("host/singlePacketBytesPerCycle", m.host.singlePacketBytesPerCycle);
  requirePositive("host/maxPacketBytes", std::uint64_t(m.host.maxPacketBytes));
  requirePositive("host/readRequestBytes", std::uint64_t(m.host.readRequestBytes));
  requirePositive("link/bytesPerCycle", m.link.bytesPerCycle);
  requirePositive("link/maxPacketBytes", std::uint64_t(m.link.maxPacketBytes));
  requirePositive("scaledPointerBytes", std::uint64_t(m.scaledPointerBytes));
  requirePositive("instrument/blockRecordBytes", std::uint64_t(m.instrument.blockRecordBytes));
  requirePositive("code/instructionBytes", std::uint64_t(m.code.instructionBytes));
  for (std::size_t i = 0; i != m.link.constraints.size(); ++i)
    requirePositive(fmt::format("link/constraints/{}/bitsPerSecond", i).c_str(), m.link.constraints[i].bitsPerSecond);
  if (m.sync.relativeDelay)
    requireOrdered("sync/minDelayCycles", m.sync.minDelayCycles, "sync/maxDelayCycles", m.sync.maxDelayCycles);
  requireOrdered("exchange/minLatencyCycles", m.exchange.minLatencyCycles, "exchange/maxLatencyCycles",
                 m.exchange.maxLatencyCycles);
  requireOrdered("device/minExchangeLatencyCycles", m.device.minExchangeLatencyCycles,
                 "device/maxExchangeLatencyCycles", m.device.maxExchangeLatencyCycles);
  if (m.copyVertices.size() != kCopyVertexKinds)
    fail("copyVertices", fmt::format("{} entries long", m.copyVertices.size()),
         fmt::format("it must have {}", kCopyVertexKinds));
  for (std::size_t i = 0; i != m.copyVertices.size(); ++i)
    requirePositive(fmt::format("copyVertices/{}/bytesPerStep", i).c_str(),
                    std::uint64_t(m.copyVertices[i].bytesPerStep));
  for (const StackModel &stack : {m.releaseStacks.fixed, m.releaseStacks.linked}) {
    requireAtMost("releaseStacks/*/workerBytes", stack.workerBytes, kMaxReleaseStack);
    requireAtMost("releaseStacks/*/supervisorBytes", stack.supervisorBytes, kMaxReleaseStack);
  }
  const std::uint64_t stacks = std::uint64_t(m.workerContexts) * m.stack.workerBytes + m.stack.supervisorBytes;
  if (stacks > m.bytesPerTile)
    fail("stack/workerBytes", std::to_string(m.stack.workerBytes),
         fmt::format("the stacks of {} workers and the supervisor take {} bytes, a tile has {}", m.workerContexts,
                     stacks, m.bytesPerTile));
}

} // namespace

void validateTileMachine(const TileMachine &m) {
  requirePositive("numIpus", std::uint64_t(m.numIpus));
  requirePositive("tilesPerIpu", std::uint64_t(m.tilesPerIpu));
  if (std::uint64_t(m.numIpus) * m.tilesPerIpu > kMaxTiles)
    fail("numIpus times tilesPerIpu", std::to_string(std::uint64_t(m.numIpus) * m.tilesPerIpu),
         fmt::format("at most {} tiles can be modelled", kMaxTiles));
  requirePositive("workerContexts", std::uint64_t(m.workerContexts));
  requireAtMost("workerContexts", m.workerContexts, kMaxWorkers);
  requirePositive("bytesPerTile", std::uint64_t(m.bytesPerTile));
  requireAtMost("dataPathBits", m.dataPathBits, 4096);
  requireAtMost("numStrideBits", m.numStrideBits, 32);
  requirePositive("memcpyBytesPerCycle", std::uint64_t(m.memcpyBytesPerCycle));
  requirePositive("atomicStoreGranularity", std::uint64_t(m.atomicStoreGranularity));
  requirePositive("clockHz", m.clockHz);
  requirePositive("standIn/floatDivideSlots", std::uint64_t(m.standIn.floatDivideSlots));
  if (m.dataPathBits < 32 || m.dataPathBits % 32 != 0)
    fail("dataPathBits", std::to_string(m.dataPathBits), "it must be a multiple of 32 bits");
  checkRegions(m);
  checkCosts(m);
}

void becomeDevice(TileMachine &machine) {
  const DeviceModel &device = machine.device;
  machine.kind = DeviceKind::Ipu;
  machine.compileIpuCode = true;
  if (device.hostBytesPerCycle == 0)
    return;
  machine.host.bytesPerCycle = device.hostBytesPerCycle;
  machine.host.setupCycles = device.hostSetupCycles;
  machine.host.beginCycles = device.hostBeginCycles;
  machine.host.endCycles = device.hostEndCycles;
  machine.exchange.minLatencyCycles = device.minExchangeLatencyCycles;
  machine.exchange.maxLatencyCycles = device.maxExchangeLatencyCycles;
}

void placeMemoryElements(TileMachine &m) {
  m.elementOffsets.clear();
  m.interleavedElementIndex = 0;
  bool interleavedFound = false;
  for (const MemoryRegion &region : m.regions) {
    if (region.kind == RegionKind::Interleaved && !interleavedFound) {
      m.interleavedElementIndex = static_cast<std::uint32_t>(m.elementOffsets.size());
      interleavedFound = true;
    }
    for (std::uint64_t at = 0; region.elementSize != 0 && at < region.size; at += region.elementSize)
      m.elementOffsets.push_back(m.memoryBase + region.offset + static_cast<std::uint32_t>(at));
  }
  if (!interleavedFound)
    m.interleavedElementIndex = static_cast<std::uint32_t>(m.elementOffsets.size());
}

void setTileMemory(TileMachine &machine, std::uint32_t bytes) {
  machine.bytesPerTile = bytes;
  std::erase_if(machine.regions, [&](const MemoryRegion &region) { return region.offset >= bytes; });
  if (!machine.regions.empty())
    machine.regions.back().size = bytes - machine.regions.back().offset;
  placeMemoryElements(machine);
}

} // namespace popscope
