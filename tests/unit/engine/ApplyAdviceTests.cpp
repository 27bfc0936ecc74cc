// Advice that is tried (popscope.tryAdvice) and applied (popscope.applyAdvice): values stay the same, memory changes,
// and a change that cannot be applied is refused by name.
#include "engine/advice/SmallestSet.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <string>
#include <unistd.h>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

/// Increments x on tile 0 and doubles it into y.
struct Chain {
  Device device = smallModel();
  Graph graph{device.getTarget()};
  Sequence program;
  std::size_t n;

  explicit Chain(std::size_t elements) : n(elements) {
    addTestCodelets(graph);
    const Tensor x = variable("x"), y = variable("y");
    const ComputeSet add = graph.addComputeSet("add"), twice = graph.addComputeSet("twice");
    for (std::size_t i = 0; i < n; i += n / 4) {
      const VertexRef v = vertex(add, "Increment"), d = vertex(twice, "Double");
      graph.connect(v["x"], x.slice(i, i + n / 4));
      graph.setInitialValue(v["by"], 1.0f);
      graph.connect(d["in"], x.slice(i, i + n / 4));
      graph.connect(d["out"], y.slice(i, i + n / 4));
    }
    graph.createHostWrite("x", x);
    graph.createHostRead("y", y);
    program.add(Execute(add));
    program.add(Execute(twice));
  }
  Tensor variable(const std::string &name) {
    const Tensor t = graph.addVariable(FLOAT, {n}, name);
    graph.setTileMapping(t, 0);
    return t;
  }
  VertexRef vertex(ComputeSet set, const char *type) {
    const VertexRef v = graph.addVertex(set, type);
    graph.setTileMapping(v, 0);
    graph.setPerfEstimate(v, 10);
    return v;
  }
  std::vector<float> run(OptionFlags options) {
    options.set("debug.verify", "true");
    options.set("popscope.elideCopies", "false");
    Engine engine(graph, program, options);
    engine.load(device);
    std::vector<float> x(n), y(n);
    std::iota(x.begin(), x.end(), 1.0f);
    engine.writeTensor("x", x.data(), x.data() + n);
    engine.run();
    engine.readTensor("y", y.data(), y.data() + n);
    return y;
  }
};

std::string refusal(Graph &graph, const Sequence &program, const std::string &changes) {
  try {
    const Engine engine(graph, program, {{"popscope.applyAdvice", changes}});
  } catch (const invalid_option &e) {
    return e.what();
  }
  return "";
}

std::vector<std::uint64_t> bytesByTile(const pva::Report &report) {
  std::vector<std::uint64_t> bytes;
  for (const auto &tile : report.compilation().tiles())
    bytes.push_back(tile.memory().category().variable().total());
  return bytes;
}

/// Two variables that are live unnecessarily, one after the other, each while the tile is fullest: neither WriteUndef
/// alone lowers the peak.
struct TwoPeaks {
  Device device = smallModel();
  Graph graph{device.getTarget()};
  Sequence program;
  TwoPeaks() {
    const Tensor source = graph.addConstant<float>(FLOAT, {512}, 1.0f, "source");
    graph.setTileMapping(source, 0);
    for (const char *name : {"a", "b"}) {
      const Tensor t = on0(name, 128), big = on0(name + std::string("Big"), 512),
                   out = on0(name + std::string("Out"), 128);
      program.add(Copy(source.slice(0, 128), t));
      program.add(Copy(t, out));
      program.add(Copy(source, big)); // t is not needed here
      program.add(Copy(big.slice(0, 128), out));
      program.add(WriteUndef(big));
      program.add(Copy(source.slice(0, 64), t.slice(0, 64)));
      program.add(Copy(source.slice(0, 64), t.slice(64, 128)));
      program.add(Copy(t, out));
      program.add(WriteUndef(t));
    }
  }
  Tensor on0(const std::string &name, std::size_t n) {
    const Tensor t = graph.addVariable(FLOAT, {n}, name);
    graph.setTileMapping(t, 0);
    return t;
  }
};

/// Six variables of 70,000 B on tile 0, which has 262,144 B. The host writes and reads them, and a compute set runs in
/// between: three of them fit.
struct Crowd {
  static constexpr std::size_t kVariables = 6, kElements = 17500;
  Device device = smallModel();
  Graph graph{device.getTarget()};
  Sequence program;
  Crowd() {
    addTestCodelets(graph);
    for (std::size_t i = 0; i < kVariables; ++i)
      (void)variable("v" + std::to_string(i), kElements);
    const ComputeSet set = graph.addComputeSet("work");
    const VertexRef v = graph.addVertex(set, "Increment");
    graph.setTileMapping(v, 0);
    graph.setPerfEstimate(v, 10);
    graph.connect(v["x"], variable("small", 4));
    graph.setInitialValue(v["by"], 1.0f);
    program.add(Execute(set));
  }
  Tensor variable(const std::string &name, std::size_t elements) {
    const Tensor t = graph.addVariable(FLOAT, {elements}, name);
    graph.setTileMapping(t, 0);
    graph.createHostWrite(name + "In", t);
    graph.createHostRead(name + "Out", t);
    return t;
  }
};

