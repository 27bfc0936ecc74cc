#include <cstdio>
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/exceptions.hpp>

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

  TEST_CASE("a context remembers where it was made") {
    const SourceLocation here = SourceLocation::Current();
    CHECK(here.isValid());
    CHECK(here.getLineNumber() == __LINE__ - 2);
    CHECK(here.getFileName().cloneAsString().find("DebugContextTest.cpp") != std::string::npos);
    CHECK_FALSE(SourceLocation().isValid());
  }

  TEST_CASE("infos are written in both formats while a streamer is open") {
    for (auto format : {DebugSerializationFormat::JSON, DebugSerializationFormat::CBOR}) {
      const nlohmann::json contexts = recorded(format).at("contexts");
      REQUIRE(contexts.size() == 2);
      CHECK(contexts[0]["name"] == "outer");
      CHECK(contexts[0]["location"]["lineNumber"] == 12);
      CHECK(contexts[1]["name"] == "outer/inner");
      CHECK(contexts[1]["parentId"] == contexts[0]["id"]);
      CHECK(contexts[1]["op"] == "matmul");
    }
  }

  TEST_CASE("a streamer without a folder is refused") {
    CHECK_THROWS_AS(DebugInfo::initializeStreamer("no-such-folder/x/debug.json"), file_load_error);
  }
}
