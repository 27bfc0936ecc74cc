// The identities that must hold for a recorded program, with any setup that recorded it.
#pragma once
#include "tests/check/identities/Setups.hpp"
#include "tests/check/identities/Subjects.hpp"
#include "tests/check/profile/Findings.hpp"

#include <pva/pva.hpp>

namespace popscope {
struct CompiledProgram;
}

namespace identities {

using profile_check::Findings;

/// Checks that the report contains exactly the figures that the setup can know, and that they add up.
Findings checkKnowledge(const Setup &setup, const pva::Report &report);
/// Checks that compute + exchange + global + host + sync + unattributed = total on all tiles, and that steps and totals
/// agree. Applies only to setups that know all of these figures.
Findings checkSums(const Setup &setup, const pva::Report &report);
/// Checks on each tile the same sum as checkSums, from the machine's events. Compares the cycles of exchange, of
/// counter reads and, if known, of external exchange with those of the profile.
Findings checkEachTile(const Setup &setup, const popscope::CompiledProgram &compiled, const std::vector<unsigned> &runs,
                       const pva::Report &report);
/// Checks that figures which are fixed before the program runs do not depend on the setup that recorded the run. For a
/// program without host copies whose executions of a step take equal cycles, also checks that the run takes at least as
/// many cycles as on the model. `like`: totals of the same kind of device. A setup that knows the external exchange
/// replaces `like` by its own totals.
Findings checkAgainst(const pva::CycleTotals &model, pva::CycleTotals &like, const Setup &setup, const SubjectRow &row,
                      const pva::Report &report);

/// Builds, runs and checks each subject with each setup; the model comes first.
Findings checkAll(const std::vector<SubjectRow> &subjects, const std::vector<Setup> &setups);

} // namespace identities
