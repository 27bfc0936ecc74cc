// The programs of the engine, and the programs that contain a step.
//
//   Sequence
//     OnEveryTileSwitch
//       Sequence: train         program 0
//       Sequence: report        program 1
//       Sequence                program 2, for example the copy of Engine::readTensor
#pragma once
#include <pva/pva.hpp>

#include <map>
#include <string>
#include <vector>

namespace popscope {

/// The children of the engine's Switch: the programs in the order of the Engine's constructor, then the programs that
/// copy data for host writes and host reads, and the program that reads recorded blocks. If the Switch has fewer than
/// two children, textOf() returns "" for every step.
class EnginePrograms {
public:
  explicit EnginePrograms(const pva::Report &report);
  /// Returns a text that names the program that contains the step, directly or in a function that the program calls.
  /// The text is "program 1, report", or "program 1" for a program without a name. If several programs contain the
  /// step, lists at most four of these programs: "programs 0, 1" or "programs 0, 1, 2, 3 and 2 more". Returns "" for a
  /// step that none of the programs contains, for example the Switch.
  [[nodiscard]] std::string textOf(std::size_t step) const;

private:
  std::vector<std::string> names_;                         // by program
  std::map<std::size_t, std::vector<std::size_t>> within_; // per step: the numbers of the programs that contain the
                                                           // step, ascending
};

} // namespace popscope
