// A kill counts elements, not accesses: tests the array rule on lowered graphs through every kind of view. Points are
// named Sync programs, which access no variable.
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "tests/unit/lowering/GraphFixture.hpp"

#include <doctest/doctest.h>

using namespace popscope;

namespace {

struct ElementFixture : GraphFixture {
  ElementFixture() : GraphFixture(4) {}
  int sink = codelet("Sink", {edge("in", FieldDirection::Input)});
  int fill = codelet("Fill", {edge("out", FieldDirection::Output)});
  int update = codelet("Update", {edge("x", FieldDirection::InOut)});
  StepProgram program;
  LiveRanges ranges;

  static ProgramPtr point(const std::string &name) {
    auto p = node(ProgramKind::Sync, name);
    p->arguments = SyncArguments{1};
    return p;
  }
  /// Adds one compute set with a vertex of the codelet for each view, on the view's tile.
  ProgramPtr vertices(int codeletIndex, const std::vector<std::pair<std::uint32_t, View>> &views) {
    const ComputeSetId cs = computeSet("cs" + std::to_string(graph.computeSets.size()));
    for (const auto &[tile, view] : views)
      vertex(cs, codeletIndex, tile, {{0, view}});
    return execute(cs);
  }
  ProgramPtr write(GraphVarId v) { return vertices(fill, {{0, all(v)}}); }
  ProgramPtr read(GraphVarId v) { return vertices(sink, {{0, all(v)}}); }
  std::shared_ptr<ProgramNode> hostCopy(ProgramKind kind, const View &view, std::uint64_t rows = 1) {
    GraphStream s;
    s.handle = "s" + std::to_string(graph.streams.size());
    s.elements = view.elements();
    s.repeats = rows;
    s.kind = kind == ProgramKind::StreamToTensor   ? GraphStream::Kind::HostToDevice
             : kind == ProgramKind::TensorToStream ? GraphStream::Kind::DeviceToHost
                                                   : GraphStream::Kind::Remote;
    auto p = node(kind, "io");
    p->arguments = HostCopyArguments{graph.streams.push(s)};
    (kind == ProgramKind::StreamToTensor || kind == ProgramKind::RemoteToTensor ? p->b : p->a) = view;
    return p;
  }
  void analyse(const std::vector<ProgramPtr> &programs) {
    program = lower(programs);
    ranges = analyseLiveness(program);
    for (const std::string &finding : checkLiveness(program, ranges))
      FAIL_CHECK(finding);
  }
  [[nodiscard]] VarId varOf(GraphVarId v) const {
    for (std::size_t i = 0; i < program.vars.size(); ++i)
      if (program.vars.raw()[i].graphVar == static_cast<std::int64_t>(v.index()))
        return program.vars.idAt(i);
    FAIL("the variable was not lowered");
    return VarId();
  }
  [[nodiscard]] bool live(GraphVarId v, const std::string &at) const {
    for (std::size_t s = 0; s < program.steps.size(); ++s)
      if (program.names[program.steps.raw()[s].name] == at)
        return ranges.contains(ranges.live[varOf(v)], program.steps.idAt(s));
    FAIL("no point " << at);
    return false;
  }
  /// Builds "write v; [here]; what; read v" and returns whether v is live at [here].
  bool liveBefore(GraphVarId v, const ProgramPtr &what) {
    analyse({sequence({write(v), point("here"), what, read(v)})});
    return live(v, "here");
  }
  View reversed(GraphVarId v) const { return strided(v, graph.vars[v].elements - 1, -1, graph.vars[v].elements); }
};

} // namespace

