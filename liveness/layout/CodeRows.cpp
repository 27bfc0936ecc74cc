#include "liveness/layout/CodeRows.hpp"

#include <algorithm>

namespace popscope {
namespace {

class ExchangeRowCollector {
public:
  ExchangeRowCollector(const StepProgram &program, bool codeIncluded)
      : program_(program), codeIncluded_(codeIncluded), exchangeSeen_(program.exchanges.size()),
        streamSeen_(program.streamCopies.size()) {}

  std::vector<CodeRow> collect() {
    const auto &steps = program_.steps.raw();
    for (std::uint32_t s = 0; s < steps.size(); ++s) // first, so that the middle of a copy owns what its ends share
      if (steps[s].kind == StepKind::StreamCopyMid)
        addStream(s);
    for (std::uint32_t s = 0; s < steps.size(); ++s) {
      if (steps[s].kind == StepKind::DoExchange || steps[s].kind == StepKind::GlobalExchange)
        addExchange(s);
      if (steps[s].kind == StepKind::StreamCopyBegin || steps[s].kind == StepKind::StreamCopyEnd)
        addStream(s);
    }
    addStorage();
    std::stable_sort(rows_.begin(), rows_.end(), [](const CodeRow &a, const CodeRow &b) { return a.step < b.step; });
    return std::move(rows_);
  }

private:
  void add(TileId tile, std::uint32_t step, std::uint32_t bytes, StorageCategory category, OwnerKind owner) {
    if (bytes > 0)
      rows_.push_back({tile.index(), step, bytes, category, owner});
  }
  void addExchange(std::uint32_t step) {
    const Step &s = program_.steps.raw()[step];
    if (exchangeSeen_.at(s.payload))
      return;
    exchangeSeen_[s.payload] = true;
    const bool global = s.kind == StepKind::GlobalExchange;
    const ExchangeStep &exchange = program_.exchanges[s.payload];
    for (std::uint32_t t = exchange.firstTile; t < exchange.firstTile + exchange.numTiles; ++t) {
      const ExchangeTile &row = program_.exchangeTiles[t];
      if (codeIncluded_)
        add(row.tile, step, row.codeBytes,
            global ? StorageCategory::GlobalExchangeCode : StorageCategory::InternalExchangeCode,
            global ? OwnerKind::GlobalExchange : OwnerKind::InternalExchange);
      add(row.tile, step, row.headerBytes, StorageCategory::GlobalExchangePacketHeader, OwnerKind::GlobalHeader);
    }
  }
  void addStream(std::uint32_t step) {
    const std::uint32_t payload = program_.steps.raw()[step].payload;
    if (streamSeen_.at(payload))
      return;
    streamSeen_[payload] = true;
    const StreamCopyStep &copy = program_.streamCopies[payload];
    for (std::uint32_t t = copy.firstTile; t < copy.firstTile + copy.numTiles; ++t) {
      const HostTile &host = program_.hostTiles[t];
      if (codeIncluded_)
        add(host.tile, step, host.codeBytes, StorageCategory::HostExchangeCode, OwnerKind::HostExchange);
      add(host.tile, step, host.headerBytes, StorageCategory::HostExchangePacketHeader, OwnerKind::HostHeader);
    }
  }

  // Tables of vertices name code: without it there are none.
  void addStorage() {
    for (const StepStorage &row : program_.storage) {
      const bool table = row.category == StorageCategory::ControlTable;
      if (codeIncluded_ || !table)
        add(row.tile, row.step.index(), row.bytes, row.category,
            table ? OwnerKind::ControlTable : OwnerKind::Instrumentation);
    }
  }

  const StepProgram &program_;
  bool codeIncluded_;
  std::vector<bool> exchangeSeen_, streamSeen_;
  std::vector<CodeRow> rows_;
};

} // namespace

std::vector<CodeRow> collectExchangeRows(const StepProgram &program, bool codeIncluded) {
  return ExchangeRowCollector(program, codeIncluded).collect();
}

ControlRows collectControlRows(const StepProgram &program) {
  ControlRows rows;
  const auto &steps = program.steps.raw();
  for (std::uint32_t s = 0; s < steps.size(); ++s) {
    const CodeBytes &code = steps[s].controlCode;
    if (code.everyTile > 0)
      rows.everyTile.push_back({0, s, code.everyTile, StorageCategory::ControlCode, OwnerKind::Control});
    for (std::uint32_t r = code.firstRow; r < code.firstRow + code.numRows; ++r)
      if (program.tileCode[r].bytes > 0)
        rows.ofTile.push_back({program.tileCode[r].tile.index(), s, program.tileCode[r].bytes,
                               StorageCategory::ControlCode, OwnerKind::Control});
  }
  return rows;
}

} // namespace popscope
