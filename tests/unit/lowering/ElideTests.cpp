#include "GraphFixture.hpp"

#include "graph/lowering/ElideCopies.hpp"
#include <doctest/doctest.h>

using namespace popscope;

namespace {

/// `in` and its clone on two tiles; `cs` reads the clone on both, and another variable is on the first tile.
struct CloneFixture : GraphFixture {
  CloneFixture() {
    const std::vector<MappedRange> halves{{0, 4, TileId(0)}, {4, 8, TileId(1)}};
    in = var("in", 8, halves);
    clone = var("clone", 8, halves);
    out = var("out", 8, halves);
    other = onTile("other", 8, 0);
    cs = computeSet("cs");
    for (std::uint32_t tile = 0; tile < 2; ++tile)
      vertex(cs, moveCodelet(), tile,
             {{0, slice(clone, tile * 4, tile * 4 + 4)}, {1, slice(out, tile * 4, tile * 4 + 4)}});
    enter = copy(all(in), all(clone), "enter");
    run = execute(cs);
    change = copy(all(other), all(in), "change");
  }
  [[nodiscard]] std::string steps(const std::vector<ProgramPtr> &programs) const {
    const auto elided = elideCopies(graph, programs);
    if (!elided)
      return dump(programs);
    GraphFixture after;
    after.graph = elided->graph;
    return after.dump(elided->programs);
  }
  [[nodiscard]] bool elides(const std::vector<ProgramPtr> &programs) const {
    return !contains(steps(programs), "write clone");
  }
  static ProgramPtr repeat(std::vector<ProgramPtr> body) {
    auto loop = node(ProgramKind::Repeat, "", {sequence(std::move(body))});
    loop->arguments = RepeatArguments{3};
    return loop;
  }
  GraphVarId in, clone, out, other;
  ComputeSetId cs;
  ProgramPtr enter, run, change;
};

} // namespace

