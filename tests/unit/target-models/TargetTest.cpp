#include "target-models/model/PublicTarget.hpp"

#include <cstdint>
#include <cstdlib>
#include <doctest/doctest.h>
#include <limits>
#include <poplar/exceptions.hpp>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

using namespace poplar;

TEST_SUITE("target-models.Target") {
  TEST_CASE("targets have the numbers of their generation") {
    const Target ipu1 = Target::createIPUTarget(1, "ipu1");
    CHECK((ipu1.getTargetType() == TargetType::IPU));
    CHECK(ipu1.getTilesPerIPU() == 1216);
    CHECK(ipu1.getNumWorkerContexts() == 6);
    CHECK(ipu1.getExchangeBytesPerCycle() == 4);
    CHECK(ipu1.getBytesPerTile() == 262144);
    CHECK(ipu1.getMemoryBytes() == 318767104); // 304 MiB
    CHECK(ipu1.getTileClockFrequency() == 1.6e9);
    CHECK(ipu1.getMaxIPUSyncDelay() == 118);
    CHECK(ipu1.getFp16InFp16OutConvUnitsPerTile() == 8);
    CHECK(ipu1.getMemoryElementOffsets()[ipu1.getInterleavedMemoryElementIndex()] == 0x60000);
    CHECK(ipu1.getBankInfo() == std::make_tuple(16u, 16384u));

    const Target ipu2 = Target::createIPUTarget(4, "ipu2");
    CHECK(ipu2.getTilesPerIPU() == 1472);
    CHECK(ipu2.getNumTiles() == 4 * 1472);
    CHECK(ipu2.getNumWorkerContexts() == 6);
    CHECK(ipu2.getExchangeBytesPerCycle() == 4);
    CHECK(ipu2.getBytesPerTile() == 638976);
    CHECK(ipu2.getTileClockFrequency() == 1.33e9);
    CHECK(ipu2.getFp16InFp16OutConvUnitsPerTile() == 16);
    CHECK(Target::createIPUTarget(1, "ipu21").getTileClockFrequency() == 1.85e9);
  }

  TEST_CASE("widths follow from the data path") {
    const Target target = Target::createIPUTarget(1, "ipu2");
    CHECK(target.getDataPathWidth() == 64);
    CHECK(target.getFloatVectorWidth() == 2);
    CHECK(target.getHalfVectorWidth() == 4);
    CHECK(target.getQuarterVectorWidth() == 8);
    CHECK(target.getVectorWidth(UNSIGNED_SHORT) == 4);
    CHECK(target.getTypeSize(HALF) == 2);
    CHECK(target.getWeightsPerConvUnit(true) == 8);
    CHECK(target.getWeightsPerConvUnit(HALF) == 16);
    CHECK(target.getNumConvUnits(HALF, FLOAT) == 8); // a tile can store two results of 4 bytes per cycle
    CHECK(target.getNumConvUnits(HALF, HALF) == 16);
    CHECK_THROWS_AS(target.getNumConvUnits(INT, INT), type_error);
    CHECK_THROWS_AS(target.getTypeSize(Type()), type_error);
    static_assert(std::is_same_v<decltype(target.getTypeSize(HALF)), decltype(target.getAtomicStoreGranularity())>);
  }

  TEST_CASE("the floating-point control value sets one bit a flag") {
    const Target target = Target::createIPUTarget(1, "ipu1");
    CHECK(target.makeFpIctlValue(false, false, false, false, false) == 0);
    CHECK(target.makeFpIctlValue(true, true, true, true, true) == 0x180007);
    CHECK(target.makeFpIctlValue(false, false, false, true, false) == 1u << 19);
    CHECK(target.getFpIctlRegIndex() == 32);
  }

  TEST_CASE("type limits are those of the device's types") {
    const Target target = Target::createIPUTarget(1, "ipu2");
    CHECK(target.getTypeLimitsMaxAs(HALF) == 65504);
    CHECK(target.getTypeLimitsLowestAs(HALF) == -65504);
    CHECK(target.getTypeLimitsMaxAs<std::uint64_t>(UNSIGNED_LONGLONG) == ~std::uint64_t(0));
    CHECK(target.getTypeLimitsLowestAs<int>(INT) == std::numeric_limits<int>::min());
    CHECK(target.getTypeLimitsLowestAs<int>(UNSIGNED_INT) == 0);
    const std::pair<Type, std::pair<std::int64_t, std::int64_t>> integers[] = {
        {BOOL, {0, 1}},
        {CHAR, {-128, 127}},
        {SIGNED_CHAR, {-128, 127}},
        {UNSIGNED_CHAR, {0, 255}},
        {SHORT, {-32768, 32767}},
        {UNSIGNED_SHORT, {0, 65535}},
        {UNSIGNED_INT, {0, 4294967295}},
        {LONG, {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}},
        {LONGLONG, {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}}};
    for (const auto &row : integers) {
      CHECK_MESSAGE(target.getTypeLimitsLowestAs<std::int64_t>(row.first) == row.second.first, row.first.toString());
      CHECK_MESSAGE(target.getTypeLimitsMaxAs<std::int64_t>(row.first) == row.second.second, row.first.toString());
    }
    CHECK(target.getTypeLimitsLowestAs<float>(FLOAT) == std::numeric_limits<float>::lowest());
    CHECK_THROWS_AS(target.getTypeLimitsMaxAs(QUARTER), type_error);
  }

  TEST_CASE("a type limit that the asked type does not hold becomes the asked type's own limit") {
    const Target target = Target::createIPUTarget(1, "ipu2");
    CHECK(target.getTypeLimitsMaxAs<int>(FLOAT) == std::numeric_limits<int>::max());
    CHECK(target.getTypeLimitsLowestAs<int>(FLOAT) == std::numeric_limits<int>::min());
    CHECK(target.getTypeLimitsMaxAs<std::int64_t>(UNSIGNED_LONGLONG) == std::numeric_limits<std::int64_t>::max());
    CHECK(target.getTypeLimitsLowestAs<std::uint64_t>(LONGLONG) == 0);
    CHECK(target.getTypeLimitsMaxAs<unsigned char>(HALF) == 255);
    CHECK(target.getTypeLimitsMaxAs<float>(FLOAT) == std::numeric_limits<float>::max());
    CHECK(target.getTypeLimitsMaxAs<float>(LONGLONG) == 0x1p63f); // rounded, as C++ converts numbers
  }

  TEST_CASE("a CPU target has one tile and no memory elements") {
    const Target cpu = Target::createCPUTarget(true, 2);
    CHECK((cpu.getTargetType() == TargetType::CPU));
    CHECK(cpu.getTilesPerIPU() == 1);
    CHECK(cpu.getNumIPUs() == 2);
    CHECK(cpu.getNumWorkerContexts() == 6); // CTXT_WORKERS of codelets
    CHECK(cpu.getMemoryElementOffsets().empty());
    CHECK(cpu.getBankInfo() == std::make_tuple(0u, 0u));
    CHECK_FALSE(cpu.supportsExchangeBusSharing());
    CHECK(cpu.getAtomicStoreGranularity() == 1);
    CHECK(popscope::machineOf(cpu).accurateHalf);
    // PopLibs names convolution vertices by the number of units; for each pair of types it has vertices for 8 and more.
    CHECK(cpu.getNumConvUnits(HALF, HALF) == 8);
    CHECK(cpu.getNumConvUnits(HALF, FLOAT) == 8);
    CHECK(cpu.getNumConvUnits(FLOAT, FLOAT) == 8);
  }

  TEST_CASE("systems are known by their names") {
    CHECK(Target::createIPUTarget(16, "IPU-POD16").getTargetArchString() == "ipu2");
    CHECK(Target::createIPUTarget(16, "IPU-POD16").getTargetSystemString() == "IPU-POD16");
    CHECK(Target::createIPUTarget(4, "Bow-2000").getTargetArchString() == "ipu21");
    CHECK((Target::createIPUTarget(4, "ipu2").getIpuLinkConfiguration() == IpuLinkConfiguration::Default));
    CHECK((Target::createIPUTarget(4, "ipu2", {{"ipuLinkConfiguration", "SlidingWindow"}}).getIpuLinkConfiguration() ==
           IpuLinkConfiguration::SlidingWindow));
    CHECK_THROWS_AS(Target::createIPUTarget(1, "cpu"), invalid_machine_model);
    CHECK_THROWS_AS(Target::createIPUTarget(1, "gpu9000"), invalid_machine_model);
    for (const char *known : {"ipu-pod4", "IPU-POD256", "Bow-POD16", "IPU-M2000", "IPU-C200", "IPU-C2", "C600"})
      CHECK_NOTHROW(Target::createIPUTarget(1, known));
    for (const char *unknown : {"IPU-PODxyz", "IPU-POD", "IPU-POD0", "IPU-POD016", "IPU-POD16-DA", "IPU-POD16x",
                                "IPU-M2000x", "bow", "Bow-POD", "ipu2 ", ""})
      CHECK_THROWS_AS(Target::createIPUTarget(1, unknown), invalid_machine_model);
    CHECK_THROWS_WITH_AS(Target::createIPUTarget(1, "IPU-PODxyz"),
                         "unknown IPU system \"IPU-PODxyz\"; give ipu1, ipu2 or ipu21, or a system: ipu-c2, c2, "
                         "ipu-pod#, ipu-m2000, ipu-c200, bow-pod#, bow-2000, ipu-c600, c600 (# stands for a number "
                         "above 0).",
                         invalid_machine_model);
    CHECK_THROWS_AS(Target::createIPUTarget(0, "ipu2"), invalid_machine_model);
    CHECK_THROWS_AS(Target::createIPUTarget(1, 1473, "ipu2"), invalid_machine_model);
    CHECK_THROWS_AS(Target::createIPUTarget(1, 0, "ipu2"), invalid_machine_model);
  }

  TEST_CASE("a virtual target is a part of its target") {
    const Target whole = Target::createIPUTarget(2, "ipu1");
    const Target part = whole.createVirtualTarget(1, 100);
    CHECK(part.getNumTiles() == 100);
    CHECK(part.getBytesPerTile() == whole.getBytesPerTile());
    CHECK_THROWS_AS(whole.createVirtualTarget(3, 1), invalid_machine_model);
    CHECK_THROWS_AS(whole.createVirtualTarget(2, 1217), invalid_machine_model);
    CHECK_THROWS_AS(whole.createVirtualTarget(1, 0), invalid_machine_model);
  }

  TEST_CASE("equal targets are equal in every way") {
    const Target a = Target::createIPUTarget(1, "ipu2"), b = Target::createIPUTarget(1, "ipu2");
    const Target c = Target::createIPUTarget(1, 100, "ipu2"),
                 d = Target::createIPUTarget(1, "ipu2", {{"gatewayMode", "true"}});
    CHECK(a == b);
    CHECK(std::hash<Target>()(a) == std::hash<Target>()(b));
    CHECK(a != c);
    CHECK(a != d);
    CHECK((a < c) != (c < a));
    CHECK_FALSE(a < b);
    CHECK(std::set<Target>{a, b, c, d, Target()}.size() == 4);
    CHECK(Target() < a);
  }

  TEST_CASE("target options are read, checked and overridden by the environment") {
    ::unsetenv("POPLAR_TARGET_OPTIONS");
    const Target target =
        Target::createIPUTarget(4, "ipu2", {{"ipuLinkTopology", "Torus"}, {"ipuLinkDomainSize", "2"}});
    CHECK(target.getIpuLinkTopology() == IpuLinkTopology::Torus);
    CHECK(target.getIpuLinkDomainSize() == 2);
    CHECK(target.getInstanceSize() == 4);
    CHECK_FALSE(target.getGatewayMode());
    CHECK_THROWS_WITH_AS(Target::createIPUTarget(1, "ipu2", {{"gatewayMod", "true"}}),
                         "unknown target option \"gatewayMod\". Did you mean \"gatewayMode\"?", invalid_option);
    ::setenv("POPLAR_TARGET_OPTIONS", R"({"ipuLinkTopology": "Mesh", "gatewayMode": true})", 1);
    const Target overridden = Target::createIPUTarget(4, "ipu2", {{"ipuLinkTopology", "Torus"}});
    ::unsetenv("POPLAR_TARGET_OPTIONS");
    CHECK(overridden.getIpuLinkTopology() == IpuLinkTopology::Mesh);
    CHECK(overridden.getGatewayMode());
  }

  TEST_CASE("an empty target says what to do") {
    CHECK_THROWS_AS(Target().getNumTiles(), poplar_error);
    std::ostringstream os;
    os << Target() << "; " << Target::createIPUTarget(2, 3, "ipu1");
    CHECK(os.str() == "no target; IPU ipu1, 2 IPUs, 3 tiles each");
  }

  TEST_CASE("halves go to the device and back") {
    const Target target = Target::createIPUTarget(1, "ipu2");
    const float values[] = {0.1f, -2.5f, 70000.0f};
    unsigned char device[7]; // at an odd address: host buffers need no alignment
    copyFloatToDeviceHalf(target, values, device + 1, 3);
    float back[3];
    copyDeviceHalfToFloat(target, device + 1, back, 3);
    CHECK(back[0] == 0.0999755859375f);
    CHECK(back[1] == -2.5f);
    CHECK(back[2] == std::numeric_limits<float>::infinity());
    const double precise = 1 + 0x1p-11 + 0x1p-40;
    copyDoubleToDeviceHalf(target, &precise, device, 1);
    double result = 0;
    copyDeviceHalfToDouble(target, device, &result, 1);
    CHECK(result == 1 + 0x1p-10);
    // No conversion writes past the last element.
    const double wide[] = {1, 2, 3};
    std::uint16_t halves[] = {7, 7, 7};
    copyDoubleToDeviceHalf(target, wide, halves, 2);
    CHECK(halves[1] == 0x4000); // 2
    CHECK(halves[2] == 7);
    copyFloatToDeviceHalf(target, values, halves, 2);
    CHECK(halves[2] == 7);
    double doubles[] = {7, 7, 7};
    copyDeviceHalfToDouble(target, halves, doubles, 2);
    CHECK(doubles[1] == -2.5);
    CHECK(doubles[2] == 7);
    float floats[] = {7, 7, 7};
    copyDeviceHalfToFloat(target, halves, floats, 2);
    CHECK(floats[2] == 7);
  }
}
