// Rows of one executed step, and sums over a run that its steps add to. Called inside a transaction.
#pragma once
#include "report/pop/WriteSlots.hpp"

#include <map>

namespace popscope {

class StepWriter {
public:
  /// What steps refer to, of a graph whose replicas have `tiles` tiles each.
  void begin(std::vector<std::string> programTypes, std::vector<std::int64_t> programComputeSets, std::size_t tiles);
  [[nodiscard]] std::size_t programs() const { return programTypes_.size(); }
  /// Ids go on after those that the file has.
  void startAfter(PopFile &file) { slots_.startAfter(file); }
  void write(PopFile &file, std::uint64_t id, std::uint64_t run, const StepRecord &record);
  /// Sums of the open run, in place of those that are there.
  void writeRunTypes(PopFile &file, std::uint64_t run) const;
  void leaveRun() { runTypes_.clear(); }
  /// The steps are gone from the file.
  void forget();

private:
  struct TypeTotal {
    std::uint64_t instances = 0;
    std::optional<std::uint64_t> cycles;
  };
  void writeTypes(PopFile &file, std::uint64_t id, const StepRecord &record);

  std::vector<std::string> programTypes_;
  std::vector<std::int64_t> programComputeSets_;
  std::size_t tiles_ = 0;
  std::map<std::uint32_t, TypeTotal> runTypes_; // of the open run
  SlotWriter slots_;
};

} // namespace popscope
