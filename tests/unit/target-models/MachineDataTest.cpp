#include "target-models/model/MachineData.hpp"
#include "target-models/model/Architectures.hpp"
#include "target-models/model/TileMachine.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <poplar/exceptions.hpp>
#include <set>

using namespace popscope;

namespace {

/// Returns how a source names the entry of a list: by the entry's own name if it has one, because positions change with
/// the list.
std::string keyOf(const nlohmann::json &entry, std::size_t position) {
  return entry.is_object() && entry.contains("name") ? entry.at("name").get<std::string>() : std::to_string(position);
}

/// Collects the paths of all numbers, truth values and lists of a machine file, and of the objects that contain them.
void collectConstants(const nlohmann::json &json, const std::string &path, std::set<std::string> &out,
                      std::set<std::string> &holders) {
  holders.insert(path);
  if (json.is_object()) {
    for (const auto &item : json.items())
      if (path + "/" + item.key() != "/sources")
        collectConstants(item.value(), path + "/" + item.key(), out, holders);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i)
      collectConstants(json[i], path + "/" + keyOf(json[i], i), out, holders);
  } else if (json.is_number())
    out.insert(path);
}

bool namesAPosition(const std::string &path) {
  for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1))
    if (at + 1 < path.size() &&
        path.find_first_not_of("0123456789", at + 1) >= std::min(path.find('/', at + 1), path.size()))
      return true;
  return false;
}

/// Returns the source of the path or of its nearest enclosing object.
const nlohmann::json *sourceOf(const nlohmann::json &sources, std::string path) {
  for (; !path.empty(); path.resize(path.rfind('/')))
    if (sources.contains(path))
      return &sources.at(path);
  return nullptr;
}

} // namespace

TEST_SUITE("target-models.data") {
  TEST_CASE("the built-in machines are known by name") {
    CHECK(tileMachineNames() == std::vector<std::string>{"cpu", "ipu1", "ipu2", "ipu21"});
  }

  TEST_CASE("architectures are those of the files, and every text that lists them follows") {
    std::vector<std::string> names;
    for (const Architecture &one : architectures()) {
      names.push_back(one.name);
      const auto json = nlohmann::json::parse(
          std::ifstream(std::string(POPSCOPE_SOURCE_DIR) + "/target-models/data/" + one.name + ".json"));
      CHECK(one.version == json.at("architectureVersion").get<std::uint32_t>());
      CHECK(one.systems == json.at("systems").get<std::vector<std::string>>());
      CHECK(one.isHost() == (one.name == "cpu"));
      CHECK(one.shortPointers == (one.name == "ipu1"));
    }
    CHECK(names == tileMachineNames());
    CHECK(findArchitecture("ipu3") == nullptr);
    CHECK(architectureNames(true, "and") == "cpu, ipu1, ipu2 and ipu21");
    CHECK(architectureNames(false, "or") == "ipu1, ipu2 or ipu21");
  }

  TEST_CASE("what says something of an architecture is no member of a machine of one's own") {
    for (const char *member : {"\"architectureVersion\": 3", "\"systems\": []"})
      CHECK_THROWS_WITH_AS(parseTileMachine(std::string("{\"base\": \"ipu2\", ") + member + "}", "mine"),
                           doctest::Contains("unknown field"), poplar::invalid_machine_model);
  }

  TEST_CASE("the compiled-in text is that of the files") {
    for (const MachineData &data : machineData()) {
      std::ifstream in(std::string(POPSCOPE_SOURCE_DIR) + "/target-models/data/" + std::string(data.name) + ".json");
      const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
      CHECK_MESSAGE(text == data.json, data.name);
    }
    CHECK(machineData().size() == 5);
  }

  TEST_CASE("every constant has a source and a confidence, and every source a constant") {
    const std::set<std::string> grades = {"high", "medium", "low", "own choice"};
    for (const MachineData &data : machineData()) {
      const auto json = nlohmann::json::parse(data.json);
      const auto &sources = json.at("sources");
      std::set<std::string> constants, holders;
      collectConstants(json, "", constants, holders);
      for (const std::string &path : constants)
        CHECK_MESSAGE(sourceOf(sources, path) != nullptr, data.name << path);
      for (const auto &source : sources.items()) {
        CHECK_MESSAGE(grades.count(source.value().at("confidence")) == 1, data.name << source.key());
        CHECK_MESSAGE(!source.value().at("source").get<std::string>().empty(), data.name << source.key());
        CHECK_MESSAGE(holders.count(source.key()) == 1, data.name << source.key());
        CHECK_MESSAGE(!namesAPosition(source.key()), data.name << source.key());
      }
    }
  }

  TEST_CASE("ipu1 has two halves of memory, the second interleaved") {
    const TileMachine m = loadTileMachine("ipu1");
    CHECK(m.kind == DeviceKind::IpuModel);
    CHECK(m.tilesPerIpu == 1216);
    CHECK(m.bytesPerTile == 262144);
    REQUIRE(m.regions.size() == 2);
    CHECK(m.regions[0] == MemoryRegion{RegionKind::NonInterleaved, 0, 131072, 16384, true});
    CHECK(m.regions[1] == MemoryRegion{RegionKind::Interleaved, 131072, 131072, 32768, false});
    REQUIRE(m.elementOffsets.size() == 12); // 8 of 16 KiB, 4 of 32 KiB
    CHECK(m.elementOffsets[0] == 0x40000);
    CHECK(m.elementOffsets[8] == 0x60000);
    CHECK(m.elementOffsets[9] == 0x68000);
    CHECK(m.interleavedElementIndex == 8);
    CHECK(m.dataStartOffset == 16384);
    CHECK(m.clockHz == 1.6e9);
    CHECK(6 * m.stack.workerBytes + m.stack.supervisorBytes == 3168);
  }

  TEST_CASE("the second generation has 13 plain elements and 13 interleaved ones") {
    for (const char *name : {"ipu2", "ipu21"}) {
      const TileMachine m = loadTileMachine(name);
      CHECK(m.tilesPerIpu == 1472);
      CHECK(m.bytesPerTile == 638976);
      CHECK(m.regions[1].offset == 212992);
      CHECK(m.elementOffsets.size() == 26);
      CHECK(m.interleavedElementIndex == 13);
      CHECK(m.elementOffsets[0] == 0x4c000);
      CHECK(m.elementOffsets[13] == 0x80000);
      CHECK(6 * m.stack.workerBytes + m.stack.supervisorBytes ==
            384); // 296 and the largest supervisor vertex known, 88
      CHECK(m.scaledPointerBytes == 4);
    }
  }

  TEST_CASE("a machine written as JSON reads back equal") {
    for (const std::string &name : tileMachineNames()) {
      const TileMachine machine = loadTileMachine(name);
      CHECK(parseTileMachine(tileMachineToJson(machine), "copy") == machine);
      TileMachine changed = machine;
      changed.library.front().issueSlots += 1;
      CHECK_FALSE(changed == machine);
    }
  }
}
