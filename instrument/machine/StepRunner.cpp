#include "instrument/machine/StepRunner.hpp"

#include "base/Check.hpp"
#include "base/Interrupt.hpp"
#include "base/NoCaseText.hpp"
#include "graph/steps/HostCopies.hpp"
#include "instrument/machine/Barriers.hpp"
#include "instrument/machine/PlannedSteps.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

constexpr std::uint8_t kNotTested = 2; // in addition to 0 and 1

} // namespace

// Runs one step by kind. For kinds without effect on values and time, returns at once.
void StepRunner::run(StepIndex s) {
  checkInterrupt();
  *parts_.executed += countsAsStep(program_, s) ? 1 : 0;
  const Step &step = program_.steps[s];
  switch (step.kind) {
  case StepKind::Sequence: return runChildren(s);
  case StepKind::Block: return runBlock(s);
  case StepKind::Sync:
  case StepKind::StreamCopyBegin:
  case StepKind::StreamCopyEnd: return runSync(s);
  case StepKind::DoExchange: return runExchange(s, TimeKind::Exchange);
  case StepKind::GlobalExchange: return runExchange(s, TimeKind::GlobalExchange);
  case StepKind::OnTileExecute: return runExecute(s);
  case StepKind::StreamCopyMid: return runStreamCopy(s);
  case StepKind::Switch:
  case StepKind::If: return runSwitch(s);
  case StepKind::Repeat: return runRepeat(s);
  case StepKind::RepeatWhile: return runRepeatWhile(s);
  case StepKind::WhileTest: {
    const TestStep &test = program_.tests[step.payload];
    for (const std::uint32_t r : active_)
      tests_[r] = holds(r, test.predicate, test.type) == test.continueOn;
    return;
  }
  case StepKind::Call: return run(program_.functions[program_.calls[step.payload].function].root);
  case StepKind::PrintTensor: return print(s);
  case StepKind::Abort:
  case StepKind::ErrorProgram: abort(s, active_.front(), program_.messagesText[step.payload].text);
  case StepKind::AbortOnCondition: return abortIf(s);
  case StepKind::TileRegister:
    if (!values())
      return;
    for (const std::uint32_t r : active_)
      parts_.replicas[r].registers->run(program_.tileRegisters[step.payload], *parts_.replicas[r].state,
                                        parts_.clocks.now());
    return;
  case StepKind::WriteUndef:
  case StepKind::AssumeEqualAcrossReplicas: return; // a statement to the compiler: it has no effect
  }
  POPSCOPE_CHECK(false, "step {} has no known kind", s.index());
}

void StepRunner::runChildren(StepIndex s) {
  const std::uint32_t end = program_.steps[s].end;
  for (StepIndex child(s.index() + 1); child.index() < end; child = StepIndex(program_.steps[child].end))
    run(child);
}

std::vector<StepIndex> StepRunner::children(StepIndex s) const {
  std::vector<StepIndex> result;
  const std::uint32_t end = program_.steps[s].end;
  for (StepIndex child(s.index() + 1); child.index() < end; child = StepIndex(program_.steps[child].end))
    result.push_back(child);
  return result;
}

void StepRunner::runFor(std::vector<std::uint32_t> replicas, StepIndex step) {
  active_.swap(replicas);
  run(step);
  active_.swap(replicas);
}

void StepRunner::needsValues(StepIndex s) const {
  if (values())
    return;
  const std::string &name = program_.names[program_.steps[s].name];
  throw poplar::poplar_error(fmt::format("The run without values cannot time {}{} (step {}), which depends on values. "
                                         "Run the program with its values, or without this step.",
                                         stepKindName(program_.steps[s].kind), name.empty() ? "" : " '" + name + "'",
                                         s.index()));
}

void StepRunner::selectHost(std::uint32_t replica) {
  if (parts_.replicas.size() > 1)
    host_->setReplica(replica);
}

