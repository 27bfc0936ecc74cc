// Views that compare and explain when variables are live, on small programs with known lives.
#include "KnownProfile.hpp"

#include "report/answers/Rows.hpp"

#include <doctest/doctest.h>

using namespace popscope;
using nlohmann::json;
using tools::Known;
using tools::knownCompilation;
using tools::knownVariable;
using tools::table;

namespace {

ProgramRecord programOf(const char *type, const char *name, std::int64_t parent, std::int64_t computeSet = -1) {
  ProgramRecord p;
  p.type = type;
  p.name = name;
  p.parent = parent;
  p.computeSet = computeSet;
  p.livenessPoint = parent >= 0;
  return p;
}

/// Sets the liveness steps of the record: all programs that are liveness points.
void setSteps(CompilationRecord &r) {
  r.livenessSteps.clear();
  for (std::uint32_t id = 0; id < r.programs.size(); ++id)
    if (r.programs[id].livenessPoint)
      r.livenessSteps.push_back({id, {}, {Bytes()}});
}

void writeCompilation(const Known &known, const char *name, const CompilationRecord &record) {
  PopWriter writer(known.place.file(name));
  writer.compilation(record);
  writer.finish();
}

/// Returns the known program with the variables "v" (100 B on tile 1), "a" (100 B) and "b" (30 B), without addresses.
CompilationRecord withV() {
  CompilationRecord r = knownCompilation();
  r.loweredVariables.clear();
  r.variables[2] = knownVariable(r, "v", 100, -1, {{1, 100}});
  return r;
}

/// Returns withV() with WriteUndef("v") before "fast". "v" is then live at "fast" and "slow" only; the ids of these two
/// steps are 4 and 5 in place of 3 and 4.
CompilationRecord withUndef() {
  CompilationRecord r = withV();
  r.programs.insert(r.programs.begin() + 3, programOf("WriteUndef", "", 0));
  r.livenessClasses = {{{{2, 5}}}, {{{4, 6}}}, {{{4, 6}}}};
  r.variables[2].alwaysLive = false;
  r.variables[2].liveClass = 2;
  setSteps(r);
  return r;
}

json diff(const Known &known, std::vector<std::string> words) {
  words.insert(words.begin(), "diff");
  words.emplace_back("--json");
  const tools::Outcome outcome = known.place.run("popscope", words);
  CAPTURE(outcome.err);
  REQUIRE(outcome.exitCode == 0);
  return json::parse(outcome.out);
}

} // namespace

