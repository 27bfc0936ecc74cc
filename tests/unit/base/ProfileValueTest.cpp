#include <cmath>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/ProfileValue.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

using namespace poplar;

namespace {

std::string json(const ProfileValue &value) {
  std::ostringstream os;
  os << value;
  return os.str();
}

ProfileValue sampleValue() {
  ProfileValue value;
  value["name"] = "matmul";
  value["sizes"] = ProfileValue::Vector{1, 2u, 3.5};
  value["nested"]["deep"] = true;
  return value;
}

} // namespace

TEST_SUITE("base.ProfileValue") {
  TEST_CASE("a value of any depth ends; only a value of limited depth is written") {
    const auto nested = [](std::uint64_t levels, bool inMaps) {
      ProfileValue value(1);
      for (std::uint64_t i = 0; i < levels; ++i) {
        ProfileValue outer = inMaps ? ProfileValue() : ProfileValue(ProfileValue::Vector(1));
        (inMaps ? outer["a"] : outer[0]) = std::move(value);
        value = std::move(outer);
      }
      return value;
    };
    DebugInfo info(DebugContext("x"), "layer");
    for (const bool inMaps : {false, true}) {
      CAPTURE(inMaps);
      CHECK(json(nested(1000, inMaps)).size() == (inMaps ? 6001U : 2001U));
      CHECK_THROWS_WITH_AS(json(nested(1001, inMaps)), doctest::Contains("nested more than 1000 deep"), poplar_error);
      CHECK_THROWS_WITH_AS(
          info.setValue("deep", nested(500000, inMaps)),
          "DebugInfo::setValue(\"deep\"): the value is nested more than 500 deep; give a value that is "
          "less deep",
          poplar_error);
      CHECK(info.setValue(inMaps ? "maps" : "vectors", nested(500, inMaps)));
    }
  }

  TEST_CASE("values print as JSON with sorted keys") {
    CHECK(json(sampleValue()) == R"({"name":"matmul","nested":{"deep":true},"sizes":[1,2,3.5]})");
    CHECK(json(ProfileValue("a\"\n\x01")) == R"("a\"\n\u0001")");
    CHECK(json(ProfileValue()) == "{}");
    CHECK(json(ProfileValue(std::nan(""))) == "null");
    std::ostringstream pretty;
    ProfileValue one;
    one["a"] = 1;
    serializeToJSON(pretty, one, true);
    CHECK(pretty.str() == "{\n  \"a\": 1\n}");
  }

  TEST_CASE("CBOR holds the same value as JSON") {
    std::ostringstream cbor;
    serializeToCBOR(cbor, sampleValue());
    CHECK(nlohmann::json::from_cbor(cbor.str()) == nlohmann::json::parse(json(sampleValue())));
  }

  TEST_CASE("integers of 64 bits are exact") {
    const std::uint64_t large = ~std::uint64_t(0) - 1;
    CHECK(ProfileValue(large).asUint64() == large);
    CHECK(json(ProfileValue(large)) == "18446744073709551614");
    CHECK(ProfileValue(std::numeric_limits<std::int64_t>::min()).asInt64() == std::numeric_limits<std::int64_t>::min());
    CHECK(ProfileValue(-3).as<short>() == -3);
    CHECK(ProfileValue(2.9).asInt() == 2);
  }

  TEST_CASE("a number that does not fit is refused") {
    CHECK_THROWS_AS(ProfileValue(-1).asUint(), overflow_error);
    CHECK_THROWS_AS(ProfileValue(std::uint64_t(1) << 32).asUint(), overflow_error);
    CHECK_THROWS_AS(ProfileValue(1e30).asUint64(), overflow_error);
    CHECK_THROWS_AS(ProfileValue(std::nan("")).asInt(), overflow_error);
  }

  TEST_CASE("a conversion to the wrong type names both types") {
    CHECK_THROWS_WITH_AS(ProfileValue("x").asInt(), "profile value is a string, not a number", type_error);
    CHECK_THROWS_WITH_AS(ProfileValue(1).asMap(), "profile value is a number, not a map", type_error);
    CHECK_THROWS_AS(ProfileValue(1).asBool(), type_error);
  }

  TEST_CASE("a missing key names the nearest one") {
    const ProfileValue value = sampleValue();
    CHECK_THROWS_WITH_AS(value["size"], "profile map has no key \"size\" (3 keys). Did you mean \"sizes\"?",
                         index_error);
    CHECK_THROWS_AS(value["sizes"][3], index_error);
    CHECK_THROWS_AS(value["sizes"][-1], index_error);
    CHECK(value.getOrNull("nothing") == nullptr);
    CHECK(value.contains("sizes"));
    CHECK_FALSE(value["sizes"].contains("x"));
  }

  TEST_CASE("sums reach into vectors and maps") {
    ProfileValue value;
    value["a"] = ProfileValue::Vector{1, 2, ProfileValue::Vector{3}};
    value["b"] = 4;
    value["c"] = "no number";
    CHECK(value.sumUint() == 10);
    CHECK(value.sumInt() == 10);
    CHECK(value.sum() == 10.0);
    CHECK(value["a"].sumUint64() == 6);
    value["b"] = ~std::uint64_t(0);
    CHECK_THROWS_AS((void)value.sumUint64(), overflow_error);
    CHECK(value.sumDouble() == 0x1p64);
  }

  TEST_CASE("copies are deep and equal values compare equal") {
    ProfileValue a = sampleValue();
    ProfileValue b = a;
    CHECK(a == b);
    b["nested"]["deep"] = false;
    CHECK(a != b);
    CHECK(a["nested"]["deep"].asBool());
    CHECK(ProfileValue(1) == ProfileValue(1.0));
    CHECK(ProfileValue(-1) != ProfileValue(~std::uint64_t(0)));
    CHECK(ProfileValue(true) != ProfileValue(1));
    a = a["nested"]; // from a part of itself
    CHECK(a.size() == 1);
  }
}
