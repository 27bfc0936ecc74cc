// The exception text of a program that would fit without a codelet's constraint elem(*a) != elem(*b).
#include "engine/compile/Compile.hpp"
#include "graph/lowering/PlaceConstraints.hpp"
#include "liveness/layout/PlaceAllocations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace popscope {
namespace {

class ApartDescriber {
public:
  explicit ApartDescriber(const CompiledProgram &compiled) : c_(compiled), p_(compiled.program) {}

  std::string text() const {
    for (const ApartHomes &pair : p_.apart) {
      const Allocation *a = allocationOf(pair.a), *b = allocationOf(pair.b);
      if (a != nullptr && b != nullptr && (overflows(*a) || overflows(*b)))
        return fitsWithout() ? textOf(pair, *a, *b) : "";
    }
    return "";
  }

private:
  [[nodiscard]] const Allocation *allocationOf(HomeId home) const {
    for (const Allocation &a : c_.layout.ofTile(p_.homes[home].tile))
      if (a.owner == OwnerKind::Home && a.ownerIndex == home.index())
        return &a;
    return nullptr;
  }
  [[nodiscard]] bool overflows(const Allocation &a) const { return a.end() > c_.machine.bytesPerTile; }
  /// Returns whether the program fits without demands for different memory elements. To decide, computes the layout
  /// again.
  [[nodiscard]] bool fitsWithout() const {
    StepProgram free = p_;
    free.apart.clear();
    LayoutOptions options{hasCode(c_.machine)};
    options.threads = {c_.settings.compilationThreads};
    return placeAllocations(free, c_.ranges, c_.machine, options).tilesOutOfMemory.empty();
  }

  struct Demand {
    const StepVertex *vertex = nullptr;
    std::string className, fieldA, fieldB; // the fields of the pair's homes
  };
  [[nodiscard]] bool connects(const StepVertex &vertex, int field, HomeId home) const {
    const VertexEdges edges = p_.edgesOf(vertex);
    return std::any_of(edges.begin(), edges.end(),
                       [&](const VertexEdge &e) { return int(e.field) == field && e.home == home; });
  }
  /// Returns the first vertex with this constraint.
  [[nodiscard]] std::optional<Demand> demandOf(const ApartHomes &pair) const {
    for (const StepVertex &vertex : p_.vertices) {
      const StepVertexType &type = p_.vertexTypes[vertex.type];
      if (type.codelet < 0 || vertex.tile != p_.homes[pair.a].tile)
        continue;
      const VertexClass &codelet = c_.codelets.at(static_cast<int>(type.codelet));
      for (const std::string &constraint : codelet.constraints)
        for (const auto &[left, right] : parseConstraint(constraint)) {
          const int l = findField(codelet, left), r = findField(codelet, right);
          if (l >= 0 && r >= 0 && connects(vertex, l, pair.a) && connects(vertex, r, pair.b))
            return Demand{&vertex, type.name, left, right};
          if (l >= 0 && r >= 0 && connects(vertex, l, pair.b) && connects(vertex, r, pair.a))
            return Demand{&vertex, type.name, right, left};
        }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string variableOf(HomeId home) const { return p_.names[p_.vars[p_.homes[home].var].name]; }
  /// Returns, for example, "lies in memory elements 0 to 3 of 12", or other text for an allocation past the end of
  /// memory.
  [[nodiscard]] std::string elementsText(const Allocation &a) const {
    if (overflows(a))
      return "lies past the end of memory, because no other adjacent elements are free";
    const auto &elements = c_.machine.elementOffsets;
    const auto index = [&](std::uint64_t offset) {
      const std::uint64_t address = offset + c_.machine.memoryBase;
      return std::upper_bound(elements.begin(), elements.end(), address) - elements.begin() - 1;
    };
    return fmt::format("lies in memory elements {} to {} of {}", index(a.address), index(a.end() - 1), elements.size());
  }
  [[nodiscard]] std::string textOf(const ApartHomes &pair, const Allocation &a, const Allocation &b) const {
    const std::optional<Demand> demand = demandOf(pair);
    const auto operand = [&](const std::string &field, HomeId home, const Allocation &at) {
      return fmt::format("\n  field '{}': variable '{}', {} bytes there, {}", field, variableOf(home), at.bytes.count(),
                         elementsText(at));
    };
    const std::uint32_t tile = p_.homes[pair.a].tile.index();
    std::string out =
        demand ? fmt::format("vertex {} ('{}') on tile {} needs its fields '{}' and '{}' in different memory elements, "
                             "which is not possible:",
                             demand->vertex->id, demand->className, tile, demand->fieldA, demand->fieldB)
               : fmt::format("two variables on tile {} must lie in different memory elements, which is not possible:",
                             tile);
    out += operand(demand ? demand->fieldA : "?", pair.a, a) + operand(demand ? demand->fieldB : "?", pair.b, b);
    return out +
           fmt::format(
               "\nWithout the constraint the program fits. Map one of the two, or a part of it, to another tile with "
               "Graph::setTileMapping, or drop the constraint; with the engine option debug.allowOutOfMemory "
               "\"true\" the program compiles with one of them past the end of memory.");
  }

  const CompiledProgram &c_;
  const StepProgram &p_;
};

} // namespace

std::string describeApart(const CompiledProgram &compiled) { return ApartDescriber(compiled).text(); }

} // namespace popscope
