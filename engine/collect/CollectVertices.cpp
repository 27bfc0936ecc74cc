#include "engine/collect/Collect.hpp"

#include "base/Parallel.hpp"
#include "graph/codelets/TileLayout.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace popscope {
namespace {

struct Key {
  std::uint32_t tile, type;
  friend auto operator<=>(const Key &, const Key &) = default;
};

/// Sums over a part of the vertices.
struct VertexSums {
  struct Type {
    std::uint64_t instances = 0;
    Bytes bytes;
  };
  std::vector<Type> types; // by VertexTypeId
  std::map<Key, VertexOnTileRecord> rows;

  void add(TileId tile, VertexTypeId type, const VertexFootprint &f) {
    ++types[type.index()].instances;
    types[type.index()].bytes += f.instanceState + f.fieldData + f.vectorListDescriptor + f.copyDescriptor;
    add({tile.index(), type.index()},
        {0, 0, 1, Bytes(), f.internalState, f.edgePointers, f.copyPointers, f.padding, f.descriptors});
  }
  void add(const VertexSums &others) {
    for (std::size_t t = 0; t < types.size(); ++t) {
      types[t].instances += others.types[t].instances;
      types[t].bytes += others.types[t].bytes;
    }
    for (const auto &[key, row] : others.rows)
      add(key, row);
  }
  void add(Key key, const VertexOnTileRecord &more) {
    VertexOnTileRecord &row = rows[key];
    row.count += more.count;
    row.internalState += more.internalState;
    row.edgePointers += more.edgePointers;
    row.copyPointers += more.copyPointers;
    row.padding += more.padding;
    row.descriptors += more.descriptors;
  }
};

VertexSums sumVertices(const StepProgram &program, Threads threads) {
  constexpr std::size_t kFewest = std::size_t(1) << 16; // fewer vertices do not justify another thread
  const std::size_t vertices = program.vertices.size(),
                    parts = std::clamp<std::size_t>(vertices / kFewest, 1, threads.count());
  VertexSums none;
  none.types.resize(program.vertexTypes.size());
  std::vector<VertexSums> sums(parts, none);
  parallelFor(threads, parts, [&](std::size_t part) {
    for (std::size_t v = vertices * part / parts; v < vertices * (part + 1) / parts; ++v) {
      const StepVertex &vertex = program.vertices[v];
      sums[part].add(vertex.tile, vertex.type, program.footprints[program.formOf(vertex).footprint]);
    }
  });
  for (std::size_t part = 1; part < parts; ++part)
    sums[0].add(sums[part]);
  for (const CopyVertex &c : program.copies)
    sums[0].add(c.tile, c.type, program.footprints[c.footprint]);
  return std::move(sums[0]);
}

// Returns the state of a class line by line, with padding.
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

// Returns, by (tile, type), the bytes of library functions that only this type uses on the tile. These bytes count as
// the type's own code on the tile.
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
  const VertexSums sums = sumVertices(program, input.threads);
  for (std::size_t t = 0; t < sums.types.size(); ++t) {
    record.vertexTypes[t].instances = sums.types[t].instances;
    record.vertexTypes[t].memoryBytes = sums.types[t].bytes;
  }
  const std::map<Key, Bytes> ownLibraries = ownLibraryBytes(program, sums.rows);
  for (const auto &entry : sums.rows) {
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
