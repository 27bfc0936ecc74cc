// popscope operators on the known profile: each figure worked from its table.
#include "KnownProfile.hpp"
#include "report/answers/Layers.hpp"

#include <doctest/doctest.h>

using nlohmann::json;
using tools::expectRefusal;
using tools::Known;
using tools::knownCompilation;
using tools::knownOperations;
using tools::table;
using tools::writeKnown;

using namespace popscope;

namespace {

// A cycle is a nanosecond. As FlopsTest has them: "fast" 60 floating-point operations in 20 cycles, "slow" 16 in 40;
// the exchange takes 10.
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

  TEST_CASE("sorted by any column, cut, filtered by time and type, aggregated") {
    const Operating known;
    CHECK(operators(known, {"--order-by", "flops"})[0]["name"] == "fast");
    CHECK(operators(known, {"--order-by", "flops"})[0]["cumulative"] == 20); // of the rows in their order
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
    const json layers = table(known.ask({"top", "--of", "operations"}), "operations"); // no debug information
    REQUIRE(layers.size() == 2);
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
    // On several IPUs the compiler makes two names of its own, which are no layers of several names.
    CHECK(layers({"net/layer0/a", "net/layer0/b", "net/layer1/a", "net/layer1/b", "switchControlBroadcast2/ExchangePre",
                  "switchControlBroadcast2/GlobalExchangePre"}) ==
          Names{"net/layer0", "net/layer0", "net/layer1", "net/layer1", "switchControlBroadcast2/ExchangePre",
                "switchControlBroadcast2/GlobalExchangePre"});
    // One layer alone, and a model whose parts have one name each: the first part is enough.
    CHECK(layers({"net/layer0/Convolve", "net/layer0/Reduce"}) == Names{"net/layer0", "net/layer0"});
    CHECK(layers({"net/a", "net/b"}) == Names{"net", "net"});
    // Several first parts: these are the layers, however deep each one is.
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
    CHECK(table(known.ask({"top", "--of", "layers"}), "operations").size() == 1);
    const json layers = table(known.ask({"top", "--of", "layers", "--depth", "2"}), "operations");
    REQUIRE(layers.size() == 2);
    CHECK(layers[0]["name"] == "net/layer1/relu");
    CHECK(layers[0]["cycles"] == 40);
    CHECK(layers[1]["name"] == "net/layer0/Convolve");
    CHECK(layers[1]["cycles"] == 30);
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--of", "layers", "--depth", "0"}), "popscope",
                  "from 1 to 1000");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--of", "steps", "--depth", "2"}), "popscope",
                  "--of layers");
  }
}
