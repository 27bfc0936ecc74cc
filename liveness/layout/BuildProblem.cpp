#include "liveness/layout/BuildProblem.hpp"

#include "base/Check.hpp"
#include "base/Parallel.hpp"
#include "liveness/layout/CodeRows.hpp"

#include <fmt/format.h>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace popscope {
namespace {

// Returns the numbers of the rows on each tile, in ascending order.
template <class Rows> Grouped<std::uint32_t> byTile(const StepProgram &program, const Rows &rows) {
  return {program.numTiles, [&](const auto &use) {
            for (std::uint32_t i = 0; i < rows.size(); ++i) {
              const std::size_t tile = rows[i].tile.index();
              POPSCOPE_CHECK(tile < program.numTiles, "item {} is on tile {} of {}", i, tile, program.numTiles);
              use(tile, i);
            }
          }};
}

} // namespace

class ProblemBuilder::Tables {
public:
  Tables(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine, const LayoutOptions &options)
      : program_(program), ranges_(ranges), machine_(machine), options_(options),
        exchanges_(collectExchangeRows(program, options.codeIncluded)), controls_(collectControlRows(program)),
        shared_(byTile(program, program.sharedData)), homes_(byTile(program, program.homes.raw())),
        vertices_(byTile(program, program.vertices)), copies_(byTile(program, program.copies)) {}

  void build(std::uint32_t tile, std::vector<Allocation> &out) const {
    out.clear();
    add(out, StorageCategory::Stack, OwnerKind::Stack, 0, stackBytes(), kStackAlignment);
    if (options_.codeIncluded)
      addCode(out, tile);
    for (const CodeRow &row : exchanges_[tile])
      add(out, row.category, row.owner, row.step, row.bytes);
    for (const std::uint32_t v : vertices_[tile])
      addVertex(out, OwnerKind::Vertex, v, program_.formOf(program_.vertices[v]).footprint);
    for (const std::uint32_t c : copies_[tile])
      addVertex(out, OwnerKind::CopyVertex, c, program_.copies[c].footprint);
    for (const std::uint32_t d : shared_[tile])
      add(out, StorageCategory::SharedDataStorage, OwnerKind::SharedData, d, program_.sharedData[d].bytes);
    for (const std::uint32_t h : homes_[tile])
      addHome(out, tile, h);
  }

private:
  static void add(std::vector<Allocation> &out, StorageCategory category, OwnerKind owner, std::uint32_t index,
                  Bytes32 bytes, std::uint32_t alignment = kWordBytes) {
    if (bytes == Bytes32())
      return;
    Allocation a;
    a.category = category;
    a.owner = owner;
    a.ownerIndex = index;
    a.bytes = bytes;
    a.alignment = alignment;
    out.push_back(a);
  }

  [[nodiscard]] Bytes32 stackBytes() const {
    return Bytes32(machine_.workerContexts * machine_.stack.workerBytes + machine_.stack.supervisorBytes);
  }

  void addCode(std::vector<Allocation> &out, std::uint32_t tile) const {
    add(out, StorageCategory::VertexCode, OwnerKind::Runtime, 0, Bytes32(machine_.code.runtimeBytes));
    std::vector<std::uint8_t> types(program_.vertexTypes.size(), 0); // 1 for types on this tile
    std::vector<std::uint32_t> libraries;
    for (const std::uint32_t v : vertices_[tile])
      types[program_.vertices[v].type.index()] = 1;
    for (const std::uint32_t c : copies_[tile])
      types[program_.copies[c].type.index()] = 1;
    for (std::uint32_t type = 0; type < types.size(); ++type) {
      if (types[type] == 0)
        continue;
      const StepVertexType &info = program_.vertexTypes[VertexTypeId(type)];
      libraries.insert(libraries.end(), info.libraries.begin(), info.libraries.end());
      add(out, StorageCategory::VertexCode, OwnerKind::VertexCode, type, info.codeBytes);
    }
    // A library function that one class of this tile reaches belongs to that class's code. A function that several
    // classes reach is linked once for all of them.
    std::sort(libraries.begin(), libraries.end());
    for (std::size_t i = 0, end = 0; i < libraries.size(); i = end) {
      while (end < libraries.size() && libraries[end] == libraries[i])
        ++end;
      add(out, end - i > 1 ? StorageCategory::SharedCodeStorage : StorageCategory::VertexCode, OwnerKind::LibraryCode,
          libraries[i], program_.libraryCode.at(libraries[i]).bytes);
    }
    if (hasTable(tile))
      add(out, StorageCategory::ControlCode, OwnerKind::Runtime, 1, program_.tableRunnerBytes);
    for (const CodeRow &piece : controls_[tile])
      add(out, piece.category, piece.owner, piece.step, piece.bytes);
  }

