// Makes the machine for a re-simulation from flags of the command line. The flags replace fields of the recorded
// machine or, with --machine, fields of the machine that this flag names (docs/MACHINES.md).
#pragma once
#include "report/answers/View.hpp"
#include "target-models/model/MachineDifferences.hpp"
#include "target-models/model/TileMachine.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Returns the machine with one field replaced; all other fields stay unchanged. Throws AnswerError for an unknown
/// field or an invalid value; the message contains the field and the mistake.
[[nodiscard]] TileMachine withField(const TileMachine &machine, const std::string &path, const std::string &value);
/// Returns the field that gives the machine the value of `path`. On a device whose /device/hostBytesPerCycle is not 0,
/// fields of /device replace some fields of /host and /exchange (becomeDevice). Returns `path` for all other fields,
/// and for machines that are no device.
[[nodiscard]] std::string fieldInEffect(const TileMachine &machine, const std::string &path);
/// Returns the machine that --machine names or, without --machine, the recorded machine. Applies the changes of the
/// request's other flags to this machine. Throws AnswerError for an invalid change, and if the result has fewer IPUs or
/// fewer tiles per IPU than the program. Adds a note for each field of --set that has no effect, because a field of
/// /device replaces it.
[[nodiscard]] TileMachine machineOf(const Request &request, const TileMachine &recorded,
                                    std::vector<std::string> &notes);
/// Returns whether popscope whatif computes the effects of the field for a profile of the recorded machine.
[[nodiscard]] bool isCosted(const std::string &path, const TileMachine &recorded);

} // namespace popscope
