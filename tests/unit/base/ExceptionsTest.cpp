#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>
#include <sstream>

using namespace poplar;

TEST_SUITE("base.exceptions") {
  TEST_CASE("an exception knows the name of its class") {
    CHECK(poplar_error("x").type == "poplar_error");
    CHECK(invalid_option("x").type == "invalid_option");
    CHECK(application_runtime_error("x").type == "application_runtime_error");
    CHECK(recoverable_runtime_error("x").type == "recoverable_runtime_error");
    CHECK(std::string(invalid_option(std::string("why")).what()) == "why");
    CHECK(std::string(poplar_error("x").getLocation()) == "poplar");
  }

  TEST_CASE("exceptions are caught by their bases") {
    CHECK_THROWS_AS(throw unknown_runtime_error("x"), system_runtime_error);
    CHECK_THROWS_AS(throw application_runtime_error("x"), poplar::runtime_error);
    CHECK_THROWS_AS(throw poplar::runtime_error("x"), std::runtime_error);
    static_assert(!std::is_base_of_v<system_runtime_error, application_runtime_error>);
  }

  TEST_CASE("extra members travel with copies") {
    const symbol_error symbol("compute", 7);
    CHECK(symbol.name == "compute");
    CHECK(symbol.tile == 7);
    CHECK(std::string(symbol.what()) == "symbol 'compute' is missing on tile 7");
    CHECK(link_error("failed", std::string("undefined x")).output == "undefined x");
    const recoverable_runtime_error recoverable("x", RecoveryAction::FULL_RESET);
    CHECK((recoverable_runtime_error(recoverable).getRecoveryAction() == RecoveryAction::FULL_RESET));

    graph_memory_allocation_error memory("too big");
    memory.graphProfile["tiles"] = 4;
    memory.profilePath = "profile.pop";
    const graph_memory_allocation_error copy = memory;
    CHECK(copy.getGraphProfile()["tiles"].asUint() == 4);
    CHECK(copy.profilePath == "profile.pop");
    CHECK(copy.getExecutionProfile().size() == 0);
  }

  TEST_CASE("recovery actions print their names") {
    std::ostringstream os;
    os << RecoveryAction::LINK_RESET;
    CHECK(os.str() == "LINK_RESET");
  }
}
