// dumpSteps: one line per step, for example
//   3     DoExchange: cs/ExchangePre #0; 1 message, 16 B; read x[0,4); write <message:x>[0,4)
// where #0 is the source and the indentation is the depth. Bytes of names that control a terminal become \xNN.
#include "base/ShownText.hpp"
#include "graph/steps/StepPayloads.hpp"

#include <fmt/format.h>
#include <iterator>

namespace popscope {
namespace {

const char *accessWord(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read: return "read";
  case AccessKind::Write: return "write";
  case AccessKind::Undef: return "undef";
  }
  return "?";
}

std::string plural(std::uint64_t n, const char *noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

std::string operand(const StepProgram &p, const HomeBytes &b) {
  if (!b.home.valid())
    return "nothing";
  const Home &home = p.homes[b.home];
  return fmt::format("{}@{}+{}", p.names[p.vars[home.var].name], home.tile.index(), b.offset.count());
}

std::string executeText(const StepProgram &p, const ExecuteStep &e) {
  std::string text;
  if (e.numVertices > 0)
    text += fmt::format("; {} {}", e.numVertices, e.numVertices == 1 ? "vertex" : "vertices");
  for (std::uint32_t c = e.firstCopy; c < e.firstCopy + e.numCopies; ++c)
    text += fmt::format("; {} on tile {}: {}, {} B", p.vertexTypes[p.copies[c].type].name, p.copies[c].tile.index(),
                        plural(p.copies[c].numRuns, "run"), p.copies[c].bytes.count());
  return text;
}

std::string streamText(const StepProgram &p, const StreamCopyStep &c) {
  const char *const engine = c.engine == StreamCopyStep::Engine::SyncId      ? "sync id"
                             : c.engine == StreamCopyStep::Engine::ProgramId ? "program id"
                                                                             : "";
  std::vector<std::string> handles;
  for (std::uint32_t i = c.firstPart; i < c.firstPart + c.numParts; ++i)
    handles.push_back(p.streams[p.streamParts[i].stream].handle);
  return fmt::format("; {}{}{}, {} B, {}", handles.empty() ? engine : fmt::format("{}", fmt::join(handles, ", ")),
                     c.engine == StreamCopyStep::Engine::ProgramId && c.numTransfers > 1 ? " to device, sync id to host"
                     : c.toDevice                                                        ? " to device"
                                                                                         : " to host",
                     c.remote ? fmt::format(", row {}", operand(p, c.offset)) : "", c.bytes.count(),
                     plural(c.numTiles, "tile"));
}

std::string messagesText(const StepProgram &p, const ExchangeStep &e) {
  Bytes bytes;
  for (std::uint32_t m = e.firstMessage; m < e.firstMessage + e.numMessages; ++m)
    bytes += p.messages[m].bytes;
  return fmt::format("; {}, {} B", plural(e.numMessages, "message"), bytes.count());
}

std::string payloadText(const StepProgram &p, const Step &s) {
  static constexpr const char *kSyncs[] = {" internal", " external", " global"};
  if (s.kind == StepKind::RepeatWhile || s.kind == StepKind::StreamCopyBegin || s.kind == StepKind::StreamCopyEnd)
    return ""; // their WhileTest or StreamCopyMid shows the payload
  return visitPayload(
      p, s,
      Overloaded{[](const SyncStep &sync) -> std::string { return kSyncs[sync.kind % 3]; },
                 [&](const ExchangeStep &exchange) { return messagesText(p, exchange); },
                 [&](const ExecuteStep &execute) { return executeText(p, execute); },
                 [&](const StreamCopyStep &copy) { return streamText(p, copy); },
                 [&](const SwitchStep &choice) {
                   const std::string cases = fmt::format(" [{}]", fmt::join(choice.labels, " "));
                   return fmt::format(" on {}{}", operand(p, choice.control), s.kind == StepKind::If ? "" : cases);
                 },
                 [](const RepeatStep &repeat) { return fmt::format(" (count {})", repeat.count); },
                 [&](const TestStep &test) {
                   return fmt::format(" on {}, goes on if {}", operand(p, test.predicate), test.continueOn);
                 },
                 [](const CallStep &call) { return fmt::format(" function {}", call.function.index()); },
                 [](const MessageStep &message) { return fmt::format(" \"{}\"", message.text); },
                 [](const TileRegisterStep &r) {
                   return fmt::format(" {} {}", r.write ? "write" : "read", tileRegisterName(r.reg));
                 },
                 [](const auto &) { return std::string(); }});
}

void appendAccesses(const StepProgram &p, const Step &s, std::string &out) {
  for (std::uint32_t a = s.firstAccess; a < s.firstAccess + s.numAccesses; ++a) {
    const Access &access = p.accesses[a];
    fmt::format_to(std::back_inserter(out), "; {} {}", accessWord(access.kind), p.names[p.vars[access.var].name]);
    for (std::uint32_t r = access.firstRange; r < access.firstRange + access.numRanges; ++r)
      fmt::format_to(std::back_inserter(out), "[{},{})", p.ranges[r].begin, p.ranges[r].end);
  }
}

} // namespace

std::string dumpSteps(const StepProgram &p) {
  std::string out;
  std::vector<std::uint32_t> ends; // ends of the open containers
  for (std::uint32_t i = 0; i < p.steps.size(); ++i) {
    const Step &s = p.steps[StepIndex(i)];
    while (!ends.empty() && ends.back() <= i)
      ends.pop_back();
    std::string line = fmt::format("{}{} {}", std::string(2 * ends.size(), ' '), i, stepKindName(s.kind));
    if (!p.names[s.name].empty())
      line += ": " + p.names[s.name];
    if (s.source.valid())
      fmt::format_to(std::back_inserter(line), " #{}", s.source.index());
    line += payloadText(p, s);
    appendAccesses(p, s, line);
    out += shownText(line) + '\n';
    ends.push_back(s.end);
  }
  return out;
}

} // namespace popscope
