#include "graph/codelets/StandIn.hpp"

#include "graph/codelets/standin/IssueSlots.hpp"
#include "graph/codelets/standin/LibraryCalls.hpp"
#include "graph/codelets/standin/StandInImage.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace popscope {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t(1) << 30;

std::uint64_t alignUp(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}
std::uint64_t bytesOf(const VertexClass &c, const StandInOperand &o) {
  return o.elements * elementBytes(c.fields[o.field].type);
}

/// Places one vertex after the image: state, then tables of nested fields, then data, then the stack.
///   scalar state: value      scalar edge: pointer      vector: pointer, size      nested: pointer to rows, rows
class Placement {
public:
  Placement(const VertexClass &c, const std::vector<StandInOperand> &operands)
      : class_(c), operands_(operands), layout_(c.standIn->layout(c.standInEntry)), rows_(c.fields.size(), 0) {
    for (const StandInOperand &o : operands_)
      rows_[o.field] = std::max(rows_[o.field], o.subIndex + 1);
    std::uint64_t next = alignUp(layout_.stateBytes, 16);
    for (std::size_t f = 0; f != c.fields.size(); ++f) {
      tables_.push_back(next);
      next += alignUp(std::uint64_t(rows_[f]) * rowBytes(c.fields[f].shape), 16);
    }
    for (const StandInOperand &o : operands_) {
      next = alignUp(next, std::max<std::uint64_t>(16, c.fields[o.field].minAlign));
      data_.push_back(next);
      next += bytesOf(c, o) + 32; // codelets read up to the width of a vector past the end
    }
    bytes_ = alignUp(next, 16) + kStandInStackBytes;
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint32_t dataAddress(std::size_t operand, std::uint32_t base) const {
    return base + static_cast<std::uint32_t>(data_[operand]);
  }

  void fill(Rv32Memory &ram, std::uint32_t base) const {
    for (std::size_t f = 0; f != class_.fields.size(); ++f)
      if (isNested(class_.fields[f].shape)) {
        ram.store(base + layout_.fieldOffsets[f], base + static_cast<std::uint32_t>(tables_[f]), 4);
        ram.store(base + layout_.fieldOffsets[f] + 4, rows_[f], 4);
      }
    for (std::size_t i = 0; i != operands_.size(); ++i)
      fillOperand(ram, base, i);
  }

private:
  static bool isNested(FieldShape shape) { return shape != FieldShape::Scalar && shape != FieldShape::Vector; }
  static std::uint32_t rowBytes(FieldShape shape) {
    return !isNested(shape) ? 0 : shape == FieldShape::VectorOfScalars ? 4 : 8;
  }

  void fillOperand(Rv32Memory &ram, std::uint32_t base, std::size_t i) const {
    const StandInOperand &o = operands_[i];
    const FieldInfo &field = class_.fields[o.field];
    const std::uint32_t data = dataAddress(i, base);
    const std::uint64_t bytes = bytesOf(class_, o);
    if (o.data != nullptr && bytes != 0)
      std::memcpy(ram.at(data), o.data, bytes);
    std::uint32_t place = base + layout_.fieldOffsets[o.field];
    if (field.shape == FieldShape::Scalar && field.direction == FieldDirection::State) {
      if (o.data != nullptr)
        std::memcpy(ram.at(place), o.data, elementBytes(field.type));
      return;
    }
    if (isNested(field.shape))
      place = base + static_cast<std::uint32_t>(tables_[o.field]) + o.subIndex * rowBytes(field.shape);
    ram.store(place, data, 4);
    if (field.shape != FieldShape::Scalar && field.shape != FieldShape::VectorOfScalars)
      ram.store(place + 4, static_cast<std::uint32_t>(o.elements), 4);
  }

  const VertexClass &class_;
  const std::vector<StandInOperand> &operands_;
  const StandInImage::Layout &layout_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint64_t> tables_, data_; // offsets from the start of the state
  std::uint64_t bytes_ = 0;
};

/// Returns the reason why the operands cannot be placed, or "" if they can.
std::string refusal(const VertexClass &c, const std::vector<StandInOperand> &operands) {
  if (c.standIn == nullptr)
    return "'" + c.name + "' has no stand-in code: " + c.standInProblem;
  std::uint64_t total = 0;
  for (const StandInOperand &o : operands) {
    if (o.field >= c.fields.size())
      return fmt::format("'{}' has no field number {}", c.name, o.field);
    const FieldInfo &field = c.fields[o.field];
    if (field.shape == FieldShape::Scalar && o.elements != 1)
      return fmt::format("field '{}' of '{}' is one element and was given {}", field.name, c.name, o.elements);
    total += std::min(o.elements, kMaxBytes) * elementBytes(field.type);
    if (total > kMaxBytes / 2 || o.subIndex > (1u << 24))
      return fmt::format("the operands of '{}' do not fit the stand-in's memory", c.name);
  }
  return "";
}

Rv32::Trap libraryTrap(const StandInImage &image, const LibraryCost &cost, std::uint64_t &flops) {
  return [&image, &cost, &flops](Rv32 &machine, std::uint32_t address, std::uint64_t &spent, std::string &problem) {
    const std::string &name = image.trapName(address);
    LibraryWork work;
    const LibraryCallStatus status = callLibrary(name, machine, work, problem);
    if (status == LibraryCallStatus::Failed)
      return false;
    const std::uint64_t slots = !cost ? 1 : cost(name);
    if (status == LibraryCallStatus::Unknown || slots == 0) {
      problem = name.empty() ? "call of a function that does not exist" : "call of the unknown function '" + name + "'";
      return false;
    }
    flops += work.flops;
    spent += slots + 2 * work.words; // the table has the cost of one call; each moved word is a load and a store
    return true;
  };
}

} // namespace

