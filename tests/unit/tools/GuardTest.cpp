// popscope check for build servers, and popscope history. The test contains the rules of the SARIF schema that it
// checks: what objects may and must have, and in what ranges (OASIS, SARIF 2.1.0, errata 01).
#include "KnownProfile.hpp"
#include "tests/HasText.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <regex>
#include <set>

using nlohmann::json;
using tools::expectRefusal;
using tools::Known;
using tools::table;

namespace {

using Problems = std::vector<std::string>;

struct Rule {
  std::set<std::string> may, must;
};
const std::map<std::string, Rule> kObjects = {
    {"sarifLog", {{"$schema", "version", "runs", "inlineExternalProperties", "properties"}, {"version", "runs"}}},
    {"run",
     {{"tool", "invocations", "conversion", "language", "versionControlProvenance", "originalUriBaseIds", "artifacts",
       "logicalLocations", "graphs", "results", "automationDetails", "columnKind", "properties"},
      {"tool"}}},
    {"tool", {{"driver", "extensions", "properties"}, {"driver"}}},
    {"toolComponent",
     {{"guid", "name", "organization", "product", "shortDescription", "fullDescription", "fullName", "version",
       "semanticVersion", "downloadUri", "informationUri", "notifications", "rules", "taxa", "properties"},
      {"name"}}},
    {"reportingDescriptor",
     {{"id", "deprecatedIds", "guid", "name", "shortDescription", "fullDescription", "messageStrings",
       "defaultConfiguration", "helpUri", "help", "relationships", "properties"},
      {"id"}}},
    {"reportingConfiguration", {{"enabled", "level", "rank", "parameters", "properties"}, {}}},
    {"multiformatMessageString", {{"text", "markdown", "properties"}, {"text"}}},
    {"result",
     {{"ruleId", "ruleIndex", "rule", "kind", "level", "message", "analysisTarget", "locations", "guid",
       "occurrenceCount", "partialFingerprints", "fingerprints", "relatedLocations", "suppressions", "baselineState",
       "rank", "properties"},
      {"message"}}},
    {"message",
     {{"text", "markdown", "id", "arguments", "properties"}, {"text"}}}, // or id, which needs strings elsewhere
    {"location",
     {{"id", "physicalLocation", "logicalLocations", "message", "annotations", "relationships", "properties"}, {}}},
    {"physicalLocation",
     {{"address", "artifactLocation", "region", "contextRegion", "properties"}, {"artifactLocation"}}},
    {"artifactLocation", {{"uri", "uriBaseId", "index", "description", "properties"}, {"uri"}}},
    {"region",
     {{"startLine", "startColumn", "endLine", "endColumn", "charOffset", "charLength", "byteOffset", "byteLength",
       "snippet", "message", "properties"},
      {"startLine"}}},
};

class SarifRules {
public:
  Problems problems;
  void log(const json &log) {
    object(log, "sarifLog");
    if (log.value("version", "") != "2.1.0")
      problems.emplace_back("version");
    for (const auto &run : log.value("runs", json::array()))
      ofRun(run);
  }

private:
  void object(const json &value, const std::string &type) {
    if (!value.is_object()) {
      problems.push_back(type + " is no object");
      return;
    }
    const Rule &rule = kObjects.at(type);
    for (const auto &entry : value.items())
      if (rule.may.count(entry.key()) == 0)
        problems.push_back(type + " has " + entry.key());
    for (const auto &key : rule.must)
      if (!value.contains(key))
        problems.push_back(type + " lacks " + key);
  }
  void level(const json &owner) {
    if (owner.contains("level") && std::set<std::string>{"none", "note", "warning", "error"}.count(owner["level"]) == 0)
      problems.emplace_back("level");
  }
  void ofRun(const json &run) {
    object(run, "run");
    object(run["tool"], "tool");
    const json driver = run["tool"]["driver"];
    object(driver, "toolComponent");
    std::set<std::string> ids;
    for (const auto &rule : driver["rules"]) {
      object(rule, "reportingDescriptor");
      object(rule["shortDescription"], "multiformatMessageString");
      object(rule["defaultConfiguration"], "reportingConfiguration");
      level(rule["defaultConfiguration"]);
      if (!ids.insert(rule["id"]).second)
        problems.emplace_back("two rules of one id");
    }
    if (!run.contains("results"))
      problems.emplace_back("no results: an empty list says that none were found");
    for (const auto &result : run.value("results", json::array()))
      ofResult(result, driver["rules"]);
  }
  void ofResult(const json &result, const json &rules) {
    object(result, "result");
    object(result["message"], "message");
    level(result);
    if (result.contains("kind") &&
        std::set<std::string>{"notApplicable", "pass", "fail", "review", "open", "informational"}.count(
            result["kind"]) == 0)
      problems.emplace_back("kind");
    if (result.value("kind", "fail") != "fail" && result.value("level", "warning") != "none")
      problems.emplace_back("a result that is no failure has a level");
    const int index = result.value("ruleIndex", -1);
    if (index < -1 || index >= static_cast<int>(rules.size()) ||
        (index >= 0 && rules[static_cast<std::size_t>(index)]["id"] != result.value("ruleId", "")))
      problems.emplace_back("ruleIndex");
    const json fingerprints = result.value("partialFingerprints", json::object());
    for (const auto &entry : fingerprints.items())
      if (!entry.value().is_string())
        problems.emplace_back("fingerprint");
    for (const auto &place : result.value("locations", json::array())) {
      object(place, "location");
      object(place["physicalLocation"], "physicalLocation");
      const json artifact = place["physicalLocation"]["artifactLocation"], region = place["physicalLocation"]["region"];
      object(artifact, "artifactLocation");
      if (!std::regex_match(
              artifact.value("uri", " "),
              std::regex("([A-Za-z][A-Za-z0-9+.-]*:)?([A-Za-z0-9._~/!$&'()*+,;=:@-]|%[0-9A-F][0-9A-F])*")))
        problems.emplace_back("uri");
      object(region, "region");
      if (!region["startLine"].is_number_unsigned() || region["startLine"] < 1)
        problems.emplace_back("startLine");
    }
  }
};

Problems problemsOf(const json &log) {
  SarifRules rules;
  rules.log(log);
  return rules.problems;
}

} // namespace

