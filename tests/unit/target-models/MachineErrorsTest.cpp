#include "target-models/model/TileMachine.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;

namespace {

std::string mistake(const std::string &json) {
  try {
    (void)parseTileMachine(json, "my.json");
  } catch (const poplar::invalid_machine_model &e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST_SUITE("target-models.errors") {
  TEST_CASE("a file may change a built-in machine") {
    const TileMachine m = parseTileMachine(R"({"base": "ipu2", "name": "mine", "tilesPerIpu": 64})", "my.json");
    CHECK(m.name == "mine");
    CHECK(m.tilesPerIpu == 64);
    CHECK(m.bytesPerTile == 638976);
  }

  TEST_CASE("a bad value is named with its JSON path") {
    CHECK(mistake(R"({"base": "ipu1", "tilesPerIpu": -4})") ==
          "my.json: /tilesPerIpu: expected a whole number from 0 to 4294967295, found -4");
    CHECK(mistake(R"({"base": "ipu1", "sync": {"minDelayCycles": "x"}})") ==
          "my.json: /sync/minDelayCycles: expected a whole number from 0 to 4294967295, found \"x\"");
    CHECK(mistake(R"({"base": "ipu1", "clockHz": null})") == "my.json: /clockHz: missing");
    CHECK(mistake(R"({"name": "mine"})").find("missing; name every field, or begin with \"base\"") !=
          std::string::npos);
    CHECK(mistake(R"({"base": "ipu1", "library": [{"name": "f", "issueSlots": 1}]})") ==
          "my.json: /library/0/codeBytes: missing");
    CHECK(mistake(R"({"base": "ipu1", "regions": [{"kind": "fast", "offset": 0, "size": 262144, "elementSize": 16384,
                      "executable": true}]})") ==
          "my.json: /regions/0/kind: unknown region kind \"fast\"; write nonInterleaved or interleaved");
    CHECK(mistake(R"({"base": "ipu1", "exchange": 4})") == "my.json: /exchange: expected an object");
  }

  TEST_CASE("an unknown field names the nearest one") {
    CHECK(mistake(R"({"base": "ipu1", "host": {"setupCycle": 4}})") ==
          "my.json: /host/setupCycle: unknown field. Did you mean \"setupCycles\"?");
  }

  TEST_CASE("text that is no JSON is refused with the byte") {
    CHECK(mistake("{,}").find("my.json: no valid JSON at byte 1") == 0);
  }

  TEST_CASE("a machine that contradicts itself is refused") {
    CHECK(mistake(R"({"base": "ipu1", "tilesPerIpu": 0})") ==
          "my.json: machine field tilesPerIpu is 0; it must be at least 1");
    CHECK(mistake(R"({"base": "ipu1", "regions": []})") ==
          "my.json: machine field regions is empty; a tile needs at least one memory region");
    CHECK(
        mistake(
            R"({"base": "ipu1", "regions": [{"kind": "nonInterleaved", "offset": 0, "size": 262144, "elementSize": 16384,
                      "executable": false}]})") ==
        "my.json: machine field regions is 1 regions that cannot hold code; one of them must be executable");
    CHECK(mistake(R"({"base": "ipu1", "regions": [
          {"kind": "nonInterleaved", "offset": 0, "size": 131072, "elementSize": 16384, "executable": true},
          {"kind": "interleaved", "offset": 114688, "size": 147456, "elementSize": 32768, "executable": false}]})") ==
          "my.json: machine field regions/1/offset is 114688; regions must follow each other without a gap or an "
          "overlap: "
          "131072 is expected");
    CHECK(mistake(R"({"base": "ipu1", "bytesPerTile": 1024})") ==
          "my.json: machine field bytesPerTile is 1024; the regions cover 262144 bytes");
    CHECK(mistake(R"({"base": "ipu1", "dataStartOffset": 262144})") ==
          "my.json: machine field dataStartOffset is 262144; it must lie within the tile's 262144 bytes");
    CHECK(mistake(R"({"base": "ipu1", "regions": [
          {"kind": "nonInterleaved", "offset": 0, "size": 24576, "elementSize": 8192, "executable": true},
          {"kind": "nonInterleaved", "offset": 24576, "size": 237568, "elementSize": 16384, "executable": false}]})") ==
          "my.json: machine field regions/1/elementSize is 16384; it must divide the region's offset");
    CHECK(mistake(R"({"base": "ipu1", "sync": {"minDelayCycles": 200}})") ==
          "my.json: machine field sync/minDelayCycles is 200; it must not exceed sync/maxDelayCycles (118)");
    CHECK(mistake(R"({"base": "ipu1", "releaseStacks": {"linked": {"workerBytes": 1048577}}})") ==
          "my.json: machine field releaseStacks/*/workerBytes is 1048577; it must be at most 1048576");
    CHECK(mistake(R"({"base": "ipu1", "host": {"bytesPerCycle": 0}})") ==
          "my.json: machine field host/bytesPerCycle is 0; it must be above 0 and finite");
  }

  TEST_CASE("an unknown machine names the known ones") {
    CHECK_THROWS_WITH_AS(loadTileMachine("ipu3"),
                         "unknown machine \"ipu3\"; known are cpu, ipu1, ipu2, ipu21. Did you mean \"ipu1\"?",
                         poplar::invalid_machine_model);
    CHECK_THROWS_AS(loadTileMachine("runtime"), poplar::invalid_machine_model);
    CHECK(mistake(R"({"base": "ipu3"})") ==
          "my.json: /base: unknown machine \"ipu3\"; known are ipu1, ipu2, ipu21. Did you mean \"ipu1\"?");
  }

  TEST_CASE("a field with two values is a mistake") {
    CHECK(mistake(R"({"base": "ipu1", "base": "ipu2"})") ==
          "my.json: no valid JSON at byte 23: the key \"base\" appears twice; leave one of them out");
    CHECK(mistake(R"({"base": "ipu2", "sync": {"globalCycles": 3, "globalCycles": 4}})")
              .find("\"globalCycles\" appears twice") != std::string::npos);
  }

  TEST_CASE("a tile's memory can be cut and grown") {
    TileMachine m = loadTileMachine("ipu1");
    setTileMemory(m, 300000);
    CHECK(m.regions[1].size == 300000 - 131072);
    CHECK(m.elementOffsets.size() == 14);
    setTileMemory(m, 65536);
    REQUIRE(m.regions.size() == 1);
    CHECK(m.regions[0].size == 65536);
    CHECK(m.elementOffsets.size() == 4);
    CHECK(m.interleavedElementIndex == 4);
    CHECK_NOTHROW(validateTileMachine(m));
  }
}
