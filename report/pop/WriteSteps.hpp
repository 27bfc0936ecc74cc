// Writes the rows of executed steps, and the sums of a run over its steps. Call the functions inside a transaction,
// with the file's lock held. All calls must be for one file.
#pragma once
#include "report/pop/WriteSlots.hpp"

#include <map>
#include <unordered_map>

namespace popscope {

class StepWriter {
public:
  /// Sets the types and compute sets of the programs to which steps refer. `tiles` is the number of tiles of a replica.
  void begin(std::vector<std::string> programTypes, std::vector<std::int64_t> programComputeSets, std::size_t tiles);
  [[nodiscard]] std::size_t programs() const { return programTypes_.size(); }
  /// Makes the ids of new slots continue after the ids of the slots in the file.
  void startAfter(PopFile &file) { slots_.startAfter(file); }
  void write(PopFile &file, std::uint64_t id, std::uint64_t run, const StepRecord &record);
  /// Writes a record again, with all times shifted by `later` cycles. Reuses the packed data if the latest call of
  /// writeAgain for the program of `record` had the same record object.
  void writeAgain(PopFile &file, std::uint64_t id, std::uint64_t run, const std::shared_ptr<const StepRecord> &record,
                  Cycles later);
  /// Writes the number of vertices and the cycles of each vertex type, summed over the steps of the open run (table
  /// run_vertex_types). If the cycles of a type are unknown in a step, the step adds its number of vertices, but no
  /// cycles. The rows replace existing rows of the run.
  void writeRunTypes(PopFile &file, std::uint64_t run) const;
  void leaveRun() { runTypes_.clear(); }
  /// Forgets the written steps. Call forget() after the rows of these steps were removed from the file.
  void forget();

private:
  struct TypeTotal {
    std::uint64_t instances = 0;
    std::optional<Cycles> cycles;
  };
  /// The packed parts of a record, which are made before the rows of the record are written.
  struct Packed {
    std::string cycles; // blob for steps_by_tile; "" if there is no row
    std::optional<std::uint64_t> slots;
  };
  struct Again {
    std::shared_ptr<const StepRecord> record;
    Packed packed;
  };
  struct Inserters {
    explicit Inserters(PopFile &file)
        : steps(file, "steps"), tiles(file, "steps_by_tile"), ipus(file, "steps_by_ipu"),
          types(file, "step_vertex_types") {}
    RowInserter steps, tiles, ipus, types;
  };
  [[nodiscard]] Packed pack(PopFile &file, const StepRecord &record);
  void writeRows(PopFile &file, std::uint64_t id, std::uint64_t run, const StepRecord &record, Cycles later,
                 const Packed &packed);
  void writeTypes(std::uint64_t id, const StepRecord &record);

  std::vector<std::string> programTypes_;
  std::vector<std::int64_t> programComputeSets_;
  std::size_t tiles_ = 0;
  std::map<std::uint32_t, TypeTotal> runTypes_;    // by vertex type: totals of the open run
  std::unordered_map<std::uint32_t, Again> again_; // by program id; never iterated
  std::optional<Inserters> into_;
  SlotWriter slots_;
};

} // namespace popscope
