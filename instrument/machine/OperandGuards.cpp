#include "instrument/machine/OperandGuards.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace popscope {
namespace {

/// Returns the guard byte of an address, 0xA0 to 0xDF. No byte of a small integer has such a value. The byte depends
/// only on the place within the alignment of homes, so messages are the same in each run.
std::uint8_t guardByte(const std::uint8_t *at) {
  return static_cast<std::uint8_t>(0xA0 + reinterpret_cast<std::uintptr_t>(at) % kHomeAlignment * 5 % 64);
}
void fillGuard(std::uint8_t *begin, const std::uint8_t *end) {
  for (std::uint8_t *at = begin; at != end; ++at)
    *at = guardByte(at);
}
/// Returns the number of bytes up to and including the last changed byte, or 0 if no byte is changed.
std::size_t changedUpTo(const std::uint8_t *begin, const std::uint8_t *end) {
  for (const std::uint8_t *at = end; at != begin; --at)
    if (at[-1] != guardByte(at - 1))
      return static_cast<std::size_t>(at - begin);
  return 0;
}
/// Returns the number of bytes from the first changed byte on, or 0 if no byte is changed.
std::size_t changedFrom(const std::uint8_t *begin, const std::uint8_t *end) {
  for (const std::uint8_t *at = begin; at != end; ++at)
    if (*at != guardByte(at))
      return static_cast<std::size_t>(end - at);
  return 0;
}

/// Returns the place in a vertex's object that holds the pointer to an operand.
void **slotOf(void *object, const FieldInfo &field, std::uint32_t subIndex) {
  std::uint8_t *const place = static_cast<std::uint8_t *>(object) + field.hostOffset;
  if (field.shape == FieldShape::Scalar || field.shape == FieldShape::Vector)
    return reinterpret_cast<void **>(place); // for a HostSpan: its data pointer
  HostSpan outer;
  std::memcpy(&outer, place, sizeof outer);
  if (field.shape == FieldShape::VectorOfScalars)
    return static_cast<void **>(outer.data) + subIndex;
  return &static_cast<HostSpan *>(outer.data)[subIndex].data;
}

} // namespace

// Collects the pointers in a vertex's object, with the data and bytes of each operand. With these pointers, each run of
// the vertex can be checked for writes outside of the vertex's outputs.
OperandGuards::OperandGuards(const StepProgram &program, const VertexObjects &objects, std::uint32_t vertex)
    : class_(objects.classOf(vertex)) {
  void *const object = objects.object(vertex);
  const auto add = [&](std::uint16_t number, std::uint32_t subIndex, std::uint64_t elements, bool writes) {
    const FieldInfo &field = class_.fields[number];
    Operand o;
    o.slot = slotOf(object, field, subIndex);
    void *data = nullptr;
    std::memcpy(&data, o.slot, sizeof data); // a field of an object may have any alignment
    o.data = static_cast<std::uint8_t *>(data);
    o.elements = elements;
    o.bytes = elements * hostElementBytes(field);
    o.field = number;
    o.subIndex = subIndex;
    o.nested = field.shape != FieldShape::Scalar && field.shape != FieldShape::Vector;
    o.writes = writes;
    operands_.push_back(o);
  };
  for (const VertexEdge edge : program.edgesOf(program.vertices[vertex])) {
    const FieldShape shape = class_.fields[edge.field].shape;
    const bool single = shape == FieldShape::Scalar || shape == FieldShape::VectorOfScalars;
    if (edge.elements != 0 || !single) // a vector without elements has guards, too
      add(edge.field, edge.subIndex, single ? 1 : edge.elements, edge.writes);
  }
  for (std::uint16_t f = 0; f < class_.fields.size(); ++f)
    if (const FieldInfo &field = class_.fields[f];
        field.direction == FieldDirection::State && field.shape == FieldShape::Vector) {
      HostSpan span;
      std::memcpy(&span, static_cast<const std::uint8_t *>(object) + field.hostOffset, sizeof span);
      add(f, 0, span.size, !field.readOnly);
    }
  std::sort(operands_.begin(), operands_.end(), [](const Operand &a, const Operand &b) { return a.data < b.data; });
  std::size_t bytes = kGuardBytes + kHomeAlignment;
  for (Operand &o : operands_) {
    if (blocks_.empty() || o.data >= blocks_.back().end)
      blocks_.push_back({o.data, o.data + o.bytes, nullptr});
    blocks_.back().end = std::max(blocks_.back().end, o.data + o.bytes);
    o.block = blocks_.size() - 1;
  }
  for (const Block &b : blocks_)
    bytes += static_cast<std::size_t>(b.end - b.begin) + 2 * kHomeAlignment + kGuardBytes;
  memory_.resize(bytes);
  std::uint8_t *at = memory_.data() + kGuardBytes;
  for (Block &b : blocks_) { // gives each block the alignment of its home
    at += (reinterpret_cast<std::uintptr_t>(b.begin) - reinterpret_cast<std::uintptr_t>(at)) % kHomeAlignment;
    b.copy = at;
    at += (b.end - b.begin) + static_cast<std::ptrdiff_t>(kGuardBytes);
  }
  fillGuard(memory_.data(), memory_.data() + memory_.size());
  for (const Block &b : blocks_)
    std::memcpy(b.copy, b.begin, static_cast<std::size_t>(b.end - b.begin));
  for (const Operand &o : operands_) {
    const Block &b = blocks_[o.block];
    void *const copy = b.copy + (o.data - b.begin);
    std::memcpy(o.slot, &copy, sizeof copy);
  }
}