  [[nodiscard]] bool hasTable(std::uint32_t tile) const {
    return std::any_of(exchanges_[tile].begin(), exchanges_[tile].end(),
                       [](const CodeRow &row) { return row.owner == OwnerKind::ControlTable; });
  }

  void addVertex(std::vector<Allocation> &out, OwnerKind owner, std::uint32_t index, std::uint32_t footprint) const {
    const VertexFootprint &f = program_.footprints.at(footprint);
    add(out, StorageCategory::VertexInstanceState, owner, index, f.instanceState);
    add(out, StorageCategory::VertexFieldData, owner, index, f.fieldData);
    add(out, StorageCategory::VectorListDescriptor, owner, index, f.vectorListDescriptor);
    add(out, StorageCategory::CopyDescriptor, owner, index, f.copyDescriptor);
  }

  void addHome(std::vector<Allocation> &out, std::uint32_t tile, std::uint32_t home) const {
    const VarId var = program_.homes[HomeId(home)].var;
    const StepVar &info = program_.vars[var];
    if (!takesMemory(ranges_, var))
      return;
    const Bytes bytes = program_.homeBytes(HomeId(home));
    if (bytes.count() > std::numeric_limits<std::uint32_t>::max())
      throw poplar::invalid_tile_mapping(
          fmt::format("variable '{}' has {} bytes on tile {}; 32-bit addresses reach {}: map it over more tiles with "
                      "Graph::setTileMapping",
                      program_.names[info.name], bytes.count(), tile, std::numeric_limits<std::uint32_t>::max()));
    if (info.alignment > Allocation::kMaxAlignment)
      throw poplar::invalid_tile_mapping(fmt::format("variable '{}' needs an alignment of {} bytes; the limit is {}: "
                                                     "connect it to fields with a smaller MIN_ALIGN",
                                                     program_.names[info.name], info.alignment,
                                                     std::uint32_t(Allocation::kMaxAlignment)));
    const std::size_t before = out.size();
    add(out, info.category, OwnerKind::Home, home, narrow(bytes), std::max(info.alignment, 1U));
    if (out.size() == before)
      return;
    out.back().occupied = ranges_.occupiedOf(var, HomeId(home));
    if (info.interleaved)
      out.back().region = AllocationRegion::Interleaved;
  }

  const StepProgram &program_;
  const LiveRanges &ranges_;
  const TileMachine &machine_;
  const LayoutOptions &options_;
  Grouped<CodeRow> exchanges_, controls_;
  Grouped<std::uint32_t> shared_, homes_, vertices_, copies_;
};

ProblemBuilder::ProblemBuilder(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                               const LayoutOptions &options)
    : tables_(std::make_unique<const Tables>(program, ranges, machine, options)) {}
ProblemBuilder::~ProblemBuilder() = default;

void ProblemBuilder::build(std::uint32_t tile, std::vector<Allocation> &out) const { tables_->build(tile, out); }

Placement placementOf(const Allocation &allocation) {
  if (allocation.category == StorageCategory::Stack)
    return Placement::Stack;
  if (holdsCode(allocation.category))
    return Placement::Code;
  return allocation.region == AllocationRegion::Interleaved ? Placement::Interleaved : Placement::Data;
}

} // namespace popscope
