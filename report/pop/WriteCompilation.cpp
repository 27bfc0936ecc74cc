#include "report/pop/WriteCompilation.hpp"

#include "base/Check.hpp"
#include "report/pop/AdviceRows.hpp"
#include "report/pop/NumberList.hpp"
#include "report/pop/PackedRows.hpp"
#include "report/pop/Schema.hpp"
#include "report/pop/TileBlob.hpp"
#include "report/pop/TileBlocks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace popscope {
namespace {

std::string joinedNames(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ",") + name;
  return text;
}

/// Packs values; returns "" for no values, which are stored as NULL.
std::string packedValues(const TileValues &values, std::size_t numTiles) {
  return values.empty() ? "" : encodeTileValues(values, numTiles);
}

/// The values of one program on single tiles, in the form of the file.
struct PackedProgram {
  struct Link {
    std::uint32_t fromIpu, toIpu;
    Bytes bytes;
    std::string tiles;
  };
  PackedProgram(const ProgramTilesRecord &tiles, std::size_t numTiles) {
    const std::array<const TileValues *, 13> lists{
        &tiles.counterCycles,   &tiles.controlCode,     &tiles.exchangeCode,     &tiles.bytesSent,
        &tiles.bytesReceived,   &tiles.estimatedCycles, &tiles.messagesReceived, &tiles.receiveLatency,
        &tiles.receiveTransfer, &tiles.receiveControls, &tiles.counterStores,    &tiles.receiveDistance,
        &tiles.messageSizes};
    for (const TileValues *list : lists) { // some lists are often equal, for example if all messages have one word
      const auto equal = std::find_if(lists.begin(), lists.begin() + static_cast<std::ptrdiff_t>(values.size()),
                                      [&](const TileValues *other) { return *other == *list; });
      const auto at = static_cast<std::size_t>(equal - lists.begin());
      values.push_back(at < values.size() ? values[at] : packedValues(*list, numTiles));
    }
    for (const LinkTransferRecord &link : tiles.links)
      links.push_back({link.fromIpu, link.toIpu, link.bytes, packedValues(link.tiles, numTiles)});
    if (const TrafficRecord &t = tiles.traffic; !t.bytes.empty()) {
      tilesPerGroup = t.tilesPerGroup;
      fromGroups = packList(t.fromGroups);
      toGroups = packList(t.toGroups);
      trafficBytes = packList(t.bytes);
    }
  }
  std::vector<std::string> values; // in the order of the columns
  std::vector<Link> links;
  std::uint64_t tilesPerGroup = 0;
  std::string fromGroups, toGroups, trafficBytes; // "" = not recorded
};

class CompilationWriter {
public:
  CompilationWriter(PopFile &file, const CompilationRecord &record, const CompilationRows &rows,
                    const SettingsRecord *settings)
      : file_(file), record_(record), rows_(rows), settings_(settings),
        namesInFile_(record.variableNames.size(), kNotYet) {
    numTiles_ = record.target.numIpus * record.target.tilesPerIpu;
  }

  void write() {
    writeGeneral();
    writePrograms();
    writeComputeSets();
    writeVertices();
    writeTiles();
    writeCategories();
    writeLiveness();
    writeAdvice(file_, record_.advice, rows_);
    writeLoweredVariables();
    writeStrings();
  }

private:
  /// Binds a packed blob; `packed` must live until the row is written.
  static Query &tileBlob(Query &q, const std::string &packed) {
    return packed.empty() ? q.null() : q.borrowedBlob(packed);
  }
  std::uint64_t variableName(NameId name) {
    std::uint64_t &id = namesInFile_.at(name.index());
    if (id == kNotYet) {
      id = order_.size();
      order_.push_back(&record_.variableNames[name]);
    }
    return id;
  }
  static std::uint64_t categoryId(StorageCategory category) { return static_cast<std::uint64_t>(category); }

  void writeGeneral();
  void writePrograms();
  void writeCalls();
  void writeMessages();
  void writeComputeSets();
  void writeVertices();
  void writeTiles();
  void writeCategories();
  void writeLiveness();
  void writeVariables();
  void writeClasses();
  void writeLoweredVariables();
  void writeStrings();

