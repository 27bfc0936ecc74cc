// Random graphs, valid by construction, lowered and replayed element by element.
#include "GraphFixture.hpp"
#include "ReferenceLower.hpp"
#include "base/Parallel.hpp"
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace popscope;

namespace {

class RandomGraph {
public:
  /// With `equal`, constants have common values; otherwise all their elements differ.
  explicit RandomGraph(unsigned seed, bool equal = true) : random_(seed), fixture(1 + pick(4), 1 + pick(2)) {
    const std::uint32_t tiles = fixture.graph.machine.numTiles();
    for (int v = 0; v < 3; ++v) {
      const std::uint64_t elements = 8 + pick(24);
      std::vector<MappedRange> mapping;
      for (std::uint64_t at = 0; at < elements;) {
        const std::uint64_t end = std::min<std::uint64_t>(elements, at + 1 + pick(6));
        const TileId tile(static_cast<std::uint32_t>(pick(tiles)));
        if (!mapping.empty() && mapping.back().tile == tile)
          mapping.back().end = end;
        else
          mapping.push_back({at, end, tile});
        at = end;
      }
      vars_.push_back(fixture.var("v" + std::to_string(v), elements, mapping));
    }
    const auto steps = [](std::uint8_t first) { // eight elements: first, first + 1, ...
      std::vector<std::uint8_t> bytes(32, 0);
      for (std::uint8_t e = 0; e < 8; ++e)
        bytes[4 * e] = static_cast<std::uint8_t>(first + e);
      return bytes;
    };
    const std::vector<std::uint8_t> twos{2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0,
                                         2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0};
    constants_ = {fixture.constant("two", equal ? twos : steps(24), pick(tiles)),
                  fixture.constant("steps", steps(equal ? 0 : 8), pick(tiles)),
                  fixture.constant("again", steps(equal ? 0 : 16), pick(tiles))};
    const int codelet =
        fixture.codelet("Any", {fixture.edge("in", FieldDirection::Input), fixture.edge("out", FieldDirection::Output),
                                fixture.edge("both", FieldDirection::InOut)});
    for (int c = 0; c < 2; ++c)
      addComputeSet(codelet, tiles);
    for (int i = 0; i < 12; ++i)
      leaves.push_back(pick(4) == 0 ? fixture.execute(ComputeSetId(static_cast<std::uint32_t>(pick(2))))
                                    : randomCopy());
  }

private:
  std::mt19937 random_;

public:
  GraphFixture fixture;
  std::vector<ProgramPtr> leaves;

private:
  std::uint32_t pick(std::uint64_t n) { return static_cast<std::uint32_t>(random_() % n); }

