#include "tests/property/liveness/StepInterpreter.hpp"

#include "graph/steps/StepPayloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

namespace popscope::testing {
namespace {

struct Stopped {};

class Interpreter {
public:
  using Undefs = std::vector<std::pair<VarId, StepIndex>>;
  Interpreter(const StepProgram &program, const LiveRanges &ranges, std::uint32_t seed, const Undefs &undefs,
              std::uint32_t maxSteps)
      : p_(program), ranges_(ranges), random_(seed), undefs_(undefs), maxSteps_(maxSteps) {}
  InterpreterFindings run() {
    for (int again = 0; again < 3; ++again)
      try {
        load();
        while (time_ < maxSteps_)
          tree(p_.root.index());
      } catch (const Stopped &) { // after an abort, the engine loads the program again
      }
    return std::move(out_);
  }

private:
  static constexpr std::int64_t kNever = -1, kThrownAway = -2;
  struct Cell {
    std::int64_t written = 0;
  };

  void load() {
    time_ = 0;
    dead_.assign(p_.homes.size(), kNever);
    empty_ = dead_;
    cells_.clear();
    for (const Home &home : p_.homes)
      cells_.emplace_back(home.elements * elementBytes(p_.vars[home.var].type));
  }
  bool coin() { return (random_() & 1U) != 0; }

  void tree(std::uint32_t s) {
    const Step &step = p_.steps.raw()[s];
    std::vector<std::uint32_t> children;
    for (std::uint32_t c = s + 1; c < step.end; c = p_.steps.raw()[c].end)
      children.push_back(c);
    for (const auto &[var, before] : undefs_)
      for (std::uint32_t h = 0; before.index() == s && h < p_.vars[var].numHomes; ++h)
        for (Cell &cell : cells_[p_.vars[var].firstHome + h])
          cell.written = kThrownAway;
    arrive(s);
    switch (stepKindRow(step.kind).flow) {
    case StepFlow::Branch: {
      if (step.kind == StepKind::If)
        return children.empty() ? void() : tree(children[coin() ? 0 : children.size() - 1]);
      const SwitchStep &payload = p_.switches[step.payload];
      const bool mayPass = !payload.engineSwitch && children.size() <= payload.labels.size();
      const std::size_t arm = random_() % (children.size() + (mayPass ? 1 : 0));
      return arm < children.size() ? tree(children[arm]) : void();
    }
    case StepFlow::Repeat:
      for (std::uint32_t i = 0; i < p_.repeats[step.payload].count; ++i) {
        if (i != 0)
          arrive(s);
        for (const std::uint32_t c : children)
          tree(c);
      }
      return;
    case StepFlow::While:
      for (;;) {
        tree(children.front());
        if (coin())
          return;
        tree(children.back());
      }
    case StepFlow::Call: return tree(p_.functions[p_.calls[step.payload].function].root.index());
    case StepFlow::Stop: throw Stopped();
    case StepFlow::Straight:
      if (step.kind == StepKind::AbortOnCondition && random_() % 8 == 0)
        throw Stopped();
      for (const std::uint32_t c : children)
        tree(c);
    }
  }

  // Executes one step at one moment: first its reads, then its writes.
  void arrive(std::uint32_t s) {
    if (time_ > 2 * maxSteps_)
      throw Stopped();
    ++time_;
    ++out_.stepsRun;
    step_ = s;
    const Step &step = p_.steps.raw()[s];
    for (std::uint32_t h = 0; h < p_.homes.size(); ++h) {
      const VarId var = p_.homes[HomeId(h)].var;
      if (!ranges_.contains(ranges_.occupiedOf(var, HomeId(h)), StepIndex(s)))
        empty_[h] = time_;
      else if (!ranges_.contains(ranges_.liveOf(var, HomeId(h)), StepIndex(s)) && !isBeingWritten(s, var.index()))
        dead_[h] = time_;
    }
    if (step.kind == StepKind::WriteUndef)
      for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a)
        forget(p_.accesses[a]);
    if (!stepKindRow(step.kind).operands)
      return;
    visitPayload(p_, step,
                 Overloaded{[&](const ExchangeStep &e) {
                              for (std::uint32_t m = e.firstMessage; m < e.firstMessage + e.numMessages; ++m)
                                read({p_.messages[m].src, p_.messages[m].srcOffset, p_.messages[m].bytes});
                              for (std::uint32_t m = e.firstMessage; m < e.firstMessage + e.numMessages; ++m)
                                write({p_.messages[m].dst, p_.messages[m].dstOffset, p_.messages[m].bytes});
                            },
                            [&](const ExecuteStep &e) { execute(e); },
                            [&](const StreamCopyStep &copy) { transfer(copy); },
                            [&](const SwitchStep &choice) { readControl(choice.control, choice.copies); },
                            [&](const TestStep &test) { readControl(test.predicate, test.copies); },
                            [&](const PrintStep &print) {
                              for (const HomeBytes &piece : print.pieces)
                                read(piece);
                            },
                            [](const auto &) {}});
  }