const OptionFlags kTry = {{"popscope.tryAdvice", "64"}, {"debug.allowOutOfMemory", "true"}, {"debug.verify", "true"}};

} // namespace

TEST_SUITE("engine.applyAdvice") {
  TEST_CASE("moved variables and vertices leave every value as it is, and are where the changes say") {
    Chain p(64);
    const std::vector<float> plain = p.run({});
    const std::string changes =
        R"([{"kind": "moveVariable", "variable": "x", "from": "0", "to": "1,3"},
            {"kind": "moveVertices", "computeSet": "add", "from": "0", "to": "0-1,3"},
            {"kind": "moveVariable", "variable": "y", "mapping": [[16, 24, 2], [40, 64, 1]]}])";
    CHECK(p.run({{"popscope.applyAdvice", changes}}) == plain);
    CHECK(plain[5] == 14.0f); // 2 * (6 + 1)
    Engine engine(p.graph, p.program, {{"popscope.applyAdvice", changes}});
    const pva::Report report = engine.getReport();
    const auto bytes = bytesByTile(report);
    CHECK(bytes[0] == 4 * 32);        // of y: [0, 16), [24, 40)
    CHECK(bytes[1] == 4 * (32 + 24)); // half of x and the end of y
    CHECK(bytes[2] == 4 * 8);
    CHECK(bytes[3] == 4 * 32);
    std::string said;
    for (const auto &w : report.popscope().warnings())
      said += w.text + "\n";
    CHECK(said.find("move \"x\" from tile 0 to tiles 1,3") != std::string::npos);
    CHECK(said.find("move vertices \"add\" from tile 0 to tiles ") != std::string::npos);
    for (const auto &set : report.compilation().computeSets())
      if (set.name() == "add")
        for (const auto &v : set.vertices())
          CHECK(std::vector<std::uint64_t>(v.countByTile().begin(), v.countByTile().end()) ==
                std::vector<std::uint64_t>{2, 2, 0, 0});
  }

  TEST_CASE("a file of changes does as the changes do") {
    const auto path = std::filesystem::temp_directory_path() / ("popscope-changes-" + std::to_string(::getpid()));
    std::ofstream(path) << R"([{"kind": "moveVariable", "variable": "x", "from": "0", "to": "2"}])";
    Chain p(64);
    Engine engine(p.graph, p.program, {{"popscope.applyAdvice", path.string()}});
    std::filesystem::remove(path);
    CHECK(bytesByTile(engine.getReport())[2] == 256);
  }

  TEST_CASE("changes that cannot be applied are refused by name") {
    Chain p(64);
    const auto of = [&](const std::string &changes) { return refusal(p.graph, p.program, changes); };
    const auto has = [](const std::string &text, const char *part) {
      CAPTURE(text);
      CHECK(text.find(part) != std::string::npos);
    };
    has(of("no such file"), "no JSON array, and no file");
    has(of("[{]"), "no valid JSON at byte 2: ']' is not expected there");
    has(of("[1]"), "change 1: it is 1");
    has(of(R"([{"kind": "moveVariabel"}])"), "give writeUndef, moveVariable, moveVertices or option");
    has(of(R"([{"kind": "moveVariable", "variable": "x", "form": "0", "to": "1"}])"), "Did you mean \"from\"?");
    has(of(R"([{"kind": "moveVariable", "variable": "x", "from": "0-", "to": "1"}])"), "give numbers of tiles");
    has(of(R"([{"kind": "moveVariable", "variable": "x", "from": "0,", "to": "1"}])"), "give numbers of tiles");
    has(of(R"([{"kind": "moveVariable", "variable": "x", "from": "", "to": "1"}])"), "give numbers of tiles");
    has(of(R"([{"kind": "moveVariable", "variable": "x", "from": "0", "to": "4"}])"), "there is no tile 4");
    has(of(R"([{"kind": "moveVariable", "variable": "x", "from": "1", "to": "2"}])"), "no element there");
    has(of(R"([{"kind": "moveVariable", "variable": "x", "mapping": [[60, 65, 0]]}])"), "the variable has 64");
    has(of(R"([{"kind": "moveVariable", "variable": "x", "mapping": [[4, 4, 0]]}])"), "is empty");
    has(of(R"([{"kind": "moveVariable", "variable": "x", "occurrence": 1, "from": "0", "to": "1"}])"),
        "\"occurrence\" is 1; the graph has 1 variable of that name");
    has(of(R"([{"kind": "moveVertices", "computeSet": "ad", "from": "0", "to": "1"}])"), "Did you mean \"add\"?");
    has(of(R"([{"kind": "option", "option": "debug.verify", "value": "true"}])"), "only popscope.elideCopies");
    has(of(R"([{"kind": "option", "option": "popscope.elideCopies", "value": "maybe"}])"), "maybe");
    has(of(R"([{"kind": "writeUndef", "variable": "x", "before": {"kind": "source", "name": "twice"}}])"),
        "would discard a value");
    has(of(R"([{"kind": "writeUndef", "variable": "x", "before": {"kind": "source", "name": "thrice"}}])"),
        "the program has 0 of that kind and name");
    (void)p.variable("x");
    has(of(R"([{"kind": "moveVariable", "variable": "x", "from": "0", "to": "1"}])"), "the graph has 2 variables");
  }

  TEST_CASE("WriteUndefs that help only together are found, and save what was said when they are applied") {
    TwoPeaks p;
    OptionFlags options = kTry;
    options.set("autoReport.outputLivenessExplanation", "true");
    options.set("opt.maxCopyMergeSize", "0");
    options.set("opt.enableMultiAccessCopies", "false"); // otherwise copies require memory elements, which leaves gaps
    const pva::Report report = Engine(p.graph, p.program, options).getReport();
    const auto trials = report.popscope().adviceTrials();
    const auto found =
        std::find_if(trials.begin(), trials.end(), [](const auto &t) { return t.purpose == "together"; });
    REQUIRE(found != trials.end());
    CHECK(found->numChanges == 2);
    CHECK(found->fullestBytes == trials[0].fullestBytes - 512);
    for (const auto &t : trials)
      if (t.purpose == "alone" && t.description.find("WriteUndef") == 0)
        CHECK(t.fullestBytes == trials[0].fullestBytes);
    options.set("popscope.applyAdvice", found->changes);
    options.set("popscope.tryAdvice", "0");
    Engine after(p.graph, p.program, options);
    std::uint64_t fullest = 0;
    for (const auto &tile : after.getReport().compilation().tiles())
      fullest = std::max<std::uint64_t>(fullest, tile.memory().total().includingGaps());
    CHECK(fullest == found->fullestBytes);
  }

  TEST_CASE("a program that does not fit gets the least changes with which it does, and computes the same with them") {
    const std::size_t n = 100000; // x and y: 800,000 B on tile 0
    Chain p(n);
    CHECK_THROWS_AS(Engine(p.graph, p.program), graph_memory_allocation_error);
    OptionFlags options = kTry;
    options.set("popscope.tryAdvice", "1000");
    const pva::Report report = Engine(p.graph, p.program, options).getReport();
    const auto trials = report.popscope().adviceTrials();
    REQUIRE(!trials.empty());
    CHECK(trials[0].purpose == "unchanged");
    CHECK(trials[0].tilesOutOfMemory == 1);
    CHECK(trials.size() <= 1002);
    MESSAGE(trials.size() << " trials; " << trials.back().description);
    REQUIRE(trials.back().purpose == "smallest");
    CHECK(trials.back().tilesOutOfMemory == 0);
    CHECK(trials.back().pastEndBytes == 0);
    CHECK(trials.back().numChanges >= 1);
    const std::vector<float> y = p.run({{"popscope.applyAdvice", trials.back().changes}});
    for (std::size_t i = 0; i < n; i += 997)
      CHECK(y[i] == 2 * (static_cast<float>(i + 1) + 1));
  }

  TEST_CASE("a variable that is never read moves, too, because it fills the tile at the worst step") {
    const Device device = smallModel(16);
    Graph graph(device.getTarget());
    const Tensor x = graph.addVariable(FLOAT, {200000}, "x"), y = graph.addVariable(FLOAT, {200000}, "y");
    graph.setTileMapping(x, 0);
    graph.setTileMapping(y, 0);
    graph.createHostWrite("x", x);
    const auto trials = Engine(graph, Copy(x, y), kTry).getReport().popscope().adviceTrials();
    REQUIRE(!trials.empty());
    CHECK(trials.back().purpose == "smallest");
    CHECK(trials.back().tilesOutOfMemory == 0);
  }

  TEST_CASE("the set that is found is the smallest: by compiling each smaller one, too") {
    Crowd p;
    OptionFlags options = kTry;
    options.set("popscope.tryAdvice", "1000");
    const auto trials = Engine(p.graph, p.program, options).getReport().popscope().adviceTrials();
    REQUIRE(!trials.empty());
    REQUIRE(trials.back().tilesOutOfMemory == 0);
    CHECK(trials.back().purpose == "smallest");
    MESSAGE(trials.size() << " trials; " << trials.back().description);
    CHECK(trials.back().numChanges == 3);
    const auto fits = [&](const std::string &changes) {
      try {
        const Engine engine(p.graph, p.program, {{"popscope.applyAdvice", "[" + changes + "]"}});
        return true;
      } catch (const graph_memory_allocation_error &) {
        return false;
      }
    };
    const auto move = [](std::size_t i, const char *to) {
      return R"({"kind": "moveVariable", "variable": "v)" + std::to_string(i) + R"(", "from": "0", "to": ")" + to +
             "\"}";
    };
    for (std::size_t i = 0; i < Crowd::kVariables; ++i)
      for (std::size_t j = i + 1; j < Crowd::kVariables; ++j)
        CHECK_FALSE(fits(move(i, "1") + "," + move(j, "1-2")));
    // too few compilations to try all smaller sets: no set is called smallest
    options.set("popscope.tryAdvice", std::to_string(trials.size() - 6));
    const auto fewer = Engine(p.graph, p.program, options).getReport().popscope().adviceTrials();
    CHECK(fewer.back().purpose != "smallest");
  }

  TEST_CASE("if a compilation fits, the last trial is a set that fits, whatever the limit on compilations") {
    const auto limitsWithFit = [](const Graph &graph, const Program &program, int mostCompilations) {
      OptionFlags options = {{"debug.allowOutOfMemory", "true"}};
      int limits = 0;
      for (int limit = 1; limit <= mostCompilations; ++limit) {
        CAPTURE(limit);
        options.set("popscope.tryAdvice", std::to_string(limit));
        const auto trials = Engine(graph, program, options).getReport().popscope().adviceTrials();
        int compiled = 0, fitting = 0;
        for (const auto &t : trials)
          if (t.purpose == "alone" || t.purpose == "together" || t.purpose == "search") {
            ++compiled;
            fitting += t.tilesOutOfMemory == 0 ? 1 : 0;
          }
        CHECK(compiled <= limit);
        if (fitting == 0)
          continue;
        ++limits;
        const std::string last = trials.back().purpose;
        CHECK((last == "smallest" || last == "fit" || last == "fits"));
        CHECK(trials.back().tilesOutOfMemory == 0);
      }
      return limits;
    };
    // Half of each variable is on tile 0, half on tile 2; the tiles 1 and 3 are free.
    const Device device = smallModel();
    Graph halves(device.getTarget());
    for (const char *name : {"a", "b", "c"}) {
      const Tensor t = halves.addVariable(FLOAT, {50000}, name);
      halves.setTileMapping(t.slice(0, 25000), 0);
      halves.setTileMapping(t.slice(25000, 50000), 2);
      halves.createHostWrite(name, t);
      halves.createHostRead(name, t);
    }
    CHECK(limitsWithFit(halves, Sequence(), 8) >= 5);
    const Crowd threeMoves;
    CHECK(limitsWithFit(threeMoves.graph, threeMoves.program, 12) >= 1);
  }

  TEST_CASE("each smaller set is visited once, the smallest first, none with two changes of one thing") {
    using popscope::AdviceChange;
    popscope::AdviceChanges changes(5);
    for (std::size_t i = 0; i < 5; ++i) {
      changes[i].kind = AdviceChange::Kind::MoveVariable;
      changes[i].name = i < 2 ? "a" : std::string(1, "bcde"[i]); // the first two changes concern the same variable
      changes[i].to = {popscope::TileId(static_cast<std::uint32_t>(i))};
    }
    std::set<std::string> seen;
    std::size_t last = 0;
    CHECK(popscope::forEachSmaller(changes, 3, [&](const popscope::AdviceChanges &set) {
      CHECK(set.size() >= last);
      last = set.size();
      CHECK(seen.insert(popscope::toJson(set)).second);
      return true;
    }));
    CHECK(seen.size() == 5 + 9); // 10 pairs, without the pair that concerns only a
    std::size_t visited = 0;
    CHECK(popscope::forEachSmaller(changes, 3, [&](const popscope::AdviceChanges &) { return ++visited < 4; }));
    CHECK(visited == 4);
    changes.clear();
    for (std::uint32_t i = 0; i < 200; ++i) {
      changes.emplace_back();
      changes.back().name = std::to_string(i);
    }
    // too many sets
    CHECK_FALSE(popscope::forEachSmaller(changes, 5, [](const popscope::AdviceChanges &) { return true; }));
  }

  TEST_CASE("without the option nothing is tried, and a limit of compilations holds") {
    Chain p(64);
    CHECK(Engine(p.graph, p.program).getReport().popscope().adviceTrials().empty());
    const auto trials = Engine(p.graph, p.program, {{"popscope.tryAdvice", "3"}}).getReport().popscope().adviceTrials();
    CHECK((trials.size() >= 2 && trials.size() <= 4));
  }
}
