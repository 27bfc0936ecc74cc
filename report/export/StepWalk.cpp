#include "report/export/StepWalk.hpp"

#include "report/answers/Ranking.hpp"
#include "report/answers/StepNames.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);
} // namespace

std::string runTitle(const pva::Run &run, std::size_t position) {
  const std::string name = run.label().empty() ? run.name() : run.label();
  return "run " + std::to_string(position) + (name.empty() ? "" : ": " + name);
}

const StepProgramInfo &NamedPrograms::of(const pva::Program &program) {
  const auto [at, isNew] = named_.try_emplace(program._id());
  StepProgramInfo &info = at->second;
  if (isNew) {
    info = read_.of(program);
    info.title = names_.titleOf(info);
    if (isCompilersName(info.name))
      info.name = names_.nameOf(info);
    else if (info.name.empty() && info.type == pva::Program::Type::StreamCopyMid)
      info.name = names_.of(pva::programTypeName(info.type), info.id, "");
  }
  return info;
}

void walkRun(const pva::Report &report, std::size_t run, NamedPrograms &programs,
             const std::function<bool(const WalkedStep &)> &visit) {
  WalkedStep walked;
  walked.run = run;
  const pva::Run recorded = report.execution().runs()[run];
  StepParts parts(hasEveryStep(recorded));
  for (const pva::ExecutionStep &step : recorded.steps()) {
    walked.step = step;
    walked.program = &programs.of(*step.program());
    walked.ipus.clear();
    StepParts::Step own;
    std::uint64_t ipus = 0, timed = 0;
    for (const pva::ExecutionStepIpu &ipu : step.ipus()) {
      walked.ipus.push_back(ipu);
      ++ipus;
      timed += ipu.timeKnown() ? 1 : 0;
      own.add(ipu);
    }
    own.timeKnown = walked.timeKnown = ipus == 0 || timed != 0; // one IPU may have the time of the whole device
    const std::uint64_t part = parts.partOf(own);
    walked.to = parts.end();
    walked.from = walked.to - part;
    if (!visit(walked))
      return;
    ++walked.index;
  }
}

ProgramChain::ProgramChain(const pva::Report &report) {
  NamedPrograms titles(report);
  for (const auto &program : allPrograms(report)) {
    const std::size_t id = program->_id();
    if (id >= parents_.size()) {
      parents_.resize(id + 1, kNoParent);
      loops_.resize(id + 1, false);
      infos_.resize(id + 1);
    }
    infos_[id] = titles.of(*program);
    loops_[id] = isLoop(program->type());
    for (const auto &child : program->children()) {
      const std::size_t inner = child->_id();
      if (inner >= parents_.size()) {
        parents_.resize(inner + 1, kNoParent);
        loops_.resize(inner + 1, false);
        infos_.resize(inner + 1);
      }
      parents_[inner] = id;
    }
  }
}

void ProgramChain::enter(std::size_t program, const std::function<void(std::size_t)> &close,
                         const std::function<void(std::size_t)> &open) {
  std::vector<std::size_t> chain;
  for (std::size_t at = program < parents_.size() ? parents_[program] : kNoParent;
       at != kNoParent && chain.size() <= parents_.size(); at = parents_[at])
    chain.push_back(at);
  std::reverse(chain.begin(), chain.end());
  std::size_t common = 0;
  while (common < chain.size() && common < open_.size() && chain[common] == open_[common])
    ++common;
  if (program <= last_ && common != 0) { // back to an earlier program: the innermost loop around both starts another
                                         // iteration
    std::size_t loop = common;
    while (loop != 0 && !loops_[chain[loop - 1]])
      --loop;
    common = loop;
  }
  while (open_.size() > common) {
    close(open_.back());
    open_.pop_back();
  }
  for (std::size_t i = common; i < chain.size(); ++i) {
    open(chain[i]);
    open_.push_back(chain[i]);
  }
  last_ = program;
}

void ProgramChain::leaveAll(const std::function<void(std::size_t)> &close) {
  for (; !open_.empty(); open_.pop_back())
    close(open_.back());
  last_ = 0;
}

} // namespace popscope
