// Outputs that are requested from outside a program: each is written to the named place, or a message states that
// nothing is written.
#include "tests/check/reports/Shell.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

using namespace reports;
using nlohmann::json;

namespace {

const std::string kBare = "'" REPORTS_SHAPES "' none bare";

bool anyLine(const std::vector<std::string> &all, const std::string &part) {
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string &line) { return line.find(part) != std::string::npos; });
}

} // namespace

TEST_SUITE("check.outside") {
  TEST_CASE("a configuration that asks for no profile is told so, by check and by the program") {
    const Folder folder;
    std::ofstream(folder.path / "c.json") << R"({"formats": ["csv"], "engine": {"popscope.profileRuns": "0"}})";
    const Outcome check = shell(folder, kPopscope + " config check c.json");
    CHECK(check.exitCode == 0);
    CHECK(check.out.find("c.json: by itself it requests no profile, so nothing would be written") != std::string::npos);
    const Outcome ran = shell(folder, "POPSCOPE_CONFIG=c.json " + kBare);
    CHECK(ran.exitCode == 0);
    CHECK(anyLine(ran.err, "no profile is written"));
    CHECK(anyLine(ran.err, "\"template\": \"default\""));
    CHECK_FALSE(std::filesystem::exists(folder.path / "popscope-profiles"));
    std::ofstream(folder.path / "t.json") << R"({"template": "light"})";
    CHECK(shell(folder, kPopscope + " config check t.json").out == "t.json: good\n");
    CHECK(shell(folder, kBare).err.empty()); // nothing was requested
  }

  TEST_CASE("words of other profilers are answered by ours") {
    const Folder folder;
    const std::pair<const char *, const char *> words[] = {{"output", "autoReport.directory"},
                                                           {"task_trace", "autoReport.outputExecutionProfile"},
                                                           {"sample_rate", "popscope.sampleMemory"},
                                                           {"HABANA_PROFILE", "POPSCOPE_PROFILE"}};
    for (const auto &[word, ours] : words) {
      CAPTURE(std::string(word));
      std::ofstream(folder.path / "c.json") << "{\"" << word << "\": \"x\"}";
      const Outcome key = shell(folder, kPopscope + " config check c.json");
      CHECK(key.exitCode == 1);
      CHECK_MESSAGE(key.out.find(ours) != std::string::npos, key.out);
      std::ofstream(folder.path / "c.json") << "{\"engine\": {\"" << word << "\": \"x\"}}";
      const Outcome option = shell(folder, kPopscope + " config check c.json");
      CHECK(option.exitCode == 1);
      CHECK_MESSAGE(option.out.find(ours) != std::string::npos, option.out);
    }
  }

  TEST_CASE("config check lists every mistake with its line, at once") {
    const Folder folder;
    std::ofstream(folder.path / "c.json") << R"({
  "templat": "light",
  "unknown": {"debug.instrument": [1, 2]},
  "summary": 3,
  "template": "heavy",
  "engine": {"autoReport.al": "true", "debug.instrument": "maybe"}
})";
    const Outcome check = shell(folder, kPopscope + " config check c.json");
    CHECK(check.exitCode == 1);
    for (const char *part : {"c.json:2: there is no key \"templat\"", "c.json:3: there is no key \"unknown\""})
      CHECK_MESSAGE(check.out.find(part) != std::string::npos, check.out);
    std::ofstream(folder.path / "d.json") << R"({
  "summary": 3,
  "template": "heavy",
  "engine": {"autoReport.al": "true", "debug.instrument": "maybe"}
})";
    const Outcome values = shell(folder, kPopscope + " config check d.json");
    CHECK(values.exitCode == 1);
    for (const char *part : {"d.json:2: \"summary\"", "d.json:3: there is no template \"heavy\"", "d.json:4: "})
      CHECK_MESSAGE(values.out.find(part) != std::string::npos, values.out);
    CHECK_MESSAGE(values.out.find("autoReport.al") != std::string::npos, values.out);
    CHECK_MESSAGE(values.out.find("debug.instrument") != std::string::npos, values.out);
  }

  TEST_CASE("config check refuses a name that is no text, and a key that appears twice") {
    const Folder folder;
    const auto check = [&](const char *text) {
      std::ofstream(folder.path / "c.json") << text;
      const Outcome done = shell(folder, kPopscope + " config check c.json");
      CHECK(done.exitCode == 1);
      return done.out;
    };
    for (const char *key : {"trace", "directory", "template", "formats"}) {
      const std::string text = std::string("{\n\"") + key + "\": 5}";
      CHECK_MESSAGE(check(text.c_str()).find("c.json:2: \"" + std::string(key) + "\" is a text: write \"5\"") !=
                        std::string::npos,
                    check(text.c_str()));
    }
    for (const char *twice : {R"({"template": "ci",
"template": "memory"})",
                              R"({"engine": {"autoReport.all": true,
"autoReport.all": false}})"})
      CHECK_MESSAGE(check(twice).find("c.json:2: the key \"") != std::string::npos, check(twice));
    for (const char *command : {" run --template nope -- true", " config show --template nope"}) {
      const Outcome done = shell(folder, kPopscope + command);
      CHECK(done.exitCode == 2);
      CHECK(anyLine(done.err, "--template: there is no template \"nope\"."));
      CHECK(anyLine(done.err, "popscope config templates lists them"));
    }
  }

  TEST_CASE("diff lists the fields of the machines that differ, and check notes another machine of the baseline") {
    const Folder folder;
    std::ofstream(folder.path / "m.json")
        << R"({"base": "ipu2", "clockHz": 1000000000, "exchange": {"minLatencyCycles": 10}})";
    std::ofstream(folder.path / "budget.json") << R"({"limits": {"vertices": {"maxIncrease": "10%"}}})";
    for (const char *run : {"POPSCOPE_MACHINE=ipu2 ", "POPSCOPE_MACHINE=m.json "})
      REQUIRE(shell(folder, run + std::string("POPSCOPE_PROFILE=1 ") + kBare).exitCode == 0);
    std::vector<std::string> profiles;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder.path))
      if (entry.path().filename() == "profile.pop")
        profiles.push_back(entry.path().string());
    REQUIRE(profiles.size() == 2);
    if (profiles[0].size() > profiles[1].size()) // the second folder has the longer name
      std::swap(profiles[0], profiles[1]);
    const std::string both = profiles[0] + " " + profiles[1];
    const json answer = json::parse(shell(folder, kPopscope + " diff --json " + both).out);
    CAPTURE(answer.dump(1));
    std::map<std::string, std::string> after;
    for (const auto &row : answer["tables"]["machine"]["rows"])
      after[row["field"]] = row["after"];
    CHECK(after["/clockHz"] == "1000000000.0");
    CHECK(after["/exchange/minLatencyCycles"] == "10");
    const std::string check = kPopscope + " check --budget budget.json --baseline ";
    CHECK(shell(folder, check + both).out.find("a different machine") != std::string::npos);
    CHECK(shell(folder, check + profiles[0] + " " + profiles[0]).out.find("a different machine") == std::string::npos);
  }

  TEST_CASE("numbers and top give copies without a name the same names") {
    const Folder folder;
    REQUIRE(shell(folder, "'" REPORTS_SHAPES "' plain streams").exitCode == 0);
    std::map<std::string, std::uint64_t> numbers;
    const json answer = json::parse(shell(folder, kPopscope + " numbers --json plain/profile.pop").out);
    for (const auto &row : answer["tables"]["numbers"]["rows"])
      if (row["value"].is_number_unsigned())
        numbers[row["name"]] = row["value"];
    std::map<std::string, std::uint64_t> cycles, code; // as top has them
    const auto top = [&](const std::string &of, const char *table) -> json {
      const std::string command = kPopscope + " top --json -n 0 --of " + of + " plain/profile.pop";
      return json::parse(shell(folder, command).out)["tables"][table]["rows"];
    };
    for (const auto &row : top("compute-sets", "computeSets"))
      cycles["computeSet." + row["name"].get<std::string>() + ".cycles"] += row["cycles"].get<std::uint64_t>();
    for (const auto &row : top("steps", "steps")) {
      const std::string title = "step." + row["program"].get<std::string>();
      if (title.find("StreamCopyMid") != std::string::npos)
        cycles[title + ".cycles"] += row["cycles"].get<std::uint64_t>();
      if (row["code"] != 0)
        code[title + ".code"] += row["code"].get<std::uint64_t>();
    }
    CHECK(cycles.count("computeSet.<OnTileCopy:pair/left>.cycles") == 1);
    CHECK(cycles.count("step.<StreamCopyMid:third>.cycles") == 1);
    for (const auto &of : {cycles, code})
      for (const auto &[name, value] : of)
        CHECK_MESSAGE((numbers.count(name) == 1 && numbers[name] == value), name);
    int listed = 0;
    // Each other view that lists a copy prints this name, and --name selects by it and by the compiler's name.
    for (const char *view : {"sources", "top --of operations", "stats --report vertex-types", "stats --report operands",
                             "stats", "loss", "tree", "whatif --workers 4"}) {
      CAPTURE(view);
      const std::string command = kPopscope + " " + view + " -n 0 plain/profile.pop";
      const std::string text = shell(folder, command).out,
                        named = shell(folder, command + " --name '<OnTileCopy:pair/left>'").out;
      const bool isThere = text.find("<OnTileCopy:pair/left>") != std::string::npos;
      CHECK((named.find("<OnTileCopy:pair/left>") != std::string::npos) == isThere);
      listed += isThere ? 1 : 0;
      for (std::size_t at = 0; (at = text.find("OnTileCopy", at)) != std::string::npos; ++at)
        CHECK_MESSAGE((at > 0 && text[at - 1] == '<'), text.substr(at, 60));
    }
    CHECK(listed >= 5);
    for (const char *view : {"sources", "tree"})
      CHECK(shell(folder, kPopscope + " " + view + " -n 0 plain/profile.pop --name OnTileCopy")
                .out.find("<OnTileCopy:pair/left>") != std::string::npos);
  }

  TEST_CASE("steps that were not recorded give their cycles to no other step") {
    const Folder folder;
    std::map<std::string, std::uint64_t> cycles[2];
    std::string profiles[2];
    for (const bool some : {false, true}) {
      const std::string set = some ? "--set popscope.profileCategories=compute " : "";
      REQUIRE(shell(folder, kPopscope + " run -q --directory " + (some ? "some " : "all ") + set + "-- " + kBare)
                  .exitCode == 0);
      std::string &profile = profiles[some ? 1 : 0];
      for (const auto &entry : std::filesystem::recursive_directory_iterator(folder.path / (some ? "some" : "all")))
        if (entry.path().filename() == "profile.pop")
          profile = entry.path().string();
      const json answer = json::parse(shell(folder, kPopscope + " top --json -n 0 " + profile).out);
      for (const auto &row : answer["tables"]["computeSets"]["rows"])
        cycles[some ? 1 : 0][row["name"]] = row["cycles"];
    }
    CHECK_FALSE(cycles[0].empty());
    CHECK(cycles[1] == cycles[0]);
    for (const bool some : {false, true})
      for (const char *view : {"top", "tree", "operators"})
        CHECK((shell(folder, kPopscope + " " + view + " --json " + profiles[some]).out.find("no times of some") !=
               std::string::npos) == some);
  }

  TEST_CASE("a step whose time a device does not record gives its cycles to no other step") {
    const Folder folder;
    std::map<std::uint64_t, json> cycles[2]; // of a step, with a time for each step, and with times for some
    for (const bool some : {false, true}) {
      const std::string set = some ? "--set debug.instrument=false --set debug.instrumentCompute=true " : "";
      const std::string at = some ? "some" : "all";
      REQUIRE(shell(folder,
                    "POPSCOPE_SIM_IPUS=1 " + kPopscope + " run -q " + set + "-- '" REPORTS_SHAPES "' " + at + " device")
                  .exitCode == 0);
      const json answer =
          json::parse(shell(folder, kPopscope + " top --of steps --json -n 0 " + at + "/profile.pop").out);
      for (const auto &row : answer["tables"]["steps"]["rows"])
        cycles[some ? 1 : 0][row["step"]] = row["cycles"];
    }
    CHECK(cycles[0].size() == cycles[1].size());
    std::size_t unknown = 0;
    for (const auto &[step, found] : cycles[1]) {
      CAPTURE(step);
      unknown += found.is_null() ? 1 : 0;
      CHECK((found.is_null() || found == cycles[0][step]));
    }
    CHECK(unknown != 0);
  }

  TEST_CASE("what is live at the step of a loop is live between its iterations") {
    const Folder folder;
    REQUIRE(shell(folder, "'" REPORTS_SHAPES "' plain branches").exitCode == 0);
    const Outcome loop = shell(folder, kPopscope + " sql plain/profile.pop --csv \"SELECT min(id) FROM named_programs "
                                                   "WHERE type = 'Repeat'\"");
    const std::string id = std::to_string(std::stoul(lines(loop.out).at(1)));
    const Outcome why = shell(folder, kPopscope + " why plain/profile.pop a --step " + id);
    CHECK_MESSAGE(why.out.find("live between the iterations of Repeat (step " + id + ")\n") != std::string::npos,
                  why.out);
    CHECK(why.out.find("live at step " + id) == std::string::npos);
    const Outcome peak = shell(folder, kPopscope + " peak plain/profile.pop --steps " + id);
    CHECK(peak.exitCode == 2);
    CHECK(anyLine(peak.err, "popscope peak -n 0 lists these steps"));
  }

  TEST_CASE("nothing is live between the iterations of a Repeat of one iteration") {
    const Folder folder;
    REQUIRE(shell(folder, "'" REPORTS_SHAPES "' once once").exitCode == 0);
    const Outcome why = shell(folder, kPopscope + " why once/profile.pop halves");
    CHECK(why.exitCode == 0);
    CHECK(why.out.find("live") != std::string::npos);
    CHECK_MESSAGE(why.out.find("between the iterations") == std::string::npos, why.out);
  }

  TEST_CASE("a program without steps has variables, and no step with most live bytes") {
    const Folder folder;
    REQUIRE(shell(folder, "'" REPORTS_SHAPES "' stepless stepless").exitCode == 0);
    for (const std::string view : {"vars", "tile"}) {
      const Outcome answer = shell(folder, kPopscope + " " + view + " --json stepless/profile.pop");
      CAPTURE(view);
      REQUIRE(answer.exitCode == 0);
      const json parsed = json::parse(answer.out);
      std::set<std::string> names;
      for (const json &row : parsed["tables"]["variables"]["rows"])
        names.insert(row["category"]);
      CHECK(names.count("stack") == 1);
      CHECK(names.count("vertexCode") == 1);
    }
    const Outcome info = shell(folder, kPopscope + " info stepless/profile.pop");
    CHECK(info.exitCode == 0);
    CHECK_MESSAGE(info.out.find("of these cycles") == std::string::npos, info.out); // the runs take none
    for (const std::string view : {"peak", "live", "live --at 0", "live --at x"}) {
      const Outcome refused = shell(folder, kPopscope + " " + view + " stepless/profile.pop");
      CAPTURE(view);
      CHECK(refused.exitCode == 2);
      CHECK(anyLine(refused.err, "the program has no steps at which variables can be live"));
    }
  }

  TEST_CASE("a diff of programs that differ in an option says nothing about different machines") {
    const Folder folder;
    for (const char *option : {"machine", "true"})
      REQUIRE(shell(folder, kPopscope + " run -q --set popscope.elideCopies=" + option + " -- '" REPORTS_SHAPES "' " +
                                option + " branches")
                  .exitCode == 0);
    const json diff = json::parse(shell(folder, kPopscope + " diff --json machine/profile.pop true/profile.pop").out);
    CHECK(diff["tables"].contains("options"));
    CHECK_FALSE(diff["tables"].contains("machine"));
    CHECK(diff["notes"].dump().find("different machines") == std::string::npos);
  }

  TEST_CASE("a machine of another architecture than the program's has a warning, and the verdict names the machine") {
    const Folder folder;
    std::ofstream(folder.path / "m.json") << R"({"base": "ipu1", "name": "mine"})";
    std::ofstream(folder.path / "wide.json") << R"({"base": "ipu2", "name": "ipu2 with a wide exchange"})";
    const std::string simulated = "POPSCOPE_SIM_IPUS=ipu2:1 '" REPORTS_SHAPES "' d device";
    for (const std::string machine : {"ipu1", "m.json"}) {
      CAPTURE(machine);
      const Outcome other = shell(folder, "POPSCOPE_MACHINE=" + machine + " " + simulated);
      CHECK(std::count_if(other.err.begin(), other.err.end(), [&](const std::string &line) {
              return line.find("POPSCOPE_MACHINE=" + machine + " has the architecture ipu1 and changes nothing here") !=
                     std::string::npos;
            }) == 1);
      CHECK(anyLine(other.err, "the program or POPSCOPE_SIM_IPUS chooses ipu2. Give a machine file with \"base\": "
                               "\"ipu2\", or POPSCOPE_SIM_IPUS=ipu1:N for N IPUs"));
      CHECK_FALSE(anyLine(shell(folder, "POPSCOPE_MACHINE=" + machine + " " + kBare).err, "changes nothing"));
    }
    CHECK_FALSE(anyLine(shell(folder, "POPSCOPE_MACHINE=wide.json " + simulated).err, "changes nothing"));
    const Outcome wide = shell(folder, "POPSCOPE_MACHINE=wide.json " + kPopscope + " run --directory w -- " + kBare);
    CHECK(wide.out.find("IPU Model ipu2 (machine \"ipu2 with a wide exchange\"): 4 tiles") != std::string::npos);
    const Outcome plain = shell(folder, kPopscope + " run --directory p -- " + kBare);
    CHECK(plain.out.find("IPU Model ipu2: 4 tiles") != std::string::npos);
  }

  TEST_CASE("one variable writes a trace to the named path") {
    const Folder folder;
    const Outcome ran = shell(folder, "POPSCOPE_TRACE=here/run.json " + kBare);
    CHECK(ran.exitCode == 0);
    const json trace = json::parse(contents(folder.path / "here" / "run.json"));
    CHECK(trace["traceEvents"].size() > 10);
    CHECK(anyLine(ran.err, "profile.pop (complete, with here/run.json); popscope info"));
    REQUIRE(shell(folder, "POPSCOPE_TRACE=run.pftrace " + kBare).exitCode == 0);
    const std::string bytes = contents(folder.path / "run.pftrace");
    CHECK(bytes.size() > 1000);
    CHECK(bytes[0] == '\x0a'); // field 1, length-delimited: a packet
  }

  TEST_CASE("that trace has host and device together: the calls of the public interface, where they were made") {
    const Folder folder;
    REQUIRE(shell(folder, "POPSCOPE_TRACE=run.json " + kBare).exitCode == 0);
    const json trace = json::parse(contents(folder.path / "run.json"));
    std::map<std::string, std::pair<double, double>> host; // begin and end by name
    double device = -1;
    for (const json &event : trace["traceEvents"]) {
      const std::string phase = event.value("ph", ""), name = event.value("name", "");
      if (phase == "B" && event.value("cat", "") == "host")
        host[name].first = event["ts"];
      else if (phase == "E" && host.count(name) == 1)
        host[name].second = event["ts"];
      else if (phase == "X" && event.value("cat", "") == "host")
        host[name] = {event["ts"], event["ts"].get<double>() + event["dur"].get<double>()};
      if (event.value("cat", "") == "run" && device < 0)
        device = event["ts"];
    }
    for (const char *call : {"compile", "Engine", "load", "run 0: first"})
      REQUIRE_MESSAGE(host.count(call) == 1, call);
    CHECK(host["compile"].second <= host["Engine"].first);
    CHECK(host["Engine"].second <= host["load"].first);
    CHECK(host["load"].second <= host["run 0: first"].first);
    CHECK(device >= host["run 0: first"].first); // the device's run begins in the host's call
    CHECK(device <= host["run 0: first"].second);
    const Outcome own = shell(folder, "PVTI_OPTIONS='{\"enable\":\"false\"}' POPSCOPE_TRACE=own.json " + kBare);
    REQUIRE(own.exitCode == 0);
    CHECK(contents(folder.path / "own.json").find("\"name\":\"compile\"") == std::string::npos); // this option is off
    CHECK(shell(folder, kBare).exitCode == 0);
    CHECK_FALSE(std::filesystem::exists(folder.path / "host.pvti"));
  }

  TEST_CASE("what the process uses of its host is sampled where it is asked for, and only then") {
    const Folder folder;
    const std::string shapes = "'" REPORTS_SHAPES "' ";
    REQUIRE(shell(folder, shapes + "without plain").exitCode == 0);
    CHECK(shell(folder, kPopscope + " sql without/profile.pop \"SELECT name FROM sqlite_master WHERE name = "
                                    "'host_samples'\"")
              .out.find("host_samples") == std::string::npos);
    REQUIRE(
        shell(folder, "POPLAR_ENGINE_OPTIONS='{\"popscope.sampleHost\":\"1\"}' " + shapes + "with plain").exitCode ==
        0);
    REQUIRE(shell(folder, kPopscope + " export with/profile.pop --format csv,chrome -o exported").exitCode == 0);
    const auto rowsOf = [&](const char *file) { return lines(contents(folder.path / "exported" / "csv" / file)); };
    CHECK(rowsOf("host_cpu_usage.csv").at(0).rfind("Device_id,Total Cpu Numbers,Occupied Cpu Numbers", 0) == 0);
    CHECK(rowsOf("host_cpu_usage.csv").size() >= 2);
    const auto memory = rowsOf("host_mem_usage.csv");
    REQUIRE(memory.size() >= 3);                    // samples from the beginning and the end of the engine
    CHECK(std::stoull(memory[1].substr(2)) > 1000); // a process that runs codelets has more than 1,000 KB
    CHECK(rowsOf("host_disk_usage.csv").size() == 1);
    bool cpu = false, resident = false;
    const json trace = json::parse(contents(folder.path / "exported" / "chrome_timeline.json"));
    for (const json &event : trace["traceEvents"]) {
      cpu = cpu || (event.value("ph", "") == "C" && event.value("name", "") == "CPU Usage");
      resident = resident || (event.value("ph", "") == "C" && event.value("name", "") == "Memory Usage");
    }
    CHECK(cpu);
    CHECK(resident);
    // At an interval that no program reaches, the samples are those at the construction and at the end of the engine, and
    // those at the ends of the recorded runs.
    for (const auto &[record, samples] : {std::pair("0", 3), std::pair("9", 2)}) {
      const Outcome seldom =
          shell(folder,
                std::string("POPLAR_ENGINE_OPTIONS='{\"popscope.sampleHost\":\"3600000\",\"popscope.profileRuns\":\"") +
                    record + "\"}' " + shapes + record + " plain");
      REQUIRE(seldom.exitCode == 0);
      const std::string count =
          " sql --csv \"" + std::string(record) + "/profile.pop\" \"SELECT count(*) FROM host_samples\"";
      CHECK(std::stoi(lines(shell(folder, kPopscope + count).out).back()) == samples);
    }
    const auto with = [&](const std::string &metrics, const std::string &at) {
      return shell(folder, "POPLAR_ENGINE_OPTIONS='{\"popscope.sampleHost\":\"1\",\"popscope.sampleHostMetrics\":\"" +
                               metrics + "\"}' " + shapes + at + " plain");
    };
    REQUIRE(with("disk", "disks").exitCode == 0);
    REQUIRE(shell(folder, kPopscope + " export disks/profile.pop --format csv -o disk").exitCode == 0);
    CHECK(lines(contents(folder.path / "disk" / "csv" / "host_disk_usage.csv")).size() >= 2);
    CHECK(lines(contents(folder.path / "disk" / "csv" / "host_mem_usage.csv")).size() == 1);
    const Outcome wrong = with("cpu,memori", "wrong");
    CHECK(wrong.exitCode != 0);
    CHECK(anyLine(wrong.err, "there is no group \"memori\". Did you mean \"memory\"?"));
  }

  TEST_CASE("a program that does not fit ends without a fault of its own if its host is sampled") {
    const Folder folder;
    const Outcome ran = shell(folder, kPopscope + " run --set popscope.sampleHost=1 --set "
                                                  "debug.allowOutOfMemory=false -- '" REPORTS_SHAPES "' p overfull");
    CHECK(ran.exitCode == 0); // the program catches the exception
    CHECK_FALSE(anyLine(ran.err, "internal error"));
    CHECK(anyLine(ran.err, "p/profile.pop (complete"));
    const std::string samples = kPopscope + " sql --csv p/profile.pop \"SELECT count(*) > 0 FROM host_samples\"";
    CHECK(lines(shell(folder, samples).out).back().front() == '1');
  }

  TEST_CASE("the commands of messages can be pasted, whatever the folder is called") {
    const Folder folder;
    const Outcome ran = shell(folder, kPopscope + " run --directory 'p q' -- " + kBare);
    CHECK(anyLine(ran.err, "; popscope info 'p q/"));
    REQUIRE(shell(folder, "'" REPORTS_SHAPES "' 'w 2' killed").exitCode == 137);
    const Outcome asked = shell(folder, kPopscope + " info 'w 2/profile.pop'");
    CHECK(asked.exitCode == 2);
    std::string all;
    for (const std::string &line : asked.err)
      all += line;
    const std::size_t begin = all.find("popscope recover "), end = all.find(" makes a whole profile", begin);
    REQUIRE(end != std::string::npos);
    const std::string words =
        all.substr(begin + std::string("popscope").size(), end - begin - std::string("popscope").size());
    CHECK(shell(folder, kPopscope + words).exitCode == 0);
    CHECK(std::filesystem::exists(folder.path / "w 2" / "profile.pop"));
    std::filesystem::copy(folder.path / "w 2" / "profile.pop", folder.path / "odd\x1b.pop");
    const Outcome page = shell(folder, kPopscope + " html odd*.pop");
    CHECK(page.exitCode == 0);
    CHECK(page.out == "odd\\x1b.html\n");
    const auto hints = lines(shell(folder, kPopscope + " info odd*.pop").out);
    CHECK(anyLine(hints, "popscope top $'odd\\x1b.pop'"));
  }

  TEST_CASE("run --format msprof writes that layout in one step, and so does export") {
    const Folder folder;
    REQUIRE(
        shell(folder, "SOURCE_DATE_EPOCH=1709202659 " + kPopscope + " run -q --format msprof --directory p -- " + kBare)
            .exitCode == 0);
    const std::string inside = "/PROF_000001_20240229103059_POPSCOPE/mindstudio_profiler_output/";
    const auto at = folder.path / "p" / "reports_shapes";
    for (const char *file : {"op_summary_20240229103059.csv", "msprof_20240229103059.json"})
      CHECK_MESSAGE(std::filesystem::exists(at.string() + inside + file), file);
    REQUIRE(shell(folder, "SOURCE_DATE_EPOCH=1709202659 " + kPopscope +
                              " export p/reports_shapes/profile.pop --format msprof -o exported")
                .exitCode == 0);
    CHECK(std::filesystem::exists(folder.path.string() + "/exported" + inside + "op_summary_20240229103059.csv"));
  }

  TEST_CASE("1, true and on switch profiles on, and leave the template to a file") {
    const Folder folder;
    std::ofstream(folder.path / "t.json") << R"({"template": "light"})";
    for (const char *value : {"1", "true", "on", "cycles"}) {
      CAPTURE(value);
      const Outcome shown = shell(folder, "POPSCOPE_CONFIG=t.json POPSCOPE_PROFILE=" + std::string(value) + " " +
                                              kPopscope + " config show");
      const std::string chosen = std::string(value) == "cycles" ? "cycles" : "light";
      bool found = false;
      for (const std::string &line : lines(shown.out))
        found = found || (line.rfind("template ", 0) == 0 && line.find(" " + chosen + " ") != std::string::npos);
      CHECK_MESSAGE(found, shown.out);
    }
  }

  TEST_CASE("the template full writes every format that there is") {
    const Folder folder;
    REQUIRE(shell(folder, "POPSCOPE_PROFILE=full " + kBare).exitCode == 0);
    const auto at = folder.path / "popscope-profiles" / "reports_shapes";
    for (const char *file :
         {"chrome_timeline.json", "timeline.pftrace", "csv/op_summary.csv", "profile.jsonl", "cycles.folded",
          "speedscope.json", "programs.dot", "timeline.svg", "tables.md", "tables.tex", "profile.db"})
      CHECK_MESSAGE(std::filesystem::exists(at / file), file);
    for (const char *sampled :
         {"host_cpu_usage.csv", "host_mem_usage.csv", "host_disk_usage.csv", "memory_samples.csv"})
      CHECK_MESSAGE(lines(contents(at / "csv" / sampled)).size() >= 2, sampled);
    CHECK(lines(contents(at / "csv" / "tool_usage.csv")).size() > 2); // includes the times of the compilation
  }

  TEST_CASE("html --debug-info refuses a file that is none, or of another profile, and writes no page") {
    const Folder folder;
    for (const char *at : {"one", "two"})
      REQUIRE(shell(folder, std::string("'" REPORTS_SHAPES "' ") + at + " plain").exitCode == 0);
    std::ofstream(folder.path / "text.cbor") << "no debug information";
    const auto page = [&](const std::string &debug) {
      return shell(folder, kPopscope + " html one/profile.pop --debug-info " + debug + " -o page.html");
    };
    if (anyLine(page("missing.cbor").err, "has no viewer")) {
      MESSAGE("skipped: this build has no viewer");
      return;
    }
    for (const char *debug : {"text.cbor", "missing.cbor", "two"}) {
      const Outcome refused = page(debug);
      CHECK_MESSAGE(refused.exitCode == 2, debug);
      CHECK_MESSAGE(anyLine(refused.err, debug), debug);
      CHECK_FALSE(std::filesystem::exists(folder.path / "page.html"));
    }
  }

  TEST_CASE("a file that is not there is no name for what is recovered from its neighbour") {
    const Folder folder;
    REQUIRE(shell(folder, "'" REPORTS_SHAPES "' k killed").exitCode != 0);
    std::string left;
    for (const auto &entry : std::filesystem::directory_iterator(folder.path / "k"))
      if (entry.path().extension() == ".pop")
        left = "k/" + entry.path().filename().string();
    const Outcome typed = shell(folder, kPopscope + " recover k/profil.pop");
    CHECK(typed.exitCode == 2);
    CHECK(anyLine(typed.err, "popscope recover " + left + " makes a whole profile of it"));
    CHECK_FALSE(anyLine(typed.err, "-o"));
    CHECK(anyLine(shell(folder, kPopscope + " info k/profile.pop").err, "recover " + left + " -o k/profile.pop makes"));
    CHECK(shell(folder, kPopscope + " recover " + left).exitCode == 0);
  }

  TEST_CASE("stumbles of the first hour say what to do") {
    const Folder folder;
    REQUIRE(shell(folder, "'" REPORTS_SHAPES "' plain plain").exitCode == 0);
    const Outcome given = shell(folder, kPopscope + " info plain");
    CHECK(given.exitCode == 2);
    CHECK(anyLine(given.err, "plain: is a folder; give the profile in it: plain/profile.pop"));
    const Outcome nothing = shell(folder, kPopscope + " whatif plain/profile.pop");
    CHECK(nothing.exitCode == 2);
    CHECK(anyLine(nothing.err, "nothing is changed; give another machine (--machine ipu1)"));
    std::ofstream(folder.path / "m.json") << "{}";
    const Outcome machine = shell(folder, kPopscope + " whatif plain/profile.pop --machine m.json");
    CHECK(machine.exitCode == 2);
    CHECK(anyLine(machine.err, "\"base\": \"ipu2\""));
    REQUIRE(shell(folder, "chmod u-w plain").exitCode == 0); // root can write anyway
    const Outcome refused =
        shell(folder, kPopscope + " export plain/profile.pop --format csv -o exported --max-bytes 1");
    CHECK(refused.exitCode == 2);
    CHECK_FALSE(std::filesystem::exists(folder.path / "exported"));
    REQUIRE(shell(folder, "chmod u+w plain").exitCode == 0);
    const Outcome limited = shell(folder, "ulimit -f 1; trap '' XFSZ; " + kPopscope +
                                              " export plain/profile.pop --format jsonl -o deep/out/");
    CHECK(limited.exitCode == 2);
    CHECK_FALSE(std::filesystem::exists(folder.path / "deep"));
  }

  TEST_CASE("info --report tells what a report of a fault needs, with a profile and without") {
    const Folder folder;
    REQUIRE(shell(folder, "'" REPORTS_SHAPES "' plain plain").exitCode == 0);
    const json alone = json::parse(shell(folder, kPopscope + " info --report --json").out)["facts"];
    for (const char *fact : {"popscope", "interface", "compiler", "build", "system", "threads"})
      CHECK_MESSAGE((alone.contains(fact) && !alone[fact].is_null()), fact);
    CHECK_FALSE(alone.contains("machine"));
    const json of = json::parse(shell(folder, kPopscope + " info plain/profile.pop --report --json").out);
    CHECK(of["facts"]["tiles"] == 4);
    bool all = false;
    for (const json &row : of["tables"]["options"]["rows"])
      all = all || row["option"] == "autoReport.all";
    CHECK(all);
    CHECK(of["facts"]["interface"] == "3.4.0");
  }

  TEST_CASE("marked runs have no times where none were measured, and names in traces") {
    const Folder folder;
    REQUIRE(shell(folder, "'" REPORTS_SHAPES "' plain labelled").exitCode == 0);
    REQUIRE(shell(folder, kPopscope + " export plain/profile.pop --format csv,chrome -o exported").exitCode == 0);
    const auto rows = lines(contents(folder.path / "exported" / "csv" / "msprof_tx.csv"));
    REQUIRE(rows.size() == 3);
    CHECK(rows[1].find(",,label,range,warm up,,,0") == 0);
    const Outcome clock = shell(folder, kPopscope + " sql plain/profile.pop 'SELECT COUNT(*) FROM runs WHERE start_us "
                                                    "IS NULL AND end_us IS NULL' --csv");
    CHECK(lines(clock.out).at(1).find("2") == 0);
    const json trace = json::parse(contents(folder.path / "exported" / "chrome_timeline.json"));
    int named = 0;
    for (const json &event : trace["traceEvents"])
      named += event.value("name", "") == "warm up" ? 1 : 0;
    CHECK(named >= 1);
    const Outcome steps =
        shell(folder, kPopscope + " sql plain/profile.pop 'SELECT run, COUNT(*) FROM named_steps GROUP BY "
                                  "run' --csv");
    CHECK(lines(steps.out).size() == 3); // both runs have the same name and separate rows
  }
}
