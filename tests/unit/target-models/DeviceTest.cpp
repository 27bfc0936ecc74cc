#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>

using namespace poplar;

namespace {

/// Sets POPSCOPE_SIM_IPUS while the object exists; null = not set.
class SimulatedIpus {
public:
  explicit SimulatedIpus(const char *value) {
    if (value != nullptr)
      ::setenv("POPSCOPE_SIM_IPUS", value, 1);
    else
      ::unsetenv("POPSCOPE_SIM_IPUS");
  }
  ~SimulatedIpus() { ::unsetenv("POPSCOPE_SIM_IPUS"); }
};

/// Runs one test case of this program in a separate process. Returns what the test case writes to stderr.
std::string messagesOf(const std::string &testCase) {
  std::string said;
  FILE *child = ::popen(("'" + std::filesystem::read_symlink("/proc/self/exe").string() + "' --no-skip -tc='" +
                         testCase + "' 2>&1 >/dev/null")
                            .c_str(),
                        "r");
  REQUIRE(child != nullptr);
  for (int c = std::fgetc(child); c != EOF; c = std::fgetc(child))
    said += static_cast<char>(c);
  CHECK(::pclose(child) == 0);
  return said;
}

} // namespace

TEST_SUITE("target-models.Device") {
  static_assert(std::is_nothrow_move_constructible_v<Device> && std::is_nothrow_move_assignable_v<Device>);
  static_assert(!std::is_copy_constructible_v<Device>);

  // The test case after these two runs each of them in a separate process.
  TEST_CASE("asks twice for an IPU" * doctest::skip()) {
    const DeviceManager manager = DeviceManager::createDeviceManager();
    CHECK(manager.getDevices(TargetType::IPU, 2).empty());
    CHECK(manager.getDevices().empty());
  }
  TEST_CASE("asks for all devices" * doctest::skip()) { CHECK(DeviceManager().getDevices().empty()); }

  TEST_CASE("who finds no IPU is told once how to have some") {
    const SimulatedIpus none(nullptr);
    const std::string twice = messagesOf("asks twice for an IPU");
    CHECK(twice.find("set POPSCOPE_SIM_IPUS to 2 or more") != std::string::npos);
    CHECK(std::count(twice.begin(), twice.end(), '\n') == 1);
    CHECK(messagesOf("asks for all devices").find("set POPSCOPE_SIM_IPUS to 1 or more") != std::string::npos);
  }

  TEST_CASE("a device is attached once through one object") {
    Device device = Device::createCPUDevice();
    CHECK_FALSE(device.isAttached());
    CHECK(device.attach());
    CHECK_FALSE(device.attach());
    CHECK(device.isAttached());
    device.detach();
    CHECK(device.attach());
    const Device moved = std::move(device);
    CHECK(moved.isAttached());
    CHECK_THROWS_AS(Device().getTarget(), poplar_error);
  }

  TEST_CASE("a virtual device has fewer tiles and takes the device over") {
    Device device = IPUModel("ipu1").createDevice();
    const Device part = device.createVirtualDevice(10);
    CHECK(part.getTarget().getTilesPerIPU() == 10);
    CHECK_THROWS_AS(device.getId(), poplar_error);
  }

  TEST_CASE("a simulator device has its target and no options") {
    const Target target = Target::createIPUTarget(2, "ipu2", {{"gatewayMode", "true"}});
    const Device device = Device::createSimulatorDevice(target);
    CHECK(device.getTarget() == target);
    CHECK(device.hasGateway());
    CHECK_FALSE(IPUModel("ipu1").createDevice().hasGateway());
    CHECK_THROWS_WITH_AS(Device::createSimulatorDevice(target, {{"speed", "1"}}),
                         "unknown simulator option \"speed\": a simulator device has no options", invalid_option);
    unsigned major = 1, minor = 2, point = 3;
    device.getDriverVersion(major, minor, point);
    CHECK(major + minor + point == 0); // there is no driver
    CHECK(device.getNumaNode() == -1);
    CHECK(device.getNumaTopology() == std::vector<int>{-1, -1});
    CHECK_THROWS_AS(Device().getDriverVersion(major, minor, point), poplar_error);
  }

  TEST_CASE("a device that does not exist is named, with how to have it") {
    const SimulatedIpus two("2");
    const DeviceManager manager = DeviceManager::createDeviceManager();
    CHECK_THROWS_WITH_AS(manager.getDevice(TargetType::IPU, 4),
                         "there is no IPU device with 4 IPUs. IPUs are simulated: set POPSCOPE_SIM_IPUS to 4 or more",
                         poplar_error);
    CHECK_THROWS_WITH_AS(
        manager.getDevice(TargetType::IPU, 3),
        "there is no IPU device with 3 IPUs. Devices have 1, 2, 4, ... up to 64 of the simulated IPUs; "
        "POPSCOPE_SIM_IPUS sets the number of simulated IPUs",
        poplar_error);
    CHECK_THROWS_WITH_AS(manager.getDevice(9),
                         "there is no device 9: 3 devices exist. IPUs are simulated: set POPSCOPE_SIM_IPUS to their "
                         "number",
                         index_error);
    CHECK_THROWS_WITH_AS(manager.getChildDeviceIds(3), "there is no device 3: 3 devices exist", index_error);
    const SimulatedIpus none("0");
    CHECK_THROWS_WITH_AS(manager.getDevice(TargetType::IPU, 1), doctest::Contains("with 1 IPU. "), poplar_error);
  }

  TEST_CASE("no IPU exists unless it is asked for") {
    const SimulatedIpus none(nullptr);
    const DeviceManager manager = DeviceManager::createDeviceManager();
    CHECK(manager.getDevices(TargetType::IPU, 1).empty());
    CHECK(manager.getNumDevices() == 0);
    CHECK_THROWS_AS(manager.getDevice(0), index_error);
    CHECK(manager.getDevices(TargetType::IPU_MODEL, 2).at(0).getTarget().getNumIPUs() == 2);
    CHECK((manager.getDevices(TargetType::CPU, 1).at(0).getTarget().getTargetType() == TargetType::CPU));
    CHECK_THROWS_AS(manager.getDevices(TargetType::CPU, 0), invalid_machine_model);
  }

  TEST_CASE("simulated IPUs come single and in groups") {
    const SimulatedIpus four("ipu1:4");
    const DeviceManager manager = DeviceManager::createDeviceManager();
    const std::vector<Device> pairs = manager.getDevices(TargetType::IPU, 2);
    REQUIRE(pairs.size() == 2);
    CHECK(pairs[0].getId() == 4);
    CHECK(pairs[1].getId() == 5);
    CHECK((pairs[0].getTarget().getTargetType() == TargetType::IPU));
    CHECK(pairs[0].getTarget().getTargetArchString() == "ipu1");
    CHECK(pairs[0].attach());
    CHECK(manager.getDevices(TargetType::IPU, 3).empty());
    CHECK(manager.getNumDevices() == 7);
    CHECK(manager.getDevices().size() == 7);
    CHECK(manager.getDevice(6).getTarget().getNumIPUs() == 4);
    CHECK(manager.getChildDeviceIds(5) == std::vector<unsigned>{2, 3});
    CHECK(manager.getChildDeviceIds(6, 2) == std::vector<unsigned>{4, 5});
  }

  TEST_CASE("an IPU is held by one device at a time, whichever object it came from") {
    const SimulatedIpus four("4");
    const DeviceManager manager = DeviceManager::createDeviceManager();
    const Device single = manager.getDevice(1), again = DeviceManager().getDevice(1);
    CHECK(single.attach());
    CHECK_FALSE(again.attach());
    CHECK_FALSE(again.isAttached());
    again.detach(); // it holds nothing, so it releases nothing
    const std::vector<Device> pairs = manager.getDevices(TargetType::IPU, 2);
    CHECK_FALSE(pairs[0].attach()); // IPUs 0 and 1
    CHECK(pairs[1].attach());
    CHECK(pairs[1].getDriverIDs() == std::vector<unsigned>{2, 3});
    CHECK_FALSE(manager.getDevice(6).attach()); // all four
    single.detach();
    CHECK(again.attach());
    again.detach();
    CHECK(pairs[0].attach());
    {
      Device owner = manager.getDevice(4);
      pairs[0].detach();
      CHECK(owner.attach());
      const Device part = owner.createVirtualDevice(8);
      CHECK(part.isAttached());
      CHECK_FALSE(single.attach());
    }
    CHECK(single.attach()); // a destroyed device is detached
  }

  TEST_CASE("every device that is asked for can be attached, as the usual search does") {
    const SimulatedIpus two("2");
    std::vector<Device> taken;
    for (int i = 0; i != 3; ++i) {
      std::vector<Device> devices = DeviceManager().getDevices(TargetType::IPU, 1);
      const auto it = std::find_if(devices.begin(), devices.end(), [](Device &d) { return d.attach(); });
      CHECK((it != devices.end()) == (i < 2));
      if (it != devices.end())
        taken.push_back(std::move(*it));
    }
    CHECK(taken.at(0).getId() == 0);
    CHECK(taken.at(1).getId() == 1);
  }

  TEST_CASE("simulated IPUs are of the second generation by default") {
    const SimulatedIpus one("1");
    CHECK(DeviceManager().getDevice(TargetType::IPU, 1).getTarget().getTargetArchString() == "ipu2");
  }

  TEST_CASE("a bad number of simulated IPUs is refused") {
    for (const char *bad : {"four", "ipu1:", "-1", "65", "4 "}) {
      const SimulatedIpus wrong(bad);
      CHECK_THROWS_AS(DeviceManager().getDevices(TargetType::IPU, 1), no_environment);
    }
    const SimulatedIpus unknown("ipu8:1");
    CHECK_THROWS_WITH_AS(DeviceManager().getDevices(TargetType::IPU, 1),
                         doctest::Contains("environment variable POPSCOPE_SIM_IPUS: \"ipu8:1\": unknown IPU system"),
                         invalid_machine_model);
  }
}
