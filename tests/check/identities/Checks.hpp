// What must hold for a recorded program, whatever recorded it.
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

/// A level says what it knows and no more, what it knows adds up, and nothing else is told.
Findings checkKnowledge(const Setup &setup, const pva::Report &report);
/// Compute + exchange + global + host + sync + unattributed = total on all tiles, steps and totals agree. For setups
/// that know all of it.
Findings checkSums(const Setup &setup, const pva::Report &report);
/// The same on every single tile, from the machine's events; and its sums are those of the profile where that knows
/// them.
Findings checkEachTile(const Setup &setup, const popscope::CompiledProgram &compiled, const std::vector<unsigned> &runs,
                       const pva::Report &report);
/// What is fixed before the program runs does not depend on what recorded it.
/// `like`: of the same kind of device, with the external exchange once that is known.
Findings checkAgainst(const pva::CycleTotals &model, pva::CycleTotals &like, const Setup &setup, const SubjectRow &row,
                      const pva::Report &report);

/// Builds, runs and checks each subject with each setup; the model comes first.
Findings checkAll(const std::vector<SubjectRow> &subjects, const std::vector<Setup> &setups);

} // namespace identities
