#include "graph/ir/SerializeParts.hpp"

#include "base/CheckedSize.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace popscope {
namespace {

constexpr unsigned kDepthLimit = kMostNesting - 1; // the outermost is at depth 0
constexpr auto kLastKind = static_cast<std::uint64_t>(ProgramKind::WriteTileRegister);

/// Exactly the children that lowering expects of this kind.
bool childCountFits(const ProgramNode &node) {
  const std::size_t n = node.children.size();
  switch (node.kind) {
  case ProgramKind::Sequence: return true;
  case ProgramKind::Repeat:
  case ProgramKind::Block: return n == 1;
  case ProgramKind::If:
  case ProgramKind::RepeatWhileTrue:
  case ProgramKind::RepeatWhileFalse: return n == 2;
  case ProgramKind::Switch: return n == node.labels.size() + (node.hasDefault ? 1 : 0);
  default: return n == 0;
  }
}

void writeArguments(ByteWriter &out, const ProgramNode &p) {
  writeId(out, p.computeSet.valid(), p.computeSet.index());
  writeId(out, p.stream.valid(), p.stream.index());
  writeId(out, p.function.valid(), p.function.index());
  for (const View *view : {&p.a, &p.b, &p.offset})
    writeView(out, *view);
  out.number(p.count);
  out.list(p.labels, [&](std::int32_t label) { out.integer(label); });
  out.number(p.hasDefault);
  out.text(p.text);
  out.number(p.format);
  out.number(p.syncType);
  out.list(p.replicaMap, [&](const auto &pair) {
    out.number(pair.first);
    out.number(pair.second);
  });
  out.number(static_cast<std::uint64_t>(p.tileRegister));
  out.number(p.clearBits);
  out.number(p.setBits);
  out.list(p.tiles, [&](TileId tile) { out.number(tile.index()); });
}

} // namespace

void ProgramWriter::program(const ProgramPtr &program) {
  static const ProgramNode nothing;
  const ProgramNode *node = program ? program.get() : &nothing;
  const auto known = known_.find(node);
  if (known != known_.end()) {
    out_.number(known->second);
    return;
  }
  out_.number(known_.size()); // the next number: a new node follows
  out_.number(static_cast<std::uint64_t>(node->kind));
  out_.text(node->name);
  out_.list(node->children, [&](const ProgramPtr &child) { this->program(child); });
  writeArguments(out_, *node);
  // Numbered when it is complete, as the reader does; children have smaller numbers.
  known_.emplace(node, known_.size());
}

ProgramPtr ProgramReader::program(unsigned depth) {
  if (depth > kDepthLimit)
    in_.fail(fmt::format("programs are nested more than {} deep", kDepthLimit));
  const std::uint64_t number = in_.number(known_.size(), "the number of a program");
  if (number < known_.size())
    return known_[number];
  auto node = std::make_shared<ProgramNode>();
  node->kind = static_cast<ProgramKind>(in_.number(kLastKind, "a kind of program"));
  node->name = in_.text();
  in_.list(node->children, [&] { return program(depth + 1); });
  for (const ProgramPtr &child : node->children)
    node->depth = std::max(node->depth, child->depth + 1);
  readArguments(*node);
  if (!childCountFits(*node))
    in_.fail(fmt::format("a program has {} children, which does not fit its kind", node->children.size()));
  known_.push_back(node);
  return node;
}

void ProgramReader::readArguments(ProgramNode &p) {
  const auto word = [&](const char *what) { return static_cast<std::uint32_t>(in_.number(0xffffffff, what)); };
  p.computeSet = ComputeSetId(readId(in_, graph_.computeSets.size(), "a compute set"));
  p.stream = StreamId(readId(in_, graph_.streams.size(), "a stream"));
  p.function = FunctionId(readId(in_, 0xffffffff, "a function"));
  for (View *view : {&p.a, &p.b, &p.offset})
    *view = readView(in_, graph_.vars.raw());
  p.count = word("a count");
  in_.list(p.labels, [&] { return static_cast<std::int32_t>(in_.integer()); });
  p.hasDefault = in_.number(1, "a flag") != 0;
  p.text = in_.text();
  p.format = word("a print format");
  if (p.kind == ProgramKind::PrintTensor && p.format >= graph_.printFormats.size())
    in_.fail(fmt::format("print format {} does not exist; there are {}", p.format, graph_.printFormats.size()));
  p.syncType = static_cast<std::uint8_t>(in_.number(2, "a sync type"));
  std::vector<std::pair<unsigned, unsigned>> pairs;
  in_.list(pairs, [&] {
    const unsigned from = word("a replica");
    return std::make_pair(from, word("a replica"));
  });
  p.replicaMap.insert(pairs.begin(), pairs.end());
  p.tileRegister =
      static_cast<TileRegister>(in_.number(static_cast<std::uint64_t>(TileRegister::FpControl), "a register"));
  p.clearBits = word("bits");
  p.setBits = word("bits");
  in_.list(p.tiles, [&] { return TileId(word("a tile")); });
  const bool needsStream = p.kind == ProgramKind::StreamToTensor || p.kind == ProgramKind::TensorToStream ||
                           p.kind == ProgramKind::RemoteToTensor || p.kind == ProgramKind::TensorToRemote;
  if ((p.kind == ProgramKind::Execute && !p.computeSet.valid()) || (needsStream && !p.stream.valid()) ||
      (p.kind == ProgramKind::Call && !p.function.valid()))
    in_.fail("a program lacks its compute set, stream or function");
}

void ProgramReader::checkCalls() const {
  for (const ProgramPtr &p : known_)
    if (p->kind == ProgramKind::Call && p->function.index() >= graph_.functions.size())
      in_.fail(fmt::format("function {} is called; there are {}", p->function.index(), graph_.functions.size()));
}

} // namespace popscope
