#include "PublicForms.hpp"

#include <doctest/doctest.h>
#include <poplar/ArrayRef.hpp>
#include <poplar/Interval.hpp>
#include <poplar/StringRef.hpp>
#include <sstream>

using namespace poplar;

TEST_SUITE("base.public") {
  TEST_CASE("a view is made from every form that C++11 programs use") {
    for (int form = 0; form < kNumForms; ++form)
      CHECK_MESSAGE(sumOfForm(form) == 6, "form " << form);
    CHECK(sumOfForm(kNumForms) == -1);
  }

  TEST_CASE("debug names are made from every form that C++11 programs use") {
    const char *expected[kNumPathForms] = {"",           "name",  "name", "name", "parent",       "parent/name",
                                           "outer/name", "a/b/c", "",     "name", "parent/child", "a/b"};
    for (int form = 0; form < kNumPathForms; ++form)
      CHECK_MESSAGE(pathOfForm(form) == expected[form], "form " << form);
  }

  TEST_CASE("static initialisers may use the type constants") { CHECK(typeSeenByStaticInitialiser() == "float"); }

  TEST_CASE("a view's element type is deduced") {
    const std::vector<float> values = {1, 2};
    ArrayRef fromVector(values);
    ArrayRef fromPointer(values.data(), std::size_t(1));
    static_assert(std::is_same_v<decltype(fromVector), ArrayRef<float>>);
    static_assert(std::is_same_v<decltype(fromPointer), ArrayRef<float>>);
    static_assert(std::is_same_v<decltype(ArrayRef{1.5f, 2.5f, 3.5f}), ArrayRef<float>>);
    CHECK((ArrayRef{1.5f, 2.5f, 3.5f}.size()) == 3);
    CHECK(fromVector.size() == 2);
    CHECK(fromPointer.size() == 1);
    CHECK(fromVector != ArrayRef<float>(fromPointer));
    CHECK(fromVector.cloneAsVector() == values);
  }

  TEST_CASE("views of different element types do not mix") {
    static_assert(!std::is_convertible_v<ArrayRef<int>, ArrayRef<long>>);
    static_assert(!std::is_constructible_v<StringRef, std::nullptr_t>);
  }

  TEST_CASE("string views compare, join and cut like strings") {
    const StringRef ref("tile", 4);
    CHECK(ref == "tile");
    CHECK("tile" == ref);
    CHECK(ref == std::string("tile"));
    CHECK(ref != "tiles");
    CHECK(ref < "tiles");
    CHECK(StringRef() < "a");
    CHECK(StringRef() == "");
    CHECK("x" + ref == "xtile");
    CHECK(ref + std::string("s") == "tiles");
    std::string text = "a";
    text += ref;
    CHECK(text == "atile");
    CHECK(ref.substr(1, 2) == "il");
    CHECK(ref.substr(4).empty());
    CHECK_THROWS_AS(ref.substr(5), std::out_of_range);
    CHECK(std::hash<StringRef>()(ref) == std::hash<StringRef>()(std::string("tile")));
  }

  TEST_CASE("intervals order by begin, then by end") {
    CHECK(Interval(0, 5) < Interval(1, 2));
    CHECK(Interval(1, 2) < Interval(1, 3));
    CHECK_FALSE(Interval(1, 3) < Interval(1, 3));
    CHECK(Interval(2, 6).size() == 4);
    CHECK(intervalSize(std::vector<Interval>{{0, 3}, {5, 9}}) == 7);
    std::ostringstream os;
    os << Interval(2, 6);
    CHECK(os.str() == "[2,6)");
  }
}
