// Every access of a program by variable, as compact records, and the few facts about variables that liveness asks for.
#pragma once
#include "base/Parallel.hpp"
#include "graph/steps/StepProgram.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace popscope {

/// StepVar is wide, and homes lie elsewhere: this stays in the cache.
struct VariableFacts {
  std::uint64_t elements = 0;
  Bytes bytes;              // of all homes
  bool alwaysLive = false;  // constants and system data are never given up, whatever the steps say
  bool neverAlways = false; // a rearrangement
};

/// Accesses by variable, then by step: of v, [first[v], first[v + 1]).
struct AccessTable {
  class Entry {
  public:
    Entry() = default; // says nothing: tables are filled, not cleared
    Entry(std::uint32_t step, std::uint32_t index, bool reads, bool kills, bool several)
        : access(index),
          bits_(step << 3U | std::uint32_t(several) << 2U | std::uint32_t(kills) << 1U | std::uint32_t(reads)) {}
    [[nodiscard]] std::uint32_t step() const { return bits_ >> 3U; }
    [[nodiscard]] bool reads() const { return (bits_ & 1U) != 0; }
    /// A write or an Undef of one range, which is the whole variable.
    [[nodiscard]] bool kills() const { return (bits_ & 2U) != 0; }
    /// A write or an Undef of several ranges (or none), which together may be the whole variable.
    [[nodiscard]] bool several() const { return (bits_ & 4U) != 0; }
    std::uint32_t access; // in StepProgram::accesses

  private:
    std::uint32_t bits_;
  };
  std::vector<std::uint32_t> first;
  std::unique_ptr<Entry[]> entries;
};

/// Makes the table, and facts for who wants them, in two stages, so that the first can run beside other work. Linear in
/// accesses; a lane takes a share of the steps. A program has fewer than 2^32 accesses and 2^29 steps (InternalError).
class AccessCollector {
public:
  enum class Facts : bool { No, Yes };
  AccessCollector(const StepProgram &program, Threads threads, Facts facts);
  [[nodiscard]] std::size_t numLanes() const { return lanes_.size(); }
  /// Each lane once; they may run at a time.
  void count(std::size_t lane);
  /// Once, after all lanes have counted. Parallel.
  AccessTable collect();
  /// By variable, with Facts::Yes; known once all lanes have counted.
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
  std::vector<std::vector<std::uint32_t>> lanes_; // by variable: accesses in the lane's steps, then where they go
};
/// The table alone.
AccessTable collectAccesses(const StepProgram &program, Threads threads);

} // namespace popscope
