#include "base/PublicTypes.hpp"

#include <doctest/doctest.h>
#include <unordered_map>

using namespace poplar;

TEST_SUITE("base.Type") {
  TEST_CASE("types are spelt as in vertex names") {
    const std::pair<Type, const char *> expected[] = {{BOOL, "bool"},
                                                      {CHAR, "char"},
                                                      {UNSIGNED_CHAR, "unsigned char"},
                                                      {SIGNED_CHAR, "signed char"},
                                                      {SHORT, "short"},
                                                      {UNSIGNED_SHORT, "unsigned short"},
                                                      {INT, "int"},
                                                      {UNSIGNED_INT, "unsigned int"},
                                                      {LONG, "long"},
                                                      {UNSIGNED_LONG, "unsigned long"},
                                                      {LONGLONG, "long long"},
                                                      {UNSIGNED_LONGLONG, "unsigned long long"},
                                                      {HALF, "half"},
                                                      {FLOAT, "float"},
                                                      {QUARTER, "quarter"},
                                                      {QUARTER_METADATA, "quarter_metadata"}};
    for (const auto &entry : expected)
      CHECK(entry.first.toString() == entry.second);
    CHECK(Type() != FLOAT);
    Type &bound = FLOAT; // programs bind it in this way
    CHECK(&bound == &FLOAT);
    CHECK(Type().toString() == "invalid");
  }

  TEST_CASE("a type is a handle on one element type and back") {
    for (int i = 0; i <= static_cast<int>(popscope::ElementType::QuarterMetadata); ++i) {
      const auto element = static_cast<popscope::ElementType>(i);
      CHECK(popscope::elementType(popscope::makeType(element)) == element);
    }
    CHECK(popscope::elementType(HALF) == popscope::ElementType::Half);
    CHECK(sizeof(Type) == 1);
  }

  TEST_CASE("types are keys of both kinds of map") {
    const std::unordered_map<Type, int> hashed = {{FLOAT, 4}, {HALF, 2}};
    CHECK(hashed.at(HALF) == 2);
    CHECK((INT < FLOAT) != (FLOAT < INT));
  }

  TEST_CASE("host types have an equivalent device type") {
    CHECK(equivalent_device_type<float>().value == FLOAT);
    CHECK(equivalent_device_type<unsigned>().value == UNSIGNED_INT);
    CHECK(equivalent_device_type<std::size_t>().value == UNSIGNED_LONG);
    CHECK(equivalent_device_type<bool>().value == BOOL);
    CHECK(equivalent_device_type<long long>().value == LONGLONG);
  }

  TEST_CASE("traits describe the host type") {
    const TypeTraits traits = TypeTraits::make<short>();
    CHECK(traits.size == 2);
    CHECK(traits.align == alignof(short));
    CHECK(traits.isIntegral);
    CHECK(traits.isSigned);
    CHECK_FALSE(traits.isFloat);
    CHECK(TypeTraits::make<double>().isFloat);
    static_assert(TypeTraits::isSimpleType<unsigned>() && !TypeTraits::isSimpleType<std::string>());
  }

  TEST_CASE("quarter, half and float are floating-point types") {
    for (const Type &type : {QUARTER, HALF, FLOAT})
      CHECK(type.isFloatingPoint());
    for (const Type &type : {BOOL, CHAR, UNSIGNED_CHAR, SIGNED_CHAR, SHORT, UNSIGNED_SHORT, INT, UNSIGNED_INT, LONG,
                             UNSIGNED_LONG, LONGLONG, UNSIGNED_LONGLONG, QUARTER_METADATA, Type()})
      CHECK_FALSE(type.isFloatingPoint());
  }

  TEST_CASE("a host half is a simple type of 16 bits") {
    CHECK(equivalent_device_type<Half>().value == HALF);
    const TypeTraits traits = TypeTraits::make<const Half>();
    CHECK(traits.size == 2);
    CHECK(traits.isFloat);
    CHECK(traits.isSigned);
    CHECK(traits.isSimple);
    CHECK_FALSE(traits.isIntegral);
  }

  TEST_CASE("only quarter needs metadata") {
    CHECK(QUARTER.requiresMetadata());
    CHECK_FALSE(QUARTER_METADATA.requiresMetadata());
    CHECK_FALSE(HALF.requiresMetadata());
  }
}
