#include "report/pva/Model.hpp"

#include <algorithm>
#include <stdexcept>

namespace pva {
namespace {

constexpr int kAllTiles = 0, kIpu = 1;
constexpr std::size_t kEveryTile = ~std::size_t(0);

using SizedVariable = std::pair<std::uint32_t, std::uint64_t>; // id, bytes in the scope

List<Variable> variableList(const detail::Owner &model, std::vector<SizedVariable> found) {
  return detail::makeList<Variable>(
      found.size(), [model, found](std::size_t i) { return Variable(model, found[i].first, found[i].second); });
}

/// Returns the bytes on the tiles [first, end).
std::uint64_t bytesOnTiles(const popscope::TileValues &values, std::size_t first, std::size_t end) {
  std::uint64_t bytes = 0;
  for (const auto &entry : values)
    if (entry.first >= first && entry.first < end)
      bytes += entry.second;
  return bytes;
}

/// Returns the entry of a tile or variable in a list that ascends by tile or variable, or null if there is no such
/// entry.
template <class Entry> const Entry *entryOf(const std::vector<Entry> &values, std::size_t key) {
  const auto at = std::lower_bound(values.begin(), values.end(), key,
                                   [](const Entry &entry, std::size_t k) { return entry.first < k; });
  return at != values.end() && at->first == key ? &*at : nullptr;
}

std::int64_t liveClassOn(const popscope::LiveVariableRecord &v, std::size_t tile) {
  for (const auto &part : v.parts)
    if (entryOf(part.bytesByTile, tile) != nullptr)
      return part.liveClass;
  return v.liveClass;
}

bool isLiveIn(const std::vector<popscope::LivenessClassRecord> &classes, std::int64_t liveClass,
              std::uint32_t program) {
  return liveClass >= 0 && detail::isLive(classes[static_cast<std::size_t>(liveClass)], program);
}

/// Returns the bytes of a variable that is live at the program. Counts only the bytes on those of the tiles [first,
/// end) on which the variable is live.
std::uint64_t liveBytes(const detail::Model &model, const popscope::LiveVariableRecord &v, std::uint32_t program,
                        std::size_t first, std::size_t end) {
  const bool all = first == 0 && end == kEveryTile;
  std::uint64_t bytes = all ? v.bytes.count() : bytesOnTiles(v.bytesByTile, first, end);
  const auto &classes = model.classes();
  for (const auto &part : v.parts)
    if (!isLiveIn(classes, part.liveClass, program))
      bytes -= all ? part.bytes.count() : bytesOnTiles(part.bytesByTile, first, end);
  return bytes;
}

/// Returns the variables that are live at the program on a stored tile. Searches either the variables of the tile or
/// the live variables, whichever are fewer.
std::vector<SizedVariable> liveOnTile(const detail::Model &model, std::uint32_t program, std::size_t tile) {
  const auto &classes = model.classes();
  const auto &rows = model.variables().rows;
  const auto &here = model.variables().onTile.at(tile); // ascending ids
  std::vector<SizedVariable> found;
  const auto add = [&](const SizedVariable &entry) {
    if (isLiveIn(classes, liveClassOn(rows[entry.first], tile), program))
      found.push_back(entry);
  };
  if (model.liveVariables().countAt(program) < here.size()) {
    for (const std::uint32_t id : model.liveVariables().at(program))
      if (const auto *const entry = entryOf(here, id))
        add(*entry);
  } else {
    for (const SizedVariable &entry : here)
      if (const auto &row = rows[entry.first]; !row.alwaysLive && isLiveIn(classes, row.liveClass, program))
        add(entry);
  }
  return found;
}

std::vector<SizedVariable> liveVariables(const detail::Model &model, std::size_t step, int scope, std::size_t index) {
  const std::uint32_t program = model.livenessSteps().at(step).program;
  if (scope != kAllTiles && scope != kIpu)
    return liveOnTile(model, program, model.storedTile(index));
  const auto &variables = model.variables();
  std::vector<SizedVariable> found;
  const std::size_t perIpu = model.target().tilesPerIpu;
  for (const std::uint32_t id : model.liveVariables().at(program)) {
    const std::size_t first = scope == kAllTiles ? 0 : index * perIpu,
                      end = scope == kAllTiles ? kEveryTile : first + perIpu;
    const auto &v = variables.rows[id];
    const std::uint64_t bytes = liveBytes(model, v, program, first, end);
    if (bytes != 0 || (scope == kAllTiles && v.parts.empty()))
      found.emplace_back(id, bytes);
  }
  return found;
}

} // namespace

std::string Variable::name() const { return model_->variableName(model_->variables().rows.at(id_).name); }
std::string Variable::category() const {
  return popscope::storageCategoryKey(model_->variables().rows.at(id_).category);
}

bool Variable::alwaysLive() const { return model_->variables().rows.at(id_).alwaysLive; }
Values Variable::bytesByTile() const {
  std::vector<std::uint64_t> bytes(model_->tilesPerReplica());
  for (const auto &entry : model_->variables().rows.at(id_).bytesByTile)
    if (entry.first < bytes.size())
      bytes[entry.first] = entry.second;
  return Values(std::make_shared<const std::vector<std::uint64_t>>(std::move(bytes)));
}
Values Variable::tiles() const {
  std::vector<std::uint64_t> tiles;
  for (const auto &entry : model_->variables().rows.at(id_).bytesByTile)
    if (entry.second != 0 && entry.first < model_->tilesPerReplica())
      tiles.push_back(entry.first);
  return Values(std::make_shared<const std::vector<std::uint64_t>>(std::move(tiles)));
}
std::uint64_t Variable::bytesOn(std::size_t tile) const {
  const auto *const entry = entryOf(model_->variables().rows.at(id_).bytesByTile, model_->storedTile(tile));
  return entry != nullptr ? entry->second : 0;
}
List<StepInterval> Variable::liveSteps() const {
  const auto &row = model_->variables().rows.at(id_);
  if (row.alwaysLive)
    return EquivalenceClass(model_, -1).steps();
  return row.liveClass < 0 ? List<StepInterval>() : EquivalenceClass(model_, row.liveClass).steps();
}
List<StepInterval> Variable::liveStepsOn(std::size_t tile) const {
  const auto &row = model_->variables().rows.at(id_);
  const std::size_t stored = model_->storedTile(tile);
  if (entryOf(row.bytesByTile, stored) == nullptr)
    return {};
  const std::int64_t live = liveClassOn(row, stored);
  return live == row.liveClass ? liveSteps() : EquivalenceClass(model_, live).steps();
}
std::vector<VariablePart> Variable::parts() const {
  const auto &row = model_->variables().rows.at(id_);
  const std::size_t tiles = model_->tilesPerReplica();
  std::vector<VariablePart> parts{{liveSteps(), {}, 0, true}};
  std::vector<std::uint64_t> apart; // the tiles of all other parts
  for (const auto &part : row.parts) {
    parts.push_back({EquivalenceClass(model_, part.liveClass).steps(), {}, 0, false});
    for (const auto &[tile, bytes] : part.bytesByTile) {
      apart.push_back(tile);
      if (bytes != 0 && tile < tiles)
        parts.back().tiles.emplace_back(tile, bytes);
    }
  }
  std::sort(apart.begin(), apart.end());
  for (const auto &[tile, bytes] : row.bytesByTile)
    if (bytes != 0 && tile < tiles && !std::binary_search(apart.begin(), apart.end(), std::uint64_t(tile)))
      parts.front().tiles.emplace_back(tile, bytes);
  for (VariablePart &part : parts)
    for (const auto &entry : part.tiles)
      part.bytes += entry.second;
  parts.erase(std::remove_if(parts.begin(), parts.end(), [](const VariablePart &p) { return p.tiles.empty(); }),
              parts.end());
  return parts;
}

List<Variable> CompilationReport::variables() const {
  std::vector<SizedVariable> all;
  const auto &rows = model_->variables().rows;
  for (std::uint32_t id = 0; id < rows.size(); ++id)
    all.emplace_back(id, rows[id].bytes.count());
  return variableList(model_, std::move(all));
}

List<Variable> CompilationReport::alwaysLiveVariables() const {
  std::vector<SizedVariable> found;
  for (const auto id : model_->variables().alwaysLive)
    found.emplace_back(id, model_->variables().rows[id].bytes.count());
  return variableList(model_, std::move(found));
}

LivenessMemory LivenessProgramStep::notAlwaysLiveMemoryForIpu(std::size_t ipu) const {
  if (ipu >= model_->limits().ipus)
    throw std::out_of_range("pva: no IPU " + std::to_string(ipu) + ": there are " +
                            std::to_string(model_->limits().ipus));
  const std::size_t perIpu = model_->target().tilesPerIpu;
  return LivenessMemory(model_, step_, kIpu, model_->storedTile(ipu * perIpu) / perIpu);
}
LivenessMemory LivenessProgramStep::notAlwaysLiveMemoryForTile(std::size_t tile) const {
  (void)model_->storedTile(tile);
  return LivenessMemory(model_, step_, 2, tile);
}

List<Variable> CompilationReport::alwaysLiveVariablesForTile(std::size_t tile) const {
  const auto &variables = model_->variables();
  std::vector<SizedVariable> found;
  for (const auto &entry : variables.onTile.at(model_->storedTile(tile)))
    if (variables.rows[entry.first].alwaysLive)
      found.push_back(entry);
  return variableList(model_, std::move(found));
}

std::uint64_t LivenessMemory::bytes() const {
  const auto &step = model_->livenessSteps().at(step_);
  if (scope_ == kAllTiles)
    return step.bytes.count();
  if (scope_ == kIpu && index_ < step.bytesByIpu.size())
    return step.bytesByIpu[index_].count();
  std::uint64_t bytes = 0;
  for (const auto &entry : liveVariables(*model_, step_, scope_, index_))
    bytes += entry.second;
  return bytes;
}

List<Variable> LivenessMemory::variables() const {
  return variableList(model_, liveVariables(*model_, step_, scope_, index_));
}

std::shared_ptr<Program> LivenessProgramStep::program() const {
  return model_->program(model_->livenessSteps().at(step_).program);
}

List<StepInterval> EquivalenceClass::steps() const {
  if (id_ < 0)
    return detail::listOf<StepInterval>({{0, model_->livenessSteps().size()}});
  const auto intervals = model_->stepsOfClass(static_cast<std::size_t>(id_));
  return detail::makeList<StepInterval>(intervals.size(),
                                        [model = model_, intervals](std::size_t i) { return intervals[i]; });
}

std::uint64_t BriefVar::bytes() const { return model_->lowered(id_).bytes.count(); }
std::uint64_t BriefVar::tileId() const { return model_->lowered(id_).tile; }
EquivalenceClass BriefVar::equivalenceClass() const { return LoweredVariable(model_, id_).equivalenceClass(); }

std::string LoweredVariable::name() const { return model_->variableName(model_->lowered(id_).name); }
std::uint64_t LoweredVariable::bytes() const { return model_->lowered(id_).bytes.count(); }
bool LoweredVariable::hasUnloweredVar() const { return model_->lowered(id_).variable >= 0; }
Variable LoweredVariable::unloweredVar() const {
  const auto &row = model_->lowered(id_);
  if (row.variable < 0)
    throw std::logic_error("pva: lowered variable '" + name() + "' has no unlowered variable");
  return Variable(model_, static_cast<std::size_t>(row.variable), row.bytes.count());
}
bool LoweredVariable::alwaysLive() const { return model_->lowered(id_).alwaysLive; }
std::uint64_t LoweredVariable::offset() const { return model_->lowered(id_).offset.count(); }
std::uint64_t LoweredVariable::alignment() const { return model_->lowered(id_).alignment; }
std::string LoweredVariable::category() const { return popscope::storageCategoryKey(model_->lowered(id_).category); }
bool LoweredVariable::isConstant() const { return model_->lowered(id_).isConstant; }
std::uint64_t LoweredVariable::tile() const { return model_->lowered(id_).tile; }
bool LoweredVariable::overlapped() const { return model_->lowered(id_).overlapped; }
EquivalenceClass LoweredVariable::equivalenceClass() const {
  return EquivalenceClass(model_, model_->lowered(id_).occupiedClass);
}
bool LoweredVariable::inInterleavedMem() const {
  const std::uint64_t start = model_->target().interleavedOffset.count();
  return start != 0 && offset() >= start;
}

List<BriefVar> LoweredVariables::allBriefVars() const {
  return detail::makeList<BriefVar>(model_->loweredVariables().size(),
                                    [model = model_](std::size_t i) { return BriefVar(model, i); });
}

List<LoweredVariable> LoweredVariables::forTile(std::size_t tile) const {
  std::vector<LoweredVariable> found;
  for (const std::size_t row : model_->loweredOnTile(model_->storedTile(tile)))
    found.emplace_back(model_, row);
  return detail::listOf(std::move(found));
}

} // namespace pva