StandInResult runStandIn(const VertexClass &vertexClass, const std::vector<StandInOperand> &operands,
                         const LibraryCost &cost, unsigned worker, std::uint64_t instructionLimit,
                         std::vector<std::vector<std::uint8_t>> *after, const StandInIssue &issue) {
  StandInResult result;
  result.problem = refusal(vertexClass, operands);
  if (!result.problem.empty())
    return result;
  const StandInImage &image = *vertexClass.standIn;
  const Placement placement(vertexClass, operands);
  if (placement.bytes() > kMaxBytes) {
    result.problem = "the operands of '" + vertexClass.name + "' do not fit the stand-in's memory";
    return result;
  }
  std::uint32_t base = 0;
  Rv32Memory ram = image.memory(placement.bytes(), base);
  placement.fill(ram, base);
  const Rv32::Trap trap = libraryTrap(image, cost, result.flops);
  IssueSlots slots(
      {issue.model, issue.rptCountMax, issue.workerContexts, vertexClass.kind == VertexClassKind::Supervisor}, cost);
  Rv32 machine(ram, trap, issue.model == StandInModel{} ? nullptr : &slots);
  machine.x[10] = base;
  machine.x[11] = worker;
  const Rv32Outcome outcome = machine.call(image.function(vertexClass.standInEntry),
                                           base + static_cast<std::uint32_t>(placement.bytes()), instructionLimit);
  result.instructions = outcome.instructions;
  result.accesses = outcome.accesses;
  result.flops += outcome.flops;
  result.slotsBeyond = slots.beyond();
  result.waits = slots.waits();
  result.completed = outcome.completed;
  result.problem = outcome.problem;
  if (after != nullptr) {
    after->clear();
    for (std::size_t i = 0; i != operands.size(); ++i) {
      const std::uint8_t *begin = ram.bytes.data() + (placement.dataAddress(i, base) - ram.base);
      after->emplace_back(begin, begin + bytesOf(vertexClass, operands[i]));
    }
  }
  return result;
}

} // namespace popscope
