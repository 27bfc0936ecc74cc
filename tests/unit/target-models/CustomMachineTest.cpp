#include "base/Environment.hpp"
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>
#include <popscope/CustomTarget.hpp>
#include <sstream>
#include <unistd.h>

using namespace poplar;

namespace {

/// A file with this text; the destructor removes it.
class MachineFile {
public:
  explicit MachineFile(const std::string &text)
      : path_((std::filesystem::temp_directory_path() / ("popscope-machine-" + std::to_string(::getpid()) + ".json"))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~MachineFile() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string &path() const { return path_; }

private:
  std::string path_;
};

class Variable {
public:
  Variable(const char *name, const std::string &value) : name_(name), before_(popscope::environmentVariable(name)) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

private:
  const char *name_;
  std::optional<std::string> before_;
};

std::string mistakeOf(const std::string &json) {
  try {
    (void)popscope::createCustomTargetFromJson(json, "m.json");
  } catch (const invalid_machine_model &e) {
    return e.what();
  }
  return "";
}

/// Returns the text of a file of target-models/releases.
std::string textOf(const std::string &file) {
  std::ifstream in(POPSCOPE_SOURCE_DIR "/target-models/releases/" + file);
  return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

/// Returns all fields of the machine that the text describes.
nlohmann::json fieldsOf(const std::string &json) {
  return nlohmann::json::parse(popscope::machineAsJson(popscope::createCustomTargetFromJson(json, "m.json")));
}

void forEachPath(const nlohmann::json &json, const std::string &path,
                 const std::function<void(const std::string &)> &visit) {
  if (json.is_object())
    for (const auto &[key, value] : json.items())
      forEachPath(value, path + "/" + key, visit);
  else if (json.is_array() && !json.empty())
    forEachPath(json.front(), path + "/0", visit);
  else
    visit(path);
}

/// Sets the values that the machines of releases had when their rows were measured.
void asMeasured(nlohmann::json &machine, unsigned cyclesPerRun, unsigned toStrides) {
  machine["exchange"]["minLatencyCycles"] = 87;
  machine["exchange"]["latencyExponent"] = 1.0;
  machine["copyChoice"]["scatterMaxBytes"] = 0;
  for (nlohmann::json &copy : machine["copyVertices"]) {
    if (copy["name"] == "poplar_rt::StridedCopyDA32")
      copy["cyclesPerRun"] = cyclesPerRun;
    if (copy["name"] == "poplar_rt::DstStridedCopyDA32")
      copy.update({{"baseCycles", 30}, {"cyclesPerRun", toStrides}, {"bytesPerStep", 8}});
    if (copy["name"] == "poplar_rt::StridedCopy64BitMultiAccess")
      copy["cyclesPerRun"] = 6;
    if (copy["name"] == "poplar_rt::DstStridedCopy64BitMultiAccess")
      copy["cyclesPerRun"] = 5;
  }
}

} // namespace

TEST_SUITE("target-models.custom") {
  TEST_CASE("a target is made from the user's file") {
    const MachineFile file(R"({"base": "ipu2", "name": "small", "tilesPerIpu": 64, "clockHz": 1e9, "numIpus": 2})");
    const Target target = popscope::createCustomTarget(file.path());
    CHECK((target.getTargetType() == TargetType::IPU_MODEL));
    CHECK(target.getNumTiles() == 128);
    CHECK(target.getTileClockFrequency() == 1e9);
    CHECK(target.getTargetSystemString() == "small");
    CHECK(target.getTargetArchString() == "ipu2");
    CHECK(popscope::createCustomTarget(file.path(), 4).getNumIPUs() == 4);
    CHECK(popscope::createCustomDevice(file.path()).getTarget() == target);
  }

  TEST_CASE("what machineAsJson writes is a file to start from") {
    const Target first =
        popscope::createCustomTargetFromJson(R"({"base": "ipu1", "name": "x", "tilesPerIpu": 3})", "m.json");
    CHECK(popscope::createCustomTargetFromJson(popscope::machineAsJson(first), "n.json") == first);
    CHECK_THROWS_AS(popscope::machineAsJson(Target()), poplar_error);
  }

  TEST_CASE("the environment replaces the machine of its architecture and no other") {
    const MachineFile file(R"({"base": "ipu1", "name": "mine", "tilesPerIpu": 12})");
    const Variable machine("POPSCOPE_MACHINE", file.path());
    const Variable ipus("POPSCOPE_SIM_IPUS", "ipu1:1");
    CHECK(IPUModel("ipu1").tilesPerIPU == 12);
    CHECK(IPUModel("ipu1").createDevice().getTarget().getTilesPerIPU() == 12);
    CHECK(Target::createIPUTarget(1, "ipu1").getTilesPerIPU() == 12);
    CHECK(DeviceManager().getDevice(TargetType::IPU, 1).getTarget().getTilesPerIPU() == 12);
    CHECK(IPUModel("ipu2").tilesPerIPU == 1472);
    CHECK_THROWS_AS(Target::createIPUTarget(1, 13, "ipu1"), invalid_machine_model);
  }

  TEST_CASE("an IPU Model has the link constraints of the machine file, unless it has its own") {
    const MachineFile file(R"({"base": "ipu1", "name": "mine",
        "link": {"constraints": [{"bitsPerSecond": 5, "flows": [{"source": 0, "destination": 1}]}]}})");
    const Variable machine("POPSCOPE_MACHINE", file.path());
    IPUModel model("ipu1");
    model.numIPUs = 2;
    const GlobalExchangeConstraint ofFile(5, {GlobalExchangeFlow(0, 1)}), own(7, {GlobalExchangeFlow(1, 0)});
    CHECK((model.createDevice().getTarget().getGlobalExchangeConstraints() == std::vector{ofFile}));
    model.globalExchangeConstraints = {own};
    CHECK((model.createDevice().getTarget().getGlobalExchangeConstraints() == std::vector{own}));
  }