OperandGuards::~OperandGuards() {
  for (const Operand &o : operands_)
    std::memcpy(o.slot, &o.data, sizeof o.data);
}

std::string OperandGuards::describe(const char *what, std::size_t block, bool behind, std::size_t bytes) const {
  const Operand *nearest = nullptr; // the first or the last operand of the block
  for (const Operand &o : operands_)
    if (o.block == block && (nearest == nullptr || (behind && o.data + o.bytes > nearest->data + nearest->bytes)))
      nearest = &o;
  const FieldInfo &field = class_.fields[nearest->field]; // a half may have more bytes on the host than on the machine
  const std::size_t onHost = hostElementBytes(field), onTile = elementBytes(field.type);
  bytes = (bytes * onTile + onHost - 1) / onHost;
  const std::string index = nearest->nested ? fmt::format("[{}]", nearest->subIndex) : "";
  return fmt::format("writes up to {} byte{} {} field '{}{}' ({} element{})", bytes, bytes == 1 ? "" : "s", what,
                     field.name, index, nearest->elements, nearest->elements == 1 ? "" : "s");
}

/// Returns an operand of the block that contains changed bytes outside of all outputs, or null.
const OperandGuards::Operand *OperandGuards::changedInput(std::size_t block) const {
  const Block &b = blocks_[block];
  const std::uint8_t *at = b.begin; // outputs cover the earlier bytes
  const Operand *found = nullptr;
  const auto lookUpTo = [&](const std::uint8_t *end) {
    for (; at < end && found == nullptr; ++at)
      if (*at != b.copy[at - b.begin])
        for (const Operand &o : operands_)
          if (o.block == block && o.data <= at && at < o.data + o.bytes)
            found = &o;
  };
  for (const Operand &o : operands_)
    if (o.block == block && o.writes) {
      lookUpTo(o.data);
      at = std::max<const std::uint8_t *>(at, o.data + o.bytes);
    }
  lookUpTo(b.end);
  return found;
}

std::string OperandGuards::finish() {
  const std::uint8_t *guard = memory_.data();
  for (std::size_t k = 0; k <= blocks_.size(); ++k) {
    const std::uint8_t *const end = k == blocks_.size() ? memory_.data() + memory_.size() : blocks_[k].copy;
    const std::uint8_t *const middle = guard + (end - guard) / 2;
    // If the half of a guard that follows an operand has changed bytes, all changed bytes of the guard belong to this
    // operand. Otherwise, they belong to the operand after the guard.
    if (k != 0 && changedUpTo(guard, middle) != 0)
      return describe("behind", k - 1, true, changedUpTo(guard, end));
    if (const std::size_t bytes = changedFrom(k == 0 ? guard : middle, end); bytes != 0)
      return k == blocks_.size() ? describe("behind", k - 1, true, changedUpTo(guard, end))
                                 : describe("before", k, false, bytes);
    if (k != blocks_.size())
      guard = blocks_[k].copy + (blocks_[k].end - blocks_[k].begin);
  }
  for (std::size_t k = 0; k != blocks_.size(); ++k)
    if (const Operand *input = changedInput(k); input != nullptr)
      return fmt::format("writes to its input '{}'", class_.fields[input->field].name);
  for (const Operand &o : operands_)
    if (o.writes)
      std::memcpy(o.data, blocks_[o.block].copy + (o.data - blocks_[o.block].begin), o.bytes);
  return "";
}

} // namespace popscope
