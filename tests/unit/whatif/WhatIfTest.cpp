// Compares popscope whatif with the truth: the same program compiled and run on the other machine. Two IPUs, more
// vertices on a tile than worker slots, messages of many sizes, copies between IPUs and with the host.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <popscope/CustomTarget.hpp>
#include <set>
#include <sstream>
#include <tuple>
#include <unistd.h>
#include <vector>

using namespace poplar;
using namespace poplar::program;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr unsigned kTiles = 32; // of two IPUs
const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
struct Change : poplar::Vertex {
  poplar::InOut<poplar::Vector<float>> x;
  bool compute() {
    for (unsigned i = 0; i < x.size(); ++i)
      x[i] += 1;
    return true;
  }
};
struct Gather : poplar::SupervisorVertex {
  poplar::Input<poplar::Vector<float>> from;
  poplar::Output<float> to;
  bool compute() {
    *to = from[0];
    return true;
  }
};
)";

class Place {
public:
  Place() : folder_((fs::temp_directory_path() / ("popscope-whatif-" + std::to_string(::getpid()))).string()) {
    fs::create_directories(folder_);
  }
  ~Place() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  [[nodiscard]] std::string file(const std::string &name) const { return folder_ + "/" + name; }
  [[nodiscard]] std::string machine(const std::string &name, const json &changes) const {
    json machine = {{"base", "ipu2"}, {"name", "two"}, {"numIpus", 2}, {"tilesPerIpu", kTiles / 2}};
    machine.merge_patch(changes);
    std::ofstream(file(name)) << machine;
    return file(name);
  }

private:
  std::string folder_;
};

/// Both tiles of a pair read the same elements of a third tile, and each reads other elements of the tile two further
/// on.
ComputeSet pairs(Graph &graph, const Tensor &x, const Tensor &y) {
  const ComputeSet cs = graph.addComputeSet("pairs");
  for (unsigned t = 0; t < kTiles; ++t) {
    const unsigned half = t / (kTiles / 2) * (kTiles / 2), same = half + ((t & ~1u) + 6) % (kTiles / 2),
                   own = half + (t + 2) % (kTiles / 2);
    const VertexRef vertex = graph.addVertex(
        cs, "Gather",
        {{"from", concat(x.slice(same * 60, same * 60 + 40), x.slice(own * 60 + 4, own * 60 + 20))}, {"to", y[t]}});
    graph.setTileMapping(vertex, t);
    graph.setPerfEstimate(vertex, 30);
  }
  return cs;
}

Sequence program(Graph &graph, bool inPairs, unsigned times) {
  std::stringstream source(kCodelets);
  graph.addCodelets(source);
  const Tensor x = graph.addVariable(FLOAT, {kTiles * 60}, "x"), y = graph.addVariable(FLOAT, {kTiles}, "y"),
               z = graph.addVariable(FLOAT, {kTiles * 60}, "z");
  const ComputeSet change = graph.addComputeSet("change"), gather = graph.addComputeSet("gather");
  for (unsigned t = 0; t < kTiles; ++t) {
    graph.setTileMapping(x.slice(t * 60, (t + 1) * 60), t);
    graph.setTileMapping(z.slice(t * 60, (t + 1) * 60), (t * 7 + 3) % kTiles);
    graph.setTileMapping(y.slice(t, t + 1), t);
    for (unsigned v = 0; v < 1 + t % 15; ++v) { // up to 15 vertices for 6 slots
      const VertexRef vertex = graph.addVertex(change, "Change", {{"x", x.slice(t * 60 + 4 * v, t * 60 + 4 * v + 4)}});
      graph.setTileMapping(vertex, t);
      graph.setPerfEstimate(vertex, 40 + 37 * ((v * 5 + t) % 7));
    }
    const unsigned other = (t + 5) % (kTiles / 2) + (t < kTiles / 2 ? 0 : kTiles / 2); // of the same IPU
    const VertexRef vertex = graph.addVertex(
        gather, "Gather", {{"from", x.slice(other * 60 + t % 3, other * 60 + 7 + t % 13)}, {"to", y[t]}});
    graph.setTileMapping(vertex, t);
    graph.setPerfEstimate(vertex, 100 + t);
  }
  graph.createHostWrite("x", x);
  const DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, kTiles);
  const Sequence body = Sequence({Execute(change), Copy(x, z), Execute(gather)});
  Sequence all;
  if (times == 1)
    all.add(body);
  else
    all.add(Repeat(times, body));
  all.add(Copy(y, out));
  if (inPairs)
    all.add(Execute(pairs(graph, x, y)));
  return all;
}

