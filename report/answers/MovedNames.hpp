// MovedNames: names programs that have no name of their own, such as stream copies, after the variables that they
// access. All views print these names, and --name selects by these names.
#pragma once
#include "report/answers/StepTimes.hpp"

#include <pva/pva.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace popscope {

/// The names that views print. Reads the accesses of programs to variables when a view first needs the name of a
/// program without a name of its own.
class MovedNames {
public:
  explicit MovedNames(const pva::Report &report) : report_(report) {}
  /// Returns, for example, "<StreamCopy:weights>" or "<Copy:weights and 2 more>". The result covers the variables that
  /// the program writes or, if the program writes no variable, the variables that the program reads. The result names
  /// only variables of the category "variable", and counts each name once. A buffer <hostMessage:weights> has the name
  /// of the variable weights, and comes before other variables, such as the offset of the copy. If the profile contains
  /// no accesses of the program to these variables, returns `otherwise`.
  [[nodiscard]] std::string of(const std::string &kind, std::size_t program, const std::string &otherwise);
  /// Returns a text with the variables that the program reads, the word "to", and the variables that the program
  /// writes: "a, b to c", or "a, b, c and 2 more to d". If the program only reads or only writes variables, the text
  /// has no "to", for example "weights". Lists at most three names of read variables, and at most three names of
  /// written variables. Counts only the names that of() counts. If the profile contains no accesses of the program to
  /// these variables, returns no value.
  [[nodiscard]] std::optional<std::string> variablesOf(std::size_t program);
  /// Returns the step's name. For a step with a name that the compiler chose, or with no name and no compute set,
  /// returns, for example, "<OnTileCopy:weights>" or "<StreamCopyMid:weights>". If the name is empty and of() finds no
  /// variable, returns "<anonymous>".
  [[nodiscard]] std::string nameOf(const StepProgramInfo &step);
  /// Returns the step's title. For a copy without a name, returns, for example, "OnTileExecute: <OnTileCopy:weights>"
  /// or "<StreamCopyMid:weights>".
  [[nodiscard]] std::string titleOf(const StepProgramInfo &step);
  [[nodiscard]] std::string titleOf(const pva::Program &program) { return titleOf(programs_.of(program)); }
  /// Returns the name of the compute set. For a name that the compiler chose, returns the name of the first step that
  /// executes the compute set, if the file contains the accesses of this step.
  [[nodiscard]] std::string nameOf(const pva::ComputeSet &set);
  /// Returns whether a pattern of --name selects the step, by the name in the profile or by the name that views print.
  /// An empty pattern selects all steps. The function for compute sets follows the same rules.
  [[nodiscard]] bool matches(const std::string &pattern, const StepProgramInfo &step);
  [[nodiscard]] bool matches(const std::string &pattern, const pva::Program &program) {
    return pattern.empty() || matches(pattern, programs_.of(program));
  }

  [[nodiscard]] bool matches(const std::string &pattern, const pva::ComputeSet &set);

private:
  /// The names of the variables that a program reads, or of the variables that a program writes.
  struct Variables {
    std::vector<std::string> first; // the first names, at most three
    std::set<std::string> all;
    void add(const std::string &name);
    /// Returns at most `most` names (`most` is 1 to 3) and the number of the other names, for example "a and 2 more".
    [[nodiscard]] std::string text(std::size_t most) const;
  };
  struct Accessed {
    Variables read, written;
  };
  void read();
  [[nodiscard]] const Accessed *accessesOf(std::size_t program);
  void readSets();
  pva::Report report_;
  StepPrograms programs_;
  std::optional<std::map<std::size_t, Accessed>> accessed_; // by program id
  std::optional<std::map<std::size_t, std::size_t>> sets_;  // by compute set: the first program that executes the set
                                                            // and has a name that the compiler chose
};

} // namespace popscope
