// Overlapping operands of one tile share one buffer, so that data that several vertices read arrives once.
#include "GraphFixture.hpp"
#include <doctest/doctest.h>

using namespace popscope;

namespace {
std::uint64_t bytesReceived(const StepProgram &p) {
  std::uint64_t bytes = 0;
  for (const Message &m : p.messages)
    bytes += m.bytes.count();
  return bytes;
}
/// Adds a vertex on tile 1 that reads `view` and writes as many elements there.
void reader(GraphFixture &f, ComputeSetId cs, const View &view, std::uint32_t alignment = 1) {
  FieldInfo in = GraphFixture::edge("in", FieldDirection::Input);
  in.minAlign = alignment;
  const int codelet = f.codelet("Read" + std::to_string(f.graph.vertices.size()),
                                {in, GraphFixture::edge("out", FieldDirection::Output)});
  const auto out = f.onTile("out", view.elements(), 1, view.type);
  f.vertex(cs, codelet, 1, {{0, view}, {1, f.all(out)}});
}
struct Place {
  HomeId home;
  Bytes offset;
};
bool operator==(const Place &a, const Place &b) { return a.home == b.home && a.offset == b.offset; }
/// Returns the place of each vertex's input, in the order of addition.
std::vector<Place> inputs(const StepProgram &p) {
  std::vector<Place> places;
  for (const StepVertex &v : p.vertices)
    places.push_back({p.edges[v.firstEdge].home, p.edges[v.firstEdge].offset});
  return places;
}
} // namespace

TEST_SUITE("lowering.share") {

  TEST_CASE("a strided reduction of four workers receives its 128 bytes once") {
    // PopLibs 1.2, bert_reduce_0: four vertices per tile add four rows of 16 halves, four columns each. The rows come
    // from eight tiles, 16 bytes from each. A vertex's operand extends from its first row to its last: 104 bytes, so
    // 416 for the four vertices.
    GraphFixture f(10);
    std::vector<MappedRange> mapping;
    for (std::uint32_t t = 0; t < 8; ++t)
      mapping.push_back({t * 8u, t * 8u + 8u, TileId(t + 2)});
    const auto partials = f.var("partials", 64, mapping, ElementType::Half);
    const auto cs = f.computeSet("cs");
    for (std::uint64_t column = 0; column < 16; column += 4)
      reader(f, cs, f.slice(partials, column, column + 52), 8);
    const StepProgram p = f.lower({f.execute(cs)});
    CHECK(bytesReceived(p) == 128);
    CHECK(p.messages.size() == 8);
    const HomeId home = inputs(p)[0].home;
    CHECK(p.homes[home].elements == 64);
    CHECK(inputs(p) == std::vector<Place>{{home, Bytes(0)}, {home, Bytes(8)}, {home, Bytes(16)}, {home, Bytes(24)}});
  }

  TEST_CASE("lists of pieces overlap, too: the second goes on where the first ends") {
    GraphFixture f;
    const auto x = f.onTile("x", 64, 0), y = f.onTile("y", 64, 2);
    const auto cs = f.computeSet("cs");
    const View a = f.slice(x, 40, 44), b = f.slice(y, 8, 12), c = f.slice(x, 0, 4), d = f.slice(y, 20, 22);
    reader(f, cs, GraphFixture::concat(GraphFixture::concat(a, b), c));
    reader(f, cs, GraphFixture::concat(GraphFixture::concat(b, c), d));
    const StepProgram p = f.lower({f.execute(cs)});
    // The buffer that is first in memory starts with x 40, and y comes later: 14 elements in all, of which the two
    // operands name 12 and 10.
    CHECK(bytesReceived(p) == 14 * 4);
    CHECK(inputs(p)[1] == Place{inputs(p)[0].home, Bytes(4 * 4)});
  }

  TEST_CASE("an operand that is a part of another lies in it, whatever the order of the vertices") {
    for (const bool partFirst : {false, true}) {
      CAPTURE(partFirst);
      GraphFixture f;
      const auto x = f.onTile("x", 32, 0);
      const auto cs = f.computeSet("cs");
      reader(f, cs, partFirst ? f.slice(x, 8, 12) : f.slice(x, 4, 20));
      reader(f, cs, partFirst ? f.slice(x, 4, 20) : f.slice(x, 8, 12));
      const StepProgram p = f.lower({f.execute(cs)});
      CHECK(bytesReceived(p) == 64);
      const auto whole = inputs(p)[partFirst ? 1 : 0], part = inputs(p)[partFirst ? 0 : 1];
      CHECK(whole.offset.count() == 0);
      CHECK(part == Place{whole.home, Bytes(16)});
    }
  }

  TEST_CASE("what would not be aligned or is in another order has a buffer of its own") {
    GraphFixture f;
    const auto x = f.onTile("x", 32, 0);
    const auto aligned = f.computeSet("aligned"), reversed = f.computeSet("reversed");
    reader(f, aligned, f.slice(x, 0, 8), 8);
    reader(f, aligned, f.slice(x, 3, 11), 8); // 12 bytes after an aligned address
    CHECK(bytesReceived(f.lower({f.execute(aligned)})) == 64);
    reader(f, reversed, f.slice(x, 0, 8));
    reader(f, reversed, f.strided(x, 7, -1, 8));
    CHECK(bytesReceived(f.lower({f.execute(reversed)})) == 64);
  }

  TEST_CASE("operands that only touch are two buffers") {
    GraphFixture f;
    const auto x = f.onTile("x", 32, 0);
    const auto cs = f.computeSet("cs");
    reader(f, cs, f.slice(x, 0, 8));
    reader(f, cs, f.slice(x, 8, 16));
    const StepProgram p = f.lower({f.execute(cs)});
    CHECK(bytesReceived(p) == 64);
    CHECK(inputs(p)[0].home != inputs(p)[1].home);
  }
}
