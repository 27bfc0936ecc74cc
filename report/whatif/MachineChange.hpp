// Another machine from flags: the recorded one as JSON (docs/MACHINES.md), with fields replaced.
#pragma once
#include "report/answers/View.hpp"
#include "target-models/model/TileMachine.hpp"

namespace popscope {

/// A scalar field that differs. Path as /sync/minDelayCycles.
struct MachineDifference {
  std::string path, before, after;
};

/// The fields of JSON text by path, scalars only, in the order of the paths.
[[nodiscard]] std::map<std::string, std::string> machineFields(const TileMachine &machine);
[[nodiscard]] std::vector<MachineDifference> machineDifferences(const TileMachine &before, const TileMachine &after);
/// The machine with one field replaced. Throws AnswerError that names the field and what is wrong.
[[nodiscard]] TileMachine withField(const TileMachine &machine, const std::string &path, const std::string &value);
/// What the flags of a request ask for. Throws AnswerError.
[[nodiscard]] TileMachine machineOf(const Request &request, const TileMachine &recorded);
/// Whether cycles are costed again with it.
[[nodiscard]] bool isCosted(const std::string &path);

} // namespace popscope
