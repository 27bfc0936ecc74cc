// The printing of numbers in answers, independent of commands.
#include "RunProgram.hpp"

#include "base/ShownText.hpp"
#include "base/Utf8.hpp"
#include "report/answers/PrintRows.hpp"

#include <doctest/doctest.h>
#include <set>
#include <sstream>

using namespace popscope;

namespace {

std::string shown(std::uint64_t ns) { return cellText(Cell(ns), Unit::Duration); }

Rows mixed() {
  Rows rows("");
  Table table{
      "t",
      "T",
      {{"name", "Name"}, {"count", "Count"}, {"some", "Some"}, {"flag", "Flag"}, {"bytes", "Bytes", Unit::Bytes}},
      {}};
  table.rows.push_back({std::string("a"), std::uint64_t(1), Unknown(), true, std::uint64_t(2)});
  table.rows.push_back({std::string("b"), std::uint64_t(22), std::string("word"), false, Unknown()});
  rows.tables.push_back(std::move(table));
  return rows;
}

} // namespace

TEST_SUITE("tools.rows") {
  TEST_CASE("rows that would look the same when cut show where they differ") {
    popscope::Rows rows("advise");
    popscope::Table table{"changes", "Changes", {{"change", "Change"}, {"bytes", "Bytes", popscope::Unit::Bytes}}, {}};
    const std::string start = "move \"a variable with a long name\", ", end = " to the tiles 1,3,5,7,9,11,13,15 (8)";
    for (const char *what :
         {"tiles 0,2,4,6 (4)", "tiles 0,2,4,8 (4)", "vertices of Layer1/Fwd", "vertices of Layer1/Bwd"})
      table.rows.push_back({start + what + end, std::uint64_t(100)});
    table.rows.push_back({start + "tiles 0,2,4,6 (4)" + end, std::uint64_t(7)}); // the same text in two rows
    rows.tables.push_back(table);
    for (const std::size_t columns : {30, 40, 60, 80}) {
      CAPTURE(columns);
      std::ostringstream out;
      popscope::printText(out, rows, popscope::Style(false), columns);
      const auto lines = tools::lines(out.str());
      REQUIRE(lines.size() == 7);
      std::set<std::string> names;
      for (std::size_t i = 2; i < 6; ++i) {
        CHECK(lines[i].size() <= columns);
        CHECK_MESSAGE(names.insert(lines[i]).second, out.str());
      }
    }
  }

  TEST_CASE("a name of up to 24 columns stays whole in any terminal from 72 columns on, and no line is too long") {
    popscope::Rows rows("");
    popscope::Table table{"variables", "Variables", {{"name", "Name"}, {"category", "Category"}}, {}};
    for (int i = 0; i < 8; ++i)
      table.columns.push_back({"bytes" + std::to_string(i), "Bytes" + std::to_string(i), popscope::Unit::Bytes});
    table.columns.push_back({"inputs", "Inputs"});
    const std::string names[] = {"Layer1/gradient", "<rearrangement:a_images>"}; // 15 and 24 columns
    for (const std::string &name : names) {
      table.rows.push_back({name, std::string("vertexInstanceState")});
      for (int i = 0; i < 8; ++i)
        table.rows.back().emplace_back(std::uint64_t(100));
      table.rows.back().emplace_back(std::string(90, 'x'));
    }
    rows.tables.push_back(table);
    for (std::size_t columns = 72; columns < 200; ++columns) {
      CAPTURE(columns);
      std::ostringstream out;
      popscope::printText(out, rows, popscope::Style(false), columns);
      for (const std::string &name : names)
        CHECK(out.str().find(name + " ") != std::string::npos);
      for (const std::string &line : tools::lines(out.str()))
        CHECK_MESSAGE(popscope::displayColumns(line) <= columns, line);
    }
  }

  TEST_CASE("a command in a note stays on one line") {
    popscope::Rows rows("");
    const std::string command = "POPLAR_ENGINE_OPTIONS='{\"popscope.applyAdvice\":\"a.json\"}' PROGRAM";
    rows.notes = {"apply the changes with " + command, "to try them, run popscope run --set a=1 -- PROGRAM", "a run"};
    for (const std::size_t columns : {0, 40, 80, 90, 200}) {
      CAPTURE(columns);
      std::ostringstream out;
      popscope::printText(out, rows, popscope::Style(false), columns);
      CHECK(out.str().find(command) != std::string::npos);
      CHECK(out.str().find("popscope run --set a=1 -- PROGRAM\n") != std::string::npos);
    }
  }

  TEST_CASE("the title of a table takes several lines if the terminal is narrower") {
    popscope::Rows rows("");
    rows.tables.push_back({"falseLive", "Bytes that no path reads, by bytes times steps", {{"name", "Name"}}, {{"a"}}});
    std::ostringstream out;
    popscope::printText(out, rows, popscope::Style(false), 30);
    CHECK(out.str().find("Bytes that no path reads, by\n    bytes times steps\nName\na\n") != std::string::npos);
  }

  TEST_CASE("no sentence, drawn line, note or title of a column is wider than the terminal, whatever it names") {
    popscope::Rows rows("rows");
    const std::string name(300, 'n');
    rows.lines = {"!the step " + name + " is long"};
    rows.picture = {"  live at step 1 " + name, "    not killed by:          step 2, which leaves out 6 elements: " +
                                                    std::string("[256,512)[768,1024)[1280,1536)[1792,2048)")};
    rows.notes = {"see " + name};
    rows.tables.push_back({"t",
                           "Types",
                           {{"name", "Name"}, {"all", "Thread cycles, all executions", popscope::Unit::Cycles}},
                           {{name, std::uint64_t(1234)}}});
    for (std::size_t columns = 20; columns < 120; ++columns) {
      CAPTURE(columns);
      std::ostringstream out;
      popscope::printText(out, rows, popscope::Style(false), columns);
      std::string letters;
      for (const std::string &line : tools::lines(out.str())) {
        CHECK_MESSAGE(popscope::displayColumns(line) <= columns, line);
        for (const char c : line)
          if (c != ' ')
            letters += c;
      }
      CHECK(letters.find("thestep" + name + "islong") != std::string::npos);
      CHECK(letters.find("see" + name) != std::string::npos);
    }
    std::ostringstream out;
    popscope::printText(out, rows, popscope::Style(false), 64);
    CHECK(out.str().find("    not killed by:          step 2, which leaves out 6 elements:\n"
                         "                            [256,512)[768,1024)[1280,1536)\n"
                         "                            [1792,2048)\n") != std::string::npos);
    std::ostringstream narrow;
    popscope::printText(narrow, rows, popscope::Style(false), 40);
    CHECK(narrow.str().find("\nTypes\nName                  Thread cycles, all\n"
                            "                              executions\n") != std::string::npos);
  }

  TEST_CASE("rows that differ in two places far apart show both") {
    popscope::Rows rows("advise");
    popscope::Table table{"changes", "Changes", {{"change", "Change"}, {"bytes", "Bytes", popscope::Unit::Bytes}}, {}};
    std::size_t count = 0;
    for (const int layer : {0, 1, 2})
      for (const char *what : {"/weights\"", "/weights/out\""})
        for (const char *tiles : {" from tile 0 to tile 1", " from tile 0 to tiles 0-3"}) {
          table.rows.push_back({"move \"model/" + std::string(90, 'p') + "/layer" + std::to_string(layer) + "/" +
                                    std::string(90, 'q') + what + tiles,
                                std::uint64_t(100)});
          ++count;
        }
    rows.tables.push_back(table);
    for (const std::size_t columns : {0, 90, 200}) {
      CAPTURE(columns);
      std::ostringstream out;
      popscope::printText(out, rows, popscope::Style(false), columns);
      const auto lines = tools::lines(out.str());
      REQUIRE(lines.size() == count + 2);
      std::set<std::string> names(lines.begin() + 2, lines.end());
      CHECK_MESSAGE(names.size() == count, out.str());
      for (const std::string &line : names)
        CHECK((columns == 0 || line.size() <= columns));
    }
  }

  TEST_CASE("names that are not ASCII are aligned and cut by columns") {
    popscope::Rows rows("");
    popscope::Table table{"variables", "Variables", {{"name", "Name"}, {"bytes", "Bytes", popscope::Unit::Bytes}}, {}};
    for (const char *name : {"weights", "\u0432\u0435\u0441\u0430/\u0441\u043B\u043E\u0439", "\u5377\u79EF\u5C42"})
      table.rows.push_back({std::string(name), std::uint64_t(100)});
    rows.tables.push_back(table);
    std::ostringstream whole, cut;
    popscope::printText(whole, rows, popscope::Style(false), 16); // the longest name has nine columns
    CHECK(whole.str() == "Variables\nName       Bytes\nweights      100\n"
                         "\u0432\u0435\u0441\u0430/\u0441\u043B\u043E\u0439    100\n\u5377\u79EF\u5C42       100\n");
    std::string name;
    for (int i = 0; i < 40; ++i)
      name += i % 2 == 0 ? "\u5377" : "\u0432";
    for (const char *end : {"", "\u5377", "\u0432", "x"})
      rows.tables[0].rows.push_back({name + end + name, std::uint64_t(100)});
    for (std::size_t columns = 20; columns < 100; ++columns) {
      CAPTURE(columns);
      std::ostringstream out;
      popscope::printText(out, rows, popscope::Style(false), columns);
      for (const std::string &line : tools::lines(out.str())) {
        CHECK_MESSAGE(popscope::displayColumns(line) <= columns, line);
        CHECK(popscope::validUtf8(line) == line);
      }
    }
  }

  TEST_CASE("a step's kind is cut before its name, unless the kind distinguishes the rows") {
    popscope::Rows rows("");
    popscope::Table table{"steps", "Steps", {{"step", "Step"}, {"bytes", "Bytes", popscope::Unit::Bytes}}, {}};
    for (const char *name :
         {"DoExchange: inout/ExchangePre", "DoExchange: inout/ExchangePost", "DoExchange: layers/first/ExchangePre"})
      table.rows.push_back({std::string(name), std::uint64_t(100)});
    rows.tables.push_back(table);
    std::ostringstream out;
    popscope::printText(out, rows, popscope::Style(false), 31);
    CHECK(out.str() == "Steps\nStep                      Bytes\ninout/ExchangePre           100\n"
                       "inout/ExchangePost          100\nlayers/first/ExchangePre    100\n");
    rows.tables[0].rows.push_back({std::string("OnTileExecute: inout/ExchangePre"), std::uint64_t(100)});
    std::ostringstream other;
    popscope::printText(other, rows, popscope::Style(false), 31);
    const auto lines = tools::lines(other.str());
    CHECK(std::set<std::string>(lines.begin(), lines.end()).size() == 6);
  }

  TEST_CASE("a first word that is no kind of step stays in a cell that is cut") {
    for (const char *cell :
         {"points: 30 x float[2]; centres: 3 x float[8]", "layers/Copy: 30 x float[2] of the layer",
          "Copy of layers: 30 x float[2]; 3 x float[8]", "std::vector<std::vector<std::vector<float>>>"}) {
      popscope::Rows rows("");
      rows.tables.push_back({"operators", "Operators", {{"inputs", "Inputs"}}, {{std::string(cell)}}});
      std::ostringstream out;
      popscope::printText(out, rows, popscope::Style(false), 30);
      CHECK(tools::lines(out.str()).back() == popscope::shortened(cell, 30));
    }
  }

  TEST_CASE("a duration has three digits that count, in the unit that suits") {
    CHECK(shown(0) == "0 ns");
    CHECK(shown(999) == "999 ns");
    CHECK(shown(1000) == "1.00 us");
    CHECK(shown(12345) == "12.3 us");
    CHECK(shown(9995) == "10.0 us"); // neither truncated 9.995 nor 10.00
    CHECK(shown(99950) == "100 us");
    CHECK(shown(999499) == "999 us");
    CHECK(shown(999500) == "1.00 ms");
    CHECK(shown(4567890) == "4.57 ms");
    CHECK(shown(1234567890) == "1.23 s");
    CHECK(shown(4321000000000) == "4,321 s");
    CHECK(cellText(Cell(Unknown()), Unit::Duration) == "unknown");
    const Column column{"wall", "Wall", Unit::Duration};
    CHECK(cellText(Cell(std::uint64_t(1500)), column) == "1.50 us");
    CHECK(std::string(unitName(Unit::Duration)) == "ns"); // the unit in JSON and CSV
  }

  TEST_CASE("a sentence counts with the noun that it gives, and else with the unit of the fact") {
    Rows rows("");
    rows.fact("one", std::uint64_t(1), Unit::Operations);
    rows.fact("many", std::uint64_t(1200));
    rows.fact("open", Unknown());
    CHECK(sentence(rows, "{one}, {one:compute set}.") == "1 operation, 1 compute set.");
    CHECK(sentence(rows, "{many}, {many:compute set}, {open:run}") == "1,200, 1,200 compute sets, unknown runs");
  }

  TEST_CASE("a ratio has two decimals, and is unknown of nothing") {
    CHECK(cellText(Cell(Ratio{1, 3})) == "0.33");
    CHECK(cellText(Cell(Ratio{2, 3})) == "0.67");
    CHECK(cellText(Cell(Ratio{1234567, 1})) == "1,234,567.00");
    CHECK(cellText(Cell(Ratio{5, 0}), Unit::OperationsPerCycle) == "unknown");
  }

  TEST_CASE("names stay as they are in Markdown") {
    Rows rows("");
    rows.fact("name", std::string("<OnTileCopy:c>"));
    rows.lines = {"!{name} is the largest.", "Layer* a|b"};
    rows.notes = {"in[0] of `x`"};
    CHECK(toMarkdown(rows) ==
          "- **\\<OnTileCopy:c> is the largest.**\n- Layer\\* a\\|b\n\n> Note: in\\[0] of \\`x\\`\n");
  }

  TEST_CASE("Markdown escapes every character that would mark a name up, also in the title of a column") {
    Rows rows("rows");
    rows.tables.push_back(
        {"t", "T", {{"name", "Of *a* _b_"}}, {{std::string("__proto__")}, {std::string("~~x*y*~~")}}});
    CHECK(toMarkdown(rows) == "\n### T\n\n| Of \\*a\\* \\_b\\_ |\n|---|\n| \\_\\_proto\\_\\_ |\n"
                              "| \\~\\~x\\*y\\*\\~\\~ |\n");
  }

  TEST_CASE("columns of numbers stand at the right, with a unit or without; words and flags at the left") {
    const Rows rows = mixed();
    CHECK(toMarkdown(rows).find("|---|--:|---|---|--:|") != std::string::npos);
    std::ostringstream text;
    printText(text, rows, Style(false), 100);
    CHECK(text.str() == "T\n"
                        "Name  Count  Some     Flag    Bytes\n"
                        "a         1  unknown  yes         2\n"
                        "b        22  word     no    unknown\n");
  }

  TEST_CASE("what is drawn in place of tables is text's; the other formats have the tables") {
    Rows rows = mixed();
    rows.drawn = true;
    rows.picture = {"Heading", "  line"};
    std::ostringstream plain, coloured;
    printText(plain, rows, Style(false), 100);
    printText(coloured, rows, Style(true), 100);
    CHECK(plain.str() == "Heading\n  line\n");
    CHECK(coloured.str().find("\033[") < coloured.str().find("Heading"));
    CHECK(coloured.str().find("\n  line\n") != std::string::npos);
    CHECK(toMarkdown(rows).find("Heading") == std::string::npos);
    CHECK(toCsv(rows).find("a,1,,true,2") != std::string::npos);
  }
}