void record(const Place &place, const Device &device, const std::string &profile, bool inPairs = false,
            unsigned times = 3) {
  Graph graph(device.getTarget());
  const Sequence all = program(graph, inPairs, times);
  Engine engine(graph, all, {{"autoReport.all", "true"}, {"autoReport.directory", place.file(profile)}});
  engine.load(device);
  std::vector<float> values(kTiles * 60, 1), result(kTiles);
  engine.connectStream("out", result.data());
  engine.writeTensor("x", values.data(), values.data() + values.size());
  engine.run(0);
}
void record(const Place &place, const std::string &machine, const std::string &profile, bool inPairs = false) {
  record(place, popscope::createCustomDevice(machine), profile, inPairs);
}

/// The machine of POPSCOPE_MACHINE, while this object exists.
class MachineOfEnvironment {
public:
  explicit MachineOfEnvironment(const std::string &machine) { ::setenv("POPSCOPE_MACHINE", machine.c_str(), 1); }
  ~MachineOfEnvironment() { ::unsetenv("POPSCOPE_MACHINE"); }
};
/// A model of two IPUs with the program's tiles.
Device modelOf(const char *version) {
  IPUModel model(version);
  model.numIPUs = 2;
  model.tilesPerIPU = kTiles / 2;
  model.compileIPUCode = true;
  return model.createDevice();
}
/// Records on a device. A device counts iterations in time that no step contains, and keeps only the last execution of
/// each step, so there is no loop unless `times` is above 1.
void recordOnDevice(const Place &place, const char *system, const std::string &profile, unsigned times = 1) {
  record(place, Device::createSimulatorDevice(Target::createIPUTarget(2, kTiles / 2, system)), profile, false, times);
}

