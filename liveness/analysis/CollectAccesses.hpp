// Collects all accesses of a program as compact records, grouped by variable, and the facts that liveness needs about
// variables.
#pragma once
#include "base/Parallel.hpp"
#include "graph/steps/StepProgram.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace popscope {

/// The facts that liveness needs about one variable. A record is smaller than a StepVar and needs no lookup of homes.
/// So the records of all variables fit better into the processor's cache.
struct VariableFacts {
  std::uint64_t elements = 0;
  Bytes bytes;              // sum over the variable's homes
  bool alwaysLive = false;  // true for constants and system data, which are live at all steps, independent of accesses
  bool neverAlways = false; // true for a rearrangement, which never counts as always live
};

/// Accesses, sorted by variable, then by step. The accesses of variable v are the entries [first[v], first[v + 1]).
struct AccessTable {
  class Entry {
  public:
    /// The effect of an access. WritePart and UndefPart: one range that is smaller than the variable. WriteWhole and
    /// UndefWhole: one range that is the whole variable. WriteSeveral and UndefSeveral: no range or several ranges,
    /// which together may cover the whole variable.
    enum class Effect : std::uint32_t {
      Read,
      WritePart,
      WriteWhole,
      WriteSeveral,
      UndefPart,
      UndefWhole,
      UndefSeveral,
    };
    Entry() = default; // leaves the entry uninitialised, because each entry is written later
    Entry(std::uint32_t step, std::uint32_t index, Effect effect)
        : access(index), bits_(step << 3U | static_cast<std::uint32_t>(effect)) {}
    [[nodiscard]] std::uint32_t step() const { return bits_ >> 3U; }
    [[nodiscard]] Effect effect() const { return static_cast<Effect>(bits_ & 7U); }
    [[nodiscard]] bool reads() const { return effect() == Effect::Read; }
    [[nodiscard]] bool undefines() const { return effect() >= Effect::UndefPart; }
    /// Returns whether the access is a write or an Undef of the whole variable in a single range.
    [[nodiscard]] bool kills() const { return effect() == Effect::WriteWhole || effect() == Effect::UndefWhole; }
    /// Returns whether the access is a write or an Undef of several ranges, or of no range.
    [[nodiscard]] bool several() const { return effect() == Effect::WriteSeveral || effect() == Effect::UndefSeveral; }
    std::uint32_t access; // index in StepProgram::accesses

  private:
    std::uint32_t bits_;
  };
  std::vector<std::uint32_t> first;
  std::unique_ptr<Entry[]> entries;
};

/// A builder of the access table and, with Facts::Yes, of the facts about variables. First call count() once for each
/// lane, then collect(). A lane is the part of the steps that one call of count() handles. The calls of count() can run
/// in parallel with other work. Cost: linear in steps, in accesses, and in lanes times variables. The constructor
/// throws InternalError for 2^32 accesses or more, or 2^29 steps or more.
class AccessCollector {
public:
  enum class Facts : bool { No, Yes };
  AccessCollector(const StepProgram &program, Threads threads, Facts facts);
  [[nodiscard]] std::size_t numLanes() const { return lanes_.size(); }
  /// Counts the accesses of one lane. Call count() once per lane; several threads may count different lanes at the same
  /// time.
  void count(std::size_t lane);
  /// Builds the access table. Call collect() once, after all lanes have counted. Runs in parallel.
  AccessTable collect();
  /// Moves the facts per variable out of the collector. Call takeFacts() after collect(). The result is empty if the
  /// collector was made with Facts::No.
  std::vector<VariableFacts> takeFacts() { return std::move(facts_); }

private:
  void describe(std::size_t lane);
  [[nodiscard]] std::uint64_t elements(std::size_t variable) const {
    return facts_.empty() ? std::uint64_t(program_.vars.raw()[variable].elements) : facts_[variable].elements;
  }
  void placeLanes(std::vector<std::uint32_t> &first);

  const StepProgram &program_;
  Threads threads_;
  std::vector<VariableFacts> facts_;
  std::vector<std::vector<std::uint32_t>> lanes_; // [lane][variable]: number of accesses in the lane's steps; in
                                                  // collect(), the position of the next entry to fill
};
/// Returns the access table of a program, without the facts about variables.
AccessTable collectAccesses(const StepProgram &program, Threads threads);

} // namespace popscope
