#include "graph/steps/VerifyAccesses.hpp"

#include "base/Check.hpp"
#include "graph/steps/HostCopies.hpp"
#include "graph/steps/StepPayloads.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace popscope {
namespace {

struct Touched {
  VarId var;
  AccessKind kind;
  ElementRange range;
};

/// Collects the touches of one step's operands.
class OperandWalk {
public:
  OperandWalk(const StepProgram &program, const HomeElements &elements, StepIndex step)
      : p_(program), elements_(elements), step_(step) {}

  void touch(const HomeBytes &bytes, AccessKind kind) {
    if (bytes.bytes == Bytes())
      return;
    checkInside(bytes);
    scratch_.clear();
    elements_.append(bytes, scratch_);
    for (const ElementRange &r : scratch_)
      touched.push_back({p_.homes[bytes.home].var, kind, r});
  }
  void walk() {
    const Step &step = p_.steps[step_];
    visitPayload(p_, step,
                 Overloaded{[&](const ExchangeStep &exchange) { walkExchange(exchange); },
                            [&](const ExecuteStep &execute) { walkExecute(execute); },
                            [&](const StreamCopyStep &copy) { walkStream(copy); },
                            [&](const SwitchStep &choice) { walkControl(choice.control, choice.copies); },
                            [&](const TestStep &test) { walkControl(test.predicate, test.copies); },
                            [&](const PrintStep &print) {
                              for (const HomeBytes &piece : print.pieces)
                                touch(piece, AccessKind::Read);
                            },
                            [&](const TileRegisterStep &r) { walkRegister(r); },
                            [&](const auto &) {
                              POPSCOPE_CHECK(false, "no walk over the operands of {}", stepKindName(step.kind));
                            }});
  }
  std::vector<Touched> touched;

private:
  void checkInside(const HomeBytes &b) const {
    POPSCOPE_CHECK(b.home.valid() && b.home.index() < p_.homes.size() && b.offset + b.bytes <= p_.homeBytes(b.home),
                   "S4: an operand [{}, +{}) of step {} lies outside its home {}", b.offset.count(), b.bytes.count(),
                   step_.index(), b.home.index());
  }
  void checkTile(HomeId home, TileId tile) const {
    POPSCOPE_CHECK(p_.homes[home].tile == tile, "S4: step {} uses data of tile {} on tile {}", step_.index(),
                   p_.homes[home].tile.index(), tile.index());
  }
  void walkControl(const HomeBytes &word, VarId copies) {
    touch(word, AccessKind::Read);
    walkCopies(copies);
  }
  void walkRegister(const TileRegisterStep &r) {
    for (const HomeBytes &piece : r.since)
      touch(piece, AccessKind::Read);
    for (const HomeBytes &piece : r.pieces)
      touch(piece, r.write ? AccessKind::Read : AccessKind::Write);
  }
  void walkCopies(VarId copies) {
    if (!copies.valid())
      return;
    const StepVar &var = p_.vars[copies];
    for (HomeId home(var.firstHome); home.index() < var.firstHome + var.numHomes; home = HomeId(home.index() + 1))
      touch({home, Bytes(), p_.homeBytes(home)}, AccessKind::Read);
  }
  void walkExchange(const ExchangeStep &exchange) {
    const bool replicas = exchange.replicaMap >= 0;
    const bool keeps =
        replicas && p_.replicaMaps.at(static_cast<std::size_t>(exchange.replicaMap)).size() < p_.replicationFactor;
    for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
      const Message &message = p_.messages.at(m);
      touch({message.src, message.srcOffset, message.bytes}, AccessKind::Read);
      touch(wordsIn(message), AccessKind::Write);
      if (keeps)
        touch({message.dst, message.dstOffset, message.bytes}, AccessKind::Read);
      POPSCOPE_CHECK(
          replicas || p_.homes[message.src].tile != p_.homes[message.dst].tile || heardWithOthers(exchange, message),
          "S4: step {} sends from tile {} to itself alone", step_.index(), p_.homes[message.src].tile.index());
      const bool control = p_.vars[p_.homes[message.dst].var].category == StorageCategory::ControlId;
      POPSCOPE_CHECK(replicas || control ||
                         message.srcOffset % Bytes(kWordBytes) == message.dstOffset % Bytes(kWordBytes),
                     "S4: step {} sends from byte {} to byte {}, which is no move of words", step_.index(),
                     message.srcOffset.count(), message.dstOffset.count());
    }
  }
  /// Returns the bytes that a message writes. In a message buffer, a message writes whole words, as far as the buffer
  /// extends.
  [[nodiscard]] HomeBytes wordsIn(const Message &message) const {
    std::uint64_t begin = message.dstOffset.count(), end = begin + message.bytes.count();
    const StorageCategory category = p_.vars[p_.homes[message.dst].var].category;
    if (category == StorageCategory::Message || category == StorageCategory::GlobalMessage) {
      begin -= begin % kWordBytes;
      while (end % kWordBytes != 0 && Bytes(end) < p_.homeBytes(message.dst))
        ++end;
    }
    return {message.dst, Bytes(begin), Bytes(end - begin)};
  }
  /// Returns whether a tile may listen to its own message: the data also go to other tiles, or other tiles fill the
  /// rest of the buffer.
  [[nodiscard]] bool heardWithOthers(const ExchangeStep &exchange, const Message &message) {
    if (sent_.empty()) {
      for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
        const Message &other = p_.messages[m];
        if (p_.homes[other.src].tile == p_.homes[other.dst].tile)
          continue;
        sent_.insert({other.src, other.srcOffset, other.bytes});
        filledByOthers_.insert(other.dst);
      }
    }
    return sent_.count({message.src, message.srcOffset, message.bytes}) != 0 || filledByOthers_.count(message.dst) != 0;
  }
  void walkEdge(const StepVertex &vertex, const VertexEdge &edge) {
    if (edge.elements == 0)
      return;
    POPSCOPE_CHECK(edge.home.valid() && edge.home.index() < p_.homes.size(), "S4: an edge of step {} has no home",
                   step_.index());
    checkTile(edge.home, vertex.tile);
    const HomeBytes bytes{edge.home, edge.offset, p_.edgeBytes(edge)};
    if (edge.reads)
      touch(bytes, AccessKind::Read);
    if (edge.writes)
      touch(bytes, AccessKind::Write);
  }
  void walkVertex(const StepVertex &vertex) {
    const VertexForm &form = p_.forms.at(vertex.form);
    POPSCOPE_CHECK(vertex.firstEdge + std::uint64_t(form.numOperands) <= p_.edges.size() &&
                       form.firstOperand + std::uint64_t(form.numOperands) <= p_.operandKinds.size(),
                   "S4: operands of a vertex of step {} lie outside the table", step_.index());
    for (const VertexEdge edge : p_.edgesOf(vertex))
      walkEdge(vertex, edge);
  }
  void walkExecute(const ExecuteStep &execute) {
    for (std::uint32_t v = execute.firstVertex; v < execute.firstVertex + execute.numVertices; ++v)
      walkVertex(p_.vertices.at(v));
    for (std::uint32_t c = execute.firstCopy; c < execute.firstCopy + execute.numCopies; ++c)
      walkCopy(p_.copies[c]);
    if (execute.result.valid())
      touch({execute.result, execute.resultOffset, p_.elementSize(execute.result)}, AccessKind::Write);
  }
  void walkCopy(const CopyVertex &copy) {
    Bytes bytes;
    for (std::uint32_t r = copy.firstRun; r < copy.firstRun + copy.numRuns; ++r) {
      const CopyRun &run = p_.copyRuns.at(r);
      if (run.src.valid()) {
        touch({run.src, run.srcOffset, run.bytes}, AccessKind::Read);
        checkTile(run.src, copy.tile);
      } else {
        POPSCOPE_CHECK((run.srcOffset + p_.elementSize(run.dst)).count() <= p_.data.size(),
                       "S4: step {} fills with no value", step_.index());
      }
      touch({run.dst, run.dstOffset, run.bytes}, AccessKind::Write);
      checkTile(run.dst, copy.tile);
      bytes += run.bytes;
    }
    POPSCOPE_CHECK(bytes == copy.bytes, "S4: a copy vertex of step {} moves {} bytes, its runs {}", step_.index(),
                   copy.bytes.count(), bytes.count());
  }
  void walkStream(const StreamCopyStep &copy) {
    Bytes bytes;
    for (std::uint32_t t = copy.firstTransfer; t < copy.firstTransfer + copy.numTransfers; ++t) {
      const HomePieces &pieces = p_.transfers.at(t).home;
      for (std::uint32_t i = 0; i != pieces.count; ++i)
        touch(pieces.at(i), isToDevice(copy, t) ? AccessKind::Write : AccessKind::Read);
      bytes += pieces.bytes();
    }
    std::uint32_t next = copy.firstTransfer;
    for (std::uint32_t i = copy.firstPart; i < copy.firstPart + copy.numParts; ++i) {
      const StreamPart &part = p_.streamParts.at(i);
      POPSCOPE_CHECK(part.firstTransfer == next, "S4: the host copy of step {} has transfers of no stream",
                     step_.index());
      next += part.numTransfers;
    }
    POPSCOPE_CHECK(copy.numParts == 0 || next == copy.firstTransfer + copy.numTransfers,
                   "S4: the host copy of step {} has transfers of no stream", step_.index());
    if (copy.engine == StreamCopyStep::Engine::BlockFlush) // buffers are storage of steps and not variables
      for (std::uint32_t t = copy.firstTile; t < copy.firstTile + copy.numTiles; ++t)
        bytes += p_.hostTiles.at(t).bytes;
    POPSCOPE_CHECK(bytes == copy.bytes, "S4: the host copy of step {} moves {} bytes, its transfers {}", step_.index(),
                   copy.bytes.count(), bytes.count());
    if (copy.offset.home.valid())
      touch(copy.offset, AccessKind::Read);
  }

  const StepProgram &p_;
  const HomeElements &elements_;
  std::set<std::tuple<HomeId, Bytes, Bytes>> sent_; // sent to other tiles; filled at first use
  std::set<HomeId> filledByOthers_;                 // homes that other tiles fill; filled at first use
  StepIndex step_;
  std::vector<ElementRange> scratch_;
};

