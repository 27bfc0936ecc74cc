// The naive program and the passes over it in isolation: rows in, rows out, no steps.
#include "GraphFixture.hpp"
#include "ReferenceLower.hpp"
#include "base/DebugSites.hpp"
#include "graph/lowering/CollectUses.hpp"
#include "graph/lowering/MergeCopies.hpp"
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
  p->arguments = HostCopyArguments{s};
  (toDevice ? p->b : p->a) = view;
  return p;
}

/// The data of lowering that the passes need: the places of all variables, and the streams.
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

std::set<std::pair<std::uint32_t, std::uint64_t>> elementsOf(const View &view) {
  const auto elements = viewElements(view);
  return {elements.begin(), elements.end()};
}

bool meet(const View &a, const View &b) {
  const auto x = elementsOf(a), y = elementsOf(b);
  return std::any_of(x.begin(), x.end(), [&](const auto &e) { return y.count(e) != 0; });
}

/// Returns whether two copies may merge by the rule of MergeCopies for copies, element by element.
bool copiesApart(const ProgramNode &p, const ProgramNode &q) {
  return !meet(p.b, q.a) && !meet(p.b, q.b) && !meet(p.a, q.b);
}

/// Returns the rows of programs after MergeCopies.
NaiveBody mergedCopies(const GraphFixture &f, const std::vector<ProgramPtr> &programs,
                       std::uint64_t maxBytes = ~std::uint64_t(0)) {
  const Placed placed(f, maxBytes);
  const GraphUses uses = collectUses(f.graph, programs);
  MovePlacer placer(*placed.context, uses, programs);
  const NaiveBody body = naiveBody(f.graph, programs, 0);
  NaiveBody merged;
  MergeCopies rows(*placed.context, placer, body);
  while (const std::optional<MergedRow> row = rows.next())
    addMerged(*row, body, merged);
  return merged;
}

/// Returns whether a copy may join the group by the rule of MergeStreams, element by element.
bool together(const std::vector<const ProgramNode *> &group, const ProgramNode &next) {
  return std::all_of(group.begin(), group.end(), [&](const ProgramNode *p) {
    if (p->kind != next.kind || p->as<HostCopyArguments>() == next.as<HostCopyArguments>())
      return false;
    return !meet(p->b, next.b);
  });
}

} // namespace