  // A source may write the whole variable in several steps without reading it. The variable is then born at the step by
  // which all is written. Elements that were written earlier have memory, but need not count as live. For merged
  // sources, this holds for each member.
  [[nodiscard]] bool isBeingWritten(std::uint32_t at, std::uint32_t var) const {
    const Step &step = p_.steps.raw()[at];
    if (!step.source.valid())
      return false;
    std::set<std::uint16_t> members;
    for (const Step &other : p_.steps)
      for (std::uint32_t a = other.firstAccess;
           other.source == step.source && a < other.firstAccess + other.numAccesses; ++a)
        if (p_.accesses[a].var.index() == var)
          members.insert(p_.accesses[a].member);
    return std::any_of(members.begin(), members.end(),
                       [&](std::uint16_t member) { return isBeingWrittenBy(member, at, var); });
  }
  [[nodiscard]] bool isBeingWrittenBy(std::uint16_t member, std::uint32_t at, std::uint32_t var) const {
    std::set<std::uint64_t> written;
    for (std::uint32_t s = 0; s < p_.steps.size(); ++s) {
      const Step &other = p_.steps.raw()[s];
      if (other.source != p_.steps.raw()[at].source)
        continue;
      bool reads = false;
      for (std::uint32_t a = other.firstAccess; a < other.firstAccess + other.numAccesses; ++a) {
        const Access &access = p_.accesses[a];
        if (access.var.index() != var || access.kind == AccessKind::Undef || access.member != member)
          continue;
        reads = reads || access.kind == AccessKind::Read;
        for (std::uint32_t r = access.firstRange;
             access.kind == AccessKind::Write && r < access.firstRange + access.numRanges; ++r)
          for (std::uint64_t e = p_.ranges[r].begin; e < p_.ranges[r].end; ++e)
            written.insert(e);
      }
      if (written.size() == p_.vars[VarId(var)].elements)
        return at < s;
      if (reads)
        return false;
    }
    return false;
  }

  void execute(const ExecuteStep &e) {
    for (const bool writing : {false, true}) {
      for (std::uint32_t c = e.firstCopy; c < e.firstCopy + e.numCopies; ++c)
        for (std::uint32_t r = p_.copies[c].firstRun; r < p_.copies[c].firstRun + p_.copies[c].numRuns; ++r)
          if (writing)
            write({p_.copyRuns[r].dst, p_.copyRuns[r].dstOffset, p_.copyRuns[r].bytes});
          else if (p_.copyRuns[r].src.valid())
            read({p_.copyRuns[r].src, p_.copyRuns[r].srcOffset, p_.copyRuns[r].bytes});
      for (std::uint32_t v = e.firstVertex; v < e.firstVertex + e.numVertices; ++v)
        for (const VertexEdge edge : p_.edgesOf(p_.vertices[v])) {
          if (!edge.home.valid())
            continue;
          const HomeBytes bytes{edge.home, edge.offset,
                                Bytes(edge.elements * elementBytes(p_.vars[p_.homes[edge.home].var].type))};
          if (writing && edge.writes)
            write(bytes);
          if (!writing && edge.reads)
            read(bytes);
        }
    }
    if (e.result.valid())
      write({e.result, e.resultOffset, Bytes(1)});
  }
  void transfer(const StreamCopyStep &copy) {
    if (copy.offset.home.valid())
      read(copy.offset);
    for (std::uint32_t t = copy.firstTransfer; t < copy.firstTransfer + copy.numTransfers; ++t)
      for (std::uint32_t i = 0; i != p_.transfers[t].home.count; ++i)
        if (copy.toDevice &&
            (copy.engine != StreamCopyStep::Engine::ProgramId || t == copy.firstTransfer)) // the sync id is sent back
          write(p_.transfers[t].home.at(i));
        else
          read(p_.transfers[t].home.at(i));
  }
  void readControl(const HomeBytes &word, VarId copies) {
    read(word);
    if (copies.valid())
      for (std::uint32_t h = 0; h < p_.vars[copies].numHomes; ++h)
        read({HomeId(p_.vars[copies].firstHome + h), {}, word.bytes});
  }

