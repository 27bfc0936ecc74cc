#include "report/export/Stacks.hpp"

#include "base/Version.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/export/StepWalk.hpp"
#include "report/export/Text.hpp"

#include <fmt/format.h>
#include <map>
#include <ostream>
#include <sstream>

namespace popscope {
namespace {

/// Returns a frame of folded stacks, in which ';' separates frames and a line ends with a number.
std::string frame(const std::string &name) {
  std::string text = plainText(name);
  for (char &c : text)
    if (c == ';')
      c = ':';
  return text.empty() ? "(no name)" : text;
}

/// Returns bytes by stack, with the category first. Allocations of a category that belong to no variable of the profile
/// are "(others)".
std::map<std::string, std::uint64_t> byteStacks(const pva::Report &report) {
  std::map<std::string, std::uint64_t> stacks, left;
  const auto names = pva::storageCategoryNames();
  const auto tiles = report.compilation().tiles();
  for (std::size_t tile = 0; tile < tileCount(report); ++tile) {
    const pva::Categories categories = tiles[tile].memory().category();
    for (std::size_t c = 0; c < names.size(); ++c)
      if (names[c] != "multiple") // its addresses are those of the other categories
        left[names[c]] += categories.byIndex(c).total();
  }
  for (const auto &variable : report.compilation().variables()) {
    const std::string category = variable.category(), name = variable.name();
    std::string stack = frame(category);
    for (std::size_t from = 0; from <= name.size();) {
      const std::size_t to = std::min(name.find('/', from), name.size());
      stack += ";" + frame(name.substr(from, to - from));
      from = to + 1;
    }
    stacks[stack] += variable.size();
    left[category] -= std::min(left[category], variable.size());
  }
  for (const auto &[category, bytes] : left)
    if (bytes != 0)
      stacks[frame(category) + ";(others)"] += bytes;
  return stacks;
}

std::string titleOf(const StepProgramInfo &info) { return frame(info.title); }

/// Frames by title, numbered as in speedscope's files.
class Frames {
public:
  std::size_t idOf(const std::string &title) {
    const auto [at, isNew] = ids_.emplace(title, titles_.size());
    if (isNew)
      titles_.push_back(title);
    return at->second;
  }
  void write(std::ostream &out) const {
    for (std::size_t i = 0; i < titles_.size(); ++i)
      out << (i == 0 ? "" : ",") << "\n{\"name\":" << jsonString(titles_[i]) << "}";
  }

private:
  std::map<std::string, std::size_t> ids_;
  std::vector<std::string> titles_;
};

/// Calls open(title, cycles) and close(title, cycles) for the selected runs, with cycles that never descend.
class EventWalk {
public:
  EventWalk(const pva::Report &report, const TimelineOptions &options)
      : report_(report), options_(options), chain_(report), steps_(selectedSteps(options.selection)),
        programs_(report) {}

