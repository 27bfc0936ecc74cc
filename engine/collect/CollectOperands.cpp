// Collects the accesses of vertices by compute set, vertex type and field.
#include "base/Parallel.hpp"
#include "engine/collect/Collect.hpp"
#include "graph/steps/ExecutedSets.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace popscope {
namespace {

// The fields of copy vertices.
constexpr std::uint16_t kFrom = 0, kTo = 1;

/// Returns the field's name, or "" if it is not known.
std::string fieldName(const StepProgram &program, const CodeletSet *codelets, VertexTypeId type, std::uint16_t field) {
  const StepVertexType &of = program.vertexTypes[type];
  if (of.kind == VertexKind::Copy)
    return field == kFrom ? "from" : "to";
  if (of.codelet < 0 || codelets == nullptr)
    return "";
  const auto &fields = codelets->at(static_cast<int>(of.codelet)).fields;
  return field < fields.size() ? fields[field].name : "";
}

/// Builds texts like "in: a, out: b"; a variable that is connected twice appears once.
class OperandNames {
public:
  explicit OperandNames(const StepProgram &program) : program_(program) {}
  void add(const std::string &field, HomeId home) {
    const std::string variable = home.valid() ? program_.names[program_.vars[program_.homes[home].var].name] : "";
    const std::string one = field + (field.empty() ? "" : ": ") + (variable.empty() ? "<anonymous>" : variable);
    if (std::find(known_.begin(), known_.end(), one) != known_.end())
      return;
    known_.push_back(one);
    text_ += (text_.empty() ? "" : ", ") + one;
  }
  [[nodiscard]] const std::string &text() const { return text_; }

private:
  const StepProgram &program_;
  std::vector<std::string> known_;
  std::string text_;
};

class OperandCollector {
public:
  explicit OperandCollector(const CollectInput &input) : input_(input), program_(input.program) {}

  void add(const ExecuteStep &execute, std::vector<VertexOperandRecord> &out) {
    rows_.clear();
    latest_.clear();
    for (const StepVertex &vertex : verticesOf(program_, execute))
      addVertex(vertex);
    for (const CopyVertex &copy : copiesOf(program_, execute))
      addCopy(copy);
    for (auto &[key, row] : rows_)
      out.push_back(std::move(row));
  }

private:
  // The key of a row: type, field, element type and direction. Edges of one field agree in all four, but the code does
  // not rely on this.
  using Key = std::tuple<std::uint32_t, std::uint16_t, ElementType, bool, bool>;

  VertexOperandRecord &rowOf(VertexTypeId type, std::uint16_t field, ElementType element, bool read, bool written) {
    const Key key{type.index(), field, element, read, written};
    if (field < latest_.size() && latest_[field].second != nullptr && latest_[field].first == key)
      return *latest_[field].second; // vertices of one type are consecutive
    const auto [at, isNew] = rows_.try_emplace(key);
    VertexOperandRecord &row = at->second;
    if (field >= latest_.size())
      latest_.resize(std::size_t(field) + 1);
    latest_[field] = {key, &row};
    if (isNew) {
      row.vertexType = type.index();
      row.read = read;
      row.written = written;
      row.elementType = element == ElementType::Invalid ? "" : elementTypeName(element);
      row.field = fieldName(program_, input_.codelets, type, field);
    }
    return row;
  }
  static void count(VertexOperandRecord &row, std::uint64_t elements, Bytes bytes) {
    row.leastElements = row.edges == 0 ? elements : std::min(row.leastElements, elements);
    row.mostElements = std::max(row.mostElements, elements);
    ++row.edges;
    row.elements += elements;
    row.bytes += bytes;
  }
  void addVertex(const StepVertex &v) {
    for (const VertexEdge edge : program_.edgesOf(v)) {
      const ElementType type =
          edge.home.valid() ? program_.vars[program_.homes[edge.home].var].type : ElementType::Invalid;
      const std::uint64_t size = edge.home.valid() ? elementBytes(type) : 0;
      count(rowOf(v.type, edge.field, type, edge.reads, edge.writes), edge.elements, Bytes(edge.elements * size));
    }
  }
  void addCopy(const CopyVertex &copy) {
    Bytes from;
    for (std::uint32_t r = copy.firstRun; r < copy.firstRun + copy.numRuns; ++r)
      from += program_.copyRuns[r].src.valid() ? program_.copyRuns[r].bytes : Bytes(); // a fill reads nothing
    if (from != Bytes())
      count(rowOf(copy.type, kFrom, ElementType::Invalid, true, false), from.count(), from);
    count(rowOf(copy.type, kTo, ElementType::Invalid, false, true), copy.bytes.count(), copy.bytes);
  }

  const CollectInput &input_;
  const StepProgram &program_;
  std::map<Key, VertexOperandRecord> rows_;
  std::vector<std::pair<Key, VertexOperandRecord *>> latest_; // per field: the row of the previous edge
};

} // namespace

void collectOperands(const CollectInput &input, CompilationRecord &record) {
  std::vector<const ExecuteStep *> sets;
  forEachExecutedSet(input.program, [&](const ExecuteStep &execute) { sets.push_back(&execute); });
  std::vector<std::vector<VertexOperandRecord>> operands(sets.size());
  parallelRanges(input.threads, sets.size(), 1, [&](std::size_t begin, std::size_t end) {
    OperandCollector collector(input);
    for (std::size_t s = begin; s < end; ++s)
      collector.add(*sets[s], operands[s]);
  });
  for (std::size_t s = 0; s < sets.size(); ++s) {
    std::vector<VertexOperandRecord> &all = record.computeSets[sets[s]->computeSet.index()].operands;
    all.insert(all.end(), std::make_move_iterator(operands[s].begin()), std::make_move_iterator(operands[s].end()));
  }
}

std::vector<VertexRecord> collectVertexTimes(const StepProgram &program, const CodeletSet &codelets,
                                             const std::vector<VertexTime> &times) {
  std::vector<VertexRecord> rows;
  rows.reserve(times.size());
  for (const VertexTime &time : times) {
    OperandNames operands(program);
    if (program.vertexTypes[time.type].kind == VertexKind::Copy) {
      const CopyVertex &copy = program.copies[time.row];
      for (std::uint32_t r = copy.firstRun; r < copy.firstRun + copy.numRuns; ++r) {
        const CopyRun &run = program.copyRuns[r];
        if (run.src.valid())
          operands.add(fieldName(program, &codelets, time.type, kFrom), run.src);
        operands.add(fieldName(program, &codelets, time.type, kTo), run.dst);
      }
    } else {
      for (const VertexEdge edge : program.edgesOf(program.vertices[time.row]))
        operands.add(fieldName(program, &codelets, time.type, edge.field), edge.home);
    }
    rows.push_back({time.computeSet.index(), time.type.index(), time.tile.index(), operands.text(), time.cycles});
  }
  return rows;
}

} // namespace popscope
