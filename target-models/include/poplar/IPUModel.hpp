// IPUModel: describes an IPU to model, and creates the device. The constructor sets the fields to the values of a
// version, and the program may change the fields before it calls createDevice.
#pragma once
#include <poplar/Device.hpp>

namespace poplar {

class IPUModel {
public:
  /// The delay of a sync's release. AUTO: the delay grows with the tile's distance from the sync controller. NO_DELAY:
  /// the delay is minIPUSyncDelay on all tiles.
  enum class RelativeSyncDelayType { AUTO, NO_DELAY };

  std::string IPUVersion; // "ipu1", "ipu2", "ipu21"
  unsigned numIPUs;
  unsigned tilesPerIPU;
  unsigned numWorkerContexts;
  unsigned memoryBytesPerTile;
  unsigned exchangeBytesPerCycle;
  unsigned memcpyBytesPerCycle;
  unsigned minIPUSyncDelay;  // cycles until the release of the nearest tile
  unsigned globalSyncCycles; // cycles added to a sync of several IPUs
  std::vector<GlobalExchangeConstraint> globalExchangeConstraints;
  RelativeSyncDelayType relativeSyncDelay;
  double tileClockFrequency; // Hz
  unsigned numStrideBits;
  unsigned dataPathWidth; // bits
  unsigned fp8ConvUnitMaxPipelineDepth, fp16ConvUnitMaxPipelineDepth, fp32ConvUnitMaxPipelineDepth;
  unsigned fp8ConvUnitInputLoadElemsPerCycle, fp16ConvUnitInputLoadElemsPerCycle, fp32ConvUnitInputLoadElemsPerCycle;
  unsigned fp8InFp16OutConvUnitsPerTile, fp16InFp16OutConvUnitsPerTile, fp16InFp32OutConvUnitsPerTile,
      fp32InFp32OutConvUnitsPerTile;
  unsigned convUnitCoeffLoadBytesPerCycle;
  unsigned rptCountMax;
  std::size_t atomicStoreGranularity; // bytes
  bool supportsExchangeBusSharing;
  unsigned tilesPerSharedExchangeBus;
  bool compileIPUCode; // true: also computes the size of the code on an IPU; default: false

  /// Describes the version "ipu2", or the machine that the environment variable POPSCOPE_MACHINE names
  /// (docs/MACHINES.md).
  IPUModel();
  /// Describes the named version. Throws poplar::invalid_machine_model for an unknown version.
  explicit IPUModel(char const *ipuVersion);
  IPUModel(const IPUModel &) = default;
  IPUModel &operator=(const IPUModel &) = default;
  bool operator==(const IPUModel &other) const;
  bool operator!=(const IPUModel &other) const { return !(*this == other); }

  /// Creates the device. `opts` are target options (see Target::createIPUTarget). Throws poplar::invalid_machine_model,
  /// with the field, its value and the limit, if a field is invalid. Throws poplar::invalid_option for an unknown
  /// option or a bad value.
  Device createDevice(const OptionFlags &opts = {}, bool accurateHalf = false, unsigned deviceManagerId = ~0u) const;
};

} // namespace poplar
