#include "engine/collect/CollectRows.hpp"

#include "engine/collect/VariableNames.hpp"
#include "liveness/layout/BuildProblem.hpp"

#include <map>
#include <utility>

namespace popscope {

CollectedRows::CollectedRows(const CollectInput &input, StringTable &names)
    : program_(input.program), ranges_(input.ranges), layout_(input.layout), programTiles_(input),
      threads_(input.threads), lowered_(input.loweredVariables), explained_(input.explained), accesses_(input.accesses),
      variables_(input.program.vars.size()) {
  VariableNames known(program_, names);
  nothing_ = names.intern("");
  std::uint32_t rows = 0;
  for (std::size_t i = 0; i < program_.vars.size(); ++i) { // all variables with memory, also variables that are never
                                                           // live
    const VarId id = program_.vars.idAt(i);
    const StepVar &var = program_.vars[id];
    if (var.numHomes == 0 || !takesMemory(ranges_, id))
      continue;
    VariableRow &row = variables_[i];
    row = {VariableRow::kNone, known.of(var), var.constant, ranges_.always[id] != 0};
    row.row = rows++;
    for (std::uint32_t h = var.firstHome; row.always && h < var.firstHome + var.numHomes; ++h)
      alwaysLiveBytes_ += program_.homeBytes(HomeId(h));
  }
  nameOwners(names);
  collectPseudoVariables();
}

void CollectedRows::nameOwners(StringTable &names) {
  for (std::size_t c = 0; c < kNumStorageCategories; ++c)
    categories_[c] = names.intern(storageCategoryKey(static_cast<StorageCategory>(c)));
  if (!lowered_)
    return;
  for (const StepVertexType &type : program_.vertexTypes.raw())
    types_.push_back(names.intern(type.name));
  for (const auto &library : program_.libraryCode)
    libraries_.push_back(names.intern(library.name));
  for (const Step &step : program_.steps.raw())
    steps_.push_back(names.intern(program_.names[step.name]));
}

/// Returns the name of an allocation that is no home.
NameId CollectedRows::ownerName(const Allocation &a) const {
  const auto at = [this](const std::vector<NameId> &names, const Allocation &owned) {
    return owned.ownerIndex < names.size() ? names[owned.ownerIndex] : nothing_;
  };
  switch (a.owner) {
  case OwnerKind::VertexCode: return at(types_, a);
  case OwnerKind::LibraryCode: return at(libraries_, a);
  case OwnerKind::Control:
  case OwnerKind::InternalExchange:
  case OwnerKind::HostExchange:
  case OwnerKind::GlobalExchange:
  case OwnerKind::HostHeader:
  case OwnerKind::GlobalHeader:
  case OwnerKind::Instrumentation:
  case OwnerKind::ControlTable: return at(steps_, a);
  case OwnerKind::Home:
  case OwnerKind::Vertex:
  case OwnerKind::CopyVertex:
  case OwnerKind::Runtime:
  case OwnerKind::Stack:
  case OwnerKind::SharedData: break;
  }
  return categories_[static_cast<std::size_t>(a.category)];
}

// Adds code and system data: one variable per category, with the category's key as its name.
void CollectedRows::collectPseudoVariables() {
  std::array<TileValues, kNumStorageCategories> byCategory;
  for (std::uint32_t tile = 0; tile < program_.numTiles; ++tile)
    for (const Allocation &a : layout_.ofTile(TileId(tile))) {
      if (a.owner == OwnerKind::Home)
        continue;
      TileValues &rows = byCategory[static_cast<std::size_t>(a.category)];
      if (!rows.empty() && rows.back().first == tile)
        rows.back().second += a.bytes.count();
      else
        rows.emplace_back(tile, a.bytes.count());
    }
  for (std::size_t c = 0; c < byCategory.size(); ++c) {
    LiveVariableRecord v;
    v.name = categories_[c];
    v.category = static_cast<StorageCategory>(c);
    v.alwaysLive = true;
    v.bytesByTile = std::move(byCategory[c]);
    for (const auto &row : v.bytesByTile)
      v.bytes += Bytes(row.second);
    if (v.bytes == Bytes())
      continue;
    alwaysLiveBytes_ += v.bytes;
    pseudo_.push_back(std::move(v));
  }
}

// Emits variables one by one from one reused record, then the pseudo-variables. Cost: linear in homes.
void CollectedRows::variables(const Take<LiveVariableRecord> &take) const {
  LiveVariableRecord v;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (!variables_[i].recorded())
      continue;
    const VarId id = program_.vars.idAt(i);
    const StepVar &var = program_.vars[id];
    v.name = variables_[i].name;
    v.bytes = {};
    v.alwaysLive = variables_[i].always;
    v.liveClass = ranges_.live[id].index();
    v.category = var.category;
    v.bytesByTile.clear();
    v.parts.clear();
    std::map<std::uint32_t, LivePartRecord> parts; // by class
    for (std::uint32_t h = var.firstHome; h < var.firstHome + var.numHomes; ++h) {
      const Bytes bytes = program_.homeBytes(HomeId(h));
      v.bytes += bytes;
      v.bytesByTile.emplace_back(program_.homes[HomeId(h)].tile.index(), bytes.count());
      const LiveClassId live = ranges_.liveOf(id, HomeId(h));
      if (live == ranges_.live[id])
        continue;
      LivePartRecord &part = parts[live.index()];
      part.liveClass = live.index();
      part.bytes += bytes;
      part.bytesByTile.push_back(v.bytesByTile.back());
    }
    for (auto &part : parts)
      v.parts.push_back(std::move(part.second));
    take(v);
  }
  for (const LiveVariableRecord &pseudo : pseudo_)
    take(pseudo);
}

LoweredVariableRecord CollectedRows::lowered(std::uint32_t tile, const Allocation &a) const {
  LoweredVariableRecord v;
  v.tile = tile;
  v.offset = Bytes(a.address);
  v.bytes = a.bytes;
  v.alignment = a.alignment;
  v.category = a.category;
  v.overlapped = a.overlapped;
  v.occupiedClass = a.occupied.index();
  v.alwaysLive = a.occupied == LiveClassId(1);
  if (a.owner == OwnerKind::Home) {
    const VariableRow &var = variables_[program_.homes[HomeId(a.ownerIndex)].var.index()];
    v.name = var.name;
    v.variable = var.id();
    v.isConstant = var.constant;
    v.alwaysLive = var.always;
  } else {
    v.name = ownerName(a);
  }
  return v;
}

void CollectedRows::loweredVariables(const TakeSome<LoweredVariableRecord> &take) const {
  if (!lowered_)
    return;
  SomeRows<LoweredVariableRecord> rows(take);
  for (std::uint32_t tile = 0; tile < program_.numTiles; ++tile)
    for (const Allocation &a : layout_.ofTile(TileId(tile)))
      rows.add(lowered(tile, a));
  rows.finish();
}

void CollectedRows::accesses(const TakeSome<VariableAccessRecord> &take) const {
  if (!explained_)
    return;
  if (accesses_ != nullptr)
    collectVariableAccesses(program_, *accesses_, variables_, take);
  else
    collectVariableAccesses(program_, collectAccesses(program_, threads_), variables_, take);
}

} // namespace popscope
