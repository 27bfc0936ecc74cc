#include "graph/lowering/PlaceConstraints.hpp"
#include "graph/codelets/TileLayout.hpp"
#include "target-models/costs/CostModel.hpp"

#include <algorithm>
#include <cctype>

namespace popscope {
namespace {

/// The placement demands of the fields of one class; empty for most classes.
struct ClassDemands {
  std::vector<std::pair<int, int>> apart; // pairs of fields
  std::vector<std::uint64_t> limit;       // per field, from the base of tile memory; 0 = none
  bool any = false;
};

/// Returns the name in "elem(*name)", "elem(**name)", "elem(*name[0])". Returns "" for any other text.
std::string operandOf(const std::string &text) {
  std::string plain;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      plain += c;
  if (plain.rfind("elem(", 0) != 0 || plain.back() != ')')
    return "";
  std::size_t begin = 5;
  while (plain[begin] == '*' || plain[begin] == '&')
    ++begin;
  std::size_t end = begin;
  while (std::isalnum(static_cast<unsigned char>(plain[end])) != 0 || plain[end] == '_')
    ++end;
  return plain.substr(begin, end - begin);
}

class ConstraintPlacer {
public:
  ConstraintPlacer(StepProgram &program, const CodeletSet &codelets, const TileMachine &machine)
      : p_(program), codelets_(codelets), machine_(machine) {
    for (std::size_t t = 0; t < p_.vertexTypes.size(); ++t)
      demands_.push_back(demandsOf(p_.vertexTypes[p_.vertexTypes.idAt(t)].codelet));
  }

  void run() {
    for (const StepVertex &vertex : p_.vertices)
      if (demands_[vertex.type.index()].any)
        place(vertex, demands_[vertex.type.index()]);
    placeCopies();
    std::sort(p_.apart.begin(), p_.apart.end());
    p_.apart.erase(std::unique(p_.apart.begin(), p_.apart.end()), p_.apart.end());
  }

private:
  [[nodiscard]] ClassDemands demandsOf(std::int64_t codelet) const {
    ClassDemands demands;
    if (codelet < 0)
      return demands;
    const VertexClass &c = codelets_.at(static_cast<int>(codelet));
    for (const std::string &text : c.constraints)
      for (const auto &pair : parseConstraint(text)) {
        const int a = findField(c, pair.first), b = findField(c, pair.second);
        if (a >= 0 && b >= 0)
          demands.apart.emplace_back(a, b);
      }
    for (const FieldInfo &field : c.fields)
      demands.limit.push_back(limitOf(field));
    demands.any = !demands.apart.empty() ||
                  std::any_of(demands.limit.begin(), demands.limit.end(), [](std::uint64_t l) { return l != 0; });
    return demands;
  }
  /// Returns the limit of addresses. Returns 0 if the pointer reaches all of a tile's memory, as on every machine of
  /// the usual size.
  [[nodiscard]] std::uint64_t limitOf(const FieldInfo &field) const {
    const PointerReach reach = pointerReach(field, machine_.architecture);
    if (reach.end == 0)
      return 0;
    const std::uint64_t base = reach.fromBase ? 0 : machine_.memoryBase;
    const std::uint64_t limit = reach.end > base ? reach.end - base : 1;
    return limit >= machine_.bytesPerTile ? 0 : limit;
  }
  void place(const StepVertex &vertex, const ClassDemands &demands) {
    const VertexEdges edges = p_.edgesOf(vertex);
    for (const VertexEdge edge : edges)
      if (const std::uint64_t limit = demands.limit[edge.field]; limit != 0 && edge.home.valid()) {
        std::uint32_t &known = p_.vars[p_.homes[edge.home].var].addressLimit;
        known = static_cast<std::uint32_t>(known == 0 ? limit : std::min<std::uint64_t>(known, limit));
      }
    for (const auto &pair : demands.apart)
      for (const VertexEdge a : edges)
        if (a.field == pair.first && a.home.valid())
          for (const VertexEdge b : edges)
            if (b.field == pair.second && b.home.valid() && a.home != b.home)
              p_.apart.push_back({std::min(a.home, b.home), std::max(a.home, b.home)});
  }

  /// Constrains copies that load and store in one cycle. Source and destination of such a copy must lie in different
  /// memory elements.
  void placeCopies() {
    for (const CopyVertex &copy : p_.copies) {
      if (!wantsTwoElements(static_cast<CopyVertexKind>(copy.kind)))
        continue;
      for (std::uint32_t r = copy.firstRun; r < copy.firstRun + copy.numRuns; ++r) {
        const CopyRun &run = p_.copyRuns[r];
        if (run.src.valid() && run.src != run.dst)
          p_.apart.push_back({std::min(run.src, run.dst), std::max(run.src, run.dst)});
      }
    }
  }

  StepProgram &p_;
  const CodeletSet &codelets_;
  const TileMachine &machine_;
  std::vector<ClassDemands> demands_;
};

} // namespace

std::vector<std::pair<std::string, std::string>> parseConstraint(const std::string &text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::string previous;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find("!=", begin), text.size());
    const std::string operand = operandOf(text.substr(begin, end - begin) + (end == begin ? " " : ""));
    if (operand.empty())
      return {};
    if (begin > 0)
      pairs.emplace_back(previous, operand);
    previous = operand;
    begin = end + 2;
  }
  return pairs;
}

void placeConstraints(StepProgram &program, const CodeletSet &codelets, const TileMachine &machine) {
  ConstraintPlacer(program, codelets, machine).run();
}

} // namespace popscope