  View randomView(GraphVarId v, std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t a = begin + pick(end - begin), b = a + 1 + pick(end - a);
    switch (pick(5)) {
    case 0: return fixture.strided(v, b - 1, -1, b - a);
    case 1: return fixture.strided(v, a, 2, (b - a + 1) / 2);
    case 2: return GraphFixture::concat(fixture.slice(v, a, b), fixture.slice(v, begin, begin + 1));
    case 3: return fixture.strided(v, a, 0, 1 + pick(3));
    default: return fixture.slice(v, a, b);
    }
  }
  /// Returns a view that names each element once.
  View distinctView(GraphVarId v, std::uint64_t begin, std::uint64_t end) {
    switch (pick(3)) {
    case 0: return fixture.strided(v, end - 1, -1, end - begin);
    case 1: return fixture.strided(v, begin, 2, (end - begin + 1) / 2);
    default: return fixture.slice(v, begin, end);
    }
  }
  /// Adds vertices that write separate slices of one variable and read the others.
  void addComputeSet(int codelet, std::uint32_t tiles) {
    const auto cs = fixture.computeSet("cs");
    const std::uint32_t written = pick(3);
    const std::uint64_t elements = fixture.graph.vars[vars_[written]].elements;
    for (std::uint64_t at = 0; at + 4 <= elements; at += 4) {
      const GraphVarId source = vars_[(written + 1 + pick(2)) % 3];
      const bool readsOwn = pick(6) == 0; // reads its own output through another field
      View in = readsOwn ? fixture.slice(vars_[written], at, at + 2)
                         : randomView(source, 0, fixture.graph.vars[source].elements);
      if (const std::uint32_t how = pick(6); how == 0 && !readsOwn)
        in = randomView(constants_[pick(3)], 0, 8);
      else if (how == 1)
        in = GraphFixture::concat(in, randomView(constants_[pick(3)], 0, 8));
      fixture.vertex(
          cs, codelet, pick(tiles),
          {{0, in}, {1, distinctView(vars_[written], at, at + 2)}, {2, distinctView(vars_[written], at + 2, at + 4)}});
    }
  }
  ProgramPtr randomCopy() {
    const GraphVarId from = pick(5) == 0 ? constants_[pick(3)] : vars_[pick(3)], to = vars_[pick(3)];
    const std::uint64_t count = 1 + pick(8);
    const std::uint64_t a = pick(fixture.graph.vars[from].elements - count + 1),
                        b = pick(fixture.graph.vars[to].elements - count + 1);
    const View source =
        pick(3) == 0 ? fixture.strided(from, a + count - 1, -1, count) : fixture.slice(from, a, a + count);
    return fixture.copy(source, fixture.slice(to, b, b + count));
  }

  std::vector<GraphVarId> vars_, constants_;
};

bool isMerged(const StepProgram &p) {
  return std::any_of(p.accesses.begin(), p.accesses.end(), [](const Access &a) { return a.member > 0; });
}

std::map<std::uint32_t, std::uint64_t> messageBytes(const StepProgram &p, SourceId source, bool after) {
  std::map<std::uint32_t, std::uint64_t> bytes;
  bool computed = false;
  for (const Step &s : p.steps) {
    if (s.source != source)
      continue;
    if (s.kind == StepKind::OnTileExecute && p.executes[s.payload].numVertices > 0)
      computed = true;
    if ((s.kind != StepKind::DoExchange && s.kind != StepKind::GlobalExchange) || computed != after)
      continue;
    const ExchangeStep &e = p.exchanges[s.payload];
    for (std::uint32_t m = e.firstMessage; m < e.firstMessage + e.numMessages; ++m)
      if (p.homes[p.messages[m].src].tile !=
          p.homes[p.messages[m].dst].tile) // a tile may receive what it sends to others
        bytes[p.homes[p.messages[m].dst].tile.index()] += p.messages[m].bytes.count();
  }
  return bytes;
}

} // namespace

