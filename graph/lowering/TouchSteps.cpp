#include "graph/lowering/TouchSteps.hpp"
#include "base/Parallel.hpp"
#include "base/TouchPages.hpp"

#include <algorithm>
#include <array>

namespace popscope {
namespace {

constexpr std::size_t kManyVertices = 32768; // from this number on, several threads collect a step's touches
constexpr std::size_t kVerticesTouched = 4096 /* by a task */, kRowsPerTask = 16384, kLanesPerThread = 4;

/// Extends the previous touch of an operand. Usually the operand of a vertex continues where the same operand of the
/// previous vertex ended.
class LastTouches {
public:
  LastTouches() { last_.fill(~std::size_t(0)); }
  void add(const LoweringContext &c, const HomeBytes &bytes, AccessKind kind, std::uint32_t operand,
           std::vector<Touch> &touches) {
    const std::size_t before = touches.size();
    c.touch(bytes, kind, touches);
    std::size_t &last = last_[2 * (operand % kOperands) + (kind == AccessKind::Write ? 1 : 0)];
    if (touches.size() == before + 1 && last < before && touches[last].var == touches[before].var &&
        touches[last].kind == kind && touches[last].end == touches[before].begin) {
      touches[last].end = touches[before].end;
      touches.pop_back();
    } else {
      last = touches.size() - 1;
    }
  }

private:
  static constexpr std::size_t kOperands = 8;
  std::array<std::size_t, 2 * kOperands> last_{};
};

void addVertices(const LoweringContext &c, std::size_t begin, std::size_t end, std::vector<Touch> &touches) {
  LastTouches last;
  for (std::size_t v = begin; v < end; ++v) {
    const VertexEdges edges = c.out.edgesOf(c.out.vertices[v]);
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      const VertexEdge edge = edges[e];
      if (edge.elements == 0)
        continue;
      const HomeBytes bytes{edge.home, edge.offset, edge.elements * c.elementSize(edge.home)};
      if (edge.reads)
        last.add(c, bytes, AccessKind::Read, e, touches);
      if (edge.writes)
        last.add(c, bytes, AccessKind::Write, e, touches);
    }
  }
}

std::vector<Touch> ofExecute(const LoweringContext &c, const ExecuteStep &execute) {
  const std::size_t first = execute.firstVertex, count = execute.numVertices;
  const std::size_t tasks = count < kManyVertices ? 1 : (count + kVerticesTouched - 1) / kVerticesTouched;
  std::vector<std::vector<Touch>> ofTask(tasks);
  parallelFor(tasks == 1 ? Threads{1} : c.options.threads, tasks, [&](std::size_t t) {
    addVertices(c, first + count * t / tasks, first + count * (t + 1) / tasks, ofTask[t]);
  });
  std::vector<Touch> touches = std::move(ofTask.front());
  for (std::size_t t = 1; t < tasks; ++t)
    touches.insert(touches.end(), ofTask[t].begin(), ofTask[t].end());
  if (execute.result.valid())
    c.touch({execute.result, execute.resultOffset, c.elementSize(execute.result)}, AccessKind::Write, touches);
  return touches;
}

std::vector<Touch> ofExchange(const LoweringContext &c, const ExchangeStep &exchange) {
  std::vector<Touch> touches;
  touches.reserve(std::size_t(2) * exchange.numMessages);
  for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
    const Message &message = c.out.messages[m];
    c.touch({message.src, message.srcOffset, message.bytes}, AccessKind::Read, touches);
    c.touch(c.writtenByMessage({message.dst, message.dstOffset, message.bytes}), AccessKind::Write, touches);
  }
  return touches;
}

/// Derives the accesses of steps from their payloads.
class StepToucher {
public:
  explicit StepToucher(LoweringContext &context)
      : c_(context), ofExchange_(context.out.exchanges.size(), kNone), ofExecute_(context.out.executes.size(), kNone) {}