  TEST_CASE("the environment names the machine of a model that names none") {
    CHECK(IPUModel().IPUVersion == "ipu2");
    {
      const Variable machine("POPSCOPE_MACHINE", "ipu1");
      CHECK(IPUModel().IPUVersion == "ipu1");
      CHECK(IPUModel().tilesPerIPU == 1216);
      CHECK(IPUModel().createDevice().getTarget().getTargetArchString() == "ipu1");
      CHECK(IPUModel("ipu2").tilesPerIPU == 1472); // named by the program
      CHECK(Target::createIPUTarget(1, "ipu2").getTilesPerIPU() == 1472);
    }
    const MachineFile file(R"({"base": "ipu1", "name": "mine", "tilesPerIpu": 12})");
    const Variable machine("POPSCOPE_MACHINE", file.path());
    CHECK(IPUModel().tilesPerIPU == 12);
    const Variable wrong("POPSCOPE_MACHINE", "ipu3");
    CHECK_THROWS_WITH_AS(IPUModel(),
                         doctest::Contains("its value is one of ipu1, ipu2 and ipu21, or the path of a JSON file"),
                         file_load_error);
  }

  TEST_CASE("a leading ~ is the home folder, as in options that name files") {
    const MachineFile file(R"({"base": "ipu1", "name": "mine", "tilesPerIpu": 12})");
    const std::filesystem::path path = file.path();
    const Variable home("HOME", path.parent_path().string());
    const Variable machine("POPSCOPE_MACHINE", "~/" + path.filename().string());
    CHECK(IPUModel().tilesPerIPU == 12);
  }

  TEST_CASE("a file that cannot be read is named, with the variable that names it") {
    CHECK_THROWS_WITH_AS(popscope::createCustomTarget("/nowhere/m.json"),
                         "/nowhere/m.json: the machine description cannot be read: No such file or directory; give the "
                         "path of a JSON file, relative to the "
                         "current folder",
                         file_load_error);
    CHECK_THROWS_AS(popscope::createCustomTarget(std::filesystem::temp_directory_path().string()), poplar_error);
    const Variable machine("POPSCOPE_MACHINE", "/nowhere/m.json");
    CHECK_THROWS_WITH_AS(IPUModel("ipu1"),
                         "/nowhere/m.json: the machine description cannot be read: No such file or directory; "
                         "environment variable POPSCOPE_MACHINE names it; its "
                         "value is one of ipu1, ipu2 and ipu21, or the path of a JSON file",
                         file_load_error);
  }

