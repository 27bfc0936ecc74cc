#include "base/settings/OptionTable.hpp"
#include "base/Check.hpp"
#include "base/Environment.hpp"
#include "base/settings/EngineOptionTable.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;

namespace {

OptionTable table() {
  return OptionTable(
      "engine",
      {{.key = "debug.allow",
        .kind = OptionKind::Bool,
        .defaultValue = "false",
        .unit = "",
        .help = "",
        .since = "0.1"},
       {.key = "size",
        .kind = OptionKind::Unsigned,
        .defaultValue = "8",
        .unit = "bytes",
        .help = "",
        .since = "0.1",
        .min = 4,
        .max = 64},
       {.key = "path", .kind = OptionKind::String, .defaultValue = ".", .unit = "", .help = "", .since = "0.1"},
       {.key = "level",
        .kind = OptionKind::Enumeration,
        .defaultValue = "tile",
        .unit = "",
        .help = "",
        .since = "0.1",
        .values = {"vertex", "tile", "ipu"}}});
}

std::string mistake(const poplar::OptionFlags &flags, const OptionTable &options = table()) {
  try {
    (void)options.parse(flags);
  } catch (const poplar::invalid_option &e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST_SUITE("base.OptionTable") {
  TEST_CASE("a path may begin with the home folder of a user") {
    CHECK(homePath("~root/x") == homePath("~root") + "/x");
    CHECK(homePath("~root").front() == '/');
    for (const char *same : {"~no such user/x", "a/~root", "", "x"})
      CHECK(homePath(same) == same);
  }

  TEST_CASE("defaults hold where nothing is set") {
    const OptionValues values = table().parse({});
    CHECK_FALSE(values.getBool("debug.allow"));
    CHECK(values.getUnsigned("size") == 8);
    CHECK(values.getString("path") == ".");
    CHECK(values.getString("level") == "tile");
    CHECK(values.getIndex("level") == 1);
    CHECK_FALSE(values.isSet("size"));
  }

  TEST_CASE("set values are typed") {
    const OptionValues values =
        table().parse({{"debug.allow", "true"}, {"size", "64"}, {"path", ""}, {"level", "ipu"}});
    CHECK(values.getBool("debug.allow"));
    CHECK(values.getUnsigned("size") == 64);
    CHECK(values.getString("path").empty());
    CHECK(values.getIndex("level") == 2);
    CHECK(values.isSet("path"));
  }

  TEST_CASE("an unknown option names the nearest one") {
    CHECK(mistake({{"debug.alow", "true"}}) == "unknown engine option \"debug.alow\". Did you mean \"debug.allow\"?");
  }

  TEST_CASE("an unknown option like no other lists all options, or the command that does") {
    const OptionTable toy("toy", {OptionRow{.key = "first"}, OptionRow{.key = "second"}});
    CHECK(mistake({{"nonsense", "1"}}, toy) == "unknown toy option \"nonsense\". The options are first, second.");
    CHECK(mistake({{"nonsense", "1"}}, engineOptionTable()) ==
          "unknown engine option \"nonsense\". \"popscope options\" lists all options.");
  }

  TEST_CASE("a bad value names key, value and what is allowed") {
    CHECK(mistake({{"debug.allow", "1"}}) ==
          "engine option \"debug.allow\": value \"1\" is not allowed; give true or false.");
    CHECK(mistake({{"size", "65"}}) ==
          "engine option \"size\": value \"65\" is not allowed; give a whole number from 4 to 64 (bytes).");
    CHECK(mistake({{"level", "tiel"}}) ==
          "engine option \"level\": value \"tiel\" is not allowed; give one of vertex, tile, ipu. Did you mean "
          "\"tile\"?");
    for (const char *bad : {"", "-1", "8 ", "0x8", "3", "99999999999999999999"})
      CHECK_MESSAGE(!mistake({{"size", bad}}).empty(), "value '" << bad << "'");
  }

  // Without the check, 2^32 + 1 would become 1, and 2^32 threads would mean "as many as the machine has".
  TEST_CASE("a number of the engine's options that would not fit where it is kept is refused with the range") {
    const OptionTable &engine = engineOptionTable();
    const auto refused = [&](const char *key, const char *value, const char *range) {
      CAPTURE(std::string(key));
      CHECK_THROWS_WITH_AS((void)engine.parse({{key, value}}), doctest::Contains(range), poplar::invalid_option);
    };
    refused("autoReport.executionProfileProgramRunCount", "4294967297", "from 0 to 4294967295 (runs)");
    refused("opt.maxCompilationThreads", "4294967296", "from 0 to 65536 (threads)");
    refused("target.hostSyncTimeout", "18446744073709551615", "from 0 to 1000000000 (seconds)");
    refused("prng.seed", "-1", "from 0 to 18446744073709551615");
    refused("prng.seed", "18446744073709551616", "from 0 to 18446744073709551615");
    CHECK(engine.parse({{"prng.seed", "18446744073709551615"}}).getUnsigned("prng.seed") == 18446744073709551615u);
  }

  TEST_CASE("a table that contradicts itself is our bug") {
    const OptionRow bad{
        .key = "a", .kind = OptionKind::Bool, .defaultValue = "maybe", .unit = "", .help = "", .since = ""};
    OptionRow good = bad;
    good.defaultValue = "true";
    CHECK_THROWS_AS(OptionTable("t", {bad}), InternalError);
    CHECK_THROWS_AS(OptionTable("t", {good, good}), InternalError);
    CHECK_THROWS_AS((void)table().parse({}).getBool("size"), InternalError);
    CHECK_THROWS_AS((void)table().parse({}).getBool("nothing"), InternalError);
  }

  TEST_CASE("a table lists its rows in the order given") {
    const OptionTable t = table();
    REQUIRE(t.rows().size() == 4);
    CHECK(t.rows()[1].key == "size");
    CHECK(describeValues(t.rows()[3]) == "one of vertex, tile, ipu");
    CHECK(t.find("size")->defaultValue == "8");
    CHECK(t.find("x") == nullptr);
  }
}