  PopFile &file_;
  const CompilationRecord &record_;
  const CompilationRows &rows_;
  const SettingsRecord *settings_; // null = the settings of the record
  std::size_t numTiles_ = 0;
  static constexpr std::uint64_t kNotYet = ~std::uint64_t(0);
  std::vector<std::uint64_t> namesInFile_; // by NameId of the records
  std::vector<const std::string *> order_; // names, by id in the file
};

void CompilationWriter::writeGeneral() {
  const TargetRecord &t = record_.target;
  {
    Query q(file_, insertStatement("target"));
    q << t.type << t.architecture << t.numIpus << t.tilesPerIpu << t.numReplicas << t.bytesPerTile << t.clockHz
      << t.workerContexts << t.interleavedOffset << t.machine;
    q.run();
  }
  {
    const GraphRecord &g = record_.graph;
    Query q(file_, insertStatement("graph"));
    q << g.numVertices << g.numEdges << g.numVariables << g.numComputeSets;
    q.run();
  }
  {
    Query w(file_, insertStatement("warnings"));
    std::uint64_t warning = 0;
    for (const auto &r : settings_ != nullptr ? settings_->warnings : record_.warnings)
      (w << warning++ << r.about << r.text).run();
    Query q(file_, insertStatement("options"));
    std::uint64_t id = 0;
    for (const auto &o : settings_ != nullptr ? settings_->options : record_.options)
      (q << id++ << o.scope << o.key << o.value << o.isDefault).run();
  }
  {
    Query q(file_, insertStatement("optimisations"));
    std::uint64_t id = 0;
    for (const auto &o : record_.optimisations)
      (q << id++ << o.name << o.unit << o.before << o.after).run();
  }
}

// Writes one row per program. rows_.programTiles packs the values by tile on several threads and calls the returned
// functions in the order of programs, so only one thread writes to the file.
void CompilationWriter::writePrograms() {
  Query q(file_, insertStatement("programs")), links(file_, insertStatement("link_transfers")),
      traffic(file_, insertStatement("traffic"));
  std::size_t next = 0;
  rows_.programTiles([&](std::size_t program, const ProgramTilesRecord &tiles) -> std::function<void()> {
    return [&, program, packed = PackedProgram(tiles, numTiles_)] {
      POPSCOPE_CHECK(program == next++, "program {} has values by tile after {} others", program, next - 1);
      const ProgramRecord &p = record_.programs.at(program);
      (q << program << p.type << p.name).optional(p.parent) << p.isFunction;
      q.optional(p.computeSet) << p.count << p.livenessPoint << p.controlCodeEveryTile;
      q.optional(p.exchangeCodeOf) << (p.debugContext == 0 ? std::nullopt : std::optional(p.debugContext))
                                   << joinedNames(p.barriers);
      for (const std::string &values : packed.values)
        tileBlob(q, values);
      q.run();
      std::uint64_t position = 0;
      for (const PackedProgram::Link &link : packed.links) {
        links << program << position++ << link.fromIpu << link.toIpu << link.bytes;
        tileBlob(links, link.tiles).run();
      }
      if (!packed.trafficBytes.empty())
        (traffic << program << packed.tilesPerGroup)
            .borrowedBlob(packed.fromGroups)
            .borrowedBlob(packed.toGroups)
            .borrowedBlob(packed.trafficBytes)
            .run();
    };
  });
  POPSCOPE_CHECK(next == record_.programs.size(), "{} of {} programs have values by tile", next,
                 record_.programs.size());
  writeCalls();
  writeMessages();
  Query delays(file_, insertStatement("sync_delays"));
  for (const SyncDelayRecord &delay : record_.syncDelays)
    (delays << delay.kind << delay.acrossIpus)
        .blob(packTiles(delay.toController))
        .blob(packTiles(delay.fromController))
        .run();
  Query costs(file_, insertStatement("machine_costs"));
  for (const MachineCostRecord &cost : record_.machineCosts)
    (costs << cost.key << cost.value << cost.unit).run();
  Query roots(file_, insertStatement("control_programs"));
  std::uint64_t position = 0;
  for (const auto program : record_.controlPrograms)
    (roots << position++ << program).run();
}

