#include "base/EditDistance.hpp"

#include <doctest/doctest.h>

using namespace popscope;

TEST_SUITE("base.EditDistance") {
  TEST_CASE("each slip costs one") {
    CHECK(editDistance("", "") == 0);
    CHECK(editDistance("tile", "tile") == 0);
    CHECK(editDistance("tile", "tiles") == 1);
    CHECK(editDistance("tile", "til") == 1);
    CHECK(editDistance("tile", "pile") == 1);
    CHECK(editDistance("tile", "tlie") == 1);
    CHECK(editDistance("", "abc") == 3);
    CHECK(editDistance("kitten", "sitting") == 3);
    CHECK(editDistance("ca", "abc") == 3); // no part is edited twice
  }

  TEST_CASE("the nearest name is found and far ones are not offered") {
    const std::vector<std::string> known = {"debug.instrument", "debug.instrumentCompute", "exchange.enable"};
    CHECK(nearest("debug.intrument", known) == "debug.instrument");
    CHECK(nearest("DEBUG.INSTRUMENT", known) == "debug.instrument");
    CHECK(nearest("zzz", known) == "");
    CHECK(nearest("anything", {}) == "");
    CHECK(nearest("ab1", {"ab2", "ab3"}) == "ab2"); // the first of equally near names
    CHECK(didYouMean("exchange.enabel", known) == " Did you mean \"exchange.enable\"?");
    CHECK(didYouMean("zzz", known).empty());
  }

  TEST_CASE("lengths that differ by more than a third are never near") {
    CHECK(nearest("abcdef", {"abcdefghi"}) == "abcdefghi"); // three of nine
    CHECK(nearest("abcdefghi", {"abcdef"}) == "abcdef");
    CHECK(nearest("abcde", {"abcdefgh", "abcdf"}) == "abcdf");
    CHECK(nearest("abcde", {"abcdefghi"}) == "");
    CHECK(nearest(std::string(std::size_t(1) << 24, 'a'), {"debug.instrument"}) == ""); // compares no letters
  }
}