void StepRunner::runSync(StepIndex s) {
  if (!timed() || parts_.clocks.repeat(s))
    return;
  parts_.counters.addTo(s, parts_.clocks);
  parts_.clocks.sync(s, barriersOf(program_, s));
}

void StepRunner::runExchange(StepIndex s, TimeKind kind) {
  const ExchangeStep &exchange = program_.exchanges[program_.steps[s].payload];
  if (!values())
    return passExchangeTime(s, exchange, kind);
  if (exchange.replicaMap >= 0) {
    exchangeReplicas(s, exchange);
    return passExchangeTime(s, exchange, kind);
  }
  if (parts_.races != nullptr)
    parts_.races->checkExchange(s);
  // No message writes what another message reads, so any order reads the old values.
  for (const std::uint32_t r : active_) {
    const DeviceState &state = *parts_.replicas[r].state;
    for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
      const Message &message = program_.messages[m];
      state.copy(message.dst, message.dstOffset, message.src, message.srcOffset, message.bytes);
    }
  }
  passExchangeTime(s, exchange, kind);
}

void StepRunner::passExchangeTime(StepIndex s, const ExchangeStep &exchange, TimeKind kind) {
  if (!timed() || parts_.clocks.repeat(s))
    return;
  for (std::uint32_t t = exchange.firstTile; t < exchange.firstTile + exchange.numTiles; ++t) {
    const ExchangeTile &tile = program_.exchangeTiles[t];
    parts_.clocks.addBusy(tile.tile, tile.cycles);
    parts_.clocks.addData(tile.tile, tile.bytesReceived, tile.bytesSent);
  }
  parts_.counters.addTo(s, parts_.clocks);
  parts_.clocks.exchange(s, kind, kind == TimeKind::GlobalExchange);
}

void StepRunner::exchangeReplicas(StepIndex s, const ExchangeStep &exchange) {
  if (active_.size() != parts_.replicas.size())
    throw poplar::application_runtime_error(fmt::format(
        "CrossReplicaCopy '{}' is reached by {} of {} replicas (the "
        "first of them: {}): the control flow of the replicas differs. Make the control tensor equal on all replicas.",
        program_.names[program_.steps[s].name], active_.size(), parts_.replicas.size(), active_.front()));
  const auto &pairs = program_.replicaMaps[static_cast<std::size_t>(exchange.replicaMap)];
  std::vector<std::uint8_t> sent; // all reads come before all writes
  for (const ReplicaPair &pair : pairs)
    for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
      const Message &message = program_.messages[m];
      parts_.replicas[pair.from].state->take({message.src, message.srcOffset, message.bytes}, sent);
    }
  const std::uint8_t *next = sent.data();
  for (const ReplicaPair &pair : pairs)
    for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
      const Message &message = program_.messages[m];
      const DeviceState &state = *parts_.replicas[pair.to].state;
      next += state.put({message.dst, message.dstOffset, message.bytes}, next, state.holdsFloats(message.src));
    }
}

void StepRunner::runExecute(StepIndex s) {
  if (!values())
    return parts_.computeTime.replay(s, parts_.clocks, parts_.counters);
  if (parts_.races != nullptr)
    parts_.races->checkExecute(s);
  if (timed())
    parts_.computeTime.pass(s, parts_.clocks, parts_.counters); // first, because the cost depends on the values before
                                                                // the compute set
  for (const std::uint32_t r : active_)
    parts_.replicas[r].compute->run(program_.steps[s].payload, *parts_.replicas[r].registers);
}

