#include "liveness/check/CheckLayout.hpp"

#include "liveness/check/DenseLiveness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace popscope {
namespace {

class LivenessChecker {
public:
  LivenessChecker(const StepProgram &program, const LiveRanges &ranges)
      : program_(program), ranges_(ranges), dense_(solveDenseLiveness(program)) {
    for (std::size_t v = 0; v < program.vars.size(); ++v)
      always_.push_back(expectAlways(program.vars.idAt(v)));
  }

  std::vector<std::string> check() {
    if (!checkSizes() || !checkClasses())
      return findings_; // the later checks would use classes that do not exist
    for (std::size_t v = 0; v < program_.vars.size(); ++v)
      checkVariable(program_.vars.idAt(v));
    for (std::size_t h = 0; h < program_.homes.size(); ++h)
      checkHome(program_.homes.idAt(h));
    checkBytes();
    return findings_;
  }

private:
  template <class... Args> void report(fmt::format_string<Args...> text, Args &&...args) {
    findings_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
  [[nodiscard]] const std::string &nameOf(VarId var) const { return program_.names[program_.vars[var].name]; }

  bool checkSizes() {
    const std::size_t vars = program_.vars.size(), steps = program_.steps.size();
    if (ranges_.live.size() == vars && ranges_.occupied.size() == vars && ranges_.always.size() == vars &&
        ranges_.split.size() == vars && ranges_.liveBytes.size() == steps)
      return true;
    report("tables have {}, {}, {} variables and {} steps instead of {} and {}", ranges_.live.size(),
           ranges_.occupied.size(), ranges_.always.size(), ranges_.liveBytes.size(), vars, steps);
    return false;
  }

  // Checks that classes are normalised and distinct, and that every class and home that a table names exists.
  bool checkClasses() {
    const auto numSteps = static_cast<std::uint32_t>(program_.steps.size());
    std::set<std::vector<std::uint32_t>> known;
    for (std::size_t c = 0; c < ranges_.classes.size(); ++c) {
      std::vector<std::uint32_t> borders;
      const LiveClass &k = ranges_.classes[c];
      for (std::uint32_t i = 0; i < k.numIntervals; ++i) {
        const StepInterval &interval = ranges_.intervals.at(k.firstInterval + i);
        if (!borders.empty() && borders.back() >= interval.begin.index())
          report("class {}: intervals are unsorted or touch at step {}", c, interval.begin.index());
        if (interval.begin >= interval.end || interval.end.index() > numSteps)
          report("class {}: bad interval [{}, {})", c, interval.begin.index(), interval.end.index());
        borders.push_back(interval.begin.index());
        borders.push_back(interval.end.index());
      }
      if (c == 0 && !borders.empty())
        report("class 0 is not empty");
      if (c == 1 && borders != std::vector<std::uint32_t>{0, numSteps})
        report("class 1 does not cover the program");
      if (!known.insert(borders).second)
        report("class {} repeats an earlier class", c);
    }
    if (ranges_.classes.size() < 2)
      report("classes 0 and 1 are missing");
    for (std::size_t v = 0; v < program_.vars.size(); ++v) {
      const VarId var = program_.vars.idAt(v);
      if (std::max(ranges_.live[var], ranges_.occupied[var]).index() >= ranges_.classes.size())
        report("variable {} '{}' has a class that does not exist", v, nameOf(var));
    }
    for (std::size_t i = 0; i < ranges_.homeLives.size(); ++i) {
      const HomeLife &life = ranges_.homeLives[i];
      if (life.home.index() >= program_.homes.size() || (i > 0 && !(ranges_.homeLives[i - 1].home < life.home)))
        report("home {} of homeLives is out of order or does not exist", life.home.index());
      else if (std::max(life.live, life.occupied).index() >= ranges_.classes.size())
        report("home {} has a class that does not exist", life.home.index());
      else if (ranges_.split[program_.homes[life.home].var] == 0)
        report("home {} has a life of its own, but its variable is not split", life.home.index());
    }
    return findings_.empty();
  }

  [[nodiscard]] bool homeLives(std::size_t step, std::size_t home) const {
    return dense_.live[step][program_.homes.raw()[home].var.index()] && dense_.homeOccupied[step][home];
  }
  void checkHome(HomeId home) {
    const VarId var = program_.homes[home].var;
    const HomeLife *const own = ranges_.homeLife(var, home);
    if (own != nullptr && always_[var.index()])
      report("L3: home {} of '{}', which is always live, has a life of its own", home.index(), nameOf(var));
    if (always_[var.index()])
      return;
    if (own != nullptr && own->occupied == ranges_.occupied[var])
      report("home {} of '{}' is listed, although it is occupied at the same steps as its variable", home.index(),
             nameOf(var));
    const std::uint32_t tile = program_.homes[home].tile.index();
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
      const StepIndex step = program_.steps.idAt(s);
      const bool live = homeLives(s, home.index()), occupied = dense_.homeOccupied[s][home.index()];
      if (ranges_.contains(ranges_.liveOf(var, home), step) != live)
        report("'{}' is {}live on tile {} at step {}", nameOf(var), live ? "wrongly not " : "wrongly ", tile, s);
      if (ranges_.contains(ranges_.occupiedOf(var, home), step) != occupied)
        report("'{}' is {}occupied on tile {} at step {}", nameOf(var), occupied ? "wrongly not " : "wrongly ", tile,
               s);
      if (occupied && !dense_.occupied[s][var.index()])
        report("L5: '{}' is to be occupied on tile {} at step {}, and on no other", nameOf(var), tile, s);
    }
  }

