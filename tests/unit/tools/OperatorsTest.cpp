// popscope operators on the known profile; each figure is computed from its table.
#include "KnownProfile.hpp"
#include "report/answers/Layers.hpp"

#include <doctest/doctest.h>
#include <poplar/DebugContext.hpp>

using nlohmann::json;
using tools::expectRefusal;
using tools::Known;
using tools::knownCompilation;
using tools::knownOperations;
using tools::table;
using tools::writeKnown;

using namespace popscope;

namespace {

// A cycle is a nanosecond. As in FlopsTest, "fast" has 60 floating-point operations in 20 cycles, "slow" 16 in 40; the
// exchange takes 10.
struct Operating : Known {
  Operating() {
    CompilationRecord record = knownOperations();
    writeKnown(place.file("known.pop"), record);
  }
};

json operators(const Known &known, std::vector<std::string> words = {}) {
  words.insert(words.begin(), "operators");
  return table(known.ask(std::move(words)), "operators");
}

/// Writes a profile with one run, which executes program 2 with the given bytes in 10 cycles. Returns its operators.
json afterExchange(const Known &known, const CompilationRecord &compilation, std::uint64_t sent,
                   std::uint64_t received) {
  PopWriter writer(known.place.file("known.pop"));
  writer.compilation(compilation);
  writer.beginRun({"train", 0, 0, 0});
  StepRecord step;
  step.program = 2;
  StepOnIpu on;
  on.cycles = on.allToMin = on.allToMax = on.activeToMin = on.activeToMax = Cycles(10);
  on.dataOut = Bytes(sent);
  on.dataIn = Bytes(received);
  step.ipus = {on};
  writer.step(step);
  RunTotals totals;
  totals.totalCycles = Cycles(10);
  writer.endRun(totals, 0);
  writer.finish();
  return operators(known);
}

} // namespace

