#include "engine/collect/Collect.hpp"

#include "graph/codelets/TileLayout.hpp"

#include <map>
#include <set>
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

// The state of a class line by line, padding included.
std::vector<VertexFieldRecord> fieldLines(const VertexClass &c, const std::string &target) {
  std::vector<VertexFieldRecord> lines;
  for (const StateLine &line : tileStateLines(c, target)) {
    VertexFieldRecord r;
    if (line.field >= 0) {
      const FieldInfo &field = c.fields[static_cast<std::size_t>(line.field)];
      r.name = field.name;
      r.kind = field.direction == FieldDirection::State ? "state" : "edge";
    } else {
      r.kind = "padding";
    }
    r.offset = Bytes(line.offset);
    r.bytes = Bytes(line.bytes);
    r.bytesPerElement = Bytes(line.bytesPerElement);
    if (line.bytesPerElement != 0)
      r.outside = storageCategoryKey(line.descriptor ? StorageCategory::VectorListDescriptor
                                                     : StorageCategory::VertexFieldData);
    lines.push_back(std::move(r));
  }
  return lines;
}

// Library functions that one type alone uses on one tile are its own code there: bytes by (tile, type).
std::map<Key, Bytes> ownLibraryBytes(const StepProgram &program, const std::map<Key, VertexOnTileRecord> &rows) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> users; // (tile, library) -> types
  for (const auto &row : rows)
    for (const std::uint32_t library : program.vertexTypes[VertexTypeId(row.first.type)].libraries)
      users[{row.first.tile, library}].insert(row.first.type);
  std::map<Key, Bytes> bytes;
  for (const auto &entry : users)
    if (entry.second.size() == 1)
      bytes[{entry.first.first, *entry.second.begin()}] += program.libraryCode[entry.first.second].bytes;
  return bytes;
}

} // namespace

void collectVertices(const CollectInput &input, CompilationRecord &record) {
  const StepProgram &program = input.program;
  record.vertexTypes.resize(program.vertexTypes.size());
  for (std::size_t t = 0; t < program.vertexTypes.size(); ++t) {
    const StepVertexType &type = program.vertexTypes[program.vertexTypes.idAt(t)];
    record.vertexTypes[t].name = type.name;
    record.vertexTypes[t].stateBytes = type.stateBytes;
    if (type.codelet >= 0 && input.codelets != nullptr)
      record.vertexTypes[t].fields =
          fieldLines(input.codelets->at(static_cast<int>(type.codelet)), input.machine.architecture);
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
    add(v.tile, v.type, program.formOf(v).footprint);
  for (const CopyVertex &c : program.copies)
    add(c.tile, c.type, c.footprint);
  const std::map<Key, Bytes> ownLibraries = ownLibraryBytes(program, rows);
  for (auto &entry : rows) {
    const StepVertexType &type = program.vertexTypes[VertexTypeId(entry.first.type)];
    VertexOnTileRecord row = entry.second;
    row.tile = entry.first.tile;
    row.vertexType = entry.first.type;
    if (input.codeIncluded) {
      row.codeBytes = type.codeBytes;
      if (const auto own = ownLibraries.find(entry.first); own != ownLibraries.end())
        row.codeBytes += own->second;
    }
    record.vertexTypes[entry.first.type].memoryBytes += row.codeBytes;
    record.verticesOnTile.push_back(row);
  }
}

} // namespace popscope