  void run() {
    for (std::uint32_t s = 0; s < c_.out.steps.size(); ++s)
      if (const Step &step = c_.out.steps[StepIndex(s)]; step.firstAccess == kTouchedLater)
        if (std::uint32_t &payload = payloadOf(step); payload == kNone) {
          payload = static_cast<std::uint32_t>(payloads_.size());
          payloads_.push_back({step.kind, step.payload, rowsOf(step)});
        }
    joinAll();
    for (Step &step : c_.out.steps)
      if (step.firstAccess == kTouchedLater) {
        const Payload &payload = payloads_[payloadOf(step)];
        step.firstAccess = payload.firstAccess;
        step.numAccesses = payload.numAccesses;
      }
  }

private:
  static constexpr std::uint32_t kNone = ~std::uint32_t(0);
  struct Payload {
    StepKind kind;
    std::uint32_t number = 0;
    std::uint64_t rows = 0; // vertices or messages
    std::uint32_t firstAccess = 0, numAccesses = 0;
  };
  struct Lane { // payloads [begin, end)
    std::size_t begin = 0, end = 0;
    LargeTable<Access> accesses;
    LargeTable<ElementRange> ranges;
  };

  [[nodiscard]] std::uint32_t &payloadOf(const Step &step) {
    return step.kind == StepKind::OnTileExecute ? ofExecute_[step.payload] : ofExchange_[step.payload];
  }
  [[nodiscard]] std::uint64_t rowsOf(const Step &step) const {
    return step.kind == StepKind::OnTileExecute ? c_.out.executes[step.payload].numVertices
                                                : c_.out.exchanges[step.payload].numMessages;
  }
  /// Joins the touches of a limited number of payloads at a time, so that joined touches are not stored twice.
  void joinAll() {
    std::vector<Lane> lanes(kLanesPerThread * c_.options.threads.count());
    std::uint64_t all = 0, done = 0, allAccesses = 0, allRanges = 0;
    for (const Payload &payload : payloads_)
      all += payload.rows;
    for (std::size_t next = 0; next < payloads_.size();) {
      std::size_t used = 0;
      for (; used < lanes.size() && next < payloads_.size(); ++used) {
        std::uint64_t rows = 0;
        lanes[used].begin = next;
        while (next < payloads_.size() && rows < kRowsPerTask)
          rows += payloads_[next++].rows;
        done += rows;
        lanes[used].end = next;
      }
      parallelFor(c_.options.threads, used, [&](std::size_t lane) { join(lanes[lane]); });
      std::size_t accesses = 0, ranges = 0;
      for (std::size_t lane = 0; lane < used; ++lane) {
        accesses += lanes[lane].accesses.size();
        ranges += lanes[lane].ranges.size();
      }
      const auto expected = [&](std::uint64_t &sum, std::size_t more) {
        sum += more;
        return more + expectedRows(sum, done, all - done);
      };
      TouchPages()
          .behind(c_.out.accesses, accesses, expected(allAccesses, accesses))
          .behind(c_.out.ranges, ranges, expected(allRanges, ranges))
          .run(c_.options.threads);
      for (std::size_t lane = 0; lane < used; ++lane)
        append(lanes[lane]);
    }
  }
  void join(Lane &lane) {
    lane.accesses.clear();
    lane.ranges.clear();
    for (std::size_t p = lane.begin; p < lane.end; ++p) {
      payloads_[p].firstAccess = static_cast<std::uint32_t>(lane.accesses.size());
      payloads_[p].numAccesses =
          joinTouches(touchesOf(c_, payloads_[p].kind, payloads_[p].number), lane.accesses, lane.ranges);
    }
  }
  void append(Lane &lane) {
    const auto firstAccess = static_cast<std::uint32_t>(c_.out.accesses.size()),
               firstRange = static_cast<std::uint32_t>(c_.out.ranges.size());
    for (std::size_t p = lane.begin; p < lane.end; ++p)
      payloads_[p].firstAccess += firstAccess;
    for (Access &access : lane.accesses)
      access.firstRange += firstRange;
    c_.out.accesses.insert(c_.out.accesses.end(), lane.accesses.begin(), lane.accesses.end());
    c_.out.ranges.insert(c_.out.ranges.end(), lane.ranges.begin(), lane.ranges.end());
  }

  LoweringContext &c_;
  std::vector<std::uint32_t> ofExchange_, ofExecute_; // place in payloads_
  std::vector<Payload> payloads_;                     // in the order of steps
};

} // namespace

std::vector<Touch> touchesOf(const LoweringContext &context, StepKind kind, std::uint32_t payload) {
  return kind == StepKind::OnTileExecute ? ofExecute(context, context.out.executes[payload])
                                         : ofExchange(context, context.out.exchanges[payload]);
}

void touchSteps(LoweringContext &context) { StepToucher(context).run(); }

} // namespace popscope
