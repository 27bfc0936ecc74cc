// Liveness and lowered variables. <pva/pva.hpp> includes this header. All sizes are in bytes.
#ifndef PVA_LIVENESS_HPP
#define PVA_LIVENESS_HPP

#include <pva/Memory.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace pva {

class StepInterval;
struct VariablePart;

/// A variable whose liveness the profile describes. Equality and hash depend only on the variable, not on the list from
/// which the object comes.
class Variable {
public:
  Variable() : id_(0), size_(0) {}
  Variable(detail::Owner model, std::size_t id, std::uint64_t size) : model_(model), id_(id), size_(size) {}
  std::size_t _id() const { return id_; }
  std::string name() const;
  /// Returns the variable's bytes over all tiles of a replica. For a variable from a list of one tile or IPU, returns
  /// the bytes on this tile or IPU. For a variable from the list of a liveness step, counts only the tiles on which the
  /// variable is live at this step.
  std::uint64_t size() const { return size_; }
  /// Extension: returns the storage category, e.g. "variable".
  std::string category() const;
  /// Extension: returns whether the variable is live at every step.
  bool alwaysLive() const;
  /// Extension: returns the bytes on each tile of one replica.
  Values bytesByTile() const;
  /// Extension: returns the tiles of one replica that hold a part of the variable, in ascending order. If few tiles
  /// hold a part, tiles() and bytesOn() are faster than bytesByTile().
  Values tiles() const;
  /// Extension: returns the bytes of the variable's part on `tile`. Returns 0 if the tile holds no part, or if the tile
  /// does not belong to the first replica. Throws std::out_of_range if the target has no such tile.
  std::uint64_t bytesOn(std::size_t tile) const;
  /// Extension: returns the steps at which the variable is live. If alwaysLive() is true, returns all steps.
  List<StepInterval> liveSteps() const;
  /// Extension: returns the steps at which the variable's part on `tile` is live. The list is empty if the tile holds
  /// no part, or if the tile does not belong to the first replica. The list can have fewer steps than liveSteps(),
  /// because a tile may need its part only at some steps of an Execute or Copy. Throws std::out_of_range if the target
  /// has no such tile.
  List<StepInterval> liveStepsOn(std::size_t tile) const;
  /// Extension: returns all tiles of one replica that hold a part of the variable, grouped by the steps at which the
  /// part is live.
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
  int scope_; // 0 = all tiles, 1 = one IPU, 2 = one tile
  std::size_t index_;
};

/// One liveness step: a program at its position in compile-time order. Loops are not unrolled.
class LivenessProgramStep {
public:
  LivenessProgramStep() : step_(0) {}
  LivenessProgramStep(detail::Owner model, std::size_t step) : model_(model), step_(step) {}
  std::shared_ptr<Program> program() const;
  /// Returns the live bytes and variables over the tiles of one replica, without always-live variables.
  LivenessMemory notAlwaysLiveMemory() const { return LivenessMemory(model_, step_, 0, 0); }
  /// These functions return the same as notAlwaysLiveMemory(), but for one IPU or tile. An IPU or tile of another
  /// replica has the bytes and variables of the same IPU or tile of the first replica. The functions throw
  /// std::out_of_range if the target has no such IPU or tile.
  LivenessMemory notAlwaysLiveMemoryForIpu(std::size_t ipu) const;
  LivenessMemory notAlwaysLiveMemoryForTile(std::size_t tile) const;

private:
  detail::Owner model_;
  std::size_t step_;
};

/// A half-open interval of indices into livenessProgramSteps().
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
  List<StepInterval> liveSteps;                               // all steps for an always-live variable
  std::vector<std::pair<std::uint64_t, std::uint64_t>> tiles; // (tile, bytes on the tile), in ascending order of tiles
  std::uint64_t bytes;                                        // sum over these tiles
  bool isWhole;                                               // true if liveSteps equals Variable::liveSteps()
};

/// The lowered variables that occupy memory at the same steps.
class EquivalenceClass {
public:
  EquivalenceClass() : id_(-1) {}
  /// Makes a class. The id -1 stands for a class that contains all steps. A lowered variable that is always live has a
  /// class with an ordinary id.
  EquivalenceClass(detail::Owner model, std::int64_t id) : model_(model), id_(id) {}
  std::int64_t id() const { return id_; }
  /// Returns the steps of the class in ascending order. If only programs without a liveness step lie between two
  /// intervals, the second one begins where the first one ends.
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
  /// Returns the variable of which this lowered variable is the part on one tile. The size() of the result is the size
  /// of this part. Throws std::logic_error if hasUnloweredVar() is false.
  Variable unloweredVar() const;
  bool alwaysLive() const;
  std::uint64_t offset() const;
  std::uint64_t alignment() const;
  std::string category() const;
  bool isConstant() const;
  std::uint64_t tile() const;
  EquivalenceClass equivalenceClass() const;
  bool inInterleavedMem() const;
  /// Extension: returns whether the variable shares addresses with another lowered variable at a different time.
  bool overlapped() const;
  friend bool operator==(const LoweredVariable &a, const LoweredVariable &b) {
    return a.id_ == b.id_ && a.model_ == b.model_;
  }
  friend bool operator!=(const LoweredVariable &a, const LoweredVariable &b) { return !(a == b); }

private:
  detail::Owner model_;
  std::size_t id_;
};

/// The lowered variables of a profile. Without autoReport.outputLoweredVars, the profile has no lowered variables, and
/// all lists are empty.
class LoweredVariables {
public:
  LoweredVariables() {}
  explicit LoweredVariables(detail::Owner model) : model_(model) {}
  /// Returns the lowered variables of all tiles of the first replica.
  List<BriefVar> allBriefVars() const;
  /// Returns the lowered variables on a tile. For a tile of another replica, returns the variables on the same tile of
  /// the first replica. Throws std::out_of_range if the target has no such tile.
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