  void read(const HomeBytes &range) {
    const std::uint32_t var = p_.homes[range.home].var.index();
    for (std::uint64_t b = range.offset.count(); b < (range.offset + range.bytes).count(); ++b) {
      const Cell &cell = cells_[range.home.index()].at(b);
      ++out_.elementsRead;
      if (cell.written == kThrownAway)
        report("is read at step {} after an advised WriteUndef", var);
      if (cell.written < 0)
        continue; // reading an undefined element gives no information
      const std::int64_t written = std::max<std::int64_t>(cell.written, 1);
      if (!ranges_.contains(ranges_.liveOf(VarId(var), range.home), StepIndex(step_)))
        report("is read at step {}, where it is called dead", var);
      else if (dead_[range.home.index()] >= written)
        report("is read at step {}, and was called dead since that was written", var);
      else if (empty_[range.home.index()] >= written)
        report("is read at step {}, and had no place since that was written", var);
    }
  }
  void write(const HomeBytes &range) {
    const VarId var = p_.homes[range.home].var;
    if (range.bytes != Bytes() && !ranges_.contains(ranges_.occupiedOf(var, range.home), StepIndex(step_)))
      report("is written at step {}, where it has no place", var.index());
    for (std::uint64_t b = range.offset.count(); b < (range.offset + range.bytes).count(); ++b)
      cells_[range.home.index()].at(b).written = time_;
  }
  void forget(const Access &access) {
    const StepVar &var = p_.vars[access.var];
    const std::uint64_t size = elementBytes(var.type);
    for (std::uint32_t i = var.firstPiece; i < var.firstPiece + var.numPieces; ++i)
      for (std::uint32_t r = access.firstRange; r < access.firstRange + access.numRanges; ++r) {
        const Piece &piece = p_.pieces[i];
        const std::uint64_t begin = std::max(piece.elements.begin, p_.ranges[r].begin),
                            end = std::min(piece.elements.end, p_.ranges[r].end);
        for (std::uint64_t e = begin; e < end; ++e)
          for (std::uint64_t b = 0; b < size; ++b)
            cells_[piece.home.index()].at((piece.homeElement + e - piece.elements.begin) * size + b).written = -1;
      }
  }
  void report(const char *what, std::uint32_t var) {
    if (out_.wrong.size() < 3)
      out_.wrong.push_back(fmt::format("variable {} '{}' ", var, p_.names[p_.vars[VarId(var)].name]) +
                           fmt::format(fmt::runtime(what), step_));
  }

  const StepProgram &p_;
  const LiveRanges &ranges_;
  std::mt19937 random_;
  const Undefs &undefs_;
  std::int64_t maxSteps_, time_ = 0;
  std::uint32_t step_ = 0;
  std::vector<std::int64_t> dead_, empty_; // by home: the last moment at which it was dead, or had no memory
  std::vector<std::vector<Cell>> cells_;   // by home and byte; written: the moment, 0 = from the start, -1 = undefined
  InterpreterFindings out_;
};

} // namespace

InterpreterFindings interpretSteps(const StepProgram &program, const LiveRanges &ranges, std::uint32_t seed,
                                   const std::vector<std::pair<VarId, StepIndex>> &undefs, std::uint32_t maxSteps) {
  return Interpreter(program, ranges, seed, undefs, maxSteps).run();
}

} // namespace popscope::testing
