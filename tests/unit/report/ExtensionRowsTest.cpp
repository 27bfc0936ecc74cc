// Control flow, sources of cycles and every execution, written to the file and read back, and the views that show them.
#include "report/pop/ExtensionRows.hpp"
#include "report/answers/OverheadAnswer.hpp"
#include "report/answers/PrintRows.hpp"
#include "report/answers/SourcesAnswer.hpp"
#include "report/pop/NumberList.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pop/RunSql.hpp"
#include "report/pva/MakeReport.hpp"
#include "report/summary/ControlFlowView.hpp"
#include "report/summary/ExecutionView.hpp"
#include "tests/unit/report/SmallProfile.hpp"

#include <array>
#include <doctest/doctest.h>
#include <limits>
#include <random>
#include <sstream>

using namespace popscope;

namespace {

constexpr std::uint64_t k2to33 = std::uint64_t(1) << 33;

// The small profile as a profile of an IPU with all counters: 30 bytes of results on three tiles, 200 of code, and a
// run in which 24 cycles of compute counters and 17 of control flow were read.
std::shared_ptr<PopFile> counted(bool recorded = true) {
  CompilationRecord record = small::compilation();
  record.target.type = "IPU";
  for (const char *counters : {"debug.instrument", "debug.instrumentCompute", "debug.instrumentExternalExchange",
                               "debug.instrumentControlFlow"})
    record.options.push_back({"engine", counters, "true", std::string(counters) != "debug.instrument"});
  record.options.push_back({"engine", "debug.computeInstrumentationLevel", "tile", true});
  record.optimisations.push_back({"InsertInstrumentation", "bytes of counter code", 0, 200});
  for (const std::size_t t : {1, 2, 5})
    record.tiles[t].category[static_cast<std::size_t>(StorageCategory::InstrumentationResults)][0][0] = Bytes(10);
  PopWriter writer;
  writer.compilation(record);
  if (!recorded)
    return writer.file();
  writer.beginRun({"first", 0, 0, 0});
  writer.executions({2, 0, {k2to33, k2to33 + 40}, {7, 9}});
  writer.executions({2, 2, {3 * k2to33}, {8}});
  writer.controlFlow({{1, Cycles(120), 4}, {3, {}, std::nullopt}});
  RunTotals totals;
  totals.totalCycles = Cycles(100), totals.compute = Cycles(400), totals.exchange = Cycles(80);
  totals.hostExchange = Cycles(40), totals.sync = Cycles(239);
  totals.counterReads = Cycles(24), totals.controlFlowReads = Cycles(17), totals.unattributed = Cycles(41);
  writer.endRun(totals, 0);
  writer.cycleSources({{0, 0, "estimate", 1, ""},
                       {0, 0, "last known", 2, "spent", 1, 77},
                       {0, 1, "", 3, "no stand-in: x.cpp:3: error\nmore"}});
  return writer.file();
}

std::string answered(Rows (*collect)(const Request &), std::shared_ptr<PopFile> file, const std::string &name = "") {
  Request request;
  request.report = pva::makeReport(std::move(file));
  request.selection.name = name;
  std::ostringstream text;
  printText(text, collect(request), Style(false), 0);
  return text.str();
}

} // namespace