void CompilationWriter::writeMessages() {
  Query sizes(file_, insertStatement("message_sizes"));
  std::uint64_t set = 0;
  for (const MessageSizesRecord &row : record_.messageSizes)
    (sizes << set++ << row.buses).blob(packList(row.bytes)).blob(packList(row.messages)).run();
  Query contexts(file_, insertStatement("more_contexts"));
  for (std::size_t p = 0; p < record_.programs.size(); ++p) {
    std::uint64_t position = 0;
    for (const std::uint64_t context : record_.programs[p].moreContexts)
      (contexts << std::uint64_t(p) << position++ << context).run();
  }
}

void CompilationWriter::writeCalls() {
  std::optional<Query> q;
  for (std::size_t program = 0; program < record_.programs.size(); ++program) {
    if (record_.programs[program].callee < 0)
      continue;
    if (!q) {
      file_.execute(tableDdl("calls"));
      q.emplace(file_, insertStatement("calls"));
    }
    (*q << program << record_.programs[program].callee).run();
  }
}

void CompilationWriter::writeComputeSets() {
  Query sets(file_, insertStatement("compute_sets")), vertices(file_, insertStatement("compute_set_vertices")),
      operands(file_, insertStatement("compute_set_operands"));
  std::uint64_t id = 0;
  for (const auto &cs : record_.computeSets) {
    sets << id << cs.name;
    const std::string cycles = packedValues(cs.estimatedCyclesByTile, numTiles_);
    tileBlob(sets, cycles).run();
    std::uint64_t position = 0;
    for (const auto &v : cs.vertices) {
      std::uint64_t instances = 0;
      for (const auto &entry : v.countByTile)
        instances += entry.second;
      vertices << id << position++ << v.vertexType << instances;
      const std::string counts = packedValues(v.countByTile, numTiles_);
      tileBlob(vertices, counts).optional(v.flopVertices).optional(v.flops).optional(v.estimatedVertices);
      vertices << (v.estimatedVertices > 0 ? std::optional(v.estimatedCycles) : std::nullopt);
      vertices.run();
    }
    position = 0;
    for (const auto &o : cs.operands)
      (operands << id << position++ << o.vertexType << o.field << o.elementType << o.read << o.written << o.edges
                << o.elements << o.leastElements << o.mostElements << o.bytes)
          .run();
    ++id;
  }
}

void CompilationWriter::writeVertices() {
  Query types(file_, insertStatement("vertex_types"));
  std::uint64_t id = 0;
  for (const auto &t : record_.vertexTypes)
    (types << id++ << t.name << t.stateBytes << t.instances << t.memoryBytes << t.cycleProvenance).run();
  Query fields(file_, insertStatement("vertex_fields"));
  for (std::uint64_t type = 0; type < record_.vertexTypes.size(); ++type) {
    std::uint64_t position = 0;
    for (const auto &f : record_.vertexTypes[type].fields)
      (fields << type << position++ << f.name << f.kind << f.offset << f.bytes << f.bytesPerElement << f.outside).run();
  }
  Query tiles(file_, insertStatement("vertices_by_tile"));
  for (const auto &v : record_.verticesOnTile)
    (tiles << v.tile << v.vertexType << v.count << v.codeBytes << v.internalState << v.edgePointers << v.copyPointers
           << v.padding << v.descriptors)
        .run();
}

void CompilationWriter::writeTiles() {
  Query tiles(file_, insertStatement("memory_by_tile")), categories(file_, insertStatement("memory_by_tile_category")),
      uses(file_, insertStatement("memory_by_tile_use"));
  std::uint64_t tile = 0;
  for (const auto &m : record_.tiles) {
    tiles << tile << m.totalExcludingGaps << m.totalIncludingGaps;
    for (const auto *regions : {&m.excludingGaps, &m.includingGaps})
      for (const Bytes bytes : *regions)
        tiles << bytes;
    (tiles << m.afterOverlapping << m.lowerBoundOverlapped << m.alwaysLiveBytes << m.maxNotAlwaysLiveBytes).run();
    for (std::uint64_t c = 0; c < kNumStorageCategories; ++c)
      if (m.usedBy[c] != Bytes())
        (uses << tile << c << m.usedBy[c]).run();
    for (std::uint64_t c = 0; c < kNumStorageCategories; ++c)
      for (std::uint64_t r = 0; r < 3; ++r)
        for (std::uint64_t o = 0; o < 2; ++o)
          if (const Bytes bytes = m.category[c][r][o]; bytes != Bytes())
            (categories << tile << c << r << o << bytes).run();
    ++tile;
  }
  Query full(file_, insertStatement("tiles_out_of_memory"));
  std::uint64_t position = 0;
  for (const auto t : record_.tilesOutOfMemory)
    (full << position++ << t).run();
}

