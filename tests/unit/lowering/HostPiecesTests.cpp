// Pieces of host copies: joined and grouped pieces represent the same bytes in the same order, and cover the same
// ranges.
#include "graph/lowering/HostPieces.hpp"

#include "GraphFixture.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>

using namespace popscope;

namespace {

constexpr std::uint64_t kSize = 4; // bytes of an element

/// The (home, offset) of every element, in order.
using Elements = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

void append(const HomeBytes &piece, Elements &out) {
  for (std::uint64_t at = 0; at != piece.bytes.count(); at += kSize)
    out.emplace_back(piece.home.index(), piece.offset.count() + at);
}
Elements elementsOf(const std::vector<HomePieces> &pieces) {
  Elements out;
  for (const HomePieces &p : pieces)
    for (std::uint32_t i = 0; i != p.count; ++i)
      append(p.at(i), out);
  return out;
}
HomeBytes piece(std::uint32_t home, std::uint64_t element, std::uint64_t count = 1) {
  return {HomeId(home), Bytes(element * kSize), Bytes(count * kSize)};
}
std::vector<HomePieces> joinedPieces(const std::vector<HomeBytes> &pieces) {
  std::vector<HomePieces> out;
  PieceJoiner joiner(out);
  for (const HomeBytes &p : pieces)
    joiner.add(p);
  joiner.finish();
  return out;
}

} // namespace

TEST_SUITE("lowering.host pieces") {

  TEST_CASE("neighbours are one piece, equal distances one row, upwards and downwards") {
    const auto rows = joinedPieces({piece(0, 0), piece(0, 1), piece(0, 10, 2), piece(0, 20, 2), piece(0, 9),
                                    piece(0, 7), piece(0, 5), piece(1, 3), piece(1, 3)});
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].count == 3); // elements 0, 10 and 20, two each
    CHECK(rows[0].step == 10 * kSize);
    CHECK(rows[0].bytes().count() == 6 * kSize);
    CHECK(rows[1].step == -2 * static_cast<std::int64_t>(kSize));
    CHECK(rows[1].at(2).offset.count() == 5 * kSize);
    CHECK(rows[2].count == 2); // one element, twice
    CHECK(rows[2].step == 0);
    CHECK(joinedPieces({}).empty());
  }

  TEST_CASE("random pieces keep their order, and cover what a set of elements has") {
    GraphFixture f;
    const auto a = f.onTile("a", 300, 0), b = f.onTile("b", 300, 1);
    const StepProgram p = f.lower({f.copy(f.all(a), f.all(b))});
    REQUIRE(p.homes.size() >= 2);
    std::mt19937 random(11);
    for (int round = 0; round != 200; ++round) {
      std::vector<HomeBytes> pieces;
      Elements all;
      std::set<std::pair<std::uint32_t, std::uint64_t>> covered;
      for (unsigned groups = 1 + random() % 6; groups != 0; --groups) {
        const std::uint32_t home = random() % 2;
        const std::int64_t step = static_cast<std::int64_t>(random() % 21) - 10;
        const std::uint64_t width = 1 + random() % 3;
        std::int64_t at = static_cast<std::int64_t>(random() % 290);
        for (unsigned n = 1 + random() % 9; n != 0 && at >= 0 && at + 3 <= 300; --n, at += step)
          pieces.push_back(piece(home, static_cast<std::uint64_t>(at), width));
      }
      for (const HomeBytes &one : pieces)
        append(one, all);
      covered.insert(all.begin(), all.end());
      const std::vector<HomePieces> rows = joinedPieces(pieces);
      REQUIRE(elementsOf(rows) == all);
      Elements cover;
      const HomeBytes *last = nullptr;
      const std::vector<HomeBytes> ranges = coverOf(p, rows);
      for (const HomeBytes &range : ranges) {
        REQUIRE((last == nullptr || last->home < range.home ||
                 (last->home == range.home && last->offset + last->bytes < range.offset)));
        last = &range;
        append(range, cover);
      }
      REQUIRE(cover == Elements(covered.begin(), covered.end()));
    }
  }

  TEST_CASE("a tensor in another order than its tiles' is a row for each distance") {
    GraphFixture f;
    const auto x = f.var("x", 4096, {{0, 2048, TileId(0)}, {2048, 4096, TileId(1)}});
    View byColumns = f.strided(x, 0, 64, 64); // 64 rows of 64; the stream has the columns
    for (std::uint64_t column = 1; column != 64; ++column)
      byColumns = GraphFixture::concat(byColumns, f.strided(x, column, 64, 64));
    GraphStream s;
    s.handle = "in";
    s.kind = GraphStream::Kind::HostToDevice;
    s.elements = 4096;
    const auto copy = GraphFixture::node(ProgramKind::StreamToTensor, "io");
    copy->arguments = HostCopyArguments{f.graph.streams.push(s)};
    copy->b = byColumns;
    const StepProgram p = f.lower({copy});
    verifySteps(p);
    CHECK(p.transfers.size() == 128); // one row per column and tile
    CHECK(p.streamCopies[0].bytes.count() == 4096 * kSize);
  }
}
