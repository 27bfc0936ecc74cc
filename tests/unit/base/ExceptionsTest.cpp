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

    const recoverable_runtime_error actionFirst(RecoveryAction::LINK_RESET, std::string("why"));
    CHECK((actionFirst.getRecoveryAction() == RecoveryAction::LINK_RESET));
    CHECK(std::string(actionFirst.what()) == "why");
    CHECK(actionFirst.type == "recoverable_runtime_error");

    graph_memory_allocation_error memory("too big");
    memory.graphProfile["tiles"] = 4;
    memory.profilePath = "profile.pop";
    const graph_memory_allocation_error copy = memory;
    CHECK(copy.getGraphProfile()["tiles"].asUint() == 4);
    CHECK(copy.profilePath == "profile.pop");
    CHECK(copy.getExecutionProfile().size() == 0);
  }

  TEST_CASE("a name of a megabyte makes no message of a megabyte; what happened and the next step remain") {
    const std::string name(1 << 20, 'n');
    const std::string what = unknown_vertex_type("Type \"" + name + "\". Did you mean \"Sum\"?").what();
    CHECK(what.size() < 8300);
    CHECK(what.find("Type \"nnn") == 0);
    CHECK(what.find("nnn ... (1040412 bytes are left out) ... nnn") != std::string::npos); // 2^20 + 28 - 8,192
    CHECK(what.substr(what.size() - 25) == "nnn\". Did you mean \"Sum\"?");

    const std::string lines = graph_program_compilation_error(name + "\nsecond\n" + name + " end\n").what();
    CHECK(lines.size() < 16600);
    CHECK(lines.find("nnn\nsecond\nnnn") != std::string::npos);
    CHECK(lines.substr(lines.size() - 8) == "nnn end\n");
    const std::string kept(8192, 'k');
    CHECK(poplar_error(kept).what() == kept);
    std::string wide = "a"; // no character of several bytes is cut apart
    for (int i = 0; i < 5000; ++i)
      wide += "\u00e9";
    const std::string shown = poplar_error(wide).what();
    CHECK(shown.size() < 8300);
    CHECK(shown.find("\\x") == std::string::npos);
  }

  TEST_CASE("recovery actions print their names") {
    std::ostringstream os;
    os << RecoveryAction::LINK_RESET;
    CHECK(os.str() == "LINK_RESET");
  }
}