/// Sorts by variable and kind, and joins ranges.
void unite(std::vector<Touched> &all) {
  std::sort(all.begin(), all.end(), [](const Touched &a, const Touched &b) {
    return std::tie(a.var, a.kind, a.range.begin, a.range.end) < std::tie(b.var, b.kind, b.range.begin, b.range.end);
  });
  std::size_t kept = 0;
  for (const Touched &t : all) {
    Touched *last = kept > 0 ? &all[kept - 1] : nullptr;
    if (last != nullptr && last->var == t.var && last->kind == t.kind && t.range.begin <= last->range.end)
      last->range.end = std::max(last->range.end, t.range.end);
    else
      all[kept++] = t;
  }
  all.resize(kept);
}

} // namespace

void verifyAccesses(const StepProgram &p, const HomeElements &elements, StepIndex index) {
  if (!stepKindRow(p.steps[index].kind).operands)
    return; // the accesses of such a step do not come from operands
  OperandWalk walk(p, elements, index);
  walk.walk();
  unite(walk.touched);
  std::vector<Touched> stated;
  const Step &step = p.steps[index];
  for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a)
    for (std::uint32_t r = p.accesses[a].firstRange; r < p.accesses[a].firstRange + p.accesses[a].numRanges; ++r)
      stated.push_back({p.accesses[a].var, p.accesses[a].kind, p.ranges[r]});
  unite(stated);
  const bool same = std::equal(
      stated.begin(), stated.end(), walk.touched.begin(), walk.touched.end(),
      [](const Touched &a, const Touched &b) { return a.var == b.var && a.kind == b.kind && a.range == b.range; });
  POPSCOPE_CHECK(same, "S6: the accesses of step {} ({} '{}') are not what its operands touch", index.index(),
                 stepKindName(step.kind), p.names[step.name]);
}

} // namespace popscope
