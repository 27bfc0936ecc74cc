// StepNames: the names by which views group steps, including names for copies that have no name in the user's program.
//
//   Sequence
//     DoExchange: Exchange                   conv/Convolve/ExchangePre    the next step with a name
//     OnTileExecute: OnTileCopy              conv/Convolve/ExchangePre
//     DoExchange: conv/Convolve/ExchangePre  conv/Convolve/ExchangePre
//     OnTileExecute: conv/Convolve           conv/Convolve
//     OnTileExecute: OnTileCopy              conv/Convolve                the previous step with a name
#pragma once
#include <pva/pva.hpp>

#include <map>
#include <string>

namespace popscope {

/// Returns whether `name` is a name that the compiler gives to steps, such as "Exchange" or "OnTileCopyPre". A step has
/// such a name if the step executes a copy without a name.
[[nodiscard]] bool isCompilersName(const std::string &name);

/// A map from each step to the step or enclosing program that gives the step its name. A step with a name from the
/// user's program keeps this name. A step with a compiler's name (isCompilersName) gets the name of the next named step
/// in the same enclosing program. The reason is that a copy usually supplies data to the next step. Without a next
/// named step, the copy gets the name of the previous named step, or else the name of the enclosing program. If neither
/// a step of the enclosing program nor the enclosing program itself has a name, the search continues in the next
/// enclosing program. In an If or a Switch, the search skips the branches that do not contain the copy, because these
/// branches never run together with the copy.
class StepNames {
public:
  explicit StepNames(const pva::Report &report);
  /// Returns the id of the step or enclosing program that gives `program` its name. Returns the program's own id if the
  /// program does not have a compiler's name, or if the search found no name.
  [[nodiscard]] std::size_t stepOf(std::size_t program) const;
  [[nodiscard]] bool isBarrier(std::size_t program) const;
  /// Returns the name by which views group the step: the name of the program stepOf(program). For a Sync or SyncAns,
  /// returns "<Sync>". For a stream copy without a name, returns "<StreamCopy>". Returns "" for other programs without
  /// a name, and for programs that are neither in a control program nor in a function.
  [[nodiscard]] std::string of(std::size_t program) const;

private:
  struct Named {
    std::string own;        // the name in the file
    std::size_t stands = 0; // id of the step or enclosing program that gives the name
    bool chooses = false;   // an If or a Switch
    bool barrier = false, stream = false;
  };
  [[nodiscard]] Named find(std::size_t program) const;
  std::map<std::size_t, Named> programs_;
};

} // namespace popscope