TEST_SUITE("tools.lives") {
  TEST_CASE("diff names the variable whose life a WriteUndef shortens, and no other variable") {
    const Known known;
    writeCompilation(known, "always.pop", withV());
    writeCompilation(known, "undef.pop", withUndef());
    const json shorter = diff(known, {"always.pop", "undef.pop"});
    // "v" is no longer live at the steps Sync and "in": 2 * 100 B. The WriteUndef is a step of only one profile.
    CHECK(table(shorter, "liveness") ==
          json::parse(R"([{"name": "v", "what": "shorter", "bytes": 100, "stepsBefore": 4, "stepsAfter": 2,
            "byteSteps": -200, "liveBefore": "always", "liveAfter": "4-5", "category": "variable", "variables": 1}])"));
    CHECK(shorter["facts"]["livenessChanges"] == 1);
    const json longer = diff(known, {"undef.pop", "always.pop"});
    const json row = table(longer, "liveness")[0];
    CHECK(row["what"] == "longer");
    CHECK(row["byteSteps"] == 200);
    CHECK(row["liveBefore"] == "4-5");
    CHECK(row["liveAfter"] == "always");
    const std::string text = known.place.run("popscope", {"diff", "always.pop", "undef.pop"}).out;
    CHECK(text.find("Variables that are live at other steps: 1.") != std::string::npos);
    CHECK(text.find("popscope vars undef.pop v") != std::string::npos);
    CHECK_FALSE(diff(known, {"undef.pop", "undef.pop"})["tables"].contains("liveness"));
    CHECK(table(diff(known, {"always.pop", "undef.pop", "--name", "v"}), "liveness").size() == 1);
    CHECK_FALSE(diff(known, {"always.pop", "undef.pop", "--name", "a"})["tables"].contains("liveness"));
    CHECK_FALSE(diff(known, {"always.pop", "undef.pop", "--tiles", "0"})["tables"].contains("liveness"));
    CHECK(table(diff(known, {"always.pop", "undef.pop", "--steps", "1"}), "liveness")[0]["byteSteps"] == -100);
  }

  TEST_CASE("diff ranks lives by bytes times steps, and a larger variable with the same life is not among them") {
    const Known known;
    CompilationRecord later = knownCompilation();
    later.livenessClasses = {{{{3, 5}}}, {{{2, 5}}}}; // a: 2-3 before, b: 3-4 before
    later.variables[2].bytes = Bytes(70);             // w, always live
    writeCompilation(known, "later.pop", later);
    const json rows = table(diff(known, {"known.pop", "later.pop"}), "liveness");
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["name"] == "a"); // 100 B less at step 2, 100 B more at step 4
    CHECK(rows[0]["what"] == "moved");
    CHECK(rows[0]["byteSteps"] == 0);
    CHECK(rows[0]["liveBefore"] == "2-3");
    CHECK(rows[0]["liveAfter"] == "3-4");
    CHECK(rows[1]["name"] == "b");
    CHECK(rows[1]["byteSteps"] == 30);
    const json first = diff(known, {"known.pop", "later.pop", "-n", "1"});
    CHECK(table(first, "liveness").size() == 1);
    CHECK(first["tables"]["liveness"]["more"] == 1);
  }

  TEST_CASE("diff finds equal steps between programs with more barriers and steps") {
    const Known known;
    CompilationRecord later = withV(); // Sync, in, Sync, other, Sync, fast, Sync, slow: ids 1 to 8
    later.programs = {later.programs[0],
                      later.programs[1],
                      later.programs[2],
                      programOf("Sync", "", 0),
                      programOf("OnTileExecute", "other", 0, 0),
                      programOf("Sync", "", 0),
                      later.programs[3],
                      programOf("Sync", "", 0),
                      later.programs[4]};
    later.livenessClasses = {{{{2, 7}}}, {{{6, 9}}}};
    setSteps(later);
    writeCompilation(known, "before.pop", withV());
    writeCompilation(known, "later.pop", later);
    CHECK_FALSE(diff(known, {"before.pop", "later.pop"})["tables"].contains("liveness"));
    later.livenessClasses = {{{{2, 9}}}, {{{6, 9}}}}; // "a" is also live at "slow"
    writeCompilation(known, "later.pop", later);
    const json rows = table(diff(known, {"before.pop", "later.pop"}), "liveness");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["name"] == "a");
    CHECK(rows[0]["byteSteps"] == 100);
  }

  TEST_CASE("why names the engine's program that reads a variable, if another one keeps it alive") {
    const Known known;
    CompilationRecord r = knownCompilation();
    r.loweredVariables.clear();
    r.programs = {programOf("Sequence", "", -1),
                  programOf("OnEveryTileSwitch", "", 0),
                  programOf("Sequence", "train", 1),
                  programOf("OnTileExecute", "fast", 2, 0),
                  programOf("Sequence", "report", 1),
                  programOf("OnTileExecute", "slow", 4, 1),
                  programOf("Call", "", 4),
                  programOf("Sequence", "", 1),
                  programOf("StreamCopyMid", "out", 7),
                  programOf("Sequence", "", -1),
                  programOf("OnTileExecute", "inside", 9, 1)};
    r.programs[6].callee = 9;
    r.programs[9].isFunction = true;
    r.livenessClasses = {{{{3, 6}}}, {{{3, 4}}}};
    setSteps(r);
    r.advice.present = true;
    r.advice.worstProgram = 3;
    const auto explain = [&](std::uint32_t program, std::uint32_t read) {
      LiveExplanationRecord e;
      e.firstProgram = program;
      e.endProgram = program + 1;
      e.read = read;
      e.born = 3;
      e.carrier = "next run";
      r.advice.explanations = {e};
      writeCompilation(known, "programs.pop", r);
      return known.place.run("popscope", {"why", "programs.pop", "a"}).out;
    };
    const auto readLine = [](const std::string &text) {
      for (const std::string &line : tools::lines(text))
        if (line.find("read next by:") != std::string::npos)
          return line.substr(line.find("step"));
      return std::string();
    };
    CHECK(readLine(explain(3, 5)) == "step 5 OnTileExecute: slow, in program 1, report");
    CHECK(readLine(explain(3, 8)) == "step 8 StreamCopyMid: out, in program 2");
    CHECK(readLine(explain(3, 10)) == "step 10 OnTileExecute: inside, in program 1, report"); // its function
    CHECK(readLine(explain(3, 3)) == "step 3 OnTileExecute: fast");
    const std::string other = explain(5, 5);
    CHECK(readLine(other) == "step 5 OnTileExecute: slow");
    CHECK(other.find("step 3 OnTileExecute: fast, in program 0, train") != std::string::npos); // last fully written by
    (void)explain(3, 5);
    const json reasons = json::parse(known.place.run("popscope", {"why", "programs.pop", "a", "--json"}).out);
    CHECK(table(reasons, "reasons")[0]["readInProgram"] == "program 1, report");
    r.programs[4].livenessPoint = false; // a Sequence
    setSteps(r);
    r.advice.falseLive = {{0, 4, 5, Bytes(8), Bytes(8)}};
    CHECK(explain(5, 5).find("false-live") == std::string::npos);
    r.advice.falseLive[0].endProgram = 6;
    CHECK(explain(5, 5).find("  false-live: 8 B at step 5 OnTileExecute: slow,") != std::string::npos);
    r.advice.falseLive.clear();
    r.programs.push_back(programOf("Call", "", 2)); // the function belongs to two programs
    r.programs.back().callee = 9;
    r.programs.back().livenessPoint = false;
    CHECK(readLine(explain(8, 10)) == "step 10 OnTileExecute: inside, in programs 0, 1");
  }

  TEST_CASE("CSV and JSON have all spans of a variable's life, text the first three") {
    const Column column{"live", "Live at steps", Unit::Spans};
    const auto shown = [&](const std::string &spans) { return cellText(Cell(spans), column); };
    CHECK(shown("3, 5-9, 12") == "3, 5-9, 12");
    CHECK(shown("3, 5-9, 12, 20, 31") == "3, 5-9, 12, 2 more");
    CHECK(shown("always") == "always");
  }

  TEST_CASE("live shows no variable if no tile is chosen") {
    const Known known;
    CompilationRecord r = knownCompilation();
    r.target.numIpus = 2; // tiles 0 and 1, and tiles 2 and 3
    r.target.tilesPerIpu = 2;
    for (LivenessStepRecord &step : r.livenessSteps)
      step.bytesByIpu.resize(2);
    tools::writeKnown(known.place.file("two.pop"), r);
    const auto rows = [&](const char *ipu) {
      const auto args = {"live", "two.pop", "--json", "--tiles", "0", "--ipu", ipu};
      return table(json::parse(known.place.run("popscope", {args.begin(), args.end()}).out), "variables").size();
    };
    CHECK(rows("0") > 0);
    CHECK(rows("1") == 0); // tile 0 is not on IPU 1
  }

  TEST_CASE("a single part that why leaves out, and a single iteration, have a noun in the singular") {
    const Known known;
    CompilationRecord r = knownCompilation();
    r.programs.push_back(programOf("Repeat", "", 0));
    r.programs.back().count = 1;
    r.advice.present = true;
    r.advice.worstProgram = 3;
    for (std::uint32_t program = 2; program < 4; ++program) {
      LiveExplanationRecord e;
      e.firstProgram = program;
      e.endProgram = program + 1;
      e.read = e.born = 3;
      r.advice.explanations.push_back(e);
    }
    writeCompilation(known, "one.pop", r);
    CHECK(known.place.run("popscope", {"why", "one.pop", "a", "-n", "1"}).out.find("and 1 part more;") !=
          std::string::npos);
    CHECK(known.place.run("popscope", {"tree", "one.pop"}).out.find("Repeat (1 time)") != std::string::npos);
  }

  TEST_CASE("advise shows one row for false-live variables of one name") {
    const Known known;
    CompilationRecord r = knownCompilation();
    r.variables.push_back(knownVariable(r, "a", 16, 1, {{2, 16}}));
    r.advice.present = true;
    r.advice.worstTile = 3;
    r.advice.worstProgram = 3;
    r.advice.falseLive = {{0, 2, 4, Bytes(40), Bytes(10)}, {1, 4, 5, Bytes(30), {}}, {3, 3, 5, Bytes(8), Bytes(1)}};
    writeCompilation(known, "false.pop", r);
    const json rows =
        table(json::parse(known.place.run("popscope", {"advise", "false.pop", "--json"}).out), "falseLive");
    // 40 B at step 2, 48 B at step 3, 8 B at step 4
    CHECK(rows == json::parse(R"([
      {"variable": "a", "category": "variable", "variables": 2, "maxBytes": 48, "maxBytesOnPeakTile": 11, "steps": 3,
       "byteSteps": 96},
      {"variable": "b", "category": "variable", "variables": 1, "maxBytes": 30, "maxBytesOnPeakTile": 0, "steps": 1,
       "byteSteps": 30}])"));
  }

  TEST_CASE("advise names the place of a WriteUndef by the program that follows its barrier and its exchange") {
    const Known known;
    CompilationRecord r = knownCompilation();
    r.loweredVariables.clear();
    r.programs = {programOf("Sequence", "", -1),
                  programOf("Sync", "", 0),
                  programOf("DoExchange", "fast/ExchangePre", 0),
                  programOf("OnTileExecute", "fast/OnTileCopyPre", 0, 1),
                  programOf("OnTileExecute", "fast", 0, 0),
                  programOf("Sync", "", 0),
                  programOf("DoExchange", "fast/save/Exchange", 0),
                  programOf("OnTileExecute", "fast", 0, 0),
                  programOf("Repeat", "loop", 0),
                  programOf("Sequence", "", 8),
                  programOf("OnTileExecute", "slow", 9, 1)};
    r.livenessClasses = {{{{1, 5}}}, {{{6, 11}}}};
    setSteps(r);
    r.advice.present = true;
    r.advice.worstTile = 3;
    r.advice.worstProgram = 4;
    for (const std::uint32_t before : {1, 5, 8, 10})
      r.advice.placements.push_back({0, before, Bytes(40), Bytes(60)});
    writeCompilation(known, "places.pop", r);
    std::vector<std::string> places;
    for (const json &row :
         table(json::parse(known.place.run("popscope", {"advise", "places.pop", "--json"}).out), "placements"))
      places.push_back(row["step"].dump() + " " + row["program"].get<std::string>());
    CHECK(places == std::vector<std::string>{"4 OnTileExecute: fast", "6 DoExchange: fast/save/Exchange",
                                             "8 Repeat: loop", "10 OnTileExecute: slow"});
    const auto hasNote = [&](const char *profile) {
      return known.place.run("popscope", {"advise", profile}).out.find("it can save memory at step 2") !=
             std::string::npos;
    };
    CHECK_FALSE(hasNote("places.pop")); // the peak is at step 4, which the table names
    r.advice.worstProgram = 2;
    writeCompilation(known, "before.pop", r);
    CHECK(hasNote("before.pop"));
  }
}
