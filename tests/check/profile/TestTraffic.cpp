// The traffic between tiles on real profiles, and planted faults in it.
#include "tests/check/profile/Runs.hpp"
#include "tests/check/profile/TrafficChecks.hpp"

#include <doctest/doctest.h>

using namespace profile_check;

TEST_SUITE("profile.traffic") {

  TEST_CASE("the bytes to a group of tiles are the bytes that its tiles receive, and come from tiles that send") {
    for (const ProfiledProgram &program : profiledPrograms()) {
      const auto exchanges = readTrafficFacts(program.profile);
      CHECK_MESSAGE(!exchanges.empty(), program.name);
      const Findings findings = checkTraffic(exchanges);
      CHECK_MESSAGE(findings.empty(), program.name << ": " << describe(findings));
    }
  }

  TEST_CASE("an additional byte, and a pair of tiles that is missing, twice or reversed, are found") {
    const auto exchanges = readTrafficFacts(profiled("mlp").profile);
    const auto at = [&] {
      for (std::size_t e = 0; e < exchanges.size(); ++e)
        if (exchanges[e].bytes.size() > 2)
          return e;
      return exchanges.size();
    }();
    REQUIRE(at < exchanges.size());
    void (*const faults[])(TrafficFacts &) = {
        [](TrafficFacts &t) { ++t.bytes[1]; },
        [](TrafficFacts &t) {
          t.from.pop_back();
          t.to.pop_back();
          t.bytes.pop_back();
        },
        [](TrafficFacts &t) {
          t.from.push_back(t.from.back());
          t.to.push_back(t.to.back());
          t.bytes.push_back(4);
        },
        [](TrafficFacts &t) { std::swap(t.from[0], t.to[0]); },
        [](TrafficFacts &t) { t.to[0] = t.receivedBy.size(); },
        [](TrafficFacts &t) { t.sentBy.assign(t.sentBy.size(), 0); },
    };
    for (const auto fault : faults) {
      auto wrong = exchanges;
      fault(wrong[at]);
      CHECK(!checkTraffic(wrong).empty());
    }
  }

} // TEST_SUITE
