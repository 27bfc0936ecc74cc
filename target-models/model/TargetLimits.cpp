// The getters of poplar::Target that return numbers of the machine.
#include "base/ElementKind.hpp"
#include "base/PublicTypes.hpp"
#include "target-models/model/TargetData.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <poplar/exceptions.hpp>

namespace poplar {

using popscope::ElementKind;
using popscope::elementType;
using popscope::ElementType;
using popscope::kFpDivideByZero;
using popscope::kFpInvalid;
using popscope::kFpNanOnOverflow;
using popscope::kFpOverflow;
using popscope::kFpStochasticRounding;
using popscope::machineOf;

namespace {

[[noreturn]] void noSuchType(const char *what, const Type &type) {
  throw type_error(
      fmt::format("{} exists for float, half and quarter, not for {}", what, type.toString().cloneAsString()));
}

unsigned vectorWidth(const Target &target, unsigned elementBytes) {
  const unsigned width = machineOf(target).dataPathBits / (8 * elementBytes);
  return width == 0 ? 1 : width;
}

} // namespace

unsigned Target::getNumIPUs() const { return machineOf(*this).numIpus; }
unsigned Target::getTilesPerIPU() const { return machineOf(*this).tilesPerIpu; }
unsigned Target::getNumTiles() const { return machineOf(*this).numTiles(); }
unsigned Target::getNumWorkerContexts() const { return machineOf(*this).workerContexts; }
double Target::getTileClockFrequency() const { return machineOf(*this).clockHz; }

unsigned Target::getBytesPerTile() const { return machineOf(*this).bytesPerTile; }
std::uint64_t Target::getMemoryBytes() const { return std::uint64_t(getNumTiles()) * getBytesPerTile(); }
std::size_t Target::getTypeSize(const Type &type) const {
  data(); // an empty target has no sizes
  const std::size_t bytes = popscope::elementBytes(elementType(type));
  if (bytes == 0)
    throw type_error("the invalid type has no size; a default-constructed poplar::Type was given");
  return bytes;
}
std::size_t Target::getAtomicStoreGranularity() const { return machineOf(*this).atomicStoreGranularity; }
const std::vector<unsigned> &Target::getMemoryElementOffsets() const { return machineOf(*this).elementOffsets; }
unsigned Target::getInterleavedMemoryElementIndex() const { return machineOf(*this).interleavedElementIndex; }
std::tuple<unsigned, unsigned> Target::getBankInfo() const {
  const popscope::TileMachine &m = machineOf(*this);
  const unsigned size = m.regions.empty() ? 0 : m.regions.front().elementSize;
  return std::make_tuple(size == 0 ? 0 : m.bytesPerTile / size, size);
}

unsigned Target::getExchangeBytesPerCycle() const { return machineOf(*this).exchange.bytesPerCycle; }
unsigned Target::getMemcpyBytesPerCycle() const { return machineOf(*this).memcpyBytesPerCycle; }
bool Target::supportsExchangeBusSharing() const { return machineOf(*this).exchange.busSharing; }
unsigned Target::getTilesPerSharedExchangeBus() const { return machineOf(*this).exchange.tilesPerSharedBus; }
unsigned Target::getNumMultiplexers() const { return machineOf(*this).tilesPerIpu; }
unsigned Target::getMinIPUSyncDelay() const { return machineOf(*this).sync.minDelayCycles; }
unsigned Target::getMaxIPUSyncDelay() const {
  const popscope::SyncModel &sync = machineOf(*this).sync;
  return sync.relativeDelay ? sync.maxDelayCycles : sync.minDelayCycles;
}
double Target::getGlobalSyncCycles() const { return machineOf(*this).sync.globalCycles; }

unsigned Target::getDataPathWidth() const { return machineOf(*this).dataPathBits; }
unsigned Target::getFloatVectorWidth() const { return vectorWidth(*this, 4); }
unsigned Target::getHalfVectorWidth() const { return vectorWidth(*this, 2); }
unsigned Target::getQuarterVectorWidth() const { return vectorWidth(*this, 1); }
unsigned Target::getVectorWidth(const Type &type) const {
  return vectorWidth(*this, static_cast<unsigned>(getTypeSize(type)));
}
unsigned Target::getNumStrideBits() const { return machineOf(*this).numStrideBits; }
unsigned Target::getRptCountMax() const { return machineOf(*this).rptCountMax; }

unsigned Target::getFp8ConvUnitMaxPipelineDepth() const { return machineOf(*this).fp8ConvUnitMaxPipelineDepth; }
unsigned Target::getFp16ConvUnitMaxPipelineDepth() const { return machineOf(*this).fp16ConvUnitMaxPipelineDepth; }
unsigned Target::getFp32ConvUnitMaxPipelineDepth() const { return machineOf(*this).fp32ConvUnitMaxPipelineDepth; }
unsigned Target::getConvUnitMaxPipelineDepth(Type type) const {
  if (type == FLOAT)
    return getFp32ConvUnitMaxPipelineDepth();
  if (type == HALF)
    return getFp16ConvUnitMaxPipelineDepth();
  if (type == QUARTER)
    return getFp8ConvUnitMaxPipelineDepth();
  noSuchType("the pipeline depth of convolution units", type);
}

unsigned Target::getFp8ConvUnitInputLoadElemsPerCycle() const {
  return machineOf(*this).fp8ConvUnitInputLoadElemsPerCycle;
}
unsigned Target::getFp16ConvUnitInputLoadElemsPerCycle() const {
  return machineOf(*this).fp16ConvUnitInputLoadElemsPerCycle;
}
unsigned Target::getFp32ConvUnitInputLoadElemsPerCycle() const {
  return machineOf(*this).fp32ConvUnitInputLoadElemsPerCycle;
}
unsigned Target::getConvUnitInputLoadElemsPerCycle(bool floatActivations) const {
  return getConvUnitInputLoadElemsPerCycle(floatActivations ? FLOAT : HALF);
}
unsigned Target::getConvUnitInputLoadElemsPerCycle(const Type &type) const {
  if (type == FLOAT)
    return getFp32ConvUnitInputLoadElemsPerCycle();
  if (type == HALF)
    return getFp16ConvUnitInputLoadElemsPerCycle();
  if (type == QUARTER)
    return getFp8ConvUnitInputLoadElemsPerCycle();
  noSuchType("the input rate of convolution units", type);
}

unsigned Target::getFp8InFp16OutConvUnitsPerTile() const { return machineOf(*this).fp8InFp16OutConvUnitsPerTile; }
unsigned Target::getFp16InFp16OutConvUnitsPerTile() const { return machineOf(*this).fp16InFp16OutConvUnitsPerTile; }
unsigned Target::getFp16InFp32OutConvUnitsPerTile() const { return machineOf(*this).fp16InFp32OutConvUnitsPerTile; }
unsigned Target::getFp32InFp32OutConvUnitsPerTile() const { return machineOf(*this).fp32InFp32OutConvUnitsPerTile; }
unsigned Target::getNumConvUnits(const Type &in, const Type &partial) const {
  if (in == FLOAT && partial == FLOAT)
    return getFp32InFp32OutConvUnitsPerTile();
  if (in == HALF && partial == FLOAT)
    return getFp16InFp32OutConvUnitsPerTile();
  if (in == HALF && partial == HALF)
    return getFp16InFp16OutConvUnitsPerTile();
  if (in == QUARTER && partial == HALF)
    return getFp8InFp16OutConvUnitsPerTile();
  throw type_error(fmt::format(
      "no convolution unit has inputs of {} and results of {}; the units are float to float, half to float, half "
      "to half and quarter to half",
      in.toString().cloneAsString(), partial.toString().cloneAsString()));
}
unsigned Target::getConvUnitCoeffLoadBytesPerCycle() const { return machineOf(*this).convUnitCoeffLoadBytesPerCycle; }
unsigned Target::getWeightsPerConvUnit(bool floatActivations) const {
  return getWeightsPerConvUnit(floatActivations ? FLOAT : HALF);
}
unsigned Target::getWeightsPerConvUnit(const Type &type) const {
  // A unit holds the input that arrives while its pipeline fills: 8 floats, 16 halves.
  return getConvUnitInputLoadElemsPerCycle(type) * getConvUnitMaxPipelineDepth(type);
}

std::uint32_t Target::makeFpIctlValue(bool inv, bool div0, bool oflo, bool esr, bool nanoo) const {
  data();
  return (inv ? kFpInvalid : 0U) | (div0 ? kFpDivideByZero : 0U) | (oflo ? kFpOverflow : 0U) |
         (esr ? kFpStochasticRounding : 0U) | (nanoo ? kFpNanOnOverflow : 0U);
}
unsigned Target::getFpIctlRegIndex() const { return machineOf(*this).fpIctlRegIndex; }
unsigned Target::getDbgDataRegIndex() const { return machineOf(*this).dbgDataRegIndex; }

double Target::getTypeLimitsMaxAs(const Type &type) const { return static_cast<double>(limitMax(type)); }
double Target::getTypeLimitsLowestAs(const Type &type) const { return static_cast<double>(limitLowest(type)); }

long double Target::limitMax(const Type &type) const {
  data();
  const ElementType element = elementType(type);
  const int bits = 8 * static_cast<int>(popscope::elementBytes(element));
  switch (popscope::elementKind(element)) {
  case ElementKind::Bool: return 1;
  case ElementKind::Signed: return std::ldexp(1.0L, bits - 1) - 1;
  case ElementKind::Unsigned:
    if (element == ElementType::QuarterMetadata)
      break;
    return std::ldexp(1.0L, bits) - 1;
  case ElementKind::Float: return element == ElementType::Half ? 65504 : std::numeric_limits<float>::max();
  case ElementKind::Invalid:
  case ElementKind::Quarter: break;
  }
  throw type_error(fmt::format("type {} has no largest value of its own{}", type.toString().cloneAsString(),
                               type.requiresMetadata() ? "; that of quarter depends on its metadata" : ""));
}

long double Target::limitLowest(const Type &type) const {
  const long double max = limitMax(type);
  const ElementKind kind = popscope::elementKind(elementType(type));
  return kind == ElementKind::Float ? -max : kind == ElementKind::Signed ? -max - 1 : 0;
}

} // namespace poplar
