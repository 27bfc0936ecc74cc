// EngineOptions and RuntimeOptions: equality, hashes, refusals.
#include <poplar/EngineOptions.hpp>
#include <poplar/RuntimeOptions.hpp>
#include <poplar/exceptions.hpp>

#include <doctest/doctest.h>

#include <unordered_set>

using namespace poplar;

TEST_SUITE("target-models.engine-options") {

  TEST_CASE("engine options are equal when they mean the same, and equal ones have one hash") {
    const EngineOptions none, withDefault{{{"debug.allowOutOfMemory", "false"}}};
    const EngineOptions set{{{"debug.allowOutOfMemory", "true"}}};
    CHECK(none == withDefault);
    CHECK(none.hash() == withDefault.hash());
    CHECK(none != set);
    CHECK(withDefault.flags().size() == 1); // flags that were given are kept
    const Target one = Target::createIPUTarget(1, "ipu2"), two = Target::createIPUTarget(2, "ipu2");
    const std::unordered_set<EngineOptions> distinct{none,
                                                     set,
                                                     EngineOptions({}, one),
                                                     EngineOptions({}, two),
                                                     EngineOptions({}, one, 2),
                                                     EngineOptions({}, one),
                                                     withDefault};
    CHECK(distinct.size() == 5);
    CHECK(hash_value(set) == set.hash());
  }

  TEST_CASE("unknown options and bad values are refused as the engine refuses them") {
    CHECK_THROWS_AS(EngineOptions({{"debug.allowOutOfMemry", "true"}}), invalid_option);
    CHECK_THROWS_AS(RuntimeOptions({{"debug.allowOutOfMemory", "perhaps"}}), invalid_option);
  }

  TEST_CASE("runtime options compare by meaning") {
    CHECK(RuntimeOptions() == RuntimeOptions({{"debug.runtimeVerify", "false"}}));
    CHECK(RuntimeOptions() != RuntimeOptions({{"debug.runtimeVerify", "true"}}));
  }
}
