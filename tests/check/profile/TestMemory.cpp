// Memory identities on real profiles.
#include "tests/check/profile/MemoryChecks.hpp"
#include "tests/check/profile/ReadFacts.hpp"
#include "tests/check/profile/Runs.hpp"

#include <doctest/doctest.h>
#include <functional>

using namespace profile_check;

namespace {

void onEachProfile(const std::function<Findings(const MemoryFacts &, const ProfiledProgram &)> &check) {
  for (const ProfiledProgram &program : profiledPrograms()) {
    const Findings findings = check(readMemory(pva::openReport(program.profile)), program);
    CHECK_MESSAGE(findings.empty(), program.name << ": " << describe(findings));
  }
}

} // namespace

TEST_SUITE("profile.memory") {

  TEST_CASE("on every tile, regions add up to the bytes used, and so does not overlapped plus after overlapping") {
    onEachProfile([](const MemoryFacts &memory, const ProfiledProgram &) { return checkTileSums(memory); });
  }

  TEST_CASE("the five categories of vertex data are its four kinds of storage on every tile") {
    onEachProfile([](const MemoryFacts &memory, const ProfiledProgram &) { return checkVertexData(memory); });
  }

  TEST_CASE("rows by vertex type hold data and, once per tile, code, so that without code they are the vertex data") {
    onEachProfile([](const MemoryFacts &memory, const ProfiledProgram &) { return checkVertexTypes(memory); });
  }

  TEST_CASE("exactly the tiles that use addresses past the end are out of memory") {
    onEachProfile([](const MemoryFacts &memory, const ProfiledProgram &program) {
      CHECK(memory.outOfMemory.size() == (program.name == "sample" ? 1 : 0));
      return checkOutOfMemory(memory);
    });
  }

  TEST_CASE("the figures of a tile follow from its saved allocations, of which no two share a byte at one time") {
    onEachProfile([](const MemoryFacts &memory, const ProfiledProgram &program) {
      const AllocationTable allocations = readAllocations(program.profile);
      CHECK(!allocations.rows.empty());
      return checkAllocations(memory, allocations);
    });
  }

} // TEST_SUITE
