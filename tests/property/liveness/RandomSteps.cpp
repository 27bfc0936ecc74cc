#include "tests/property/liveness/RandomSteps.hpp"

#include <algorithm>
#include <random>

namespace popscope::testing {
namespace {

class Generator {
public:
  Generator(std::uint32_t seed, const RandomOptions &options)
      : random_(seed), options_(options), b_(options.numTiles) {}

  StepProgram generate() {
    numFunctions_ = below(options_.maxFunctions + 1);
    for (std::uint32_t v = 0; v < options_.numVars; ++v)
      addVariable(v);
    addFootprints();
    if (chance(50)) {
      children(0);
    } else { // the engine's own program: a Switch over several
      b_.beginSwitch({}, true);
      for (std::uint32_t i = 0, n = 1 + below(3); i < n; ++i)
        sequence(0);
      b_.end();
    }
    for (nextCallee_ = 1; nextCallee_ <= numFunctions_; ++nextCallee_) {
      b_.beginFunction();
      children(1);
    }
    return b_.finish();
  }

private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); } // the same everywhere
  bool chance(std::uint32_t percent) { return below(100) < percent; }

  void addVariable(std::uint32_t number) {
    std::vector<std::uint32_t> tiles;
    for (std::uint32_t t = 0; t < options_.numTiles; ++t)
      if (chance(50))
        tiles.push_back(t);
    if (tiles.empty())
      tiles.push_back(0);
    const VarId v = b_.variable("v" + std::to_string(number), tiles.size() * (1 + below(6)), tiles);
    vars_.push_back(v);
    StepVar &info = b_.info(v);
    info.constant = chance(6);
    info.interleaved = chance(15);
    info.alignment = 4U << below(3);
    if (chance(15))
      info.category = StorageCategory::Rearrangement;
    else if (chance(15))
      info.category = StorageCategory::Message;
  }
  void addFootprints() {
    StepProgram &p = b_.program();
    VertexFootprint f;
    f.instanceState = Bytes32(6);
    f.fieldData = Bytes32(3);
    p.footprints.push_back(f);
    p.forms.emplace_back();
    p.vertexTypes.push(StepVertexType{});
    p.vertexTypes.raw()[0].codeBytes = Bytes32(12);
    for (std::uint32_t i = 0; i < 6; ++i) {
      StepVertex vertex;
      vertex.type = VertexTypeId(0);
      vertex.tile = TileId(below(options_.numTiles));
      p.vertices.push_back(vertex);
    }
  }

  std::vector<ElementRange> someRanges(std::uint64_t elements) {
    std::vector<ElementRange> out;
    for (std::uint64_t at = below(2); at < elements;) {
      const std::uint64_t end = std::min<std::uint64_t>(elements, at + 1 + below(4));
      out.push_back({at, end});
      at = end + 1 + below(2);
    }
    return out;
  }
  AccessSpec access(AccessKind kind) {
    const VarId v = vars_[below(static_cast<std::uint32_t>(vars_.size()))];
    const std::uint64_t elements = b_.info(v).elements;
    AccessSpec spec{v, kind, {{0, elements}}};
    if (chance(kind == AccessKind::Read ? 50 : 35))
      spec.ranges = someRanges(elements);
    return spec;
  }
  std::vector<AccessSpec> accesses() {
    std::vector<AccessSpec> out;
    for (std::uint32_t i = 0, n = below(4); i < n; ++i) {
      const std::uint32_t kind = below(10);
      const AccessSpec spec = access(kind < 4 ? AccessKind::Read : AccessKind::Write);
      if (kind >= 8) // InOut
        out.push_back({spec.var, AccessKind::Read, spec.ranges});
      out.push_back(spec);
    }
    out.erase(std::remove_if(out.begin(), out.end(), [](const AccessSpec &a) { return a.ranges.empty(); }), out.end());
    std::stable_sort(out.begin(), out.end(), [](const AccessSpec &a, const AccessSpec &b) { // reads come first
      return a.kind == AccessKind::Read && b.kind != AccessKind::Read;
    });
    return out;
  }

  // Adds one to three consecutive leaves of one source, which may write a variable in parts.
  void sourceLeaves() {
    const SourceId source = chance(80) ? b_.source() : SourceId();
    const bool split = chance(40);
    const VarId v = vars_[below(static_cast<std::uint32_t>(vars_.size()))];
    const std::uint64_t middle = b_.info(v).elements / 2;
    for (std::uint32_t i = 0, n = split ? 3 : 1 + below(2); i < n; ++i) {
      std::vector<AccessSpec> list = accesses();
      if (split && i == 0 && middle > 0)
        list.push_back(StepBuilder::writePart(v, 0, middle));
      if (split && i == 2)
        list.push_back(StepBuilder::writePart(v, middle, b_.info(v).elements));
      const std::uint32_t s = b_.step(list, source);
      if (chance(30))
        b_.program().steps[StepIndex(s)].controlCode.everyTile = Bytes32(4 + 4 * below(4));
    }
  }

  void sequence(std::uint32_t depth) {
    b_.begin(StepKind::Sequence);
    children(depth);
    b_.end();
  }
  void children(std::uint32_t depth) {
    for (std::uint32_t i = 0, n = below(options_.maxChildren + 1); i < n; ++i)
      child(depth + 1);
  }
  void child(std::uint32_t depth) {
    const std::uint32_t kind = below(depth >= options_.maxDepth ? 13 : 22);
    if (kind < 9)
      return sourceLeaves();
    switch (kind) {
    case 9:
    case 10: b_.leaf(StepKind::WriteUndef, {access(AccessKind::Undef)}); return;
    case 11:
      if (nextCallee_ < numFunctions_) // functions call later ones only
        b_.call(nextCallee_ + below(numFunctions_ - nextCallee_));
      return;
    case 12:
      if (chance(15))
        b_.leaf(chance(50) ? StepKind::Abort : StepKind::ErrorProgram);
      return;
    case 13:
    case 14: branch(depth); return;
    case 15:
    case 16: choice(depth); return;
    case 17:
    case 18:
      b_.beginRepeat(below(4));
      sequenceOrLeaf(depth);
      b_.end();
      return;
    case 19:
    case 20: loop(depth); return;
    default: sequence(depth);
    }
  }
  void sequenceOrLeaf(std::uint32_t depth) {
    if (chance(25))
      b_.step(accesses());
    else
      sequence(depth);
  }
  void branch(std::uint32_t depth) {
    b_.begin(StepKind::If, accesses());
    sequenceOrLeaf(depth);
    sequenceOrLeaf(depth);
    b_.end();
  }
  void choice(std::uint32_t depth) {
    const std::uint32_t arms = 1 + below(3);
    const bool hasDefault = chance(50);
    b_.beginSwitch(std::vector<std::int32_t>(hasDefault ? arms - 1 : arms, 0));
    for (std::uint32_t i = 0; i < arms; ++i)
      sequenceOrLeaf(depth);
    b_.end();
  }
  void loop(std::uint32_t depth) {
    b_.begin(StepKind::RepeatWhile);
    b_.begin(StepKind::Sequence);
    children(depth);
    b_.leaf(StepKind::WhileTest, accesses());
    b_.end();
    sequenceOrLeaf(depth);
    b_.end();
  }

  std::mt19937 random_;
  RandomOptions options_;
  StepBuilder b_;
  std::vector<VarId> vars_;
  std::uint32_t numFunctions_ = 0, nextCallee_ = 0;
};

} // namespace

StepProgram randomSteps(std::uint32_t seed, const RandomOptions &options) {
  return Generator(seed, options).generate();
}

} // namespace popscope::testing
