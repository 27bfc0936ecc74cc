#include "engine/collect/Collect.hpp"

#include <map>
#include <tuple>

namespace popscope {
namespace {

struct Key {
  std::uint32_t tile, type;
  friend auto operator<=>(const Key &, const Key &) = default;
};

void addFootprint(VertexOnTileRecord &row, const VertexFootprint &f) {
  ++row.count;
  row.internalState += f.internalState;
  row.edgePointers += f.edgePointers;
  row.copyPointers += f.copyPointers;
  row.padding += f.padding;
  row.descriptors += f.descriptors;
}

} // namespace

void collectVertices(const CollectInput &input, CompilationRecord &record) {
  const StepProgram &program = input.program;
  record.vertexTypes.resize(program.vertexTypes.size());
  for (std::size_t t = 0; t < program.vertexTypes.size(); ++t) {
    const StepVertexType &type = program.vertexTypes[program.vertexTypes.idAt(t)];
    record.vertexTypes[t].name = type.name;
    record.vertexTypes[t].stateBytes = type.stateBytes;
  }
  std::map<Key, VertexOnTileRecord> rows;
  const auto add = [&](TileId tile, VertexTypeId type, std::uint32_t footprint) {
    VertexTypeRecord &t = record.vertexTypes[type.index()];
    const VertexFootprint &f = program.footprints[footprint];
    ++t.instances;
    t.memoryBytes += f.instanceState + f.fieldData + f.vectorListDescriptor + f.copyDescriptor;
    addFootprint(rows[{tile.index(), type.index()}], f);
  };
  for (const StepVertex &v : program.vertices)
    add(v.tile, v.type, v.footprint);
  for (const CopyVertex &c : program.copies)
    add(c.tile, c.type, c.footprint);
  for (auto &entry : rows) {
    const StepVertexType &type = program.vertexTypes[VertexTypeId(entry.first.type)];
    VertexOnTileRecord row = entry.second;
    row.tile = entry.first.tile;
    row.vertexType = entry.first.type;
    row.codeBytes = input.codeIncluded ? type.codeBytes : 0;
    record.vertexTypes[entry.first.type].memoryBytes += row.codeBytes;
    record.verticesOnTile.push_back(row);
  }
}

} // namespace popscope
