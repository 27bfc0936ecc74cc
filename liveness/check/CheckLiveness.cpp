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
      return findings_; // the rest would look at classes that do not exist
    for (std::size_t v = 0; v < program_.vars.size(); ++v)
      checkVariable(program_.vars.idAt(v));
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
        ranges_.liveBytes.size() == steps)
      return true;
    report("tables have {}, {}, {} variables and {} steps instead of {} and {}", ranges_.live.size(),
           ranges_.occupied.size(), ranges_.always.size(), ranges_.liveBytes.size(), vars, steps);
    return false;
  }

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
    return findings_.empty();
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
      for (std::size_t v = 0; v < bytesOf.size(); ++v)
        live += dense_.live[s][v] && !always_[v] ? bytesOf[v] : Bytes();
      if (ranges_.liveBytes[s] != live)
        report("L4: {} live bytes at step {} instead of {}", ranges_.liveBytes[s].count(), s, live.count());
    }
  }

  const StepProgram &program_;
  const LiveRanges &ranges_;
  DenseLiveness dense_;
  std::vector<bool> always_; // by variable, as it should be
  std::vector<std::string> findings_;
};

} // namespace

std::vector<std::string> checkLiveness(const StepProgram &program, const LiveRanges &ranges) {
  return LivenessChecker(program, ranges).check();
}

} // namespace popscope
