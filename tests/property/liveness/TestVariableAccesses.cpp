// Compares the recorded accesses of programs to variables with a reference that marks every element separately.
#include "engine/collect/Collect.hpp"
#include "tests/property/liveness/RandomSteps.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <span>

using namespace popscope;
using namespace popscope::testing;

namespace {

/// Returns, by variable, then program, for each element whether the program reads, writes or undefines it.
std::vector<VariableAccessRecord> elementByElement(const StepProgram &program,
                                                   const std::vector<VariableRow> &variables) {
  std::vector<VariableAccessRecord> rows;
  for (std::size_t v = 0; v < program.vars.size(); ++v) {
    if (!variables[v].recorded())
      continue;
    for (std::uint32_t s = 0; s < program.steps.size(); ++s) {
      const Step &step = program.steps[StepIndex(s)];
      std::set<std::uint64_t> touched[3];
      for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a) {
        const Access &access = program.accesses[a];
        for (std::uint32_t r = 0; access.var == program.vars.idAt(v) && r < access.numRanges; ++r)
          for (std::uint64_t e = program.ranges[access.firstRange + r].begin;
               e < program.ranges[access.firstRange + r].end; ++e)
            touched[static_cast<int>(access.kind)].insert(e);
      }
      if (!touched[0].empty() || !touched[1].empty() || !touched[2].empty())
        rows.push_back({variables[v].row, s, program.vars.raw()[v].elements, touched[0].size(), touched[1].size(),
                        touched[2].size()});
    }
  }
  return rows;
}

} // namespace

TEST_SUITE("liveness.accesses") {
  TEST_CASE("accesses of random programs equal those that are marked element by element") {
    std::size_t whole = 0, part = 0, undefined = 0, both = 0, left = 0;
    for (std::uint32_t seed = 1; seed <= 1500; ++seed) {
      const StepProgram program = randomSteps(seed);
      std::vector<VariableRow> variables(program.vars.size());
      std::uint32_t next = 0;
      for (std::size_t v = 0; v < variables.size(); ++v)
        if ((v + seed) % 5 != 0) // the others are not recorded
          variables[v].row = next++;
        else
          ++left;
      std::vector<VariableAccessRecord> rows;
      collectVariableAccesses(
          program, collectAccesses(program, Threads{1 + seed % 2}), variables,
          [&](std::span<const VariableAccessRecord> some) { rows.insert(rows.end(), some.begin(), some.end()); });
      CHECK_MESSAGE(rows == elementByElement(program, variables), "seed " << seed);
      for (const VariableAccessRecord &row : rows) {
        whole += row.written == row.elements;
        part += row.written != 0 && row.written != row.elements;
        undefined += row.undefined != 0;
        both += row.read != 0 && row.written != 0;
      }
    }
    // The generator must produce all kinds of accesses.
    CHECK(std::min({whole, part, undefined, both, left}) > 300);
  }
}