TEST_SUITE("tools.operators") {
  TEST_CASE("self time, running total, operations and their rate") {
    const Operating known;
    const json rows = operators(known);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0]["name"] == "slow");
    CHECK(rows[0]["selfTime"] == 40);
    CHECK(rows[0]["cumulative"] == 40);
    CHECK(rows[0]["flops"] == 16);
    CHECK(rows[0]["flopSource"] == "estimated");
    CHECK(rows[0]["flopRate"] == 400000000); // 16 in 40 ns
    CHECK(rows[1]["name"] == "fast");
    CHECK(rows[1]["cumulative"] == 60);
    CHECK(rows[1]["flopRate"] == 3000000000u); // 60 in 20 ns
    CHECK(rows[2]["type"] == "DoExchange");
    CHECK(rows[2]["selfTime"] == 10);
    CHECK(rows[2]["cumulative"] == 70);
    CHECK(rows[2]["flops"].is_null());
  }

  TEST_CASE("inputs of an exchange are the bytes sent, outputs the bytes received") {
    const Known known;
    const json rows = afterExchange(known, knownCompilation(), 1, 3); // tile 0 sends one byte to three tiles
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["inputs"] == "bytes[1]");
    CHECK(rows[0]["outputs"] == "bytes[3]");
    CHECK(rows[0]["memory"] == 3);
  }

  TEST_CASE("a copy from the host has no bytes that tiles send; bytes in both directions count once each") {
    const Known known;
    CompilationRecord compilation = knownCompilation();
    compilation.programs[2].type = "StreamCopyMid";
    for (const std::uint64_t sent : {0, 3}) {
      const json rows = afterExchange(known, compilation, sent, 4);
      REQUIRE(rows.size() == 1);
      CHECK(rows[0]["inputs"] == "bytes[" + std::to_string(sent) + "]");
      CHECK(rows[0]["outputs"] == "bytes[4]");
      CHECK(rows[0]["memory"] == 4 + sent);
    }
  }

  TEST_CASE("a compute set that several steps execute is one operator") {
    const Known known;
    CompilationRecord record = knownOperations();
    record.programs[4].computeSet = record.programs[3].computeSet;
    writeKnown(known.place.file("known.pop"), record);
    const json rows = operators(known);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["executions"] == 2);
    CHECK(rows[0]["selfTime"] == 60);
    CHECK(rows[0]["flops"] == 120);
    CHECK(rows[1]["type"] == "DoExchange");
  }

  TEST_CASE("sorted by any column, cut, filtered by time and type, aggregated") {
    const Operating known;
    CHECK(operators(known, {"--order-by", "flops"})[0]["name"] == "fast");
    // the running total in the order of the rows
    CHECK(operators(known, {"--order-by", "flops"})[0]["cumulative"] == 20);
    // the running total in the default order, largest first
    const json totals = operators(known, {"--order-by", "cumulative"});
    CHECK(totals[0]["cumulative"] == 70);
    CHECK(totals[2]["cumulative"] == 40);
    CHECK(totals[2]["name"] == "slow");
    CHECK(operators(known, {"--order-by", "+cumulative"})[0]["name"] == "slow");
    CHECK(operators(known, {"--order-by", "+selfTime"})[0]["type"] == "DoExchange");
    CHECK(operators(known, {"-t", "1"}).size() == 1);
    CHECK(operators(known, {"--min-time", "2e-8"}).size() == 2); // 20 ns
    CHECK(operators(known, {"--min-time", "0.00000003"}).size() == 1);
    CHECK(operators(known, {"--max-time", "15ns"}).size() == 1);
    const json types = operators(known, {"--aggregate-by", "type", "--aggregate", "sum"});
    const std::string type = types[0]["type"];
    CHECK(operators(known, {"--type", type})[0]["name"] == "slow");
    std::uint64_t all = 0;
    for (const json &row : types)
      all += row["selfTime"].get<std::uint64_t>();
    CHECK(all == 70);
    expectRefusal(known.place.run("popscope", {"operators", "known.pop", "--order-by", "flop"}), "popscope",
                  "Did you mean \"flops\"?");
    expectRefusal(known.place.run("popscope", {"operators", "known.pop", "--min-time", "soon"}), "popscope",
                  "--min-time");
  }

  TEST_CASE("names with paths are layers, called by what their steps share") {
    Known known;
    CompilationRecord record = knownCompilation();
    record.programs[2].name = "109/convolution/Conv_3x3/ExchangePre";
    record.programs[3].name = "109/convolution/Conv_3x3";
    record.programs[4].name = "110/relu";
    writeKnown(known.place.file("known.pop"), record);
    const json rows = operators(known, {"--aggregate-by", "layer"});
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["name"] == "110/relu");
    CHECK(rows[0]["selfTime"].get<std::uint64_t>() > rows[1]["selfTime"].get<std::uint64_t>());
    CHECK(rows[1]["name"] == "109/convolution/Conv_3x3");
    CHECK(rows[1]["executions"] == 2);
    // the profile has no debug information
    const json layers = table(known.ask({"top", "--of", "operations"}), "operations");
    REQUIRE(layers.size() == 3); // including the row of barriers
    CHECK(layers[1]["name"] == "109/convolution/Conv_3x3");
    CHECK(layers[1]["steps"] == 2);
    CHECK(layers[1]["cycles"] == 30);
  }

  TEST_CASE("layers of one model are told apart by the part behind its name") {
    const auto layers = [](const std::vector<std::string> &names) {
      return layersOf(names, [](const std::string &name) -> const std::string & { return name; });
    };
    using Names = std::vector<std::string>;
    CHECK(layers({"net/layer0/scores/Convolve", "net/layer0/scores/Convolve/ExchangePre", "net/layer1/feed/Convolve",
                  "net/layer1/relu", "Exchange", "switchControl/ExchangePre"}) ==
          Names{"net/layer0/scores/Convolve", "net/layer0/scores/Convolve", "net/layer1", "net/layer1", "Exchange",
                "switchControl/ExchangePre"});
    // On several IPUs, the compiler creates two names of its own, which do not count as layers.
    CHECK(layers({"net/layer0/a", "net/layer0/b", "net/layer1/a", "net/layer1/b", "switchControlBroadcast2/ExchangePre",
                  "switchControlBroadcast2/GlobalExchangePre"}) ==
          Names{"net/layer0", "net/layer0", "net/layer1", "net/layer1", "switchControlBroadcast2/ExchangePre",
                "switchControlBroadcast2/GlobalExchangePre"});
    // A single layer, and a model whose parts have one name each: the first part is enough.
    CHECK(layers({"net/layer0/Convolve", "net/layer0/Reduce"}) == Names{"net/layer0", "net/layer0"});
    CHECK(layers({"net/a", "net/b"}) == Names{"net", "net"});
    // Several first parts: these are the layers, however deep each of them is.
    CHECK(layers({"net/layer0/a", "net/layer0/b", "net/layer1/a", "net/layer1/b", "loss/c", "loss/d"}) ==
          Names{"net", "net", "net", "net", "loss", "loss"});
    CHECK(layers({}).empty());
  }

  TEST_CASE("--depth says how many parts of a name make a layer") {
    Known known;
    CompilationRecord record = knownCompilation();
    record.programs[2].name = "net/layer0/Convolve/ExchangePre";
    record.programs[3].name = "net/layer0/Convolve";
    record.programs[4].name = "net/layer1/relu";
    writeKnown(known.place.file("known.pop"), record);
    CHECK(table(known.ask({"top", "--of", "layers"}), "operations").size() == 2); // net, barriers
    const json layers = table(known.ask({"top", "--of", "layers", "--depth", "2"}), "operations");
    REQUIRE(layers.size() == 3);
    CHECK(layers[0]["name"] == "net/layer1/relu");
    CHECK(layers[0]["cycles"] == 40);
    CHECK(layers[1]["name"] == "<Sync>"); // 30 cycles too
    CHECK(layers[2]["name"] == "net/layer0/Convolve");
    CHECK(layers[2]["cycles"] == 30);
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--of", "layers", "--depth", "0"}), "popscope",
                  "from 1 to 1000");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--of", "steps", "--depth", "2"}), "popscope",
                  "--of layers");
  }
  TEST_CASE("copies without a name belong to the layer of the next step with one, or of the program around them") {
    Known known;
    CompilationRecord record = knownCompilation(); // 1 barrier, 2 exchange, 3 and 4 compute
    record.programs[2].name = "Exchange";
    record.programs[3].name = record.computeSets[0].name = "OnTileCopy";
    record.programs[4].name = "net/layer1/relu";
    writeKnown(known.place.file("known.pop"), record);
    json layers = table(known.ask({"top", "--of", "layers"}), "operations");
    REQUIRE(layers.size() == 2);
    CHECK(layers[0]["name"] == "net/layer1/relu");
    CHECK(layers[0]["steps"] == 3);
    CHECK(layers[0]["cycles"] == 70); // 10 + 20 + 40
    CHECK(layers[1]["name"] == "<Sync>");
    json rows = operators(known, {"--aggregate-by", "layer"});
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["name"] == "net/layer1/relu");
    CHECK(rows[0]["selfTime"] == 70);

    // No named step follows: the last named step before it gives the name.
    record.programs[3].name = "net/layer0/Convolve";
    record.programs[4].name = "OnTileCopyPost";
    writeKnown(known.place.file("known.pop"), record);
    layers = table(known.ask({"top", "--of", "layers"}), "operations");
    REQUIRE(layers.size() == 2);
    CHECK(layers[0]["name"] == "net/layer0/Convolve");
    CHECK(layers[0]["cycles"] == 70);

    // No step in the program has a name, so the program gives the name; if the program has none, the copies stay
    // separate.
    record.programs[3].name = "OnTileCopy";
    record.programs[0].name = "net/layer2";
    writeKnown(known.place.file("known.pop"), record);
    layers = table(known.ask({"top", "--of", "layers"}), "operations");
    REQUIRE(layers.size() == 2);
    CHECK(layers[0]["name"] == "net/layer2");
    CHECK(layers[0]["cycles"] == 70);
    record.programs[0].name = "";
    writeKnown(known.place.file("known.pop"), record);
    layers = table(known.ask({"top", "--of", "layers"}), "operations");
    REQUIRE(layers.size() == 4);
    CHECK(layers[0]["name"] == "OnTileCopyPost");
    CHECK(layers[0]["cycles"] == 40);
  }

  TEST_CASE("a copy in an inner program goes by a step of that program first") {
    Known known;
    CompilationRecord record = knownCompilation();
    ProgramRecord inner = record.programs[0]; // 5: Sequence { 6: OnTileCopy }, after "slow"
    inner.parent = 0;
    record.programs.push_back(inner);
    ProgramRecord copy = record.programs[2];
    copy.name = "Exchange";
    copy.parent = 5;
    record.programs.push_back(copy);
    writeKnown(known.place.file("known.pop"), record);
    json layers = table(known.ask({"top", "--of", "layers"}), "operations");
    const auto stepsOf = [&](const char *name) {
      for (const json &layer : layers)
        if (layer["name"] == name)
          return layer["steps"].get<int>();
      return 0;
    };
    // program 5 has no other step, and program 0 has none after it: the last step before it gives the name
    CHECK(stepsOf("slow") == 2);
    ProgramRecord relu = record.programs[4];
    relu.name = "relu";
    relu.parent = 5;
    record.programs.push_back(relu); // 7, in 5
    writeKnown(known.place.file("known.pop"), record);
    layers = table(known.ask({"top", "--of", "layers"}), "operations");
    CHECK(stepsOf("slow") == 1);
    CHECK(stepsOf("relu") == 2);
  }

  TEST_CASE("a copy in a branch goes by no step of another branch") {
    Known known;
    CompilationRecord record = knownCompilation();
    const auto add = [&](const char *type, const char *name, std::int64_t parent) {
      ProgramRecord program = record.programs[type == std::string("DoExchange") ? 2 : type[0] == 'O' ? 4 : 0];
      program.type = type;
      program.name = name;
      program.parent = parent;
      record.programs.push_back(program);
    };
    const auto stepsOf = [&](const char *name) {
      writeKnown(known.place.file("known.pop"), record);
      for (const json &layer : table(known.ask({"top", "--of", "layers"}), "operations"))
        if (layer["name"] == name)
          return layer["steps"].get<int>();
      return 0;
    };
    for (const char *type : {"If", "Switch"}) {
      CAPTURE(type);
      record = knownCompilation();
      add(type, "choice", 0);             // 5
      add("Sequence", "", 5);             // 6
      add("OnTileExecute", "before", 6);  // 7
      add("Sequence", "", 5);             // 8
      add("DoExchange", "Exchange", 8);   // 9
      add("Sequence", "", 5);             // 10
      add("OnTileExecute", "behind", 10); // 11
      add("OnTileExecute", "after", 0);   // 12
      CHECK(stepsOf("before") == 1);
      CHECK(stepsOf("behind") == 1);
      CHECK(stepsOf("choice") == 2); // the program and its copy
      record.programs[5].name = "";  // the search goes on around the program
      CHECK(stepsOf("behind") == 1);
      CHECK(stepsOf("after") == 2);
      record.programs.pop_back();
      CHECK(stepsOf("before") == 1);
      CHECK(stepsOf("slow") == 2);
    }
  }

  TEST_CASE("copies that have only the context of the program around them belong to the operation they feed") {
    Known known;
    poplar::DebugInfo::initializeStreamer(known.place.file("debug.cbor"));
    std::uint64_t whole = 0, copied = 0, relu = 0;
    {
      const poplar::DebugInfo a({"whole"}, "framework"), b({"copied"}, "framework"), c({"relu"}, "framework");
      whole = a.getId(), copied = b.getId(), relu = c.getId();
    }
    poplar::DebugInfo::closeStreamer();
    CompilationRecord record = knownCompilation(); // 0 Sequence, 1 barrier, 2 exchange, 3 and 4 compute
    record.debugContexts = true;
    record.programs[2].name = "Exchange";
    record.programs[3].name = record.computeSets[0].name = "OnTileCopy";
    record.programs[4].name = "relu";
    for (ProgramRecord &program : record.programs)
      program.debugContext = whole;
    record.programs[4].debugContext = relu;
    writeKnown(known.place.file("known.pop"), record);
    const auto stepsOf = [&](const char *name) {
      for (const json &operation : table(known.ask({"top", "--of", "operations"}), "operations"))
        if (operation["name"] == name)
          return operation["steps"].get<int>();
      return 0;
    };
    CHECK(stepsOf("relu") == 4); // including the barrier before the copies
    CHECK(stepsOf("whole") == 1);
    record.programs[3].debugContext = copied; // it has its own context
    writeKnown(known.place.file("known.pop"), record);
    CHECK(stepsOf("relu") == 3);
    CHECK(stepsOf("copied") == 1);
    CHECK(stepsOf("whole") == 1);
    CHECK(stepsOf("<no operation>") == 0); // every step has an operation
  }

  TEST_CASE("steps without an operation or a layer have a row, so that all rows add up to the run") {
    Known known;
    poplar::DebugInfo::initializeStreamer(known.place.file("debug.cbor"));
    std::uint64_t relu = 0;
    {
      const poplar::DebugInfo info({"relu"}, "framework");
      relu = info.getId();
    }
    poplar::DebugInfo::closeStreamer();
    CompilationRecord record = knownCompilation();
    record.debugContexts = true;
    record.programs[4].debugContext = relu; // "slow", 40 of 100 cycles
    writeKnown(known.place.file("known.pop"), record);
    std::map<std::string, json> cycles;
    std::uint64_t sum = 0;
    for (const json &operation : table(known.ask({"top", "--of", "operations"}), "operations")) {
      cycles[operation["name"]] = operation["cycles"];
      sum += operation["cycles"].get<std::uint64_t>();
    }
    CHECK(cycles == std::map<std::string, json>{{"relu", 40}, {"<no operation>", 60}});
    CHECK(sum == 100);
    sum = 0;
    for (const json &layer : table(known.ask({"top", "--of", "layers", "-n", "0"}), "operations"))
      sum += layer["cycles"].get<std::uint64_t>();
    CHECK(sum == 100);
  }
}
