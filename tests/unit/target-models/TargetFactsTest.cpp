// Every field of an IPUModel is visible in the Target; also tests the small public types around both.
#include <doctest/doctest.h>
#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/RuntimeOptions.hpp>
#include <poplar/exceptions.hpp>

#include <sstream>

using namespace poplar;

TEST_SUITE("target-models.facts") {

  TEST_CASE("what a program writes into a model is what its target says") {
    IPUModel m("ipu1");
    m.memcpyBytesPerCycle = 12;
    m.numStrideBits = 13;
    m.dataPathWidth = 128;
    m.fp8ConvUnitMaxPipelineDepth = 3;
    m.fp16ConvUnitMaxPipelineDepth = 5;
    m.fp32ConvUnitMaxPipelineDepth = 7;
    m.fp8ConvUnitInputLoadElemsPerCycle = 9;
    m.fp16ConvUnitInputLoadElemsPerCycle = 11;
    m.fp32ConvUnitInputLoadElemsPerCycle = 6;
    m.fp8InFp16OutConvUnitsPerTile = 2;
    m.fp16InFp16OutConvUnitsPerTile = 16;
    m.fp16InFp32OutConvUnitsPerTile = 10;
    m.fp32InFp32OutConvUnitsPerTile = 14;
    m.convUnitCoeffLoadBytesPerCycle = 24;
    m.rptCountMax = 8191;
    m.tilesPerSharedExchangeBus = 4;
    m.supportsExchangeBusSharing = true;
    const Device device = m.createDevice();
    const Target &t = device.getTarget();
    CHECK(t.getMemcpyBytesPerCycle() == 12);
    CHECK(t.getNumStrideBits() == 13);
    CHECK(t.getDataPathWidth() == 128);
    CHECK(t.getFp8ConvUnitMaxPipelineDepth() == 3);
    CHECK(t.getFp16ConvUnitMaxPipelineDepth() == 5);
    CHECK(t.getFp32ConvUnitMaxPipelineDepth() == 7);
    CHECK(t.getConvUnitMaxPipelineDepth(HALF) == 5);
    CHECK(t.getConvUnitMaxPipelineDepth(FLOAT) == 7);
    CHECK(t.getConvUnitMaxPipelineDepth(QUARTER) == 3);
    CHECK_THROWS_AS((void)t.getConvUnitMaxPipelineDepth(INT), poplar_error);
    CHECK(t.getFp8ConvUnitInputLoadElemsPerCycle() == 9);
    CHECK(t.getFp16ConvUnitInputLoadElemsPerCycle() == 11);
    CHECK(t.getFp32ConvUnitInputLoadElemsPerCycle() == 6);
    CHECK(t.getConvUnitInputLoadElemsPerCycle(true) == 6);
    CHECK(t.getConvUnitInputLoadElemsPerCycle(HALF) == 11);
    CHECK(t.getConvUnitInputLoadElemsPerCycle(QUARTER) == 9);
    CHECK_THROWS_AS((void)t.getConvUnitInputLoadElemsPerCycle(INT), poplar_error);
    CHECK(t.getFp8InFp16OutConvUnitsPerTile() == 2);
    CHECK(t.getFp16InFp16OutConvUnitsPerTile() == 16);
    CHECK(t.getFp16InFp32OutConvUnitsPerTile() == 10);
    CHECK(t.getFp32InFp32OutConvUnitsPerTile() == 14);
    CHECK(t.getNumConvUnits(QUARTER, HALF) == 2);
    CHECK(t.getNumConvUnits(HALF, HALF) == 16);
    CHECK(t.getNumConvUnits(HALF, FLOAT) == 10);
    CHECK(t.getNumConvUnits(FLOAT, FLOAT) == 14);
    CHECK_THROWS_AS((void)t.getNumConvUnits(FLOAT, HALF), type_error);
    CHECK(t.getConvUnitCoeffLoadBytesPerCycle() == 24);
    CHECK(t.getRptCountMax() == 8191);
    CHECK(t.getTilesPerSharedExchangeBus() == 4);
    CHECK(t.supportsExchangeBusSharing());
    CHECK(t.getNumMultiplexers() == t.getTilesPerIPU());
    CHECK(t.getDbgDataRegIndex() != t.getFpIctlRegIndex());
  }

  TEST_CASE("a target is copied, moved and hashed") {
    const IPUModel model("ipu2");
    const Device device = model.createDevice();
    Target a, b;
    a = device.getTarget();
    b = std::move(a);
    CHECK(b == device.getTarget());
    CHECK(b.hash() == device.getTarget().hash());
    CHECK(std::hash<Target>()(b) == b.hash());
    const OptionFlags options = {{"gatewayMode", "false"}};
    CHECK(Target::createIPUTarget(1, "ipu2", options).getTargetOptions() == options);
  }

  TEST_CASE("constraints between IPUs compare by what they hold") {
    const GlobalExchangeFlow there(0, 1), back(1, 0), none;
    CHECK(none.src == 0);
    CHECK(none.dst == 0);
    CHECK(there < back);
    CHECK(there != back);
    CHECK(there == GlobalExchangeFlow(0, 1));
    const GlobalExchangeConstraint slow(1e9, {there}), fast(2e9, {there}), empty;
    CHECK(empty.bandwidth == 0);
    CHECK(empty.flows.empty());
    CHECK(slow < fast);
    CHECK(slow != fast);
    CHECK(slow == GlobalExchangeConstraint(1e9, {there}));
  }

  TEST_CASE("a device says what it is and has") {
    const IPUModel model("ipu1");
    Device device = model.createDevice(), other;
    CHECK(device.supportsRemoteBuffers());
    CHECK(device.hasRemoteBuffers());
    CHECK_FALSE(Device::createCPUDevice(1).supportsRemoteBuffers());
    const auto attributes = device.getAttributes();
    CHECK(attributes.at("architecture") == "ipu1");
    CHECK(attributes.at("simulated") == "true");
    other = std::move(device);
    CHECK(other.getTarget().getNumTiles() == 1216);
    CHECK_THROWS_AS(device.getTarget(), poplar_error);
    const DeviceManager manager;
    DeviceManager copy(manager);
    copy = manager;
    CHECK(copy.getNumDevices() == manager.getNumDevices());
    std::ostringstream out;
    out << TargetType::IPU_MODEL;
    CHECK(out.str() == toString(TargetType::IPU_MODEL).cloneAsString());
  }

  TEST_CASE("a device that does nothing at reset stays attached") {
    const IPUModel model("ipu1");
    const Device device = model.createDevice();
    CHECK(device.attach());
    device.reset();
    CHECK(device.isAttached());
    device.detach();
    CHECK(device.getNumaTopology() == std::vector<int>{-1});
    CHECK(device.getNumaNodesUsedForIPUs() == std::vector<int>{-1});
  }

  TEST_CASE("runtime options are hashed by what they say") {
    const RuntimeOptions a({{"exchange.enablePrefetch", "false"}}), b({{"exchange.enablePrefetch", "false"}}), c;
    CHECK(a.hash() == b.hash());
    CHECK(hash_value(a) == a.hash());
    CHECK(a.flags().size() == 1);
    CHECK(a != c);
  }

} // TEST_SUITE
