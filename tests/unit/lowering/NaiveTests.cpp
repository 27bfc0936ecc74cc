// The naive program and the passes over it, alone: rows in, rows out, no steps.
#include "GraphFixture.hpp"
#include "ReferenceLower.hpp"
#include "graph/lowering/MergeStreams.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>

using namespace popscope;

namespace {

StreamId stream(GraphFixture &f, const std::string &handle, GraphStream::Kind kind) {
  GraphStream s;
  s.handle = handle;
  s.kind = kind;
  s.elements = 4;
  return f.graph.streams.push(s);
}

ProgramPtr hostCopy(bool toDevice, StreamId s, const View &view, const std::string &name) {
  auto p = GraphFixture::node(toDevice ? ProgramKind::StreamToTensor : ProgramKind::TensorToStream, name);
  p->stream = s;
  (toDevice ? p->b : p->a) = view;
  return p;
}

/// What mergeStreams needs of lowering: places of all variables, and the streams.
struct Placed {
  explicit Placed(const GraphFixture &f, std::uint64_t maxBytes = ~std::uint64_t(0)) : costs(f.graph.machine) {
    options.mergesHostCopies = true;
    options.maxCopyMergeBytes = maxBytes;
    context = std::make_unique<LoweringContext>(f.graph, f.estimates, costs, options);
    std::vector<GraphVarId> constants;
    for (std::uint32_t v = 0; v < f.graph.vars.size(); ++v)
      constants.emplace_back(v);
    context->placeVariables(std::vector<std::uint8_t>(f.graph.vars.size(), 1), constants, {});
    for (const GraphStream &s : f.graph.streams) {
      StreamInfo info;
      info.kind = s.kind == GraphStream::Kind::Remote ? StreamInfo::Kind::Remote : StreamInfo::Kind::Fifo;
      context->out.streams.push(info);
    }
  }
  CostModel costs;
  LoweringOptions options;
  std::unique_ptr<LoweringContext> context;
};

std::vector<const ProgramNode *> programsOf(const NaiveBody &body) {
  std::vector<const ProgramNode *> all;
  for (const NaiveRow &row : body.rows)
    if (row.kind == NaiveRow::Kind::Programs)
      for (const NaiveProgram &program : body.programsOf(row))
        all.push_back(program.node);
  return all;
}

std::set<std::pair<std::uint32_t, std::uint64_t>> written(const ProgramNode &p) {
  const auto elements = viewElements(p.b);
  return {elements.begin(), elements.end()};
}

/// The rule of the pass, element by element.
bool together(const std::vector<const ProgramNode *> &group, const ProgramNode &next) {
  return std::all_of(group.begin(), group.end(), [&](const ProgramNode *p) {
    if (p->kind != next.kind || p->stream == next.stream)
      return false;
    const auto a = written(*p), b = written(next);
    return std::none_of(a.begin(), a.end(), [&](const auto &e) { return b.count(e) != 0; });
  });
}

} // namespace

TEST_SUITE("lowering.naive") {

  TEST_CASE("a body is a row for each program and one for each border of a Sequence") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 1);
    const auto cs = f.computeSet("cs");
    const ProgramPtr inner = GraphFixture::sequence({f.copy(f.all(x), f.all(y), "b"), nullptr}, "s");
    const ProgramPtr loop =
        GraphFixture::node(ProgramKind::Repeat, "loop", {f.copy(f.all(x), f.all(y), "in the loop")});
    const ProgramPtr whole = GraphFixture::sequence({GraphFixture::execute(cs), inner, loop, inner});
    const NaiveBody body = naiveBody(f.graph, whole, 0); // its rows point into the program
    CHECK(body.rows.size() == 8);
    CHECK(dumpNaive(f.graph, body, 1) == "  Execute 'cs'\n"
                                         "  Sequence 's'\n"
                                         "    Copy 'b'\n"
                                         "  Repeat 'loop'\n"
                                         "  Sequence 's'\n"
                                         "    Copy 'b'\n");
    CHECK(naiveBody(f.graph, ProgramPtr(), 0).rows.empty());
    CHECK(dumpNaive(f.graph, naiveBody(f.graph, f.copy(f.all(x), f.all(y), "alone"), 0)) == "Copy 'alone'\n");
  }

  TEST_CASE("merged host copies stand where the last of them stood, borders between them before") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 1);
    const auto s = stream(f, "s", GraphStream::Kind::HostToDevice), t = stream(f, "t", GraphStream::Kind::HostToDevice);
    const ProgramPtr a = hostCopy(true, s, f.all(x), "a"), b = hostCopy(true, t, f.all(y), "b");
    const ProgramPtr program = GraphFixture::sequence(
        {GraphFixture::sequence({a}, "one"), GraphFixture::sequence({b}, "two"), f.copy(f.all(x), f.all(y), "c")});
    const Placed placed(f), small(f, 31);
    const NaiveBody body = naiveBody(f.graph, program, 0);
    CHECK(dumpNaive(f.graph, mergeStreams(body, *placed.context)) == "Sequence 'one'\n"
                                                                     "Sequence 'two'\n"
                                                                     "  StreamCopy 'a' + StreamCopy 'b'\n"
                                                                     "Copy 'c'\n");
    CHECK(dumpNaive(f.graph, mergeStreams(body, *small.context)) == dumpNaive(f.graph, body)); // 32 bytes together
  }

  TEST_CASE("random bodies: the programs stay in order, each row keeps the rule, and no row could take the next") {
    unsigned merged = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
      CAPTURE(seed);
      std::mt19937 random(seed);
      GraphFixture f;
      std::vector<GraphVarId> vars;
      std::vector<StreamId> in, out;
      for (int v = 0; v < 3; ++v) {
        vars.push_back(f.onTile("v" + std::to_string(v), 8, static_cast<std::uint32_t>(random() % 4)));
        in.push_back(stream(f, "in" + std::to_string(v), GraphStream::Kind::HostToDevice));
        out.push_back(stream(f, "out" + std::to_string(v), GraphStream::Kind::DeviceToHost));
      }
      std::vector<ProgramPtr> programs;
      for (int i = 0; i < 20; ++i) {
        const std::uint64_t begin = random() % 5;
        const View view = f.slice(vars[random() % 3], begin, begin + 1 + random() % 4);
        const bool toDevice = random() % 3 != 0;
        ProgramPtr next = random() % 6 == 0
                              ? f.copy(f.slice(vars[0], 0, 2), f.slice(vars[1], 0, 2))
                              : hostCopy(toDevice, (toDevice ? in : out)[random() % 3], view, std::to_string(i));
        programs.push_back(random() % 4 == 0 ? GraphFixture::sequence({next}, "s") : next);
      }
      const Placed placed(f);
      const NaiveBody body = naiveBody(f.graph, programs, 0);
      const NaiveBody result = mergeStreams(body, *placed.context);
      CHECK(programsOf(result) == programsOf(body));
      std::vector<const ProgramNode *> before; // the row of host copies right before
      for (const NaiveRow &row : result.rows) {
        if (row.kind != NaiveRow::Kind::Programs)
          continue;
        std::vector<const ProgramNode *> group;
        for (const NaiveProgram &program : result.programsOf(row)) {
          CHECK(together(group, *program.node));
          group.push_back(program.node);
        }
        merged += group.size() > 1 ? 1 : 0;
        if (group.front()->kind == ProgramKind::Copy) {
          CHECK(group.size() == 1);
          group.clear();
        } else {
          CHECK((before.empty() || !together(before, *group.front())));
        }
        before = group;
      }
    }
    CHECK(merged > 300);
  }
}
