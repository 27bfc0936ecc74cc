// Liveness and lowered variables. Included by <pva/pva.hpp>. All figures in bytes.
#ifndef PVA_LIVENESS_HPP
#define PVA_LIVENESS_HPP

#include <pva/Memory.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace pva {

class StepInterval;
struct VariablePart;

/// A variable of the liveness lists. Equality and hash are by variable, whatever list it came from.
class Variable {
public:
  Variable() : id_(0), size_(0) {}
  Variable(detail::Owner model, std::size_t id, std::uint64_t size) : model_(model), id_(id), size_(size) {}
  std::size_t _id() const { return id_; }
  std::string name() const;
  /// Over all tiles of a replica, or on the tile or IPU that was asked for.
  std::uint64_t size() const { return size_; }
  /// Extension: storage category, e.g. "variable".
  std::string category() const;
  /// Extensions: live at every step; its bytes on each tile of one replica; when it is live, always-live ones at all
  /// steps.
  bool alwaysLive() const;
  Values bytesByTile() const;
  /// Extensions: the tiles of one replica that hold a part of it, ascending; its bytes on one of them, 0 where it has
  /// none. For a variable on few tiles faster than all of bytesByTile().
  Values tiles() const;
  std::uint64_t bytesOn(std::size_t tile) const;
  List<StepInterval> liveSteps() const;
  /// Extensions: when its part on one tile is live: not at all steps of liveSteps() where a source is done with it
  /// there before it is elsewhere; all tiles of one replica that hold a part, by when it is live there.
  List<StepInterval> liveStepsOn(std::size_t tile) const;
  std::vector<VariablePart> parts() const;
  friend bool operator==(const Variable &a, const Variable &b) { return a.id_ == b.id_ && a.model_ == b.model_; }
  friend bool operator!=(const Variable &a, const Variable &b) { return !(a == b); }
  friend bool operator<(const Variable &a, const Variable &b) { return a.id_ < b.id_; }

private:
  detail::Owner model_;
  std::size_t id_;
  std::uint64_t size_;
};

class LivenessMemory {
public:
  LivenessMemory() : step_(0), scope_(0), index_(0) {}
  LivenessMemory(detail::Owner model, std::size_t step, int scope, std::size_t index)
      : model_(model), step_(step), scope_(scope), index_(index) {}
  std::uint64_t bytes() const;
  List<Variable> variables() const;

private:
  detail::Owner model_;
  std::size_t step_;
  int scope_; // 0 all tiles, 1 one IPU, 2 one tile
  std::size_t index_;
};

/// One program position of the compiled graph; loops are not unrolled.
class LivenessProgramStep {
public:
  LivenessProgramStep() : step_(0) {}
  LivenessProgramStep(detail::Owner model, std::size_t step) : model_(model), step_(step) {}
  std::shared_ptr<Program> program() const;
  /// Over the tiles of one replica.
  LivenessMemory notAlwaysLiveMemory() const { return LivenessMemory(model_, step_, 0, 0); }
  /// These two throw std::out_of_range for what the target has not.
  LivenessMemory notAlwaysLiveMemoryForIpu(std::size_t ipu) const;
  LivenessMemory notAlwaysLiveMemoryForTile(std::size_t tile) const;

private:
  detail::Owner model_;
  std::size_t step_;
};

/// Half-open interval of indices into livenessProgramSteps().
class StepInterval {
public:
  StepInterval() : start_(0), end_(0) {}
  StepInterval(std::uint64_t start, std::uint64_t end) : start_(start), end_(end) {}
  std::uint64_t start() const { return start_; }
  std::uint64_t end() const { return end_; }

private:
  std::uint64_t start_, end_;
};

/// Extension: the tiles of one replica on which a variable is live at the same steps.
struct VariablePart {
  List<StepInterval> liveSteps;                               // of an always-live variable all
  std::vector<std::pair<std::uint64_t, std::uint64_t>> tiles; // and the bytes there, ascending
  std::uint64_t bytes;                                        // of all of them
  bool isWhole;                                               // as Variable::liveSteps() says
};

/// Lowered variables with the same live intervals.
class EquivalenceClass {
public:
  EquivalenceClass() : id_(-1) {}
  /// id -1: live at every step.
  EquivalenceClass(detail::Owner model, std::int64_t id) : model_(model), id_(id) {}
  std::int64_t id() const { return id_; }
  List<StepInterval> steps() const;

private:
  detail::Owner model_;
  std::int64_t id_;
};

class BriefVar {
public:
  BriefVar() : id_(0) {}
  BriefVar(detail::Owner model, std::size_t id) : model_(model), id_(id) {}
  std::size_t id() const { return id_; }
  std::uint64_t bytes() const;
  std::uint64_t tileId() const;
  EquivalenceClass equivalenceClass() const;

private:
  detail::Owner model_;
  std::size_t id_;
};

class LoweredVariable {
public:
  LoweredVariable() : id_(0) {}
  LoweredVariable(detail::Owner model, std::size_t id) : model_(model), id_(id) {}
  std::size_t _id() const { return id_; }
  std::string name() const;
  std::uint64_t bytes() const;
  bool hasUnloweredVar() const;
  /// Its part on this tile; std::logic_error without one.
  Variable unloweredVar() const;
  bool alwaysLive() const;
  std::uint64_t offset() const;
  std::uint64_t alignment() const;
  std::string category() const;
  bool isConstant() const;
  std::uint64_t tile() const;
  EquivalenceClass equivalenceClass() const;
  bool inInterleavedMem() const;
  /// Extension: shares its addresses with others over time.
  bool overlapped() const;
  friend bool operator==(const LoweredVariable &a, const LoweredVariable &b) {
    return a.id_ == b.id_ && a.model_ == b.model_;
  }
  friend bool operator!=(const LoweredVariable &a, const LoweredVariable &b) { return !(a == b); }

private:
  detail::Owner model_;
  std::size_t id_;
};

class LoweredVariables {
public:
  LoweredVariables() {}
  explicit LoweredVariables(detail::Owner model) : model_(model) {}
  List<BriefVar> allBriefVars() const;
  List<LoweredVariable> forTile(std::size_t tile) const;

private:
  detail::Owner model_;
};

} // namespace pva

namespace std {
template <> struct hash<pva::Variable> {
  std::size_t operator()(const pva::Variable &v) const { return std::hash<std::size_t>()(v._id()); }
};
} // namespace std
#endif