TEST_SUITE("lowering.naive") {

  TEST_CASE("the context of a program is its own, but a mere source line does not hide a DebugInfo around it") {
    constexpr std::uint64_t kSite = kFirstDebugSite;
    CHECK(innerContext(7, 0) == 7);
    CHECK(innerContext(7, 1) == 1);
    CHECK(innerContext(7, kSite) == 7);
    CHECK(innerContext(0, kSite) == kSite);
    CHECK(innerContext(kSite, kSite + 1) == kSite + 1);
    CHECK(innerContext(kSite, 7) == 7);
    CHECK(innerContext(kSite, 0) == kSite);
  }

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
    // together they have 32 bytes
    CHECK(dumpNaive(f.graph, mergeStreams(body, *small.context)) == dumpNaive(f.graph, body));
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
      std::vector<const ProgramNode *> before; // the previous row of host copies
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

  TEST_CASE("copies that do not depend on each other are one row, and borders between them come before") {
    GraphFixture f;
    const auto a = f.onTile("a", 4, 0), b = f.onTile("b", 4, 1), c = f.onTile("c", 4, 2), d = f.onTile("d", 4, 3);
    const auto copy = [&](GraphVarId from, GraphVarId to, const char *name) {
      return f.copy(f.all(from), f.all(to), name);
    };
    const std::vector<ProgramPtr> programs{GraphFixture::sequence({copy(a, b, "ab")}, "one"),
                                           GraphFixture::sequence({copy(c, d, "cd"), copy(b, c, "bc")}, "two"),
                                           GraphFixture::node(ProgramKind::Sync, "sync"), copy(a, d, "ad")};
    CHECK(dumpNaive(f.graph, mergedCopies(f, programs)) == "Sequence 'one'\n"
                                                           "Sequence 'two'\n"
                                                           "  Copy 'ab' + Copy 'cd'\n"
                                                           "  Copy 'bc'\n"
                                                           "Sync 'sync'\n"
                                                           "Copy 'ad'\n");
    CHECK(dumpNaive(f.graph, mergedCopies(f, programs, 31)) == dumpNaive(f.graph, naiveBody(f.graph, programs, 0)));
  }

  TEST_CASE("a compute set stands among the copies that share its exchange, and copies after it may go to the next") {
    GraphFixture f;
    const auto a = f.onTile("a", 4, 0), b = f.onTile("b", 4, 1), c = f.onTile("c", 4, 2), d = f.onTile("d", 4, 3);
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 1);
    const int move = f.moveCodelet();
    const auto executes = [&](const char *name) { // sends x to tile 1
      const auto cs = f.computeSet(name);
      f.vertex(cs, move, 1, {{0, f.all(x)}, {1, f.all(y)}});
      return GraphFixture::execute(cs);
    };
    const auto copy = [&](GraphVarId from, GraphVarId to, const char *name) {
      return f.copy(f.all(from), f.all(to), name);
    };
    const ProgramPtr first = executes("first"), second = executes("second");
    CHECK(dumpNaive(f.graph, mergedCopies(f, {copy(a, b, "ab"), first, copy(c, d, "cd"), second})) ==
          "Copy 'ab' + Execute 'first'\n"
          "Copy 'cd' + Execute 'second'\n");
    CHECK(dumpNaive(f.graph, mergedCopies(f, {copy(a, b, "ab"), first, copy(c, d, "cd"), copy(b, x, "bx")})) ==
          "Copy 'ab' + Execute 'first' + Copy 'cd'\n"
          "Copy 'bx'\n"); // it overwrites what the set reads
  }

  TEST_CASE("random copies: they stay in order, each row keeps the rule, and no row could take the next") {
    unsigned merged = 0, overlapping = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
      CAPTURE(seed);
      std::mt19937 random(seed);
      GraphFixture f;
      std::vector<GraphVarId> vars;
      for (int v = 0; v < 6; ++v)
        vars.push_back(f.onTile("v" + std::to_string(v), 8, static_cast<std::uint32_t>(random() % 4)));
      std::vector<ProgramPtr> programs;
      for (int i = 0; i < 20; ++i) {
        const std::uint64_t from = random() % 5, to = random() % 5, count = 1 + random() % 3;
        const GraphVarId a = vars[random() % 6], b = vars[random() % 6];
        if (a == b && from == to)
          continue; // moves no data
        programs.push_back(f.copy(f.slice(a, from, from + count), f.slice(b, to, to + count), std::to_string(i)));
      }
      const NaiveBody result = mergedCopies(f, programs);
      CHECK(programsOf(result) == programsOf(naiveBody(f.graph, programs, 0)));
      std::vector<const ProgramNode *> before; // the previous row, unless nothing may join it
      for (const NaiveRow &row : result.rows) {
        std::vector<const ProgramNode *> group;
        for (const NaiveProgram &program : result.programsOf(row)) {
          for (const ProgramNode *other : group)
            CHECK(copiesApart(*other, *program.node));
          group.push_back(program.node);
        }
        merged += group.size() > 1 ? 1 : 0;
        const bool alone = meet(group.front()->a, group.front()->b); // the copy uses a temporary
        overlapping += alone ? 1 : 0;
        CHECK((!alone || group.size() == 1));
        if (!before.empty() && !alone)
          CHECK(std::any_of(before.begin(), before.end(),
                            [&](const ProgramNode *p) { return !copiesApart(*p, *group.front()); }));
        before = alone ? std::vector<const ProgramNode *>() : group;
      }
    }
    CHECK(merged > 300);
    CHECK(overlapping > 100);
  }
}
