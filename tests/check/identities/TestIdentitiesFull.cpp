// The identities on the three programs as published.
#include "tests/check/identities/Checks.hpp"

#include <doctest/doctest.h>

using namespace identities;

TEST_CASE("the identities hold on the perceptron, the matrix times vector and the halo of 1,216 tiles for each device "
          "kind and level") {
  const Findings findings = checkAll(fullSubjects(), allSetups());
  CHECK_MESSAGE(findings.empty(), profile_check::describe(findings));
}
