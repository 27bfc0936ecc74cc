// Writes the rows of executed steps, and the sums of a run over its steps. Call it inside a transaction, with the
// file's lock held. All calls are for one file.
#pragma once
#include "report/pop/WriteSlots.hpp"

#include <map>
#include <unordered_map>

namespace popscope {

class StepWriter {
public:
  /// Sets the types and compute sets of programs, to which steps refer. Each replica of the graph has `tiles` tiles.
  void begin(std::vector<std::string> programTypes, std::vector<std::int64_t> programComputeSets, std::size_t tiles);
  [[nodiscard]] std::size_t programs() const { return programTypes_.size(); }
  /// Makes ids continue after those of the file.
  void startAfter(PopFile &file) { slots_.startAfter(file); }
  void write(PopFile &file, std::uint64_t id, std::uint64_t run, const StepRecord &record);
  /// Writes the record again, `later` cycles later. If the latest record of its program was the same object, reuses its
  /// packed data.
  void writeAgain(PopFile &file, std::uint64_t id, std::uint64_t run, const std::shared_ptr<const StepRecord> &record,
                  Cycles later);
  /// Writes the sums of the open run in place of the existing ones.
  void writeRunTypes(PopFile &file, std::uint64_t run) const;
  void leaveRun() { runTypes_.clear(); }
  /// Forgets the steps, which were removed from the file.
  void forget();

private:
  struct TypeTotal {
    std::uint64_t instances = 0;
    std::optional<Cycles> cycles;
  };
  /// The packed parts of a record, prepared before its rows are written.
  struct Packed {
    std::string cycles; // blob of steps_by_tile; "" = no row
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
  std::map<std::uint32_t, TypeTotal> runTypes_;    // the totals of the open run
  std::unordered_map<std::uint32_t, Again> again_; // key: the program; the order never matters
  std::optional<Inserters> into_;
  SlotWriter slots_;
};

} // namespace popscope