  // Walks over the selected runs that ended (see summedRuns), one after another on one time axis. Stops before the
  // number of events exceeds maxEvents.
  template <class Open, class Close> TimelineResult walk(Open open, Close close) {
    std::uint64_t base = 0;
    for (const std::size_t position : summedRuns(report_, options_.selection)) {
      if (result_.cut)
        break;
      const pva::Run run = report_.execution().runs()[position];
      const std::string title = frame(runTitle(run, position));
      std::uint64_t end = 0;
      open(title, base);
      walkRun(report_, position, programs_, [&](const WalkedStep &step) {
        if (!steps_.contains(step.program->id) || !step.timeKnown) {
          result_.stepsWithoutTime += step.timeKnown ? 0 : 1;
          return true;
        }
        if (options_.maxEvents != 0 && result_.events + 2 + 2 * chain_.open().size() > options_.maxEvents) {
          result_.cut = true;
          result_.cutRun = step.run;
          result_.cutStep = step.index;
          return false;
        }
        chain_.enter(
            step.program->id, [&](std::size_t id) { close(titleOf(chain_.infoOf(id)), base + end); },
            [&](std::size_t id) { open(titleOf(chain_.infoOf(id)), base + end); });
        open(titleOf(*step.program), base + end);
        end += step.to - step.from; // leaves out the time of steps that are not shown
        close(titleOf(*step.program), base + end);
        ++result_.events;
        return true;
      });
      chain_.leaveAll([&](std::size_t id) { close(titleOf(chain_.infoOf(id)), base + end); });
      if (!result_.cut && steps_.everything())
        end = std::max(end, run.totalCycles().total());
      close(title, base + end);
      base += end;
    }
    end_ = base;
    return result_;
  }
  [[nodiscard]] std::uint64_t end() const { return end_; }

private:
  const pva::Report &report_;
  const TimelineOptions &options_;
  ProgramChain chain_;
  NumberSet steps_;
  NamedPrograms programs_;
  TimelineResult result_;
  std::uint64_t end_ = 0;
};

void needRuns(const pva::Report &report, const TimelineOptions &options) {
  if (selectedRuns(report, options.selection).empty())
    refuseWithoutRun(report);
}

void writeSampledBytes(std::ostream &out, const std::map<std::string, std::uint64_t> &stacks, Frames &frames) {
  std::uint64_t total = 0;
  for (const auto &entry : stacks)
    total += entry.second;
  out << fmt::format("{{\"type\":\"sampled\",\"name\":\"bytes (allocated, by storage "
                     "category)\",\"unit\":\"bytes\",\"startValue\":0,\"endValue\":{},\"samples\":[",
                     total);
  bool first = true;
  for (const auto &entry : stacks) {
    std::string ids;
    for (std::size_t from = 0; from <= entry.first.size();) {
      const std::size_t to = std::min(entry.first.find(';', from), entry.first.size());
      ids += fmt::format("{}{}", ids.empty() ? "" : ",", frames.idOf(entry.first.substr(from, to - from)));
      from = to + 1;
    }
    out << (first ? "\n[" : ",\n[") << ids << "]";
    first = false;
  }
  out << "],\"weights\":[";
  first = true;
  for (const auto &entry : stacks) {
    out << (first ? "" : ",") << entry.second;
    first = false;
  }
  out << "]}";
}

} // namespace

TimelineResult writeFoldedCycles(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  needRuns(report, options);
  std::map<std::string, std::uint64_t> stacks;
  std::string stack; // the open frames
  std::uint64_t last = 0;
  const auto pass = [&](std::uint64_t at) { // the time since the last event belongs to the open stack
    if (at != last)
      stacks[stack] += at - last;
    last = at;
  };
  TimelineOptions all = options;
  all.maxEvents = 0; // sums, not events
  const TimelineResult result = EventWalk(report, all)
                                    .walk(
                                        [&](const std::string &title, std::uint64_t at) {
                                          pass(at);
                                          stack += (stack.empty() ? "" : ";") + title;
                                        },
                                        [&](const std::string &, std::uint64_t at) {
                                          pass(at);
                                          stack.resize(stack.find(';') == std::string::npos ? 0 : stack.rfind(';'));
                                        });
  for (const auto &entry : stacks)
    out << entry.first << " " << entry.second << "\n";
  return result;
}

TimelineResult writeFoldedBytes(std::ostream &out, const pva::Report &report, const TimelineOptions &) {
  TimelineResult result;
  for (const auto &entry : byteStacks(report)) {
    out << entry.first << " " << entry.second << "\n";
    ++result.events;
  }
  return result;
}

std::uint64_t speedscopeBytesOfMemory(const pva::Report &report) {
  std::ostringstream text;
  Frames frames;
  writeSampledBytes(text, byteStacks(report), frames);
  frames.write(text);
  return static_cast<std::uint64_t>(text.tellp());
}

TimelineResult writeSpeedscope(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  Frames frames;
  TimelineResult result;
  out << R"({"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"popscope )" << kOwnVersion
      << R"(","name":"popscope","activeProfileIndex":0,"profiles":[)";
  if (!selectedRuns(report, options.selection).empty()) {
    EventWalk walk(report, options);
    out << "\n{\"type\":\"evented\",\"name\":\"cycles (" << report.popscope().cycleProvenance()
        << ")\",\"unit\":\"none\",\"startValue\":0,\"events\":[";
    bool first = true;
    const auto event = [&](const char *type, const std::string &title, std::uint64_t at) {
      out << fmt::format("{}{{\"type\":\"{}\",\"frame\":{},\"at\":{}}}", first ? "\n" : ",\n", type, frames.idOf(title),
                         at);
      first = false;
    };
    result = walk.walk([&](const std::string &title, std::uint64_t at) { event("O", title, at); },
                       [&](const std::string &title, std::uint64_t at) { event("C", title, at); });
    out << fmt::format("],\"endValue\":{}}},", walk.end());
  }
  out << "\n";
  writeSampledBytes(out, byteStacks(report), frames);
  out << "],\"shared\":{\"frames\":[";
  frames.write(out);
  out << "]}}\n";
  return result;
}

} // namespace popscope
