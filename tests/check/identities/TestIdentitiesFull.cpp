// The identities on the three programs as published. A simulated IPU counts each vertex's instructions, which takes more
// than a minute for each set of counters: only the largest set here, every set with POPSCOPE_ALL_SETUPS=1 (ctest -C Nightly).
#include "tests/check/identities/Checks.hpp"

#include <cstdlib>
#include <doctest/doctest.h>

using namespace identities;

TEST_CASE("the identities hold on the perceptron, the matrix times vector and the halo of 1,216 tiles") {
  const std::vector<Setup> few = fewSetups();
  const std::vector<Setup> setups =
      std::getenv("POPSCOPE_ALL_SETUPS") != nullptr ? allSetups() : std::vector<Setup>{few.at(0), few.at(2)};
  const Findings findings = checkAll(fullSubjects(), setups);
  CHECK_MESSAGE(findings.empty(), profile_check::describe(findings));
}