  TEST_CASE("only an IPU can be described") {
    CHECK(mistakeOf(R"({"base": "cpu"})").find("m.json: /architecture: expected ipu1, ipu2 or ipu21") == 0);
    CHECK(mistakeOf(R"({"base": "ipu2", "architecture": "ipu3"})").find("found \"ipu3\"") != std::string::npos);
    CHECK(mistakeOf("[]") == "m.json: /: expected an object");
    CHECK(mistakeOf("").find("m.json: no valid JSON at byte 0") == 0);
    CHECK(mistakeOf(std::string(100000, '[')).find("m.json: no valid JSON") == 0);
  }

  TEST_CASE("values that contradict the machine are named with their place") {
    struct Bad {
      const char *json, *named;
    };
    const Bad bad[] = {
        {R"({"base": "ipu2", "workerContexts": 0})", "workerContexts is 0"},
        {R"({"base": "ipu2", "workerContexts": 257})", "workerContexts is 257; it must be at most 256"},
        {R"({"base": "ipu2", "numIpus": 4000000000})", "numIpus times tilesPerIpu"},
        {R"({"base": "ipu2", "clockHz": 0})", "clockHz is 0"},
        {R"({"base": "ipu2", "standIn": {"floatDivideSlots": 0}})",
         "standIn/floatDivideSlots is 0; it must be at least 1"},
        {R"({"base": "ipu2", "standIn": {"bundles": 1}})", "/standIn/bundles: expected true or false, found 1"},
        {R"({"base": "ipu2", "clockHz": 1e999})", "m.json: "},
        {R"({"base": "ipu2", "dataPathBits": 33})", "dataPathBits is 33"},
        {R"({"base": "ipu2", "numStrideBits": 64})", "numStrideBits is 64"},
        {R"({"base": "ipu2", "memoryBase": 4294967295})", "memoryBase is 4294967295"},
        {R"({"base": "ipu2", "regions": []})", "regions is empty"},
        {R"({"base": "ipu2", "bytesPerTile": 4294967295, "regions": [{"kind": "nonInterleaved", "offset": 0,
            "size": 4294967295, "elementSize": 1, "executable": true}], "memoryBase": 0})",
         "regions/0/elementSize is 1"},
        {R"({"base": "ipu2", "bytesPerTile": 1024, "dataStartOffset": 0, "stack": {"workerBytes": 512}, "regions": [{"kind": "nonInterleaved", "offset": 0,
            "size": 1024, "elementSize": 512, "executable": true}]})",
         "stack/workerBytes is 512"},
        {R"({"base": "ipu2", "regions": [{"kind": "overflowed", "offset": 0, "size": 638976, "elementSize": 0,
            "executable": true}]})",
         "regions/0/kind is overflowed"},
        {R"({"base": "ipu2", "link": {"constraints": [{"bitsPerSecond": 1, "flows": []}, {"bitsPerSecond": 0, "flows": []}]}})",
         "link/constraints/1/bitsPerSecond is 0"},
        {R"({"base": "ipu2", "link": {"constraints": [{"bitsPerSecond": 1, "flows": [{"source": -1, "destination": 0}]}]}})",
         "/link/constraints/0/flows/0/source: expected a whole number"},
        {R"({"base": "ipu2", "copyVertices": []})", "copyVertices is 0 entries long"},
        {R"({"base": "ipu2", "tilesPerIpu": 1.5})", "/tilesPerIpu: expected a whole number"},
        {R"({"base": "ipu2", "accurateHalf": 1})", "/accurateHalf: expected true or false"},
        {R"({"base": "ipu2", "name": 7})", "/name: expected a string"},
        {R"({"base": "ipu2", "rules": {"stack": "machine"}})",
         "/rules/stack: unknown stack rule \"machine\"; write own, fixed or linked"},
        {R"({"base": "ipu2", "rules": {"opening": 2}})", "/rules/opening: expected a string"},
        {R"({"base": 7})", "/base: unknown machine"},
    };
    for (const Bad &b : bad) {
      INFO(b.json << " -> " << mistakeOf(b.json));
      CHECK(mistakeOf(b.json).find(b.named) != std::string::npos);
      CHECK(mistakeOf(b.json).find("m.json: ") == 0);
    }
  }

  TEST_CASE("the largest values of a description are accepted") {
    CHECK(mistakeOf(R"({"base": "ipu2", "workerContexts": 256})").empty());
    CHECK(mistakeOf(R"({"base": "ipu2", "memoryBase": 4294328320})").empty()); // 2^32 - 638,976: memory ends at 2^32
    CHECK(mistakeOf(R"({"base": "ipu2", "memoryBase": 4294328321})").find("memoryBase is 4294328321") !=
          std::string::npos);
  }

  TEST_CASE("the machine of a release is the built-in one but for its rules, and what its rows were run with") {
    nlohmann::json release = fieldsOf(textOf("ipu1-release-1.2.json")), plain = fieldsOf(R"({"base": "ipu1"})");
    CHECK(release["rules"] == nlohmann::json({{"stack", "linked"},
                                              {"opening", "byPrograms"},
                                              {"streamOrder", "host"},
                                              {"oneWordMessages", "twoCycles"},
                                              {"sharedBus", "messages"},
                                              {"renamingCopies", "gone"},
                                              {"receivedPieces", "inPlace"}}));
    plain["rules"] = release["rules"];
    asMeasured(plain, 12, 10);
    CHECK(nlohmann::json::diff(plain, release) == nlohmann::json::array());
  }

  TEST_CASE(
      "the machine of the sample report is the built-in one but for two rules and what its network was run with") {
    const nlohmann::json release = fieldsOf(textOf("ipu1-spring-2019.json"));
    nlohmann::json plain = fieldsOf(R"({"base": "ipu1"})");
    plain["rules"]["stack"] = "fixed";
    plain["rules"]["receivedPieces"] = "asSent";
    for (nlohmann::json &copy : plain["copyVertices"]) {
      if (copy["name"] == "poplar_rt::Memcpy64BitSupervisor")
        copy["baseCycles"] = 256;
    }
    asMeasured(plain, 36, 36);
    CHECK(nlohmann::json::diff(plain, release) == nlohmann::json::array());
  }

  TEST_CASE("a list that names one thing twice is refused") {
    const std::string sqrt = R"({"name": "sqrt", "issueSlots": 5, "codeBytes": 8})",
                      code = R"({"name": "A", "codeBytes": 8})";
    CHECK(mistakeOf(R"({"base": "ipu1", "library": [)" + sqrt + "]}").empty());
    CHECK(mistakeOf(R"({"base": "ipu1", "library": [)" + sqrt + ", " + sqrt + "]}") ==
          "m.json: /library: lists \"sqrt\" twice; keep one of the rows");
    CHECK(mistakeOf(R"({"base": "ipu1", "vertexCode": [)" + code + ", " + code + "]}") ==
          "m.json: /vertexCode: lists \"A\" twice; keep one of the rows");
  }

  TEST_CASE("every value of a description may be damaged and is refused with its path") {
    const nlohmann::json good = nlohmann::json::parse(
        popscope::machineAsJson(popscope::createCustomTargetFromJson(R"({"base": "ipu21"})", "m.json")));
    unsigned count = 0;
    forEachPath(good, "", [&](const std::string &path) {
      for (const nlohmann::json &wrong : {nlohmann::json::object(), nlohmann::json(-1), nlohmann::json()}) {
        nlohmann::json damaged = good;
        damaged[nlohmann::json::json_pointer(path)] = wrong;
        INFO(path << " = " << wrong.dump() << " -> " << mistakeOf(damaged.dump()));
        CHECK(mistakeOf(damaged.dump()).find("m.json: " + path + ": ") == 0);
        ++count;
      }
    });
    CHECK(count > 3 * 80);
  }

  TEST_CASE("every field of a description is in docs/MACHINES.md") {
    std::ifstream in(POPSCOPE_SOURCE_DIR "/docs/MACHINES.md");
    std::ostringstream text;
    text << in.rdbuf();
    const nlohmann::json all = nlohmann::json::parse(popscope::machineAsJson(popscope::createCustomTargetFromJson(
        R"({"base": "ipu2", "link": {"constraints": [{"bitsPerSecond": 1, "flows": [{"source": 0, "destination": 0}]}]},
                "vertexCode": [{"name": "V", "codeBytes": 8}]})",
        "m.json")));
    forEachPath(all, "", [&](std::string path) {
      for (std::size_t at = path.find("/0/"); at != std::string::npos; at = path.find("/0/"))
        path.replace(at, 3, "/*/");
      INFO(path);
      CHECK(text.str().find("`" + path + "`") != std::string::npos);
    });
  }
}
