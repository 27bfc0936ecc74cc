// BlockRecorder: lightweight profiling. Keeps the records of blocks as the buffers of the tiles do: a buffer holds so
// many, what comes when it is full is lost, and a flush (or the end of a run) takes what is there to the host.
//
//   buffer of 3      A . B . C . (D) . (E) . flush . F         the host gets   A B C overflow[D.from, E.to) F
//
// A record has its place from the begin of its block on, so that an outer block comes before those in it. Times are of
// the tile's own counter, which goes on from run to run.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <vector>

namespace popscope {

class BlockRecorder final : public EventSink {
public:
  /// `program` must outlive this. `tilesOfBlocks`: as blockTiles gives them.
  BlockRecorder(const StepProgram &program, std::vector<std::vector<TileId>> tilesOfBlocks);
  /// Before each run: its number, who else hears the events (may be null), and who gets the records.
  void attach(std::uint64_t run, EventSink *next, ProfileSink &records);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;
  /// The run stopped: its open blocks have no end.
  void cutRun();
  /// Of the latest run that ended: its slowest tile.
  [[nodiscard]] Cycles runCycles() const { return runCycles_; }

private:
  static constexpr std::size_t kLost = ~std::size_t(0);
  struct Buffer {
    TileId tile;
    Cycles earlier; // of the runs before
    std::vector<BlockRecord> kept;
    std::vector<std::size_t> open;   // places in kept, or kLost; the innermost last
    std::optional<BlockRecord> lost; // an Overflow
    Cycles latest;                   // time of the last event of this run
  };
  Buffer &bufferOf(TileId tile);
  void begin(Buffer &buffer, StepIndex step, BlockRecord::Kind kind, Cycles from);
  void end(Buffer &buffer, Cycles to);
  void edge(const StepEvent &event);
  void streamCopy(const StepEvent &event, const StreamCopyStep &copy);
  void flush();

  const StepProgram &program_;
  std::vector<Buffer> buffers_;                    // by tile, ascending
  std::vector<std::vector<TileId>> tilesOfBlocks_; // by payload of a Block
  std::uint64_t run_ = 0;
  Cycles runCycles_;
  EventSink *next_ = nullptr;
  ProfileSink *records_ = nullptr;
};

} // namespace popscope
