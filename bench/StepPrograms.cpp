#include "bench/StepPrograms.hpp"

#include <algorithm>
#include <random>

using namespace popscope;

namespace bench {
namespace {

constexpr std::uint32_t kElements = 16, kFunctionSteps = 100, kSpread = 40, kSourceSteps = 3;

class Maker {
public:
  Maker(Shape shape, std::uint32_t steps) : shape_(shape), budget_(steps), random_(steps) {}

  StepProgram make() {
    makeSteps();
    for (std::uint32_t v = 0; v < budget_; ++v)
      addVariable(v);
    placeAccesses();
    return std::move(p_);
  }

private:
  struct Use {
    std::uint32_t step, var;
    AccessKind kind;
    bool part;
  };

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  [[nodiscard]] std::uint32_t made() const { return static_cast<std::uint32_t>(p_.steps.size()); }

  std::uint32_t open(StepKind kind, std::uint32_t payload = 0) {
    Step s;
    s.kind = kind;
    s.payload = payload;
    return p_.steps.push(s).index();
  }
  void close(std::uint32_t step) { p_.steps[StepIndex(step)].end = made(); }
  void leaf() {
    const std::uint32_t s = open(StepKind::OnTileExecute);
    // joins the source of the previous leaf
    const bool joins = shape_ == Shape::Messages && leaves_.size() % kSourceSteps != 0;
    p_.steps[StepIndex(s)].source = joins ? p_.steps[StepIndex(leaves_.back())].source : p_.sources.push(Source{});
    close(s);
    leaves_.push_back(s);
  }

  void makeSteps() {
    p_.numTiles = p_.tilesPerIpu = 1;
    leaves_.reserve(budget_);
    const bool calls = shape_ == Shape::Calls;
    numFunctions_ = calls ? std::max(1U, budget_ / kFunctionSteps) : 0;
    const std::uint32_t main = open(StepKind::Sequence);
    if (calls)
      for (std::uint32_t f = 0; f < numFunctions_; ++f) {
        leaf();
        call(f);
      }
    else
      fill(budget_, 0);
    close(main);
    for (std::uint32_t f = 0; f < numFunctions_; ++f) {
      const std::uint32_t body = open(StepKind::Sequence);
      bodies_.push_back(static_cast<std::uint32_t>(leaves_.size()));
      const std::uint32_t end =
          made() + std::max(4U, (budget_ - std::min(budget_, 2 * numFunctions_)) / numFunctions_ - 2);
      const std::uint32_t callAt = made() + below(end - made());
      while (made() < end) {
        leaf();
        if (made() == callAt && f + 1 < numFunctions_)
          call(f + 1 + below(std::min(8U, numFunctions_ - f - 1)));
      }
      close(body);
      p_.functions.push({StepIndex(body), NameId()});
    }
  }
  void call(std::uint32_t function) {
    p_.calls.push_back({FunctionId(function)});
    close(open(StepKind::Call, static_cast<std::uint32_t>(p_.calls.size() - 1)));
    bodies_.push_back(static_cast<std::uint32_t>(leaves_.size()));
  }
  void fill(std::uint32_t budget, std::uint32_t depth) {
    const std::uint32_t end = made() + budget;
    while (made() < end) {
      if (shape_ == Shape::Nested && depth < 4 && end - made() > 40 && below(70) == 0)
        control(std::min(end - made() - 8, 20 + below(depth == 0 ? 600 : 120)), depth + 1);
      else
        leaf();
    }
  }
  void sequence(std::uint32_t budget, std::uint32_t depth, bool tested = false) {
    const std::uint32_t s = open(StepKind::Sequence);
    fill(budget, depth);
    if (tested)
      close(open(StepKind::WhileTest));
    close(s);
  }
  void control(std::uint32_t budget, std::uint32_t depth) {
    switch (below(3)) {
    case 0: {
      p_.repeats.push_back({2 + below(5)});
      const std::uint32_t s = open(StepKind::Repeat, static_cast<std::uint32_t>(p_.repeats.size() - 1));
      sequence(budget, depth);
      return close(s);
    }
    case 1: {
      const std::uint32_t s = open(StepKind::RepeatWhile);
      sequence(2, depth, true);
      sequence(budget, depth);
      return close(s);
    }
    default: {
      p_.switches.emplace_back();
      const std::uint32_t s = open(StepKind::If, static_cast<std::uint32_t>(p_.switches.size() - 1));
      sequence(budget / 2, depth);
      sequence(budget / 2, depth);
      return close(s);
    }
    }
  }