TEST_SUITE("lowering.elide") {

  TEST_CASE("a copy that only renames is gone, and who read its destination reads its source") {
    CloneFixture f;
    CHECK(f.steps({f.sequence({f.enter, f.run})}) ==
          "0 Sequence\n"
          "  1 OnTileExecute: cs #0; 2 vertices; read in[0,8); write out[0,8)\n");
    const auto elided = elideCopies(f.graph, {f.sequence({f.enter, f.run})});
    REQUIRE(elided);
    CHECK(elided->copies == 1);
    CHECK(contains(f.dump({f.sequence({f.enter, f.run})}), "write clone[0,8)"));
  }

  TEST_CASE("views that go through their variables alike, in whatever runs, are a copy of the variables as they lie") {
    CloneFixture f;
    // Both views go backwards by twos: 7 5 3 1 6 4 2 0. One is a run of four and parts, the other is two runs.
    View from = GraphFixture::concat(f.strided(f.in, 7, -2, 4), f.strided(f.in, 6, -2, 4));
    View into = GraphFixture::concat(GraphFixture::concat(f.strided(f.clone, 7, -2, 1), f.strided(f.clone, 5, -2, 3)),
                                     f.strided(f.clone, 6, -2, 4));
    CHECK(f.elides({f.sequence({f.copy(from, into, "alike"), f.run})}));
    // One pair of elements is exchanged, so the order no longer matches.
    into = GraphFixture::concat(GraphFixture::concat(f.strided(f.clone, 5, 2, 2), f.strided(f.clone, 3, -2, 2)),
                                f.strided(f.clone, 6, -2, 4));
    CHECK_FALSE(f.elides({f.sequence({f.copy(from, into, "other"), f.run})}));
  }

  TEST_CASE("through views, sequences and a chain of copies") {
    CloneFixture f;
    const auto again = f.var("again", 8, {{0, 4, TileId(0)}, {4, 8, TileId(1)}});
    const auto last = f.onTile("last", 4, 0);
    // last = the odd elements of the clone of the clone, backwards
    const std::string steps =
        f.steps({f.sequence({f.sequence({f.enter}), f.copy(f.all(f.clone), f.all(again), "again"),
                             f.sequence({f.copy(f.strided(again, 7, -2, 4), f.all(last), "last")})})});
    CHECK_FALSE(contains(steps, "clone"));
    CHECK_FALSE(contains(steps, "again"));
    CHECK(contains(steps, "read in[5,6)[7,8); write last[0,2)"));
    CHECK(contains(steps, "read in[1,2)[3,4)"));
  }

  TEST_CASE("the source is not written until the last reader has read") {
    CloneFixture f;
    const ProgramPtr sync = f.node(ProgramKind::Sync, "");
    CHECK(f.elides({f.sequence({f.enter, f.run, sync, f.change})}));
    CHECK(f.elides({f.sequence({f.change, sync, f.enter, f.run})}));
    CHECK_FALSE(f.elides({f.sequence({f.enter, f.change, f.run})}));
    CHECK_FALSE(f.elides({f.sequence({f.enter, f.run, f.change, f.run})}));
    auto undef = f.node(ProgramKind::WriteUndef, "");
    undef->a = f.slice(f.in, 0, 1);
    CHECK_FALSE(f.elides({f.sequence({f.enter, undef, f.run})}));
    CHECK(f.elides({f.sequence({f.enter, f.run, undef})}));
  }

  TEST_CASE("every reader comes behind the copy, in its body") {
    CloneFixture f;
    CHECK(f.elides({f.repeat({f.change, f.enter, f.run})})); // each iteration copies anew
    // reads what the previous iteration copied
    CHECK_FALSE(f.elides({f.repeat({f.run, f.enter})}));
    CHECK(f.elides({f.sequence({f.enter, f.repeat({f.run})})}));                 // nested
    CHECK_FALSE(f.elides({f.sequence({f.enter, f.repeat({f.run, f.change})})})); // the second iteration sees the change
    CHECK_FALSE(f.elides({f.sequence({f.repeat({f.enter}), f.run})}));           // the loop may have no iteration
    CHECK_FALSE(f.elides({f.enter, f.run})); // two programs: the host may do anything between
    CHECK_FALSE(f.elides({f.sequence({f.enter, f.run}), f.run}));
    CHECK(f.elides({f.sequence({f.enter, f.run}), f.change}));
    CHECK_FALSE(f.elides({f.sequence({f.enter, f.run, f.enter, f.run})})); // two copies
  }

  TEST_CASE("functions count as what they do where they are called") {
    CloneFixture f;
    const auto call = [&](std::vector<ProgramPtr> body) {
      auto node = f.node(ProgramKind::Call, "");
      node->arguments = CallArguments{f.graph.functions.push({f.sequence(std::move(body)), "f"})};
      return node;
    };
    const ProgramPtr reads = call({f.run}), changes = call({f.change}), both = call({f.enter, f.run});
    CHECK(f.elides({f.sequence({f.enter, reads, changes})}));
    CHECK_FALSE(f.elides({f.sequence({f.enter, changes, reads})}));
    CHECK_FALSE(f.elides({f.sequence({reads, f.enter, reads})}));
    CHECK(f.elides({f.sequence({both, changes, both})}));
    CHECK_FALSE(f.elides({f.sequence({both, reads})}));
  }

  TEST_CASE("only where nothing moves and nobody has to gather") {
    CloneFixture f;
    const std::vector<MappedRange> swapped{{0, 4, TileId(1)}, {4, 8, TileId(0)}};
    const auto gone = [&](const View &from, GraphVarId to) {
      const auto taker = f.onTile("", f.graph.vars[to].elements, 2);
      const std::string name = "write " + f.graph.names[f.graph.vars[to].name];
      return !contains(f.steps({f.sequence({f.copy(from, f.all(to)), f.copy(f.all(to), f.all(taker))})}), name);
    };
    CHECK(gone(f.all(f.in), f.var("same", 8, f.graph.vars[f.in].mapping)));
    CHECK_FALSE(gone(f.all(f.in), f.var("elsewhere", 8, swapped)));
    CHECK_FALSE(gone(f.strided(f.in, 0, 2, 2), f.onTile("strided", 2, 0)));
    CHECK(gone(f.slice(f.in, 2, 4), f.onTile("part", 2, 0)));            // from byte 8 on
    CHECK_FALSE(gone(f.slice(f.in, 1, 3), f.onTile("unaligned", 2, 0))); // from byte 4 on
    CHECK_FALSE(gone(GraphFixture::concat(f.slice(f.in, 0, 2), f.slice(f.other, 2, 4)), f.onTile("joined", 4, 0)));
    CHECK(gone(GraphFixture::concat(f.slice(f.in, 4, 8), f.slice(f.other, 0, 4)), f.var("two", 8, swapped)));
    CHECK_FALSE(gone(GraphFixture::concat(f.slice(f.in, 0, 2), f.slice(f.in, 0, 2)), f.onTile("twice", 4, 0)));
  }

  TEST_CASE("what else is written, or kept from outside, stays a variable") {
    CloneFixture f;
    const auto all = [&](const ProgramPtr &more) { return f.elides({f.sequence({f.enter, f.run, more})}); };
    CHECK(all(f.copy(f.all(f.clone), f.all(f.other))));
    CHECK_FALSE(all(f.copy(f.slice(f.other, 0, 2), f.slice(f.clone, 0, 2))));
    // A vertex may require that the two are in different memory elements.
    const auto joint = f.computeSet("joint");
    const int two = f.codelet("Two", {f.edge("a", FieldDirection::Input), f.edge("b", FieldDirection::Input)});
    f.vertex(joint, two, 0, {{0, f.slice(f.clone, 0, 4)}, {1, f.slice(f.in, 0, 4)}});
    CHECK_FALSE(all(f.execute(joint)));
    CHECK(all(nullptr));
    f.graph.hostReads.push_back({"clone", f.all(f.clone), false});
    CHECK_FALSE(all(nullptr));
  }

  TEST_CASE("a result that is only copied out is written where it goes") {
    CloneFixture f;
    const auto given = f.var("given", 8, f.graph.vars[f.out].mapping);
    const ProgramPtr leave = f.copy(f.all(f.out), f.all(given), "leave"), sync = f.node(ProgramKind::Sync, ""),
                     read = f.copy(f.slice(given, 0, 4), f.slice(f.other, 0, 4), "read");
    const auto gone = [&](const std::vector<ProgramPtr> &programs) {
      const auto elided = elideCopies(f.graph, programs);
      return elided && elided->copies == 1;
    };
    CHECK(f.steps({f.sequence({f.run, leave})}) ==
          "0 Sequence\n"
          "  1 OnTileExecute: cs #0; 2 vertices; read clone[0,8); write given[0,8)\n");
    CHECK(contains(f.dump({f.sequence({f.run, leave})}), "read out[0,8); write given[0,8)"));
    CHECK(gone({f.sequence({f.run, leave, read})}));
    CHECK(gone({f.sequence({f.run, leave}), f.sequence({read})})); // `given` still has the copied value
    CHECK(gone({f.repeat({read, sync, f.run, leave})}));
    // The previous iteration's result is read before the new one is copied out.
    CHECK_FALSE(gone({f.repeat({f.run, sync, read, leave})}));
    CHECK_FALSE(gone({f.sequence({f.run, f.repeat({read}), leave})}));
    // Something reads or writes the variable after the copy, or elsewhere, so two variables are needed.
    CHECK_FALSE(gone({f.sequence({f.run, leave, f.copy(f.slice(f.out, 0, 4), f.slice(f.other, 0, 4))})}));
    CHECK_FALSE(gone({f.sequence({f.run, leave, f.run})}));
    CHECK_FALSE(gone({f.sequence({leave, f.run})}));
    CHECK_FALSE(gone({f.sequence({f.run}), f.sequence({leave})}));
    CHECK_FALSE(gone({f.sequence({leave})})); // no program writes it
    // Another program writes the destination: before the result is begun, or after the copy, which is allowed because
    // all of it is rewritten.
    const ProgramPtr write = f.copy(f.slice(f.other, 0, 4), f.slice(given, 0, 4), "write");
    CHECK(gone({f.sequence({f.run, leave, write})}));
    CHECK(gone({f.sequence({f.run, leave}), f.sequence({write})}));
    CHECK(gone({f.repeat({write, sync, f.run, leave})}));
    CHECK_FALSE(gone({f.sequence({f.run, write, leave})}));
    f.graph.hostWrites.push_back({"given", f.all(given), true});
    CHECK(gone({f.sequence({f.run, leave})}));
    f.graph.hostWrites.clear();
    f.graph.hostReads.push_back({"given", f.all(given), false});
    CHECK(gone({f.sequence({f.run, leave})}));
    f.graph.hostReads.push_back({"out", f.all(f.out), false});
    CHECK_FALSE(gone({f.sequence({f.run, leave})}));
  }

  TEST_CASE(
      "a result of which a part stays from the last time is written where it goes only if nobody else writes that") {
    CloneFixture f;
    const auto given = f.var("given", 8, f.graph.vars[f.out].mapping);
    const ComputeSetId half = f.computeSet("half");
    f.vertex(half, f.moveCodelet(), 0, {{0, f.slice(f.clone, 0, 4)}, {1, f.slice(f.out, 0, 4)}});
    const ProgramPtr run = f.execute(half), leave = f.copy(f.all(f.out), f.all(given), "leave"),
                     write = f.copy(f.slice(f.other, 0, 4), f.slice(given, 0, 4), "write");
    const auto undef = f.node(ProgramKind::WriteUndef, "");
    undef->a = f.all(f.out);
    const auto gone = [&](const std::vector<ProgramPtr> &programs) {
      const auto elided = elideCopies(f.graph, programs);
      return elided && elided->copies == 1;
    };
    CHECK(gone({f.sequence({run, leave})}));
    CHECK_FALSE(gone({f.sequence({run, leave, write})}));
    CHECK_FALSE(gone({f.sequence({run, leave}), f.sequence({write})}));
    // A WriteUndef before it discards the part from the previous run.
    CHECK(gone({f.sequence({undef, run, leave}), f.sequence({write})}));
    CHECK(contains(f.steps({f.sequence({undef, run, leave}), f.sequence({write})}), "undef given[0,8)"));
    f.graph.hostWrites.push_back({"given", f.all(given), true});
    CHECK_FALSE(gone({f.sequence({run, leave})}));
  }

  TEST_CASE("a clone's WriteUndef goes with the clone: its source keeps its value") {
    CloneFixture f;
    const auto undef = f.node(ProgramKind::WriteUndef, "");
    undef->a = GraphFixture::concat(f.all(f.clone), f.all(f.other));
    for (const auto &program : {f.sequence({undef, f.enter, f.run}), f.sequence({f.enter, f.run, undef})}) {
      const std::string steps = f.steps({program});
      CHECK(contains(steps, "read in[0,8); write out[0,8)"));
      CHECK(contains(steps, "undef other[0,8)"));
      CHECK_FALSE(contains(steps, "undef in"));
      CHECK_FALSE(contains(steps, "clone"));
    }
    // A WriteUndef of the source counts as a write.
    const auto source = f.node(ProgramKind::WriteUndef, "");
    source->a = f.all(f.in);
    CHECK(f.elides({f.sequence({f.enter, f.run, source})}));
    CHECK_FALSE(f.elides({f.sequence({f.enter, source, f.run})}));
  }

  TEST_CASE("a result is written where it goes only if that lies alike") {
    CloneFixture f;
    const auto gone = [&](const View &from, const View &to) {
      return !contains(f.steps({f.sequence({f.run, f.copy(from, to)})}), "read out");
    };
    CHECK(gone(f.all(f.out), f.all(f.in)));
    CHECK_FALSE(gone(f.slice(f.out, 0, 4), f.slice(f.in, 0, 4))); // only half of it
    CHECK_FALSE(gone(f.all(f.out), f.all(f.var("elsewhere", 8, {{0, 4, TileId(1)}, {4, 8, TileId(0)}}))));
    // In reverse order, each vertex would have to write from high addresses to low ones.
    CHECK_FALSE(gone(f.all(f.out), f.strided(f.in, 7, -1, 8)));
    CHECK(gone(f.all(f.out), GraphFixture::concat(f.all(f.onTile("a", 4, 0)), f.all(f.onTile("b", 4, 1)))));
    f.graph.vars[f.in].initial = std::vector<std::uint8_t>(32);
    CHECK_FALSE(gone(f.all(f.out), f.all(f.in)));
  }
}