TEST_SUITE("lowering.reference") {

  TEST_CASE("replayed element by element, every vertex sees the old values and every write arrives") {
    for (unsigned seed = 0; seed < 300; ++seed) {
      CAPTURE(seed);
      RandomGraph r(seed);
      const StepProgram p = r.fixture.lower({GraphFixture::sequence(r.leaves)});
      CHECK(replay(r.fixture.graph, r.leaves, p) == "");
    }
  }

  TEST_CASE("merged or not, copies leave the same values") {
    unsigned merged = 0;
    for (unsigned seed = 0; seed < 600; ++seed) {
      CAPTURE(seed);
      RandomGraph r(seed);
      for (const std::uint64_t bytes : {std::uint64_t(0), std::uint64_t(40), ~std::uint64_t(0)}) {
        LoweringOptions options;
        options.maxCopyMergeBytes = bytes;
        const StepProgram p = r.fixture.lower({GraphFixture::sequence(r.leaves)}, options);
        merged += isMerged(p) ? 1 : 0;
        CHECK_FALSE((bytes == 0 && isMerged(p)));
        CHECK(replay(r.fixture.graph, r.leaves, p) == "");
      }
    }
    CHECK(merged > 300);
  }

  TEST_CASE("received at its place or sorted from what arrived, every element is the same") {
    unsigned sorted = 0;
    for (unsigned seed = 0; seed < 600; ++seed) {
      CAPTURE(seed);
      RandomGraph r(seed);
      LoweringOptions options;
      options.sortsAsSent = true;
      const StepProgram p = r.fixture.lower({GraphFixture::sequence(r.leaves)}, options);
      CHECK(replay(r.fixture.graph, r.leaves, p) == "");
      sorted += p.copies.size() > r.fixture.lower({GraphFixture::sequence(r.leaves)}).copies.size() ? 1 : 0;
    }
    CHECK(sorted > 300);
  }

  TEST_CASE("the replay notices copies that were merged although one needs the other") {
    GraphFixture f;
    const auto a = f.onTile("a", 4, 0), b = f.onTile("b", 4, 1), c = f.onTile("c", 4, 2);
    const std::vector<ProgramPtr> leaves{f.copy(f.all(a), f.all(b)), f.copy(f.all(b), f.all(c))};
    StepProgram p = f.lower({GraphFixture::sequence(leaves)});
    CHECK(replay(f.graph, leaves, p) == "");
    REQUIRE(p.exchanges.size() == 2);
    p.steps[StepIndex(4)].source = p.steps[StepIndex(2)].source; // both exchanges as one,
    p.exchanges[0].numMessages = 2;                              // with both messages,
    p.steps[StepIndex(4)].kind = StepKind::Sync;                 // and the second without
    for (std::uint32_t s = 3; s < 5; ++s)
      p.steps[StepIndex(s)].source = p.steps[StepIndex(2)].source;
    p.accesses[p.steps[StepIndex(4)].firstAccess].member = 1;
    CHECK(replay(f.graph, leaves, p) != "");
  }

  TEST_CASE("the replay notices a message that goes astray") {
    unsigned noticed = 0, tried = 0;
    for (unsigned seed = 0; seed < 30; ++seed) {
      RandomGraph r(seed, false); // with equal values, a misplaced element would go undetected
      StepProgram p = r.fixture.lower({GraphFixture::sequence(r.leaves)});
      if (p.messages.empty())
        continue;
      Message &m = p.messages[seed % p.messages.size()];
      if (p.homes[m.src].elements * 4 <= (m.srcOffset + m.bytes).count())
        continue;
      m.srcOffset = narrow(m.srcOffset + Bytes(4));
      ++tried;
      noticed += replay(r.fixture.graph, r.leaves, p).empty() ? 0 : 1;
    }
    CHECK(tried > 5);
    CHECK(noticed == tried);
  }

  TEST_CASE("each tile receives what the views say: a remote element at least once, at most once for each view") {
    unsigned fewer = 0;
    for (unsigned seed = 0; seed < 600; ++seed) {
      CAPTURE(seed);
      RandomGraph r(seed);
      for (std::uint32_t c = 0; c < 2; ++c) {
        const StepProgram p = r.fixture.lower({r.fixture.execute(ComputeSetId(c))});
        // A read of the vertex's own output is separated even if it is in place; that moves nothing between tiles.
        const auto before = messageBytes(p, SourceId(0), false);
        const ReceivedBytes wanted = receivedBytes(r.fixture.graph, ComputeSetId(c));
        REQUIRE(before.size() == wanted.most.size());
        for (const auto &[tile, bytes] : before) {
          CHECK(bytes >= wanted.least.at(tile));
          CHECK(bytes <= wanted.most.at(tile));
          fewer += bytes < wanted.most.at(tile) ? 1 : 0;
        }
        CHECK(messageBytes(p, SourceId(0), true) == sentBytes(r.fixture.graph, ComputeSetId(c)));
      }
    }
    CHECK(fewer >= 10);
  }

  TEST_CASE("one thread and several give the same program") {
    for (unsigned seed = 0; seed < 20; ++seed) {
      RandomGraph r(seed);
      LoweringOptions options;
      options.threads = {1};
      const std::string one = dumpSteps(r.fixture.lower({GraphFixture::sequence(r.leaves)}, options));
      options.threads = {4};
      CHECK(one == dumpSteps(r.fixture.lower({GraphFixture::sequence(r.leaves)}, options)));
    }
  }

  TEST_CASE("thousands of vertices, which several tasks share, are lowered alike by 1, 2 and 7 threads") {
    constexpr std::uint32_t kTiles = 24, kVertices = 5000, kOwn = 3;
    GraphFixture f(kTiles);
    const std::uint64_t perTile = (kVertices + kTiles - 1) / kTiles * std::uint64_t(kOwn);
    std::vector<MappedRange> mapping;
    for (std::uint32_t t = 0; t < kTiles; ++t)
      mapping.push_back({t * perTile, (t + 1) * perTile, TileId(t)});
    const GraphVarId from = f.var("from", kTiles * perTile, mapping), to = f.var("to", kTiles * perTile, mapping);
    const int codelet = f.codelet("Mix", {GraphFixture::edge("own", FieldDirection::Input),
                                          GraphFixture::edge("far", FieldDirection::Input),
                                          GraphFixture::edge("out", FieldDirection::Output)});
    std::mt19937 random(3);
    std::vector<ProgramPtr> leaves;
    for (unsigned set = 0; set < 2; ++set) {
      const ComputeSetId cs = f.computeSet("mix");
      for (std::uint32_t v = 0; v < kVertices; ++v) { // not in the order of tiles
        const std::uint32_t tile = v % kTiles;
        const std::uint64_t at = tile * perTile + v / kTiles * std::uint64_t(kOwn),
                            far = random() % (kTiles * perTile - 2);
        f.vertex(cs, codelet, tile,
                 {{0, f.slice(from, at, at + kOwn)},
                  {1, f.slice(from, far, far + 1 + random() % 2)},
                  {2, set == 0 ? f.slice(to, at, at + kOwn) : f.strided(to, at + kOwn - 1, -1, kOwn)}});
      }
      leaves.push_back(GraphFixture::execute(cs));
    }
    const auto text = [&](unsigned threads) {
      LoweringOptions options;
      options.threads = {threads};
      const StepProgram p = f.lower({GraphFixture::sequence(leaves)}, options);
      CHECK(p.vertices.size() == 2 * kVertices);
      CHECK(p.messages.size() > kVertices);
      if (threads == 1)
        CHECK(replay(f.graph, leaves, p) == "");
      std::string all = dumpSteps(p);
      const auto add = [&](auto... numbers) { ((all += std::to_string(numbers) + ' '), ...); };
      for (const StepVertex &v : p.vertices)
        add(v.type.index(), v.tile.index(), v.id, v.firstEdge, v.form);
      for (const VertexForm &form : p.forms)
        add(form.firstOperand, form.numOperands, form.footprint, form.numState);
      for (const OperandKind &kind : p.operandKinds)
        add(kind.field, kind.reads, kind.writes, kind.subIndex, kind.elements);
      for (const EdgePlace &e : p.edges)
        add(e.home.index(), e.offset.count());
      for (const StepVar &v : p.vars)
        add(v.name.index(), int(v.category), v.elements, v.alignment, v.firstHome, v.firstPiece);
      for (const Home &h : p.homes)
        add(h.var.index(), h.tile.index(), h.elements);
      for (const Message &m : p.messages)
        add(m.src.index(), m.srcOffset.count(), m.dst.index(), m.dstOffset.count(), m.bytes.count());
      for (const Access &a : p.accesses)
        add(a.var.index(), int(a.kind), a.member, a.firstRange, a.numRanges);
      for (const ElementRange &r : p.ranges)
        add(r.begin, r.end);
      return all;
    };
    const std::string one = text(1);
    CHECK(text(2) == one);
    CHECK(text(7) == one);
  }
}