  [[nodiscard]] bool expectAlways(VarId var) const {
    const StepVar &info = program_.vars[var];
    if (info.category == StorageCategory::Rearrangement)
      return false;
    if (info.constant || info.category == StorageCategory::Constant || isSystemCategory(info.category))
      return true;
    bool any = false;
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
      if (dense_.reachable[s] && !dense_.live[s][var.index()])
        return false;
      any |= dense_.reachable[s];
    }
    return any;
  }

  void checkVariable(VarId var) {
    const bool always = always_[var.index()];
    if ((ranges_.always[var] != 0) != always)
      report("L3: variable {} '{}' is {}always live", var.index(), nameOf(var),
             always ? "said not to be " : "said to be ");
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
      const StepIndex step = program_.steps.idAt(s);
      const bool live = always ? dense_.everRead[var.index()] : dense_.live[s][var.index()];
      const bool occupied = always || dense_.occupied[s][var.index()];
      const bool saysLive = ranges_.contains(ranges_.live[var], step);
      const bool saysOccupied = ranges_.contains(ranges_.occupied[var], step);
      if (saysLive != live)
        report("variable {} '{}' is {}live at step {}", var.index(), nameOf(var), live ? "wrongly not " : "wrongly ",
               s);
      if (saysOccupied != occupied)
        report("variable {} '{}' is {}occupied at step {}", var.index(), nameOf(var),
               occupied ? "wrongly not " : "wrongly ", s);
      if (saysLive && !saysOccupied)
        report("L1: variable {} '{}' is live but not occupied at step {}", var.index(), nameOf(var), s);
    }
    if (!dense_.everRead[var.index()] && ranges_.live[var] != LiveClassId(0))
      report("L2: variable {} '{}' is never read but has live steps", var.index(), nameOf(var));
  }

  void checkBytes() {
    std::vector<Bytes> bytesOf(program_.vars.size());
    for (std::size_t h = 0; h < program_.homes.size(); ++h)
      bytesOf[program_.homes.raw()[h].var.index()] += program_.homeBytes(program_.homes.idAt(h));
    Bytes always;
    for (std::size_t v = 0; v < bytesOf.size(); ++v)
      always += always_[v] ? bytesOf[v] : Bytes();
    if (ranges_.alwaysLiveBytes != always)
      report("always-live bytes are {} instead of {}", ranges_.alwaysLiveBytes.count(), always.count());
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
      Bytes live;
      for (std::size_t h = 0; h < program_.homes.size(); ++h)
        if (homeLives(s, h) && !always_[program_.homes.raw()[h].var.index()])
          live += program_.homeBytes(program_.homes.idAt(h));
      if (ranges_.liveBytes[s] != live)
        report("L4: {} live bytes at step {} instead of {}", ranges_.liveBytes[s].count(), s, live.count());
    }
  }

  const StepProgram &program_;
  const LiveRanges &ranges_;
  DenseLiveness dense_;
  std::vector<bool> always_; // per variable, as the program states
  std::vector<std::string> findings_;
};

} // namespace

std::vector<std::string> checkLiveness(const StepProgram &program, const LiveRanges &ranges) {
  return LivenessChecker(program, ranges).check();
}

} // namespace popscope