TEST_SUITE("report.extension rows") {

  TEST_CASE("a list of numbers survives, and every cut or changed one is refused or stays in bounds") {
    std::mt19937 random(3);
    std::size_t masked = 0;
    for (std::size_t list = 0; list < 36; ++list) {
      const std::size_t n = std::array<std::size_t, 6>{0, 1, 63, 64, 65, 1000}[list % 6];
      CAPTURE(list);
      std::vector<std::uint32_t> numbers(n);
      for (std::uint32_t &x : numbers) {
        x = n % 2 == 0 ? random() : random() % 100;
        x = list < 12 || random() % 3 != 0 ? x : 0; // a third of some lists is 0
        // in the other lists half the numbers are 0, and the rest are equal
        x = list < 24 ? x : (x & 1) << (4 + list % 27) | 0;
      }
      const std::string blob = packList(numbers);
      masked += blob[0] == 7 ? 1 : 0;
      CHECK(blob.size() == ListPacker(numbers).bytes());
      CHECK(isPackedList(blob));
      CHECK(unpackList(blob) == std::vector<std::uint64_t>(numbers.begin(), numbers.end()));
      for (std::size_t cut = 0; cut < blob.size(); cut += 1 + blob.size() / 40)
        CHECK_THROWS_AS((void)unpackList(blob.substr(0, cut)), ProfileError);
      for (int i = 0; i < 100; ++i) {
        std::string changed = blob;
        changed[random() % changed.size()] ^= static_cast<char>(1 << random() % 8);
        std::size_t got = 0;
        try {
          got = unpackList(changed).size();
        } catch (const ProfileError &) { // refused
        }
        CHECK(got <= 13 * changed.size());
      }
    }
    CHECK(masked > 6);
    CHECK_THROWS_AS((void)unpackList(std::string("\x03\xff\xff\xff\xff\x02\xff\xff\xff\x03", 10)), ProfileError);
    CHECK_THROWS_AS((void)unpackList(std::string("\x07\xff\xff\xff\xff\x02\xff\xff\xff\x03", 10)), ProfileError);
  }

  TEST_CASE("a masked list is what the format's page says, and each of its parts is checked") {
    // 66 numbers, shifted by 2: 4 at 1, 12 at 65
    const std::string mask("\x02\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0", 16);
    const auto list = [](std::uint8_t count, std::uint8_t shift, const std::string &there, const std::string &rest) {
      return std::string("\x07") + static_cast<char>(count) + std::string(3, '\0') + static_cast<char>(shift) + there +
             rest;
    };
    const auto block = [](std::uint8_t bits, std::uint8_t smallest, const std::string &words) {
      return std::string("\x02\x01\0\0\0", 5) + static_cast<char>(bits) + static_cast<char>(smallest) +
             std::string(3, '\0') + words;
    };
    const std::string two =
        block(2, 1, std::string("\xa8", 1) + std::string(7, '\xaa') + std::string(8, '\xaa')); // 1, 3, 3, ...
    std::vector<std::uint64_t> wanted(66);
    wanted[1] = 4;
    wanted[65] = 12;
    CHECK(unpackList(list(66, 2, mask, two)) == wanted);
    // a shift by the full width
    CHECK_THROWS_AS((void)unpackList(list(66, 32, mask, two)), ProfileError);
    CHECK_THROWS_AS((void)unpackList(list(66, 31, mask, two)), ProfileError); // 3 << 31
    // a bit for one number too many
    CHECK_THROWS_AS((void)unpackList(list(65, 2, mask, two)), ProfileError);
    CHECK_THROWS_AS((void)unpackList(list(66, 2, mask.substr(0, 8), two)), ProfileError); // only half of the mask
    // more numbers than set bits
    CHECK_THROWS_AS((void)unpackList(list(66, 2, std::string(16, '\0'), two)), ProfileError);
    CHECK(unpackList(list(66, 2, std::string(16, '\0'), std::string("\x02\0\0\0\0", 5))) ==
          std::vector<std::uint64_t>(66));
  }

  TEST_CASE("executions come back in order though they were written in parts, beyond 32 bits") {
    const auto file = counted();
    const pva::Report report = pva::makeReport(file);
    const auto executions = report.execution().runs()[0].executions();
    REQUIRE(executions.size() == 1);
    CHECK(executions[0].program->_id() == 2);
    CHECK(std::vector<std::uint64_t>(executions[0].starts.begin(), executions[0].starts.end()) ==
          std::vector<std::uint64_t>{k2to33, k2to33 + 40, 3 * k2to33});
    CHECK(std::vector<std::uint64_t>(executions[0].cycles.begin(), executions[0].cycles.end()) ==
          std::vector<std::uint64_t>{7, 9, 8});
    const SqlResult sql =
        runSql(*file, "SELECT executions, starts, cycles FROM simulator_executions ORDER BY first", true);
    CHECK(sql.rows.at(0).at(1).text == "0 40");
    CHECK(sql.rows.at(0).at(2).text == "7 9");
    file->execute("UPDATE simulator_executions SET first = 3 WHERE first = 2");
    CHECK_THROWS_AS((void)report.execution().runs()[0].executions(), ProfileError);
  }

  TEST_CASE("control flow comes back, and no child taken is no number") {
    const pva::Report report = pva::makeReport(counted());
    const auto rows = report.execution().runs()[0].controlFlow();
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].cycles == 120);
    CHECK(rows[0].takenKnown);
    CHECK(rows[0].taken == 4);
    CHECK_FALSE(rows[1].takenKnown);
    CHECK(report.execution().totalCycles().controlFlowReads() == 17);
    CHECK(report.execution().totalCycles().unattributed() == 41);
    std::ostringstream text;
    printText(text, collectControlFlow(report), Style(false));
    CHECK(text.str().find("Control flow (last execution):") != std::string::npos);
    CHECK(text.str().find("120 cycles") != std::string::npos);
  }

  TEST_CASE("the least direct source of a type is its provenance; popscope sources shows the first line of a reason") {
    const pva::Report report = pva::makeReport(counted());
    CHECK(report.compilation().vertexTypes()[0].cycleProvenance() == "last known");
    CHECK(report.compilation().vertexTypes()[1].cycleProvenance() == "");
    const std::string text = answered(collectSourcesAnswer, counted());
    CHECK(text.find("unknown            3  no stand-in: x.cpp:3: error\n") != std::string::npos);
    CHECK(text.find("last known         2  spent\n") != std::string::npos);
    CHECK(text.find("more") == std::string::npos);
    CHECK(answered(collectSourcesAnswer, counted(), "zzz").find("spent") == std::string::npos);
  }

  TEST_CASE("overhead: bytes of results and code, cycles of each cause, what was asked for") {
    CHECK(answered(collectOverheadAnswer, counted()) ==
          "Instrumentation: compute by tile, external exchange, control flow.\n"
          "Results lie on 3 tiles; control code is the additional code for the counters.\n"
          "Of 800 tile cycles in 1 recorded run, reading the counters took:\n"
          "\n"
          "Memory that it took\n"
          "What          Bytes\n"
          "control code    200\n"
          "results          30\n"
          "\n"
          "Time that it took\n"
          "What                                               Tile cycles  Of all\n"
          "counters of compute, external exchange and blocks           24    3.0%\n"
          "control flow                                                17    2.1%\n"
          "\n"
          "Note: the profile does not contain the steps after which counters are read\n"
          "\n"
          "Next: popscope top '' --of tiles\n"
          "      popscope loss ''\n");
    CHECK(answered(collectOverheadAnswer, counted(false)).find("No run was recorded") != std::string::npos);
    CHECK(answered(collectOverheadAnswer, small::write("")) == "Instrumentation: none; it cost nothing.\n\n"
                                                               "Next: popscope info ''\n"
                                                               "      popscope options --name '*instrument*'\n");
  }

  TEST_CASE("overhead: the steps after which counters are read, of the steps, tiles and names chosen") {
    CompilationRecord record = small::compilation();
    record.optimisations.push_back({"InsertInstrumentation", "bytes of counter code", 0, 200});
    record.programTiles.resize(3);
    record.programTiles[1].counterCycles = {{0, 2}};
    record.programTiles[2].counterCycles = {{1, 3}, {5, 4}};
    PopWriter writer;
    writer.compilation(record);
    writer.beginRun({"first", 0, 0, 0});
    for (const std::uint32_t program : {1, 2, 2}) {
      StepRecord step;
      step.program = program;
      step.ipus.resize(2);
      writer.step(step);
    }
    RunTotals totals;
    totals.totalCycles = Cycles(100), totals.counterReads = totals.unattributed = Cycles(16);
    writer.endRun(totals, 0);
    writer.finish();
    Request request;
    request.report = pva::makeReport(writer.file());
    const auto cells = [&] {
      std::string all;
      const Rows rows = collectOverheadAnswer(request);
      for (const auto &row : rows.tables.back().rows)
        all += cellText(row[0]) + ":" + cellText(row[2]) + "x" + cellText(row[3]) + "=" + cellText(row[4]) + " ";
      return all;
    };
    CHECK(cells() == "2:2x7=14 1:1x2=2 "); // 16 together, as the run has
    request.selection.tiles = "0-3";
    CHECK(cells() == "2:2x3=6 1:1x2=2 ");
    request.selection.steps = "1";
    CHECK(cells() == "1:1x2=2 ");
    request.selection.tiles = "";
    request.selection.steps = "";
    request.selection.name = "ad*";
    CHECK(cells() == "2:2x7=14 ");
    CHECK(collectOverheadAnswer(request).tables.back().rows.size() == 1);
    request.selection.name = "zzz";
    CHECK(cells().empty());
  }

  TEST_CASE(
      "averages are sums over tiles by tiles, with their share of the run; what is not known says how to get it") {
    std::ostringstream text;
    printText(text, collectExecution(pva::makeReport(counted()), true), Style(false));
    const auto has = [&](const char *line) { return text.str().find(line) != std::string::npos; };
    CHECK(has("\nPrograms executed:\n\nfirst.\n\n"));
    CHECK(has("\n  Total cycles:                                         100 (approx 0.1 microseconds)\n"));
    CHECK(has(
        "\n  Tile average compute cycles (including idle threads): 50.0 (50.0% of total)\n")); // 400 / 8 tiles, of 100
    CHECK_FALSE(has("excluding idle threads"));                                                // level tile
    CHECK(has("\n  Tile average IPU exchange cycles:                     10.0 (10.0% of total)\n"));
    CHECK(has("\n  Tile average host exchange cycles:                    5.0 (5.0% of total)\n"));
    CHECK(has("\n  Tile average sync cycles:                             29.9 (29.9% of total)\n"));
    CHECK(has("\n  Tile average instrumentation cycles:                  5.1 (5.1% of total)\n")); // 41 / 8 = 5.125
    PopWriter writer;
    CompilationRecord record = small::compilation();
    record.target.type = "IPU";
    writer.compilation(record);
    writer.beginRun({"", 0, 0, 0});
    RunTotals totals;
    totals.totalCycles = Cycles(10), totals.computeKnown = totals.externalKnown = false;
    writer.endRun(totals, 0);
    std::ostringstream little;
    printText(little, collectExecution(pva::makeReport(writer.file()), true), Style(false));
    CHECK(little.str().find("<anonymous>.") != std::string::npos);
    CHECK(little.str().find("(including idle threads): Must enable debug.instrumentCompute") != std::string::npos);
    CHECK(little.str().find("host exchange cycles:                    Must enable debug.instrumentExternalExchange") !=
          std::string::npos);
  }

} // TEST_SUITE