TEST_SUITE("tools.guard") {
  TEST_CASE("check prints SARIF that keeps to its schema, a result for each limit that does not hold, at its line") {
    const Known known;
    known.place.write("my budget.json", "{\"limits\": {\n  \"cycles\": {\"max\": 99},\n\n  \"bytes.headroom\" : "
                                        "{\"min\": 424},\n  \"computeSet.*.cycles\": {\"max\": 19}\n}}");
    const auto outcome = known.place.run("popscope", {"check", "known.pop", "--budget", "my budget.json", "--sarif"});
    CHECK(outcome.exitCode == 1);
    const json log = json::parse(outcome.out);
    CHECK(problemsOf(log) == Problems{});
    const json results = log["runs"][0]["results"];
    REQUIRE(results.size() == 3);
    CHECK(results[2]["message"]["text"] == "cycles (cycles): 100 where the limit is 99, in known.pop.");
    std::vector<int> lines;
    for (const auto &result : results) {
      const json place = result["locations"][0]["physicalLocation"];
      CHECK(place["artifactLocation"]["uri"] == "my%20budget.json");
      lines.push_back(place["region"]["startLine"]);
    }
    CHECK(lines == std::vector<int>{5, 5, 2});
    CHECK(results[0]["partialFingerprints"] != results[1]["partialFingerprints"]);
    known.place.write("kept.json", R"({"limits": {"cycles": {"max": 100}}})");
    const json kept =
        json::parse(known.place.run("popscope", {"check", "known.pop", "--budget", "kept.json", "--sarif"}).out);
    CHECK(problemsOf(kept) == Problems{});
    CHECK(kept["runs"][0]["results"].empty());
    CHECK(kept["runs"][0]["results"].is_array());
    for (const char *other : {"--json", "--csv", "--markdown", "--junit"})
      expectRefusal(known.place.run("popscope", {"check", "known.pop", "--budget", "kept.json", "--sarif", other}),
                    "popscope check: ", "one format at a time");
  }

  TEST_CASE("the rules of the schema find what is wrong") {
    const Known known;
    known.place.write("budget.json", R"({"limits": {"cycles": {"max": 99}}})");
    const json good =
        json::parse(known.place.run("popscope", {"check", "known.pop", "--budget", "budget.json", "--sarif"}).out);
    const auto broken = [&](const char *pointer, const json &value) {
      json log = good;
      log[json::json_pointer(pointer)] = value;
      return !problemsOf(log).empty();
    };
    CHECK(problemsOf(good).empty());
    CHECK(broken("/version", "2.0"));
    CHECK(broken("/runs/0/tools", 1));
    CHECK(broken("/runs/0/results/0/level", "fatal"));
    CHECK(broken("/runs/0/results/0/kind", "pass"));
    CHECK(broken("/runs/0/results/0/ruleIndex", 1));
    CHECK(broken("/runs/0/results/0/ruleIndex", 3));
    CHECK(broken("/runs/0/results/0/message", json::object()));
    CHECK(broken("/runs/0/results/0/locations/0/physicalLocation/region/startLine", 0));
    CHECK(broken("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", "my budget"));
    CHECK(broken("/runs/0/tool/driver/rules/0/id", "popscope/min"));
  }

  TEST_CASE("history lists numbers over the profiles of a folder") {
    const Known known;
    const auto write = [&](const char *name, std::uint64_t end) {
      std::filesystem::create_directories(std::filesystem::path(known.place.file(name)).parent_path());
      tools::writeKnown(known.place.file(name), tools::knownCompilation(), end);
    };
    write("nightly/run10.pop", 130);
    write("nightly/run9/profile.pop", 120);
    write("nightly/run9/again.pop", 110);
    const auto ask = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"history", "nightly"});
      words.emplace_back("--json");
      return json::parse(known.place.run("popscope", words).out);
    };
    CHECK(table(ask({"cycles,computeSet.slow*"}), "history") == json::parse(R"([
      {"profile": "run9/again.pop", "cycles": 110, "cycles.change": null, "computeSet.slow.cycles": 50, "computeSet.slow.cycles.change": null},
      {"profile": "run9/profile.pop", "cycles": 120, "cycles.change": 10, "computeSet.slow.cycles": 60, "computeSet.slow.cycles.change": 10},
      {"profile": "run10.pop", "cycles": 130, "cycles.change": 10, "computeSet.slow.cycles": 70, "computeSet.slow.cycles.change": 10}])"));
    popscope::CompilationRecord commas = tools::knownCompilation();
    commas.programs[3].name = commas.computeSets[0].name = "fast,er"; // as the name of a template with two arguments
    std::filesystem::create_directories(known.place.file("commas"));
    tools::writeKnown(known.place.file("commas/one.pop"), commas);
    const json two = json::parse(
        known.place.run("popscope", {"history", "commas", "cycles, computeSet.fast,er.cycles", "--json"}).out);
    CHECK(table(two, "history")[0].contains("computeSet.fast,er.cycles"));
    CHECK(table(two, "history")[0]["cycles"] == 100);
    const std::string text = known.place.run("popscope", {"history", "nightly", "cycles"}).out;
    CHECK(text.find("unknown") == std::string::npos); // the first profile has no predecessor, so no unknown change
    CHECK(std::regex_search(text, std::regex("again.pop +110 +-\n")));
    const auto noNumber = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"history", "nightly", "nofoo"});
      return known.place.run("popscope", words).err;
    };
    CHECK(noNumber({}) == "popscope history: no profile has a number \"nofoo\". popscope numbers lists them\n");
    CHECK(
        has(noNumber({"--steps", "3"}), "; with --tiles, --ipu or --steps, it lists only the numbers that are known"));
    CHECK(has(noNumber({"--tiles", "9"}), "left out: nightly/run10.pop: --tiles: there is no tile 9"));
    const json latest = ask({"cycles", "-n", "1"});
    CHECK(table(latest, "history")[0]["profile"] == "run10.pop");
    CHECK(latest["tables"]["history"]["more"] == 2);
    write("nightly/run10/profile_0123abcd.pop", 500); // the form of the names that programs give unfinished files
    write("nightly/run10/profile_mine.pop", 140);
    const json without = ask({"cycles"});
    CHECK(without["facts"]["profiles"] == 4);
    CHECK(without.dump().find("0123abcd") == std::string::npos);
    CHECK(without["notes"][0].get<std::string>().find("left out: 1 unfinished file profile_*.pop") == 0);
    // The names that popscope run gives: the first program has no number.
    for (const char *name :
         {"runs/program-2/engine-10/profile.pop", "runs/program-2/engine-2/profile.pop", "runs/program-12/profile.pop",
          "runs/program-2/profile.pop", "runs/program/profile.pop", "runs/program-2.pop", "runs/program.pop"})
      write(name, 120);
    std::string order;
    for (const json &row :
         table(json::parse(known.place.run("popscope", {"history", "runs", "--json"}).out), "history"))
      order += row["profile"].get<std::string>() + " ";
    CHECK(order == "program/profile.pop program.pop program-2/profile.pop program-2/engine-2/profile.pop "
                   "program-2/engine-10/profile.pop program-2.pop program-12/profile.pop ");
    write("left/profile_0123abcd.pop", 500);
    tools::expectRefusal(known.place.run("popscope", {"history", "left"}),
                         "popscope history: ", "left: contains no profile (*.pop); popscope recover");
    std::filesystem::remove_all(known.place.file("nightly/run10"));
    known.place.write("nightly/broken.pop", "no profile");
    const json broken = ask({});
    CHECK(broken["facts"]["profiles"] == 3);
    CHECK(broken["facts"]["unusable"] == 1);
    CHECK(broken["notes"][0].get<std::string>().find("broken.pop") != std::string::npos);
    namespace fs = std::filesystem;
    fs::last_write_time(known.place.file("nightly/run10.pop"),
                        fs::last_write_time(known.place.file("nightly/run9/again.pop")) - std::chrono::hours(1));
    CHECK(table(ask({"cycles", "--by", "time"}), "history")[0]["profile"] == "run10.pop");
    expectRefusal(known.place.run("popscope", {"history", "nightly", "cycels"}),
                  "popscope history: ", "Did you mean \"cycles\"?");
    expectRefusal(known.place.run("popscope", {"history", "none"}), "popscope history: none: ", "no such folder");
    expectRefusal(known.place.run("popscope", {"history", "known.pop"}),
                  "popscope history: known.pop: ", "is no folder");
    fs::create_directories(known.place.file("empty"));
    expectRefusal(known.place.run("popscope", {"history", "empty"}),
                  "popscope history: empty: ", "contains no profile");
    expectRefusal(known.place.run("popscope", {"history", "nightly", "*"}), "popscope history: ", "at most 12");
    expectRefusal(known.place.run("popscope", {"history"}), "popscope history: ", "is missing; usage: ");
  }
}