void StepRunner::runStreamCopy(StepIndex s) {
  const StreamCopyStep &copy = program_.streamCopies[program_.steps[s].payload];
  loops_.hostTakesPart();
  for (std::size_t i = 0; values() && i < active_.size(); ++i) {
    const std::uint32_t r = active_[i];
    selectHost(r);
    parts_.replicas[r].transfers->run(copy, *host_, engineProgram_);
  }
  if (!timed() || parts_.clocks.repeat(s))
    return;
  for (std::uint32_t t = copy.firstTile; t < copy.firstTile + copy.numTiles; ++t) {
    const HostTile &tile = program_.hostTiles[t];
    const Bytes received = bytesFromHost(program_, copy, tile);
    parts_.clocks.addBusy(tile.tile, copy.cycles);
    parts_.clocks.addData(tile.tile, received, tile.bytes - received);
  }
  parts_.counters.addTo(s, parts_.clocks);
  parts_.clocks.exchange(s, TimeKind::HostExchange, false); // tiles start together, as in any exchange
}

bool StepRunner::holds(std::uint32_t replica, const HomeBytes &predicate, ElementType type) const {
  return parts_.replicas[replica].state->readInteger(predicate, type) != 0;
}

std::optional<std::size_t> StepRunner::chooseChild(std::uint32_t replica, const SwitchStep &choice,
                                                   std::size_t children) const {
  if (choice.engineSwitch)
    return engineProgram_;
  const auto control =
      static_cast<std::int32_t>(parts_.replicas[replica].state->readInteger(choice.control, choice.type));
  const auto label = std::find(choice.labels.begin(), choice.labels.end(), control);
  if (label != choice.labels.end())
    return label - choice.labels.begin();
  if (children == choice.labels.size() + 1)
    return children - 1;
  return std::nullopt;
}

template <class Body> void StepRunner::watched(StepIndex s, const Body &body) {
  if (!timed() || !parts_.control.watches(s)) {
    body();
    return;
  }
  const Cycles entered = parts_.control.enter(s, parts_.clocks);
  const std::uint64_t taken = body();
  parts_.control.leave(s, entered, taken, parts_.clocks);
}

void StepRunner::runSwitch(StepIndex s) {
  watched(s, [&] { return takeChild(s); });
}

std::uint64_t StepRunner::takeChild(StepIndex s) {
  const Step &step = program_.steps[s];
  const SwitchStep &choice = program_.switches[step.payload];
  if (!choice.engineSwitch)
    needsValues(s);
  const auto cases = children(s);
  std::map<std::size_t, std::vector<std::uint32_t>> takers; // the replicas that take each child
  std::uint64_t first = kNoChild;
  for (const std::uint32_t r : active_) {
    std::optional<std::size_t> child;
    if (step.kind == StepKind::If)
      child = holds(r, choice.control, choice.type) ? 0 : 1;
    else
      child = chooseChild(r, choice, cases.size());
    if (!child)
      continue;
    POPSCOPE_CHECK(*child < cases.size(), "step {} has {} children and takes child {}", s.index(), cases.size(),
                   *child);
    takers[*child].push_back(r);
    if (r == active_.front())
      first = *child;
  }
  for (auto &[child, replicas] : takers)
    runFor(std::move(replicas), cases[child]);
  return first;
}

void StepRunner::runBlock(StepIndex s) {
  if (!timed() || !program_.blocks[program_.steps[s].payload].recorded)
    return runChildren(s);
  parts_.counters.addTo(s, parts_.clocks);
  parts_.clocks.block(s, BlockEdge::Begin);
  runChildren(s);
  parts_.counters.addTo(s, parts_.clocks);
  parts_.clocks.block(s, BlockEdge::End);
}

void StepRunner::runRepeat(StepIndex s) {
  watched(s, [&] {
    for (std::uint32_t i = idle_.times(s); i != 0; --i)
      runChildren(s);
    return std::uint64_t(program_.repeats[program_.steps[s].payload].count);
  });
}

void StepRunner::runRepeatWhile(StepIndex s) {
  watched(s, [&] { return iterate(s); });
}

