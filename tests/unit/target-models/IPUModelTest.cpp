#include "target-models/model/PublicTarget.hpp"

#include <doctest/doctest.h>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>

using namespace poplar;

namespace {

std::string mistake(const IPUModel &model) {
  try {
    (void)model.createDevice();
  } catch (const invalid_machine_model &e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST_SUITE("target-models.IPUModel") {
  TEST_CASE("a model starts with the values of its version") {
    const IPUModel model;
    CHECK(model.IPUVersion == "ipu2");
    CHECK(model.tilesPerIPU == 1472);
    CHECK(model.numIPUs == 1);
    CHECK_FALSE(model.compileIPUCode);
    const IPUModel ipu1("ipu1");
    CHECK(ipu1.tilesPerIPU == 1216);
    CHECK(ipu1.memoryBytesPerTile == 262144);
    CHECK(ipu1.minIPUSyncDelay == 64);
    CHECK(ipu1.relativeSyncDelay == IPUModel::RelativeSyncDelayType::AUTO);
    CHECK(ipu1 != model);
    CHECK(IPUModel(ipu1) == ipu1);
    CHECK_THROWS_AS(IPUModel("ipu9x"), invalid_machine_model);
  }

  TEST_CASE("fields reach the machine") {
    IPUModel model("ipu1");
    model.numIPUs = 2;
    model.tilesPerIPU = 4;
    model.numWorkerContexts = 3;
    model.memoryBytesPerTile = 300000;
    model.exchangeBytesPerCycle = 8;
    model.minIPUSyncDelay = 100;
    model.globalSyncCycles = 7;
    model.tileClockFrequency = 2e9;
    model.compileIPUCode = true;
    model.globalExchangeConstraints = {GlobalExchangeConstraint(1e9, {GlobalExchangeFlow(0, 1)})};
    const Device device = model.createDevice({}, true);
    const Target &target = device.getTarget();
    const popscope::TileMachine &machine = popscope::machineOf(target);
    CHECK((target.getTargetType() == TargetType::IPU_MODEL));
    CHECK(target.getNumTiles() == 8);
    CHECK(target.getNumWorkerContexts() == 3);
    CHECK(target.getExchangeBytesPerCycle() == 8);
    CHECK(target.getMinIPUSyncDelay() == 100);
    CHECK(target.getMaxIPUSyncDelay() == 154); // the skew of 54 does not change
    CHECK(target.getGlobalSyncCycles() == 7);
    CHECK(target.getTileClockFrequency() == 2e9);
    CHECK(target.getGlobalExchangeConstraints() == model.globalExchangeConstraints);
    CHECK(machine.link.constraints.size() == 1);
    CHECK(machine.compileIpuCode);
    CHECK(machine.accurateHalf);
    CHECK(machine.regions.back().size == 300000 - 131072);
  }

  TEST_CASE("a model without relative delay releases all tiles together") {
    IPUModel model("ipu1");
    model.relativeSyncDelay = IPUModel::RelativeSyncDelayType::NO_DELAY;
    model.minIPUSyncDelay = 0;
    CHECK(model.createDevice().getTarget().getMaxIPUSyncDelay() == 0);
  }

  TEST_CASE("nonsense is refused by name") {
    IPUModel model;
    model.tilesPerIPU = 0;
    CHECK(mistake(model).find("IPUModel::tilesPerIPU is 0; it must be at least 1") != std::string::npos);
    model = IPUModel();
    model.numIPUs = 0;
    CHECK(mistake(model).find("IPUModel::numIPUs is 0") != std::string::npos);
    model = IPUModel();
    model.numWorkerContexts = 0;
    CHECK(mistake(model).find("IPUModel::numWorkerContexts is 0") != std::string::npos);
    model = IPUModel();
    model.memoryBytesPerTile = 1001;
    CHECK(mistake(model).find("memoryBytesPerTile is 1001") != std::string::npos);
    model = IPUModel();
    model.tileClockFrequency = 0;
    CHECK(mistake(model).find("IPUModel::tileClockFrequency is 0") != std::string::npos);
    model = IPUModel();
    model.atomicStoreGranularity = 0;
    CHECK(mistake(model).find("atomicStoreGranularity is 0") != std::string::npos);
    model.atomicStoreGranularity = 65;
    CHECK(mistake(model).find("atomicStoreGranularity is 65") != std::string::npos);
    model.atomicStoreGranularity = 64;
    CHECK(mistake(model).empty());
    model = IPUModel();
    model.exchangeBytesPerCycle = 0;
    CHECK(mistake(model).find("IPUModel::exchangeBytesPerCycle is 0") != std::string::npos);
    model = IPUModel();
    model.globalExchangeConstraints = {GlobalExchangeConstraint(1e9, {GlobalExchangeFlow(0, 1)})};
    CHECK(mistake(model).find("flow from IPU 0 to IPU 1") != std::string::npos);
    model.globalExchangeConstraints = {GlobalExchangeConstraint(1e9, {GlobalExchangeFlow(1, 0)})};
    CHECK(mistake(model).find("flow from IPU 1 to IPU 0") != std::string::npos);
  }
}
