// BlockRecorder: implements lightweight profiling. The recorder emulates the tiles' buffers for records of blocks. A
// buffer holds BlockProfile::recordsPerTile records. When a buffer is full, further records are lost. If recordsPerTile
// is 0, buffers have no limit, and no record is lost. A flush (a host copy of the kind
// StreamCopyStep::Engine::BlockFlush), or the end of a run, moves the records of all buffers to the host. If a buffer
// without a limit contains 65,536 records or more, the records of all buffers move to the host as soon as no block is
// open.
//
//   buffer of 3      A . B . C . (D) . (E) . flush . F         the host gets   A B C overflow[D.from, E.to) F
//
// The recorder reserves the place of a record in the buffer when the block of the record begins. So the record of an
// outer block precedes the records of the blocks within this block. The times of a record come from the cycle counter
// of the record's tile. This counter continues from run to run.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <vector>

namespace popscope {

class BlockRecorder final : public EventSink {
public:
  /// Keeps a reference to `program`, which must outlive the recorder. `tilesOfBlocks` is the result of blockTiles for
  /// `program`.
  BlockRecorder(const StepProgram &program, std::vector<std::vector<TileId>> tilesOfBlocks);
  /// Prepares the next run, whose number is `run`. The recorder passes the machine's events on to `next` unless `next`
  /// is null. `records` receives the records.
  void attach(std::uint64_t run, EventSink *next, ProfileSink &records);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;
  /// Ends a run that stopped early. The records of blocks that are still open get no end time.
  void cutRun();
  /// Returns the cycles of the slowest tile in the latest complete run.
  [[nodiscard]] Cycles runCycles() const { return runCycles_; }

private:
  static constexpr std::size_t kLost = ~std::size_t(0);
  struct Buffer {
    TileId tile;
    Cycles earlier;                  // cycles of the tile in the previous runs
    std::vector<BlockRecord> kept;   // records in the buffer
    std::vector<std::size_t> open;   // for each open block: index of its record in `kept`, or kLost if its record is
                                     // lost; the innermost block is last
    std::optional<BlockRecord> lost; // the Overflow record, if records were lost
    Cycles latest;                   // time of the latest event of this run
  };
  Buffer &bufferOf(TileId tile);
  void begin(Buffer &buffer, StepIndex step, BlockRecord::Kind kind, Cycles from);
  void end(Buffer &buffer, Cycles to);
  void edge(const StepEvent &event);
  void streamCopy(const StepEvent &event, const StreamCopyStep &copy);
  void flush();

  const StepProgram &program_;
  std::vector<Buffer> buffers_;                    // sorted by tile
  std::vector<std::vector<TileId>> tilesOfBlocks_; // indexed by payload of the Block's step
  std::uint64_t run_ = 0;
  Cycles runCycles_;
  EventSink *next_ = nullptr;
  ProfileSink *records_ = nullptr;
};

} // namespace popscope