TEST_SUITE("liveness.elements") {
  TEST_CASE("vertices of one compute set that write disjoint parts kill together, on one tile or on many") {
    for (const std::uint32_t otherTile : {0U, 1U, 3U}) {
      for (const std::uint64_t split : {2U, 5U}) {
        ElementFixture f;
        const auto v = f.var("v", 8, {{0, split, TileId(0)}, {split, 8, TileId(otherTile == 0 ? 0 : 1)}});
        CHECK_FALSE(f.liveBefore(v, f.vertices(f.fill, {{0, f.slice(v, 0, 3)}, {otherTile, f.slice(v, 3, 8)}})));
      }
      ElementFixture f;
      const auto v = f.onTile("v", 8, 0);
      CHECK(f.liveBefore(v, f.vertices(f.fill, {{0, f.slice(v, 0, 3)}, {otherTile, f.slice(v, 4, 8)}})));
    }
  }

  TEST_CASE("a vertex on another tile kills when its outputs have come back") {
    ElementFixture f;
    const auto v = f.onTile("v", 4, 0);
    CHECK_FALSE(f.liveBefore(v, f.vertices(f.fill, {{2, f.all(v)}})));
    CHECK(f.liveBefore(v, f.vertices(f.fill, {{2, f.slice(v, 1, 4)}})));
  }

  TEST_CASE("strided views kill together when they meet every element") {
    ElementFixture f;
    const auto v = f.onTile("v", 6, 0);
    const View even = f.strided(v, 0, 2, 3), odd = f.strided(v, 1, 2, 3);
    CHECK_FALSE(f.liveBefore(v, f.vertices(f.fill, {{0, even}, {1, odd}})));
    CHECK(f.liveBefore(v, f.vertices(f.fill, {{0, even}})));
    CHECK(f.liveBefore(v, f.vertices(f.fill, {{0, even}, {1, f.strided(v, 1, 2, 2)}})));
    CHECK_FALSE(f.liveBefore(v, f.vertices(f.fill, {{0, f.reversed(v)}})));
  }

  TEST_CASE("a view of two variables kills those of which it holds all elements") {
    ElementFixture f;
    const auto v = f.onTile("v", 4, 0), w = f.onTile("w", 4, 1);
    const auto both = f.vertices(f.fill, {{0, ElementFixture::concat(f.all(v), f.slice(w, 0, 3))}});
    f.analyse({ElementFixture::sequence(
        {f.write(v), f.write(w), ElementFixture::point("here"), both, f.read(v), f.read(w)})});
    CHECK_FALSE(f.live(v, "here"));
    CHECK(f.live(w, "here"));
  }

  TEST_CASE("two halves kill in one compute set or one copy, and not in two") {
    ElementFixture f;
    const auto v = f.onTile("v", 4, 0), low = f.onTile("low", 2, 0), high = f.onTile("high", 2, 1);
    const View first = f.slice(v, 0, 2), second = f.slice(v, 2, 4);
    CHECK(f.liveBefore(
        v, ElementFixture::sequence({f.vertices(f.fill, {{0, first}}), f.vertices(f.fill, {{0, second}})})));
    CHECK(f.liveBefore(v, ElementFixture::sequence(
                              {ElementFixture::copy(f.all(low), first), ElementFixture::copy(f.all(high), second)})));
    CHECK_FALSE(f.liveBefore(v, ElementFixture::copy(ElementFixture::concat(f.all(low), f.all(high)), f.all(v))));
  }

  TEST_CASE("a broadcast source is read, and its copy kills the whole destination") {
    ElementFixture f;
    const auto v = f.onTile("v", 4, 0), one = f.onTile("one", 1, 1);
    f.analyse({ElementFixture::sequence({f.write(v), f.write(one), ElementFixture::point("here"),
                                         ElementFixture::copy(f.strided(one, 0, 0, 4), f.all(v)),
                                         ElementFixture::point("after"), f.read(v)})});
    CHECK_FALSE(f.live(v, "here"));
    CHECK(f.live(one, "here"));
    CHECK_FALSE(f.live(one, "after"));
    CHECK(f.live(v, "after"));
  }

  TEST_CASE("a buffer for a message of halves is live from the exchange that fills it to its reader") {
    for (const ElementType type : {ElementType::Half, ElementType::UnsignedChar}) {
      ElementFixture f;
      const auto v = f.onTile("v", 16, 0, type), w = f.onTile("w", 16, 1, type);
      // Elements 1, 6 and 11, then 5 to 8, whose words contain further elements.
      const View apart = ElementFixture::concat(f.strided(v, 1, 5, 3), f.strided(w, 1, 5, 3));
      const View inside = f.slice(w, 5, 9);
      f.analyse(
          {ElementFixture::sequence({f.write(v), f.write(w), ElementFixture::point("here"),
                                     f.vertices(f.sink, {{2, apart}, {3, inside}}), ElementFixture::point("there")})});
      std::size_t messages = 0;
      for (std::size_t i = 0; i < f.program.vars.size(); ++i)
        if (const StepVar &var = f.program.vars.raw()[i]; var.category == StorageCategory::Message) {
          ++messages;
          for (std::size_t s = 0; s < f.program.steps.size(); ++s)
            if (const Step &step = f.program.steps.raw()[s]; step.kind == StepKind::Sync) {
              INFO(f.program.names[var.name] << " at " << f.program.names[step.name]);
              CHECK_FALSE(f.ranges.contains(f.ranges.live[f.program.vars.idAt(i)], f.program.steps.idAt(s)));
            }
        }
      CHECK(messages >= 2);
    }
  }

  TEST_CASE("a vertex reads its InOut fields before it writes them, whatever their extent") {
    ElementFixture f;
    const auto v = f.onTile("v", 4, 0);
    CHECK(f.liveBefore(v, f.vertices(f.update, {{0, f.all(v)}})));
    CHECK(f.liveBefore(v, f.vertices(f.update, {{2, f.all(v)}})));
    CHECK(f.liveBefore(v, f.vertices(f.update, {{0, f.slice(v, 0, 1)}})));
  }

  TEST_CASE("a copy within one variable reads it first") {
    ElementFixture f;
    const auto v = f.onTile("v", 6, 0);
    CHECK(f.liveBefore(v, ElementFixture::copy(f.slice(v, 0, 4), f.slice(v, 2, 6)))); // overlapping
    CHECK(f.liveBefore(v, ElementFixture::copy(f.slice(v, 0, 3), f.slice(v, 3, 6))));
    CHECK(f.liveBefore(v, ElementFixture::copy(f.reversed(v), f.all(v)))); // overwrites all elements, but reads its own
  }

  TEST_CASE("a stream or a remote buffer kills what it overwrites whole, and reads what it takes") {
    for (const ProgramKind load : {ProgramKind::StreamToTensor, ProgramKind::RemoteToTensor}) {
      ElementFixture f;
      const auto v = f.var("v", 4, {{0, 2, TileId(0)}, {2, 4, TileId(3)}});
      CHECK_FALSE(f.liveBefore(v, f.hostCopy(load, f.all(v))));
      CHECK(f.liveBefore(v, f.hostCopy(load, f.slice(v, 0, 3))));
    }
    for (const ProgramKind store : {ProgramKind::TensorToStream, ProgramKind::TensorToRemote}) {
      ElementFixture f;
      const auto v = f.onTile("v", 4, 1);
      f.analyse({ElementFixture::sequence({f.write(v), ElementFixture::point("here"),
                                           f.hostCopy(store, f.slice(v, 0, 1)), ElementFixture::point("after")})});
      CHECK(f.live(v, "here"));
      CHECK_FALSE(f.live(v, "after"));
    }
  }

  TEST_CASE("the row number of a remote buffer is read by its copy") {
    ElementFixture f;
    const auto v = f.onTile("v", 4, 1), row = f.onTile("row", 1, 2, ElementType::UnsignedInt);
    const auto load = f.hostCopy(ProgramKind::RemoteToTensor, f.all(v), 3);
    load->offset = f.all(row);
    f.analyse({ElementFixture::sequence(
        {f.write(row), ElementFixture::point("here"), load, ElementFixture::point("after"), f.read(v)})});
    CHECK(f.live(row, "here"));
    CHECK_FALSE(f.live(row, "after"));
  }

  TEST_CASE("host writes and reads are programs that may run at any time") {
    ElementFixture f;
    const auto in = f.onTile("in", 4, 0), out = f.onTile("out", 4, 0), part = f.onTile("part", 4, 0);
    f.graph.hostWrites.push_back({"in", f.all(in)});
    f.graph.hostWrites.push_back({"part", f.slice(part, 0, 2)});
    f.graph.hostReads.push_back({"out", f.all(out)});
    const ProgramPtr main =
        ElementFixture::sequence({ElementFixture::point("start"), f.read(in), f.read(part),
                                  ElementFixture::point("middle"), f.write(out), ElementFixture::point("end")});
    f.analyse({main});
    CHECK(f.live(in, "start")); // the next run may start without a host write
    CHECK(f.live(in, "end"));
    CHECK(f.live(part, "middle"));
    CHECK(f.live(out, "start") == false); // every later read gets the value that this run writes
    CHECK_FALSE(f.live(out, "middle"));
    CHECK(f.live(out, "end"));
  }

  TEST_CASE("a loop that may run zero times does not kill, one that runs does") {
    for (const ProgramKind kind : {ProgramKind::RepeatWhileTrue, ProgramKind::RepeatWhileFalse, ProgramKind::Repeat})
      for (const std::uint32_t count : {0U, 1U, 5U}) {
        ElementFixture f;
        const auto v = f.onTile("v", 4, 0), pred = f.onTile("pred", 1, 0, ElementType::Bool);
        const auto loop = kind == ProgramKind::Repeat ? ElementFixture::node(kind, "loop", {f.write(v)})
                                                      : ElementFixture::node(kind, "loop", {nullptr, f.write(v)});
        loop->a = f.all(pred);
        loop->arguments = RepeatArguments{count};
        CHECK(f.liveBefore(v, loop) == (kind != ProgramKind::Repeat || count == 0));
      }
  }

  TEST_CASE("constants never die, and what nothing reads is not live") {
    ElementFixture f;
    const auto used = f.constant("used", std::vector<std::uint8_t>(8), 0),
               unused = f.constant("unused", std::vector<std::uint8_t>(8), 1);
    const auto silent = f.onTile("silent", 4, 0);
    f.analyse(
        {ElementFixture::sequence({f.read(used), f.write(silent), f.vertices(f.sink, {{1, f.slice(unused, 0, 1)}}),
                                   ElementFixture::point("end")})});
    CHECK(f.live(used, "end"));
    CHECK(f.ranges.always[f.varOf(used)] == 1);
    CHECK(f.ranges.always[f.varOf(unused)] == 1);
    CHECK_FALSE(f.live(silent, "end"));
    CHECK(f.ranges.live[f.varOf(silent)] == LiveClassId(0));
  }

  TEST_CASE("WriteUndef through a view ends the variable when the view holds all its elements") {
    ElementFixture f;
    const auto v = f.onTile("v", 6, 0);
    const auto undef = [](const View &view) {
      auto p = ElementFixture::node(ProgramKind::WriteUndef, "");
      p->a = view;
      return p;
    };
    CHECK_FALSE(f.liveBefore(v, undef(f.reversed(v))));
    CHECK_FALSE(f.liveBefore(v, undef(ElementFixture::concat(f.strided(v, 1, 2, 3), f.strided(v, 0, 2, 3)))));
    CHECK(f.liveBefore(v, undef(f.strided(v, 0, 2, 3))));
  }
}