std::uint64_t StepRunner::iterate(StepIndex s) {
  needsValues(s);
  const auto parts = children(s);
  POPSCOPE_CHECK(!parts.empty(), "RepeatWhile at step {} has no condition", s.index());
  const std::vector<std::uint32_t> all = active_;
  std::uint64_t iterations = 0;
  for (LoopLimit::Loop loop = loops_.begin(s);; loops_.next(loop)) {
    for (const std::uint32_t r : active_)
      tests_[r] = kNotTested;
    run(parts.front());
    std::erase_if(active_, [&](std::uint32_t r) {
      POPSCOPE_CHECK(tests_[r] != kNotTested, "the condition of the RepeatWhile at step {} ends without a WhileTest",
                     s.index());
      return tests_[r] == 0;
    });
    if (active_.empty())
      break;
    iterations += active_.front() == all.front() ? 1 : 0;
    for (std::size_t child = 1; child < parts.size(); ++child)
      run(parts[child]);
  }
  active_ = all;
  return iterations;
}

void StepRunner::print(StepIndex s) {
  if (!values())
    return;
  for (const std::uint32_t r : active_)
    printReplica(s, r);
}

void StepRunner::printReplica(StepIndex s, std::uint32_t replica) {
  const PrintStep &what = program_.prints[program_.steps[s].payload];
  Bytes bytes;
  for (const HomeBytes &piece : what.pieces)
    bytes += piece.bytes;
  std::vector<std::uint8_t> data(bytes.count());
  Bytes at;
  for (const HomeBytes &piece : what.pieces) {
    parts_.replicas[replica].state->read(piece, data.data() + at.count());
    at += piece.bytes;
  }
  std::string title = program_.names[program_.steps[s].name];
  if (parts_.replicas.size() > 1)
    title += fmt::format(" (replica {})", replica);
  selectHost(replica);
  host_->print(title, what.type, what.shape, what.format, data.data());
}

void StepRunner::abortIf(StepIndex s) {
  needsValues(s);
  const TestStep &test = program_.tests[program_.steps[s].payload];
  for (const std::uint32_t r : active_)
    if (holds(r, test.predicate, test.type) != test.continueOn)
      abort(s, r, test.text < 0 ? std::string() : program_.messagesText[static_cast<std::size_t>(test.text)].text);
}

void StepRunner::abort(StepIndex s, std::uint32_t replica, const std::string &text) {
  const StepKind kind = program_.steps[s].kind;
  if (kind == StepKind::ErrorProgram && text == kNoCaseText)
    for (std::uint32_t above = s.index(); above-- != 0;)
      if (const Step &step = program_.steps[StepIndex(above)]; step.kind == StepKind::Switch && step.end > s.index())
        abortWithoutCase(s, replica, program_.switches[step.payload]);
  stop(s, replica,
       kind == StepKind::ErrorProgram ? "ErrorProgram"
       : kind == StepKind::Abort      ? "Abort"
                                      : "AbortOnCondition",
       text);
}

void StepRunner::abortWithoutCase(StepIndex s, std::uint32_t replica, const SwitchStep &choice) {
  constexpr std::size_t kShown = 16;
  const std::size_t shown = std::min(choice.labels.size(), kShown);
  const auto value = parts_.replicas[replica].state->readInteger(choice.control, choice.type);
  const std::string cases =
      choice.labels.empty()
          ? "it has no cases"
          : fmt::format("its cases are {}{}", fmt::join(choice.labels.begin(), choice.labels.begin() + shown, ", "),
                        shown < choice.labels.size() ? fmt::format(" and {} more", choice.labels.size() - shown) : "");
  stop(s, replica, "Switch", fmt::format("its control value {} has no case; {}.", value, cases));
}

void StepRunner::stop(StepIndex s, std::uint32_t replica, const char *what, const std::string &text) {
  const std::string &name = program_.names[program_.steps[s].name];
  stoppedItself_ = true;
  throw poplar::application_runtime_error(fmt::format(
      "{}{} stopped the program{}{}{}", what, name.empty() ? "" : " '" + name + "'",
      parts_.replicas.size() > 1 ? fmt::format(" on replica {}", replica) : "", text.empty() ? "." : ": ", text));
}

} // namespace popscope