struct Printed {
  int status = -1;
  std::string text;
};
Printed popscopeSays(const std::string &arguments) {
  Printed printed;
  FILE *pipe = ::popen((std::string(POPSCOPE_TOOL) + " " + arguments + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    printed.text.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  printed.status = WEXITSTATUS(status);
  return printed;
}
json answer(const std::string &arguments) {
  const Printed printed = popscopeSays(arguments + " --json");
  CAPTURE(printed.text);
  REQUIRE(printed.status == 0);
  return json::parse(printed.text);
}

/// Records a loop on a device. All tiles work equally long, so that no tile reads the loop's counters while it waits.
void recordLoop(const Place &place, const std::string &profile, const OptionFlags &further) {
  const Device device = Device::createSimulatorDevice(Target::createIPUTarget(1, 4, "ipu2"));
  Graph graph(device.getTarget());
  std::stringstream source(kCodelets);
  graph.addCodelets(source);
  const Tensor x = graph.addVariable(FLOAT, {4, 8}, "x");
  const ComputeSet change = graph.addComputeSet("change");
  for (unsigned t = 0; t < 4; ++t) {
    graph.setTileMapping(x[t], t);
    graph.setTileMapping(graph.addVertex(change, "Change", {{"x", x[t]}}), t);
  }
  OptionFlags options = {{"autoReport.all", "true"}, {"autoReport.directory", place.file(profile)}};
  for (const auto &option : further)
    options.set(option.first, option.second);
  Engine engine(graph, Repeat(5, Execute(change)), options);
  engine.load(device);
  engine.run(0);
}

} // namespace

TEST_SUITE("whatif") {
  TEST_CASE("another machine takes as long as it says, to the cycle") {
    const Place place;
    record(place, place.machine("base.json", json::object()), "base");
    const std::string profile = place.file("base") + "/profile.pop";
    const json same = answer("whatif " + profile + " --machine " + place.machine("base.json", json::object()));
    CHECK(same["facts"]["cycles"] == same["facts"]["cyclesRecorded"]);
    CHECK(same["facts"]["change"] == 0);
    CHECK(same["tables"]["steps"]["rows"].empty());
    const json bothWays = {{{"source", 0}, {"destination", 1}}, {{"source", 1}, {"destination", 0}}};
    const json changes = {{{"exchange", {{"bytesPerCycle", 8}}}},
                          {{"exchange", {{"bytesPerCycle", 2}}}},
                          {{"exchange", {{"bytesPerCycle", 1}, {"busSharing", false}}}},
                          {{"exchange", {{"minLatencyCycles", 40}, {"maxLatencyCycles", 400}}}},
                          {{"exchange", {{"perMessageCycles", 9}}}},
                          {{"sync", {{"minDelayCycles", 10}, {"maxDelayCycles", 300}, {"globalCycles", 77}}}},
                          {{"sync", {{"relativeDelay", false}}}},
                          {{"workerContexts", 4}},
                          {{"workerContexts", 9}},
                          {{"workerContexts", 1}},
                          {{"host", {{"setupCycles", 900}, {"bytesPerCycle", 0.5}, {"maxPacketBytes", 32}}}},
                          {{"link", {{"bytesPerCycle", 1.5}, {"latencyCycles", 2000}}}},
                          {{"link", {{"constraints", {{{"bitsPerSecond", 1e10}, {"flows", bothWays}}}}}}}};
    std::size_t different = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      CAPTURE(changes[i].dump());
      const std::string machine = place.machine("other.json", changes[i]);
      const std::string name = "other" + std::to_string(i);
      record(place, machine, name);
      const json truth = answer("whatif " + place.file(name) + "/profile.pop --machine " + machine);
      const json asked = answer("whatif " + profile + " --machine " + machine);
      CHECK(asked["facts"]["cycles"] == truth["facts"]["cyclesRecorded"]);
      different += asked["facts"]["change"] != 0 ? 1 : 0;
    }
    CHECK(different >= 11);
  }

  TEST_CASE("where neighbours share their buses message by message, a transfer stays as it was recorded") {
    const Place place;
    const json messages = {{"rules", {{"sharedBus", "messages"}}}};
    json slower = messages;
    slower["exchange"] = {{"minLatencyCycles", 40}, {"maxLatencyCycles", 400}};
    record(place, place.machine("base.json", json::object()), "whole", true);
    record(place, place.machine("messages.json", messages), "messages", true);
    record(place, place.machine("slower.json", slower), "slower", true);
    const json whole = answer("whatif " + place.file("whole") + "/profile.pop --machine " +
                              place.machine("base.json", json::object()));
    const json same = answer("whatif " + place.file("messages") + "/profile.pop --machine " +
                             place.machine("messages.json", messages));
    CHECK(same["facts"]["cyclesRecorded"] < whole["facts"]["cyclesRecorded"]);
    CHECK(same["facts"]["cycles"] == same["facts"]["cyclesRecorded"]);
    const json truth =
        answer("whatif " + place.file("slower") + "/profile.pop --machine " + place.machine("slower.json", slower));
    const json asked =
        answer("whatif " + place.file("messages") + "/profile.pop --machine " + place.machine("slower.json", slower));
    CHECK(asked["facts"]["cycles"] == truth["facts"]["cyclesRecorded"]);
  }

  TEST_CASE("flags change one constant each, and what makes no sense is refused") {
    const Place place;
    record(place, place.machine("base.json", json::object()), "base");
    const std::string profile = place.file("base") + "/profile.pop";
    const auto cycles = [&](const std::string &flags) {
      return answer("whatif " + profile + " " + flags)["facts"]["cycles"].get<std::uint64_t>();
    };
    const auto with = [&](const json &changes) { return cycles("--machine " + place.machine("other.json", changes)); };
    CHECK(cycles("--workers 4") == with({{"workerContexts", 4}}));
    CHECK(cycles("--exchange-bytes-per-cycle 2") == with({{"exchange", {{"bytesPerCycle", 2}}}}));
    CHECK(cycles("--set link/latencyCycles=2000") == with({{"link", {{"latencyCycles", 2000}}}}));
    const json two = {{"link", {{"latencyCycles", 2000}}}, {"exchange", {{"bytesPerCycle", 2}}}};
    CHECK(cycles("--set link/latencyCycles=2000 --set exchange/bytesPerCycle=2") == with(two));
    CHECK(cycles("--set link/latencyCycles=2000,exchange/bytesPerCycle=2") == with(two));
    CHECK(cycles("--sync-delay 60") != cycles("--workers 6")); // the recorded length
    const json clock = answer("whatif " + profile + " --clock 1e9");
    CHECK(clock["facts"]["change"] == 0);
    CHECK(clock["facts"]["time"] == clock["facts"]["cycles"]); // a cycle is a nanosecond
    const json memory = answer("whatif " + profile + " --tile-memory 32K");
    CHECK(memory["facts"]["tileMemory"] == 32768);
    CHECK(memory["facts"]["tilesThatFit"].get<int>() + memory["facts"]["tilesThatDoNotFit"].get<int>() +
              memory["facts"]["tilesNotKnown"].get<int>() ==
          int(kTiles));
    for (const char *wrong :
         {"--workers 0", "--clock fast", "--tile-memory 5G", "--sync-delay -1", "--set sync=3",
          "--set exchange/width=3", "--set workerContexts=3,/workerContexts=3", "--workers 5 --set workerContexts=4",
          "--clock 1e9 --set clockHz=1e9", "--tile-memory 1M --set bytesPerTile=1048576",
          "--sync-delay 9 --set sync/minDelayCycles=9", "--exchange-bytes-per-cycle 8 --set /exchange/bytesPerCycle=4",
          "--machine nowhere.json"}) {
      CAPTURE(wrong);
      const Printed refused = popscopeSays("whatif " + profile + " " + wrong);
      CHECK(refused.status == 2);
      CHECK(refused.text.find("popscope") != std::string::npos);
    }
    CHECK(popscopeSays("whatif " + profile + " --machine cpu").text.find("give ipu1, ipu2 or ipu21, or the path") !=
          std::string::npos);
  }

  TEST_CASE(
      "a machine with fewer tiles or IPUs than the program is refused, however it is named; a larger one is not") {
    const Place place;
    record(place, place.machine("base.json", json::object()), "base");
    const std::string profile = place.file("base") + "/profile.pop";
    const std::string half = place.machine("half.json", {{"tilesPerIpu", 8}}),
                      large = place.machine("large.json", {{"tilesPerIpu", 1472}}),
                      one = place.machine("one.json", {{"numIpus", 1}}),
                      same = place.machine("same.json", json::object());
    for (const auto &right : std::vector<std::pair<std::string, std::string>>{
             {"--set tilesPerIpu=8", "2 x 8"},
             {"--machine " + half, "2 x 8"},
             {"--machine ipu2 --set tilesPerIpu=8", "2 x 8"},
             {"--machine " + large + " --set tilesPerIpu=15", "2 x 15"},
             {"--set numIpus=1", "1 x 16"},
             {"--machine " + one, "1 x 16"},
             {"--machine " + one + " --set tilesPerIpu=1472", "1 x 1472"}}) {
      CAPTURE(right.first);
      const auto &[flags, size] = right;
      const Printed refused = popscopeSays("whatif " + profile + " " + flags);
      CHECK(refused.status == 2);
      CHECK(refused.text.find("compiled for 2 x 16 tiles and the chosen machine has " + size + ";") !=
            std::string::npos);
    }
    const auto change = [&](const std::string &flags) {
      return answer("whatif " + profile + " " + flags)["facts"]["change"].get<std::int64_t>();
    };
    CHECK(change("--machine " + large) == change("--set tilesPerIpu=1472"));
    CHECK(change("--machine " + half + " --set tilesPerIpu=16") == 0);
    CHECK(change("--machine " + large + " --set tilesPerIpu=16,numIpus=4") == 0);
    // If no cost depends on the distance, more tiles change nothing: each tile stays on its IPU.
    const std::string flat = "exchange/maxLatencyCycles=80,exchange/minLatencyCycles=80,sync/maxDelayCycles=100,"
                             "sync/minDelayCycles=100,link/bytesPerCycle=3";
    CHECK(change("--set " + flat) != 0);
    CHECK(change("--set " + flat) == change("--set " + flat + ",tilesPerIpu=1000"));
  }

  TEST_CASE("all tiles of an IPU take part in a sync, also those that the program does not use") {
    const Place place;
    const auto oneIpu = [&](const char *name, unsigned tiles) {
      return place.machine(name, {{"numIpus", 1}, {"tilesPerIpu", tiles}});
    };
    record(place, oneIpu("small.json", kTiles), "small");
    const std::string profile = place.file("small") + "/profile.pop";
    const auto cyclesByKind = [&](const std::string &of, const std::string &machine) {
      std::map<std::string, std::uint64_t> cycles;
      const json all = answer("whatif " + of + " --machine " + machine);
      for (const json &row : all["tables"]["kinds"]["rows"])
        cycles[row["kind"]] = row["after"];
      return cycles;
    };
    for (const unsigned tiles : {kTiles, kTiles + 1, 100u, 736u, 1472u}) {
      CAPTURE(tiles);
      const std::string machine = oneIpu("large.json", tiles), name = "large" + std::to_string(tiles);
      record(place, machine, name);
      auto truth = cyclesByKind(place.file(name) + "/profile.pop", machine), asked = cyclesByKind(profile, machine);
      CHECK(truth["barrier"] > 1000);
      // On the larger IPU, the engine's broadcast goes to all tiles. So its exchange takes longer, and the furthest tile
      // arrives later at the barrier behind it: by at most the way of a signal, (118 - 64) / 2 cycles.
      CHECK(truth["exchange"] >= asked["exchange"]);
      CHECK(truth["barrier"] >= asked["barrier"]);
      CHECK(truth["barrier"] <= asked["barrier"] + 27);
      for (const char *kind : {"exchange", "barrier"})
        truth[kind] = asked[kind] = 0;
      CHECK(asked == truth);
    }
  }

  TEST_CASE("a built-in machine of another name has the program's tiles, and takes as long as one from a file") {
    const Place place;
    record(place, place.machine("base.json", json::object()), "base");
    const std::string profile = place.file("base") + "/profile.pop";
    const json byName = answer("whatif " + profile + " --machine ipu1"),
               byFile = answer("whatif " + profile + " --machine " + place.machine("ipu1.json", {{"base", "ipu1"}}));
    CHECK(byName["facts"]["cycles"] == byFile["facts"]["cycles"]);
    CHECK(byName["facts"]["cycles"] != byName["facts"]["cyclesRecorded"]);
    CHECK(byName["facts"]["tileMemory"] == 262144);
  }

  TEST_CASE("a device keeps the constants of a device on another machine") {
    const Place place;
    for (const char *system : {"ipu1", "ipu2"}) {
      CAPTURE(system);
      recordOnDevice(place, system, system);
      const std::string profile = place.file(system) + "/profile.pop";
      const json same = answer("whatif " + profile + " --machine " + system);
      CHECK(same["facts"]["change"] == 0);
      CHECK(same["tables"]["machine"]["rows"].empty());
      CHECK(same["notes"].dump().find("counters of control flow") == std::string::npos);
    }
    recordOnDevice(place, "ipu2", "loop", 3);
    for (const char *command : {"whatif ", "sensitivity "}) {
      const std::string flags = command == std::string("whatif ") ? " --sync-delay 9" : "";
      CHECK(answer(command + place.file("loop") + "/profile.pop" + flags)["notes"].dump().find(
                "counters of control flow") != std::string::npos);
    }
    const json changes = {
        {{"exchange", {{"bytesPerCycle", 2}}}},
        {{"exchange", {{"minLatencyCycles", 5}, {"maxLatencyCycles", 500}}}}, // /device replaces both
        {{"device", {{"hostBeginCycles", 1000}, {"hostEndCycles", 2000}, {"hostSetupCycles", 30}}}},
        {{"device", {{"minExchangeLatencyCycles", 5}, {"maxExchangeLatencyCycles", 500}}}},
        {{"device", {{"hostBytesPerCycle", 0}}},
         {"host", {{"beginCycles", 44}, {"setupCycles", 900}}}}, // those of a model
        {{"host", {{"maxPacketBytes", 64}, {"beginCycles", 7}}}, {"link", {{"latencyCycles", 2000}}}}};
    for (std::size_t i = 0; i < changes.size(); ++i) {
      json machine = {{"base", "ipu2"}, {"name", "other"}};
      machine.merge_patch(changes[i]);
      CAPTURE(machine.dump());
      std::ofstream(place.file("other.json")) << machine;
      const std::string name = "other" + std::to_string(i);
      {
        const MachineOfEnvironment environment(place.file("other.json"));
        recordOnDevice(place, "ipu2", name);
      }
      const json truth = answer("info " + place.file(name) + "/profile.pop");
      const json asked = answer("whatif " + place.file("ipu2") + "/profile.pop --machine " + place.file("other.json"));
      CHECK(asked["facts"]["cycles"] == truth["facts"]["cycles"]);
    }
  }

  TEST_CASE("on a device, --set and --machine agree: a field that /device replaces has no effect") {
    const Place place;
    recordOnDevice(place, "ipu2", "base");
    const std::string profile = place.file("base") + "/profile.pop";
    for (const auto &[set, machine, field] :
         {std::make_tuple("host/setupCycles=400", json{{"host", {{"setupCycles", 400}}}}, "/device/hostSetupCycles"),
          {"host/bytesPerCycle=1.5", {{"host", {{"bytesPerCycle", 1.5}}}}, "/device/hostBytesPerCycle"},
          {"exchange/minLatencyCycles=1",
           {{"exchange", {{"minLatencyCycles", 1}}}},
           "/device/minExchangeLatencyCycles"}}) {
      CAPTURE(set);
      json other = {{"base", "ipu2"}};
      other.merge_patch(machine);
      std::ofstream(place.file("other.json")) << other;
      const json asked = answer("whatif " + profile + " --set " + set);
      CHECK(asked["facts"]["change"] == 0);
      CHECK(asked["facts"]["change"] ==
            answer("whatif " + profile + " --machine " + place.file("other.json"))["facts"]["change"]);
      CHECK(asked["notes"].dump().find(std::string(field) + " replaces ") != std::string::npos);
    }
    const json set = answer("whatif " + profile + " --set device/hostSetupCycles=400");
    CHECK(set["facts"]["change"] != 0);
    CHECK(set["notes"].dump().find(" replaces ") == std::string::npos);
    std::set<std::string> fields;
    const json sensitivity = answer("sensitivity " + profile);
    for (const json &row : sensitivity["tables"]["constants"]["rows"])
      fields.insert(row["field"].get<std::string>());
    for (const char *field :
         {"/device/hostSetupCycles", "/device/hostBeginCycles", "/device/hostEndCycles", "/device/hostBytesPerCycle",
          "/device/minExchangeLatencyCycles", "/host/singlePacketBytesPerCycle"})
      CHECK(fields.count(field) == 1);
    for (const char *field : {"/host/setupCycles", "/host/bytesPerCycle", "/exchange/minLatencyCycles"})
      CHECK(fields.count(field) == 0);
    std::string next;
    for (const json &one : sensitivity["next"])
      if (one.get<std::string>().find("popscope whatif ") == 0)
        next = one.get<std::string>();
    const std::string flags = next.substr(next.find(".pop ") + 5);
    CAPTURE(flags);
    CHECK(answer("whatif " + profile + " " + flags)["facts"]["change"] < 0);
  }

  TEST_CASE("a file's machine has the program's tiles and IPUs, unless the file gives their numbers") {
    const Place place;
    record(place, modelOf("ipu2"), "base");
    std::ofstream(place.file("wide.json")) << R"({"base": "ipu2", "name": "wide", "exchange": {"bytesPerCycle": 8}})";
    std::ofstream(place.file("large.json")) << R"({"base": "ipu2", "name": "large", "tilesPerIpu": 1472})";
    {
      const MachineOfEnvironment environment(place.file("wide.json"));
      record(place, modelOf("ipu2"), "wide");
    }
    const std::string profile = place.file("base") + "/profile.pop";
    const json asked = answer("whatif " + profile + " --machine " + place.file("wide.json"));
    CHECK(asked["facts"]["cycles"] == answer("info " + place.file("wide") + "/profile.pop")["facts"]["cycles"]);
    CHECK(asked["tables"]["machine"]["rows"].size() == 2); // /name and /exchange/bytesPerCycle
    CHECK(asked["facts"]["change"] ==
          answer("whatif " + profile + " --set exchange/bytesPerCycle=8")["facts"]["change"]);
    CHECK(answer("whatif " + profile + " --machine " + place.file("large.json"))["facts"]["change"] ==
          answer("whatif " + profile + " --set tilesPerIpu=1472")["facts"]["change"]);
  }

  TEST_CASE("a note names every field whose effects are not computed again") {
    const Place place;
    record(place, modelOf("ipu2"), "base");
    const json asked = answer("whatif " + place.file("base") +
                              "/profile.pop --machine ipu1 --set host/beginCycles=500,host/endCycles=700");
    std::string notes;
    for (const json &note : asked["notes"])
      notes += note.get<std::string>() + "\n";
    CHECK_MESSAGE(notes.find("more fields") == std::string::npos, notes);
    for (const char *field :
         {"/architecture", "/fp32InFp32OutConvUnitsPerTile", "/host/beginCycles", "/host/endCycles"})
      CHECK_MESSAGE(notes.find(field) != std::string::npos, notes);
  }

  TEST_CASE("if the recorded copies do not wait for the host, a note names the cycles of such waits") {
    const Place place;
    record(place, modelOf("ipu2"), "base");
    std::ofstream(place.file("waits.json")) << R"({"base": "ipu2", "host": {"beginCycles": 500, "endCycles": 700}})";
    std::ofstream(place.file("waits2.json")) << R"({"base": "ipu2", "host": {"beginCycles": 100, "endCycles": 0}})";
    {
      const MachineOfEnvironment environment(place.file("waits.json"));
      record(place, modelOf("ipu2"), "waits");
    }
    {
      const MachineOfEnvironment environment(place.file("waits2.json"));
      record(place, modelOf("ipu2"), "waits2");
    }
    const auto noted = [&](const std::string &profile, const std::string &flags) {
      const json asked = answer("whatif " + place.file(profile) + "/profile.pop " + flags);
      std::size_t count = 0;
      for (const json &note : asked["notes"])
        if (const auto text = note.get<std::string>(); text.starts_with("not computed again: the effects of "))
          for (std::size_t at = text.find("/host/"); at != std::string::npos; at = text.find("/host/", at + 1))
            ++count;
      return count;
    };
    CHECK(noted("base", "--set host/beginCycles=500,host/endCycles=700") == 2);
    CHECK(noted("base", "--machine " + place.file("waits.json")) == 2);
    CHECK(noted("base", "--set host/setupCycles=500") == 0);
    CHECK(noted("waits", "--machine " + place.file("waits2.json")) == 0);
    const auto cycles = [&](const std::string &profile) {
      return answer("info " + place.file(profile) + "/profile.pop")["facts"]["cycles"];
    };
    CHECK(answer("whatif " + place.file("waits") + "/profile.pop --machine " +
                 place.file("waits2.json"))["facts"]["cycles"] == cycles("waits2"));
    CHECK(answer("whatif " + place.file("waits") + "/profile.pop --machine ipu2")["facts"]["cycles"] == cycles("base"));
  }

  TEST_CASE("a run with visible time of the counters of control flow is refused with the option that mends it") {
    const Place place;
    recordLoop(place, "counted", {});
    recordLoop(place, "uncounted", {{"debug.instrumentControlFlow", "false"}});
    for (const std::string command : {"whatif --workers 4 ", "sensitivity "}) {
      const Printed refused = popscopeSays(command + place.file("counted") + "/profile.pop");
      CAPTURE(refused.text);
      CHECK(refused.status == 2);
      CHECK(refused.text.find("debug.instrumentControlFlow set to \"false\"") != std::string::npos);
      CHECK(answer(command + place.file("uncounted") + "/profile.pop")["facts"].contains("cycles"));
    }
  }

  TEST_CASE("a run with steps that the device did not count is refused with the option that counts them") {
    const Place place;
    const auto refusal = [&](const std::string &profile, const OptionFlags &options) {
      recordLoop(place, profile, options);
      const Printed refused = popscopeSays("whatif --workers 4 " + place.file(profile) + "/profile.pop");
      CHECK(refused.status == 2);
      return refused.text;
    };
    const OptionFlags filter = {{"profiler.blocks.filter", ".*"}, {"profiler.programs.filter", ".*change.*"}};
    OptionFlags onlyBlocks = filter, withoutCompute = filter;
    onlyBlocks.set("debug.instrumentControlFlow", "false");
    withoutCompute.set("debug.instrumentCompute", "false");
    const std::string compute = "the device did not count compute; set debug.instrumentCompute";
    const std::string control = "debug.instrumentControlFlow set to \"false\"";
    const std::string blocks = "profiler.blocks.filter set to \"\"";
    struct Case {
      const char *profile;
      OptionFlags options;
      std::vector<std::string> causes;
    };
    for (const Case &one : {Case{"compute", {{"debug.instrumentCompute", "false"}}, {compute}},
                            Case{"external",
                                 {{"debug.instrumentExternalExchange", "false"}},
                                 {"the device did not count exchanges between IPUs and with the host; set "
                                  "debug.instrumentExternalExchange"}},
                            Case{"blocks", onlyBlocks, {blocks}}, Case{"both", filter, {control, blocks}},
                            Case{"neither", withoutCompute, {compute}}}) {
      const std::string text = refusal(one.profile, one.options);
      CAPTURE(text);
      for (const std::string &cause : {compute, control, blocks})
        CHECK((text.find(cause) != std::string::npos) ==
              (std::count(one.causes.begin(), one.causes.end(), cause) != 0));
      for (const std::string &cause : one.causes)
        CHECK(text.find(cause) != std::string::npos);
    }
  }

  TEST_CASE("sensitivity halves and doubles each constant as whatif does") {
    const Place place;
    record(place, place.machine("base.json", json::object()), "base");
    const std::string profile = place.file("base") + "/profile.pop";
    const json all = answer("sensitivity " + profile);
    std::size_t moved = 0;
    for (const json &row : all["tables"]["constants"]["rows"]) {
      if (row["field"] == "/workerContexts") {
        CHECK(row["halved"] == answer("whatif " + profile + " --workers 3")["facts"]["change"]);
        CHECK(row["doubled"] == answer("whatif " + profile + " --workers 12")["facts"]["change"]);
      }
      if (row["field"] == "/link/latencyCycles") {
        const std::string twice = std::to_string(2 * std::stoul(row["value"].get<std::string>()));
        CHECK(row["doubled"] == answer("whatif " + profile + " --set link/latencyCycles=" + twice)["facts"]["change"]);
      }
      const std::string meaning = row["meaning"];
      CHECK(meaning.size() > 40);
      CHECK((row["field"] != "/workerContexts" || meaning.find("MultiVertex") != std::string::npos));
      moved += row["doubled"] != 0 && !row["doubled"].is_null() ? 1 : 0;
    }
    CHECK(all["tables"]["constants"]["rows"].size() == 12);
    CHECK(moved >= 7);
    std::int64_t best = 0; // the change that saves the most, which the answer proposes
    for (const json &row : all["tables"]["constants"]["rows"])
      for (const char *column : {"halved", "doubled"})
        if (!row[column].is_null())
          best = std::min(best, row[column].get<std::int64_t>());
    const std::string next = all["next"][0];
    CHECK(best < 0);
    REQUIRE(next.find("popscope whatif ") == 0);
    CHECK(answer(next.substr(9))["facts"]["change"] == best);
  }

  TEST_CASE("loss accounts for every tile cycle, and its path is as long as the run") {
    const Place place;
    record(place, place.machine("base.json", json::object()), "base");
    const std::string profile = place.file("base") + "/profile.pop";
    const json loss = answer("loss " + profile + " -n 0");
    std::int64_t sum = 0, path = 0, bound = 0, tiles = 0;
    for (const json &row : loss["tables"]["causes"]["rows"]) {
      CHECK(row["tileCycles"].get<std::int64_t>() >= 0);
      sum += row["tileCycles"].get<std::int64_t>();
    }
    CHECK(sum == loss["facts"]["tileCycles"].get<std::int64_t>());
    for (const json &row : loss["tables"]["path"]["rows"]) {
      path += row["cycles"].get<std::int64_t>();
      if (row["cycles"] != 0)
        CHECK(row["slack"] == 0); // the run waits for it, so it has no slack
    }
    for (const json &row : loss["tables"]["bound"]["rows"])
      bound += row["cycles"].get<std::int64_t>();
    for (const json &row : loss["tables"]["tiles"]["rows"])
      tiles += row["cycles"].get<std::int64_t>();
    CHECK(path == loss["facts"]["cycles"].get<std::int64_t>());
    CHECK(bound == path);
    CHECK(tiles == path);
  }

  TEST_CASE("loss of some tiles and of the others is the loss of all") {
    const Place place;
    record(place, place.machine("base.json", json::object()), "base");
    const std::string profile = place.file("base") + "/profile.pop";
    const json all = answer("loss " + profile + " -n 0");
    const auto causes = [](const json &loss) {
      std::map<std::string, std::int64_t> sums; // thread cycles are not known per tile
      for (const json &row : loss["tables"]["causes"]["rows"]) {
        const std::string cause = row["cause"];
        const bool compute = cause == "compute: threads at work" || cause == "compute: idle threads";
        sums[compute ? "compute, idle threads included" : cause] += row["tileCycles"].get<std::int64_t>();
      }
      return sums;
    };
    const std::int64_t tiles = all["facts"]["tiles"];
    REQUIRE(tiles > 2);
    const std::string last = std::to_string(tiles - 1), before = std::to_string(tiles - 2);
    const json some = answer("loss " + profile + " -n 0 --tiles 0," + last),
               others = answer("loss " + profile + " -n 0 --tiles 1-" + before);
    CHECK(some["facts"]["tiles"] == 2);
    std::map<std::string, std::int64_t> sums = causes(some);
    for (const auto &[cause, cycles] : causes(others))
      sums[cause] += cycles;
    CHECK(sums == causes(all));
    std::map<std::string, std::int64_t> ofIpus = causes(answer("loss " + profile + " --ipu 0"));
    for (const auto &[cause, cycles] : causes(answer("loss " + profile + " --ipu 1")))
      ofIpus[cause] += cycles;
    CHECK(ofIpus == causes(all));
    CHECK(some["tables"]["path"] == all["tables"]["path"]);
  }
}
