// verifySteps: structure (S1), variables (S2), ranges (S3), vertex order (S5). VerifyAccesses.cpp compares operands
// with accesses (S4, S6).
#include "base/Check.hpp"
#include "graph/steps/StepKinds.hpp"
#include "graph/steps/VerifyAccesses.hpp"

namespace popscope {
namespace {

std::string describe(const StepProgram &p, std::uint32_t s) {
  const Step &step = p.steps[StepIndex(s)];
  return fmt::format("step {} ({} '{}')", s, stepKindName(step.kind), p.names[step.name]);
}

/// Returns the number of children that a step must have, or -1 if any number is allowed.
std::int64_t wantedChildren(const StepProgram &p, const Step &step) {
  switch (stepKindRow(step.kind).children) {
  case StepChildren::None: return 0;
  case StepChildren::Any: return -1;
  case StepChildren::One: return 1;
  case StepChildren::Two: return 2;
  case StepChildren::Cases: break;
  }
  const SwitchStep &payload = p.switches.at(step.payload);
  return payload.engineSwitch ? static_cast<std::int64_t>(p.programs.size()) : -1;
}

void verifyChildren(const StepProgram &p, std::uint32_t s) {
  const Step &step = p.steps[StepIndex(s)];
  std::int64_t children = 0;
  for (std::uint32_t c = s + 1; c < step.end; c = p.steps[StepIndex(c)].end) {
    const std::uint32_t end = p.steps[StepIndex(c)].end;
    POPSCOPE_CHECK(end > c && end <= step.end, "S1: {} ends at {}, outside its parent {}", describe(p, c), end,
                   describe(p, s));
    ++children;
  }
  const std::int64_t wanted = wantedChildren(p, step);
  POPSCOPE_CHECK(wanted < 0 || children == wanted, "S1: {} has {} children, not {}", describe(p, s), children, wanted);
  if (step.kind == StepKind::Switch) {
    const auto labels = static_cast<std::int64_t>(p.switches.at(step.payload).labels.size());
    POPSCOPE_CHECK(children == labels || children == labels + 1, "S1: {} has {} children for {} labels", describe(p, s),
                   children, labels);
  }
}

void verifyTree(const StepProgram &p) {
  const auto count = static_cast<std::uint32_t>(p.steps.size());
  for (std::uint32_t s = 0; s < count; ++s) {
    const Step &step = p.steps[StepIndex(s)];
    POPSCOPE_CHECK(step.end > s && step.end <= count, "S1: {} ends at {} of {} steps", describe(p, s), step.end, count);
    POPSCOPE_CHECK(step.kind != StepKind::Block || step.payload < p.blocks.size(), "S1: {} is block {} of {}",
                   describe(p, s), step.payload, p.blocks.size());
    if (stepKindRow(step.kind).children != StepChildren::None)
      verifyChildren(p, s);
    else
      POPSCOPE_CHECK(step.end == s + 1, "S1: the leaf {} ends at {}", describe(p, s), step.end);
  }
  POPSCOPE_CHECK(p.root.valid() && p.root.index() < count, "S1: there is no root among {} steps", count);
  // The trees (of the root and the functions) follow one another and fill the table.
  std::vector<std::uint32_t> roots{p.root.index()};
  for (const auto &function : p.functions)
    roots.push_back(function.root.valid() ? function.root.index() : count);
  std::uint32_t next = 0;
  for (const std::uint32_t r : roots) {
    POPSCOPE_CHECK(r == next, "S1: a tree begins at step {}, expected {}", r, next);
    next = p.steps[StepIndex(r)].end;
  }
  POPSCOPE_CHECK(next == count, "S1: steps from {} to {} belong to no tree", next, count);
}

/// Checks S2 for one variable: homes ascend by tile, pieces ascend by element (pieces of a constant ascend within each
/// home), and both hold the same number of elements.
void verifyVariable(const StepProgram &p, VarId id) {
  const StepVar &v = p.vars[id];
  const std::string &name = p.names[v.name];
  POPSCOPE_CHECK(v.firstPiece + std::uint64_t(v.numPieces) <= p.pieces.size() &&
                     v.firstHome + std::uint64_t(v.numHomes) <= p.homes.size(),
                 "S2: pieces or homes of '{}' lie outside the tables", name);
  std::uint64_t homeElements = 0, pieceElements = 0, last = 0;
  for (std::uint32_t h = 0; h < v.numHomes; ++h) {
    const Home &home = p.homes[HomeId(v.firstHome + h)];
    POPSCOPE_CHECK(home.var == id && home.tile.valid() && home.tile.index() < p.numTiles,
                   "S2: home {} of '{}' is wrong", h, name);
    POPSCOPE_CHECK(h == 0 || p.homes[HomeId(v.firstHome + h - 1)].tile < home.tile,
                   "S2: homes of '{}' are not sorted by tile", name);
    homeElements += home.elements;
  }
  HomeId before;
  for (std::uint32_t i = 0; i < v.numPieces; ++i) {
    const Piece &piece = p.pieces[v.firstPiece + i];
    if (v.constant && piece.home != before) { // several tiles may hold the same elements
      POPSCOPE_CHECK(!before.valid() || before < piece.home, "S2: pieces of the constant '{}' are not sorted by home",
                     name);
      last = 0;
    }
    before = piece.home;
    POPSCOPE_CHECK(piece.elements.begin >= last && piece.elements.end > piece.elements.begin &&
                       piece.elements.end <= v.elements,
                   "S2: pieces of '{}' are not sorted and disjoint at element {}", name, piece.elements.begin);
    POPSCOPE_CHECK(piece.home.valid() && piece.home.index() < p.homes.size() && p.homes[piece.home].var == id,
                   "S2: a piece of '{}' has a home of another variable", name);
    last = piece.elements.end;
    pieceElements += piece.elements.end - piece.elements.begin;
  }
  POPSCOPE_CHECK(homeElements == pieceElements, "S2: '{}' has {} elements in homes and {} in pieces", name,
                 homeElements, pieceElements);
}

void verifyRanges(const StepProgram &p, std::uint32_t s) {
  const Step &step = p.steps[StepIndex(s)];
  POPSCOPE_CHECK(step.firstAccess + std::uint64_t(step.numAccesses) <= p.accesses.size(),
                 "S3: accesses of {} lie outside the table", describe(p, s));
  for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a) {
    const Access &access = p.accesses[a];
    POPSCOPE_CHECK(access.numRanges > 0, "S3: an access of {} is empty", describe(p, s));
    POPSCOPE_CHECK(access.member == 0 ||
                       (step.source.valid() && step.source.index() + std::uint64_t(access.member) < p.sources.size()),
                   "S3: an access of {} is of source {} after its first", describe(p, s), access.member);
    std::uint64_t last = 0;
    for (std::uint32_t r = access.firstRange; r < access.firstRange + access.numRanges; ++r) {
      const ElementRange &range = p.ranges.at(r);
      POPSCOPE_CHECK(range.begin < range.end && range.begin >= last && range.end <= p.vars[access.var].elements,
                     "S3: range [{}, {}) of '{}' in {}", range.begin, range.end, p.names[p.vars[access.var].name],
                     describe(p, s));
      last = range.end;
    }
  }
}

void verifyVertexOrder(const StepProgram &p, const ExecuteStep &execute, std::uint32_t s) {
  POPSCOPE_CHECK(execute.firstVertex + std::uint64_t(execute.numVertices) <= p.vertices.size(),
                 "S5: vertices of {} lie outside the table", describe(p, s));
  for (std::uint32_t v = 1; v < execute.numVertices; ++v) {
    const StepVertex &a = p.vertices[execute.firstVertex + v - 1], &b = p.vertices[execute.firstVertex + v];
    POPSCOPE_CHECK(a.tile < b.tile || (a.tile == b.tile && a.id < b.id), "S5: vertex {} of {} is out of order", v,
                   describe(p, s));
  }
  for (std::uint32_t c = 1; c < execute.numCopies; ++c)
    POPSCOPE_CHECK(p.copies.at(execute.firstCopy + c - 1).tile <= p.copies.at(execute.firstCopy + c).tile,
                   "S5: copy {} of {} is out of order", c, describe(p, s));
}

} // namespace

void verifySteps(const StepProgram &p) {
  verifyTree(p);
  for (std::size_t v = 0; v < p.vars.size(); ++v)
    verifyVariable(p, p.vars.idAt(v));
  const HomeElements elements(p);
  for (std::uint32_t s = 0; s < p.steps.size(); ++s) {
    const Step &step = p.steps[StepIndex(s)];
    verifyRanges(p, s);
    if (step.kind == StepKind::OnTileExecute)
      verifyVertexOrder(p, p.executes.at(step.payload), s);
    verifyAccesses(p, elements, StepIndex(s));
  }
}

} // namespace popscope