void CompilationWriter::writeCategories() {
  Query q(file_, insertStatement("var_categories"));
  for (std::uint64_t c = 0; c < kNumStorageCategories; ++c)
    (q << c << kStorageCategories[c].key).run();
}

void CompilationWriter::writeLiveness() {
  writeVariables();
  writeClasses();
  Query steps(file_, insertStatement("liveness_steps")), ipus(file_, insertStatement("liveness_steps_by_ipu"));
  std::uint64_t id = 0;
  for (const auto &s : record_.livenessSteps) {
    (steps << id << s.program << s.bytes).run();
    for (std::uint64_t ipu = 0; ipu < s.bytesByIpu.size(); ++ipu)
      (ipus << id << ipu << s.bytesByIpu[ipu]).run();
    ++id;
  }
  Query totals(file_, insertStatement("liveness_totals"));
  (totals << record_.alwaysLiveBytes << record_.maxLiveBytes).run();
}

void CompilationWriter::writeVariables() {
  RowPacker q(file_, "liveness_variables");
  RowPacker parts(file_, "liveness_parts");
  std::uint64_t id = 0;
  rows_.variables([&](const LiveVariableRecord &v) {
    for (const LivePartRecord &part : v.parts) {
      parts << id << static_cast<std::uint64_t>(part.liveClass) << part.bytes;
      parts.blob(encodeTileValues(part.bytesByTile, numTiles_));
      parts.run();
    }
    ++id;
    q << variableName(v.name) << v.bytes << std::uint64_t(v.alwaysLive);
    q.optional(v.liveClass) << categoryId(v.category);
    if (v.bytesByTile.empty())
      q.null();
    else
      q.blob(encodeTileValues(v.bytesByTile, numTiles_));
    q.run();
  });
  q.finish();
  parts.finish();
}

void CompilationWriter::writeClasses() {
  Query classes(file_, insertStatement("equivalence_classes"));
  Query intervals(file_, insertStatement("equivalence_class_intervals"));
  std::uint64_t id = 0;
  for (const auto &c : record_.livenessClasses) {
    (classes << id << std::uint64_t(c.intervals.size())).run();
    std::uint64_t position = 0;
    for (const auto &interval : c.intervals)
      (intervals << id << position++ << interval.first << interval.second).run();
    ++id;
  }
}

void CompilationWriter::writeLoweredVariables() {
  RowPacker q(file_, "vars_info");
  using Row = LoweredVariableRecord;
  rows_.loweredVariables([&](std::span<const Row> rows) {
    q.rows(
        rows, [&](const Row &v) { return variableName(v.name); }, [](const Row &v) { return v.variable; },
        [](const Row &v) { return v.tile; }, [](const Row &v) { return v.offset.count(); },
        [](const Row &v) { return v.bytes.count(); }, [](const Row &v) { return v.alignment; },
        [](const Row &v) { return categoryId(v.category); }, [](const Row &v) { return v.alwaysLive; },
        [](const Row &v) { return v.overlapped; }, [](const Row &v) { return v.isConstant; },
        [](const Row &v) { return v.occupiedClass; });
  });
  q.finish();
}

void CompilationWriter::writeStrings() {
  Query q(file_, insertStatement("vars_string_table"));
  std::uint64_t id = 0;
  for (const auto *string : order_)
    (q << id++ << *string).run();
}

} // namespace

void writeCompilation(PopFile &file, const CompilationRecord &record, const CompilationRows &rows,
                      const SettingsRecord *settings) {
  CompilationWriter(file, record, rows, settings).write();
}

} // namespace popscope
