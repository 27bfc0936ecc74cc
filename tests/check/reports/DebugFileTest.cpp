// debug.cbor names the operations of a program that creates no DebugInfo, with the places in its code.
#include "tests/check/reports/Shell.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

using namespace reports;
using Json = nlohmann::json;

namespace {

/// Returns the number (from 1) of the only line of the program's source that contains `text`.
unsigned lineWith(const std::string &source, const std::string &text) {
  const auto all = lines(source);
  unsigned found = 0;
  for (unsigned i = 0; i < all.size(); ++i)
    if (all[i].find(text) != std::string::npos) {
      CHECK(found == 0);
      found = i + 1;
    }
  return found;
}

std::map<std::string, Json> byName(const Folder &folder) {
  std::map<std::string, Json> records;
  const Json root = Json::from_cbor(contents(folder.path / "report/debug.cbor"));
  for (const Json &record : root["contexts"])
    records.emplace(record["name"].get<std::string>(), record);
  return records;
}

std::string programsOf(const Folder &folder, const Json &record) {
  const Database db(folder.file("report/profile.pop"));
  return db.one(
      "SELECT group_concat(type || ' ' || name, ', ') FROM (SELECT type, name FROM programs WHERE debug_context = " +
      std::to_string(record["id"].get<std::uint64_t>()) + " ORDER BY id)");
}

} // namespace

TEST_SUITE("check.debugFile") {
  TEST_CASE("programs of a program without DebugInfos are operations with file and line") {
    const Folder folder;
    const Outcome o = shell(folder, kProgram + " report 1 2 autoReport.outputDebugInfo=true");
    CHECK(o.err.empty());
    const std::string source = contents(POPSCOPE_SOURCE_DIR "/tests/check/reports/Program.cpp");
    const auto records = byName(folder);
    for (const char *name : {"turn", "back"}) {
      CAPTURE(name);
      REQUIRE(records.count(name) == 1);
      const Json &r = records.at(name);
      CHECK(r["layer"] == "poplar");
      CHECK(r["parentId"] == 0);
      CHECK(r["location"]["functionName"] == "main");
      CHECK(r["location"]["lineNumber"] == lineWith(source, std::string("false, \"") + name + "\")"));
      const std::string file = r["location"]["fileName"];
      CHECK(file.find("tests/check/reports/Program.cpp") != std::string::npos);
      const std::string programs = programsOf(folder, r);
      CAPTURE(programs);
      CHECK(programs.find(std::string(name)) != std::string::npos);
      CHECK(programs.find("OnTileExecute " + std::string(name)) != std::string::npos);
    }
    REQUIRE(records.count("loop") == 1);
    CHECK(programsOf(folder, records.at("loop")).find("Repeat loop") == 0);
    CHECK(records.at("whole")["layer"] == "test"); // a DebugInfo that contains nothing else
    CHECK(programsOf(folder, records.at("whole")) == "(null)");
    const Outcome python =
        shell(folder, kPython + " -c \"import pva\nr = pva.openReport('report/profile.pop', 'report/debug.cbor')\n"
                                "for o in pva.OperationAnalysis(r).operations:\n  print(o.name, len(o.programs()), "
                                "o.debugContext.location.lineNumber)\"");
    CHECK(python.out.find("\nturn ") != std::string::npos);
    CHECK(python.err.empty());
  }

  TEST_CASE("without debug.cbor programs have no context") {
    const Folder folder;
    REQUIRE(shell(folder, kProgram + " report 1 2").exitCode == 0);
    CHECK(Database(folder.file("report/profile.pop"))
              .one("SELECT COUNT(*) FROM programs WHERE debug_context IS NOT NULL") == "0");
  }

  TEST_CASE("each step that a tool names can be asked for by the id it is listed with") {
    const Folder folder;
    REQUIRE(shell(folder, kProgram + " report 1 2 autoReport.outputLivenessExplanation=true").exitCode == 0);
    const Database db(folder.file("report/profile.pop"));
    std::size_t listed = 0;
    for (const std::string &line : lines(shell(folder, kPopscope + " tree report/profile.pop -n 1000").out)) {
      const std::string first = line.substr(std::min(line.find_first_not_of(' '), line.size()));
      if (first.empty() || first[0] < '0' || first[0] > '9')
        continue;
      CAPTURE(line);
      const std::string id = std::to_string(std::stoull(first));
      CHECK(line.find(db.one("SELECT type FROM programs WHERE id = " + id)) != std::string::npos);
      CHECK(line.find(db.one("SELECT name FROM programs WHERE id = " + id)) != std::string::npos);
      CHECK(shell(folder, kPopscope + " why report/profile.pop b --step " + id).exitCode == 0);
      ++listed;
    }
    CHECK(listed == db.number("SELECT COUNT(*) FROM programs"));
  }
}
