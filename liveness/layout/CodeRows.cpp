#include "liveness/layout/CodeRows.hpp"

#include <algorithm>

namespace popscope {

namespace {

/// Walks over the rows of exchanges, host copies and storage.
template <class Use> class ExchangeRowWalk {
public:
  ExchangeRowWalk(const StepProgram &program, bool codeIncluded, const Use &use)
      : program_(program), codeIncluded_(codeIncluded), use_(use), exchangeSeen_(program.exchanges.size()),
        streamSeen_(program.streamCopies.size()) {}

  void run() {
    const auto &steps = program_.steps.raw();
    for (std::uint32_t s = 0; s < steps.size(); ++s) // first, so that the middle of a copy owns the payload that its
                                                     // ends share
      if (steps[s].kind == StepKind::StreamCopyMid)
        addStream(s);
    for (std::uint32_t s = 0; s < steps.size(); ++s) {
      if (steps[s].kind == StepKind::DoExchange || steps[s].kind == StepKind::GlobalExchange)
        addExchange(s);
      if (steps[s].kind == StepKind::StreamCopyBegin || steps[s].kind == StepKind::StreamCopyEnd)
        addStream(s);
    }
    addStorage();
  }

private:
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
        use_(row.tile,
             {step, row.codeBytes, global ? StorageCategory::GlobalExchangeCode : StorageCategory::InternalExchangeCode,
              global ? OwnerKind::GlobalExchange : OwnerKind::InternalExchange});
      use_(row.tile, {step, row.headerBytes, StorageCategory::GlobalExchangePacketHeader, OwnerKind::GlobalHeader});
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
        use_(host.tile, {step, host.codeBytes, StorageCategory::HostExchangeCode, OwnerKind::HostExchange});
      use_(host.tile, {step, host.headerBytes, StorageCategory::HostExchangePacketHeader, OwnerKind::HostHeader});
    }
  }

  // Tables of vertices contain addresses of code, so without code there are no tables.
  void addStorage() {
    for (const StepStorage &row : program_.storage) {
      const bool table = row.category == StorageCategory::ControlTable;
      if (codeIncluded_ || !table)
        use_(row.tile,
             {row.step.index(), row.bytes, row.category, table ? OwnerKind::ControlTable : OwnerKind::Instrumentation});
    }
  }

  const StepProgram &program_;
  bool codeIncluded_;
  const Use &use_;
  std::vector<bool> exchangeSeen_, streamSeen_;
};

struct TileRow {
  TileId tile;
  CodeRow row;
};

/// Cuts the control code of each tile into pieces. Each tile has at most one open piece, to which each step adds.
class ControlPieces {
public:
  explicit ControlPieces(const StepProgram &program) : program_(program), open_(program.numTiles) {}

  std::vector<TileRow> collect() {
    const std::vector<bool> roots = areRoots();
    const auto &steps = program_.steps.raw();
    for (std::uint32_t s = 0; s < steps.size(); ++s) {
      if (roots[s])
        closeAll();
      const CodeBytes &code = steps[s].controlCode;
      if (code.everyTile > Bytes32())
        for (std::uint32_t t = 0; t < program_.numTiles; ++t)
          add(TileId(t), s, code.everyTile);
      for (std::uint32_t r = code.firstRow; r < code.firstRow + code.numRows; ++r)
        add(program_.tileCode[r].tile, s, program_.tileCode[r].bytes);
    }
    closeAll();
    return std::move(pieces_);
  }

private:
  struct Piece {
    std::uint32_t firstStep = 0, lastStep = 0;
    Bytes32 bytes; // 0: no piece is open
  };

  [[nodiscard]] std::vector<bool> areRoots() const {
    std::vector<bool> roots(program_.steps.size(), false);
    for (const StepProgram::FunctionInfo &function : program_.functions.raw())
      roots.at(function.root.index()) = true;
    if (!roots.empty())
      roots.at(program_.root.index()) = true;
    return roots;
  }
  void add(TileId tile, std::uint32_t step, Bytes32 bytes) {
    Piece &piece = open_[tile.index()];
    if (piece.bytes >= kControlPieceBytes && piece.lastStep != step)
      close(tile);
    if (piece.bytes == Bytes32())
      piece.firstStep = step;
    piece.lastStep = step;
    piece.bytes = narrow(piece.bytes + bytes);
  }
  void close(TileId tile) {
    Piece &piece = open_[tile.index()];
    if (piece.bytes > Bytes32())
      pieces_.push_back({tile, {piece.firstStep, piece.bytes, StorageCategory::ControlCode, OwnerKind::Control}});
    piece = {};
  }
  void closeAll() {
    for (std::uint32_t t = 0; t < program_.numTiles; ++t)
      close(TileId(t));
  }

  const StepProgram &program_;
  std::vector<Piece> open_; // per tile
  std::vector<TileRow> pieces_;
};

} // namespace

Grouped<CodeRow> collectExchangeRows(const StepProgram &program, bool codeIncluded) {
  Grouped<CodeRow> rows(program.numTiles, [&](const auto &use) {
    ExchangeRowWalk(program, codeIncluded, [&](TileId tile, const CodeRow &row) {
      if (row.bytes > Bytes32())
        use(tile.index(), row);
    }).run();
  });
  const auto byStep = [](const CodeRow &a, const CodeRow &b) { return a.step < b.step; };
  for (std::uint32_t t = 0; t < program.numTiles; ++t)
    if (const std::span<CodeRow> ofTile = rows[t]; !std::is_sorted(ofTile.begin(), ofTile.end(), byStep))
      std::stable_sort(ofTile.begin(), ofTile.end(), byStep);
  return rows;
}

Grouped<CodeRow> collectControlRows(const StepProgram &program) {
  const std::vector<TileRow> pieces = ControlPieces(program).collect();
  return {program.numTiles, [&](const auto &use) {
            for (const TileRow &piece : pieces)
              use(piece.tile.index(), piece.row);
          }};
}

} // namespace popscope