  void addVariable(std::uint32_t v) {
    StepVar var;
    var.elements = kElements;
    var.firstHome = var.firstPiece = v;
    var.numHomes = var.numPieces = 1;
    const VarId id = p_.vars.push(var);
    const HomeId home = p_.homes.push({id, TileId(0), kElements});
    p_.pieces.push_back({{0, kElements}, home, 0});
    const auto numLeaves = static_cast<std::uint32_t>(leaves_.size());
    if (shape_ == Shape::Messages && v % kSourceSteps != 0 && v + kSourceSteps < numLeaves)
      return addInOut(v);
    auto born = static_cast<std::uint32_t>(std::uint64_t(v) * numLeaves / budget_);
    if (born == lastOfBody(born)) // a read in the same step as the write would come first
      born -= born > 0 && lastOfBody(born - 1) == born ? 1 : 0;
    const bool anywhere = shape_ == Shape::Calls ? v % std::max(1U, budget_ / 64) == 0 : v % 50 == 0;
    const std::uint32_t last = lastOfBody(born);
    const auto near = [&] { return std::min(last, born + 1 + below(kSpread)); };
    use(born, v, AccessKind::Write, false);
    use(near(), v, AccessKind::Read, false);
    use(anywhere ? below(numLeaves) : near(), v, AccessKind::Read, false);
    if (v % 5 < 2)
      use(near(), v, AccessKind::Write, v % 7 == 0);
  }
  // Adds an InOut operand on another tile: an exchange fills the message, the vertex reads and writes it, and an
  // exchange moves it back.
  void addInOut(std::uint32_t v) {
    const std::uint32_t fill = v - v % kSourceSteps;
    if (v % kSourceSteps == 1) {
      use(fill, v, AccessKind::Write, false);
      use(fill + 1, v, AccessKind::Read, false);
      use(fill + 1, v, AccessKind::Write, false);
      return use(fill + 2, v, AccessKind::Read, false);
    }
    use(fill - std::min(fill, kSourceSteps), v, AccessKind::Write, false);
    use(fill, v, AccessKind::Read, false);
    use(fill + 2, v, AccessKind::Write, false);
    use(fill + kSourceSteps, v, AccessKind::Read, false);
  }
  // Returns the last leaf before the next call or the end of the body.
  [[nodiscard]] std::uint32_t lastOfBody(std::uint32_t leaf) const {
    const auto body = std::upper_bound(bodies_.begin(), bodies_.end(), leaf);
    return (body == bodies_.end() ? static_cast<std::uint32_t>(leaves_.size()) : *body) - 1;
  }
  void use(std::uint32_t leaf, std::uint32_t var, AccessKind kind, bool part) {
    uses_.push_back({leaves_[leaf], var, kind, part});
  }

  void placeAccesses() {
    std::stable_sort(uses_.begin(), uses_.end(), [](const Use &a, const Use &b) { return a.step < b.step; });
    for (const Use &u : uses_) {
      Step &step = p_.steps[StepIndex(u.step)];
      if (step.numAccesses++ == 0)
        step.firstAccess = static_cast<std::uint32_t>(p_.accesses.size());
      p_.accesses.push_back({VarId(u.var), u.kind, 0, static_cast<std::uint32_t>(p_.ranges.size()), 1});
      p_.ranges.push_back({0, u.part ? kElements / 2 : kElements});
    }
  }

  Shape shape_;
  std::uint32_t budget_, numFunctions_ = 0;
  std::mt19937 random_;
  StepProgram p_;
  std::vector<std::uint32_t> leaves_, bodies_; // steps; positions of leaves that begin a body or follow a call
  std::vector<Use> uses_;
};

} // namespace

StepProgram stepProgram(Shape shape, std::uint32_t steps) { return Maker(shape, steps).make(); }

} // namespace bench
