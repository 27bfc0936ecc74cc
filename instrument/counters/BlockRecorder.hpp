// BlockRecorder: lightweight profiling. Keeps the records of blocks as the buffers of the tiles do. A buffer holds a
// fixed number of records. Records that come when it is full are lost. A flush (or the end of a run) moves its records
// to the host.
//
//   buffer of 3      A . B . C . (D) . (E) . flush . F         the host gets   A B C overflow[D.from, E.to) F
//
// A record takes its place at the beginning of its block, so that an outer block comes before the blocks in it. Times
// are those of the tile's own counter, which continues from run to run.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <vector>

namespace popscope {

class BlockRecorder final : public EventSink {
public:
  /// Makes a recorder. `program` must outlive it. `tilesOfBlocks` is the result of blockTiles.
  BlockRecorder(const StepProgram &program, std::vector<std::vector<TileId>> tilesOfBlocks);
  /// Prepares the next run: its number, the next listener of its events (may be null), and the receiver of the records.
  void attach(std::uint64_t run, EventSink *next, ProfileSink &records);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;
  /// Ends a run that stopped early: its open blocks have no end.
  void cutRun();
  /// Returns the cycles of the slowest tile in the latest run that ended.
  [[nodiscard]] Cycles runCycles() const { return runCycles_; }

private:
  static constexpr std::size_t kLost = ~std::size_t(0);
  struct Buffer {
    TileId tile;
    Cycles earlier; // the cycles of the previous runs
    std::vector<BlockRecord> kept;
    std::vector<std::size_t> open;   // positions in `kept`, or kLost; the innermost block last
    std::optional<BlockRecord> lost; // the Overflow record
    Cycles latest;                   // time of the last event of this run
  };
  Buffer &bufferOf(TileId tile);
  void begin(Buffer &buffer, StepIndex step, BlockRecord::Kind kind, Cycles from);
  void end(Buffer &buffer, Cycles to);
  void edge(const StepEvent &event);
  void streamCopy(const StepEvent &event, const StreamCopyStep &copy);
  void flush();

  const StepProgram &program_;
  std::vector<Buffer> buffers_;                    // ascending tiles
  std::vector<std::vector<TileId>> tilesOfBlocks_; // index: the payload of the Block
  std::uint64_t run_ = 0;
  Cycles runCycles_;
  EventSink *next_ = nullptr;
  ProfileSink *records_ = nullptr;
};

} // namespace popscope
