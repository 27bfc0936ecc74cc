#include "base/DebugSites.hpp"
#include "base/DebugStreamer.hpp"

#include <cstdio>
#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/exceptions.hpp>
#include <system_error>

using namespace poplar;

namespace {

nlohmann::json recorded(DebugSerializationFormat format) {
  const std::string file = std::string(POPSCOPE_BINARY_DIR) + "/debug-info-test.out";
  DebugInfo::initializeStreamer(file, format);
  CHECK_THROWS_AS(DebugInfo::initializeStreamer(file, format), poplar_error);
  {
    DebugInfo outer(DebugContext("outer", SourceLocation("f", "file.cpp", 12)), "layer");
    DebugInfo inner(DebugContext(outer, "inner"), "layer");
    CHECK(inner.setValue("op", "matmul"));
    CHECK_FALSE(inner.setValue("op", "other"));
  }
  DebugInfo::closeStreamer();
  { DebugInfo after(DebugContext("after"), "layer"); }
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::remove(file.c_str());
  return format == DebugSerializationFormat::JSON ? nlohmann::json::parse(text) : nlohmann::json::from_cbor(text);
}

} // namespace

TEST_SUITE("base.DebugContext") {
  TEST_CASE("empty parts add no slash") {
    CHECK(DebugContext({"a", "", "b"}).getPathName() == "a/b");
    CHECK(DebugContext({"", "", ""}).getPathName().empty());
    CHECK(DebugContext(DebugNameAndId("p"), "").getPathName() == "p");
    CHECK(DebugContext(DebugNameAndId(""), "x").getPathName() == "x");
    CHECK(DebugNameAndId("name", 0, "a/b").getPathName() == "a/b/name");
    CHECK(DebugNameAndId(DebugNameAndId("p"), "c").getPathName() == "p/c");
  }

  TEST_CASE("contexts, and names with an id, print their paths") {
    std::ostringstream out;
    out << poplar::DebugNameAndId("inner", 0, "outer") << ' ' << poplar::DebugContext("alone");
    CHECK(out.str() == "outer/inner alone");
  }

  TEST_CASE("a context remembers where it was made") {
    const SourceLocation here = SourceLocation::Current();
    CHECK(here.isValid());
    CHECK(here.getLineNumber() == __LINE__ - 2);
    CHECK(here.getFileName().cloneAsString().find("DebugContextTest.cpp") != std::string::npos);
    CHECK_FALSE(SourceLocation().isValid());
  }

  TEST_CASE("infos are written in both formats while a streamer is open") {
    for (auto format : {DebugSerializationFormat::JSON, DebugSerializationFormat::CBOR}) {
      const nlohmann::json file = recorded(format);
      const nlohmann::json &contexts = file.at("contexts"), &texts = file.at("stringTable");
      REQUIRE(contexts.size() == 2);
      CHECK(contexts[0]["name"] == "outer");
      const nlohmann::json &place = contexts[0]["location"];
      CHECK(place["lineNumber"] == 12);
      CHECK(texts.at(place["fileName"].get<std::size_t>()) == "file.cpp"); // as in Poplar's file
      CHECK(texts.at(place["functionName"].get<std::size_t>()) == "f");
      CHECK(contexts[1]["name"] == "outer/inner");
      CHECK(contexts[1]["parentId"] == contexts[0]["id"]);
      CHECK(contexts[1]["op"] == "matmul");
    }
  }

  TEST_CASE("what the process recorded is written whole, those that go on included") {
    const std::string file = std::string(POPSCOPE_BINARY_DIR) + "/debug-info-whole.cbor";
    DebugInfo outer(DebugContext("whole"), "layer");
    {
      DebugInfo inner(DebugContext(outer, "inner"), "layer"), more(DebugContext(outer, std::string(300, 'x')), "layer");
    }
    popscope::writeDebugInfo(file, popscope::debugInfoRecords(), "00c0ffee");
    CHECK(popscope::readDebugInfoId(file) == "00c0ffee");
    CHECK(popscope::readDebugInfoId("no-such-file").empty());
    std::ifstream in(file, std::ios::binary);
    const nlohmann::json contexts = nlohmann::json::from_cbor(in).at("contexts");
    std::remove(file.c_str());
    std::map<std::uint64_t, std::string> names;
    for (const auto &context : contexts) {
      if (!names.empty())
        CHECK(context["id"] > names.rbegin()->first);
      names.emplace(context["id"], context["name"]);
    }
    CHECK(names.at(outer.getId()) == "whole");
    CHECK(names.at(outer.getId() + 1) == "whole/inner");
    CHECK(names.at(outer.getId() + 2) == "whole/" + std::string(300, 'x'));
    // The engine turns the cause into its own exception or a warning.
    CHECK_THROWS_AS(popscope::writeDebugInfo("no-such-folder/x/debug.cbor", {}, ""), std::system_error);
  }

  TEST_CASE("a streamer without a folder is refused") {
    CHECK_THROWS_AS(DebugInfo::initializeStreamer("no-such-folder/x/debug.json"), file_load_error);
  }

  TEST_CASE("the place of a program is the user's, not that of a container which constructs the program") {
    const auto placeOf = [](const char *file) {
      const auto site = popscope::debugSite(popscope::debugIdOf(DebugContext("p", SourceLocation("f", file, 175))));
      REQUIRE(site);
      return site->file + ":" + std::to_string(site->line);
    };
    CHECK(placeOf("model/net.cpp") == "model/net.cpp:175");
    CHECK(placeOf("/usr/include/c++/12/bits/new_allocator.h") == ":0");
    CHECK(placeOf("/opt/popscope/include/poplar/Program.hpp") == ":0");
  }
}
