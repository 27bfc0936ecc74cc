// HostSide: implements the host's side of streams, remote buffers, host accesses, host functions and printing. The
// machine calls setReplica to select the replica to which later calls of the machine refer.
//
//   REPLICATE stream on a buffer   transfer k of replica r uses block (k * replicas + r), modulo the number of blocks.
//                                  The replicas are the replicas of the whole graph, or the parts of
//                                  createReplicatedGraph. Each part has its own stream
//   BROADCAST stream               every replica reads the same blocks, independently of the other replicas
#pragma once
#include "base/LongWork.hpp"
#include "engine/host/BroadcastBlocks.hpp"
#include "engine/host/HostFunctions.hpp"
#include "engine/host/Prefetcher.hpp"
#include "graph/ir/GraphIr.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Machine.hpp"

#include <poplar/StreamCallback.hpp>

#include <iosfwd>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace popscope {

class HostSide : public HostPort {
public:
  /// Makes the host side. `program` and `formats` must outlive the object.
  HostSide(const StepProgram &program, const std::vector<PrintFormat> &formats, PrefetchPolicy prefetch);

  /// Connects a buffer. `range` is the size of the buffer in bytes; without a value, the buffer holds exactly one
  /// transfer of all replicas. Throws poplar::stream_connection_error in three cases: no stream has the handle, the
  /// pointer is null, or the size is not a positive multiple of one transfer of all replicas. The message contains the
  /// handle. All replicas of a BROADCAST stream share one transfer. If a transfer has no bytes, connect() accepts any
  /// buffer, including a null pointer.
  void connect(const std::string &handle, void *begin, std::optional<std::size_t> range);
  /// Connects a callback for all replicas, including the parts of a replicated graph, or for one replica. Throws
  /// poplar::stream_connection_error for an unknown handle or replica.
  void connect(const std::string &handle, std::shared_ptr<poplar::StreamCallback> callback);
  void connect(const std::string &handle, std::uint32_t replica, std::shared_ptr<poplar::StreamCallback> callback);
  void connectFunction(const std::string &handle, std::uint32_t replica,
                       std::shared_ptr<poplar::HostCallback> callback) {
    functions_.connect(handle, replica, std::move(callback));
  }
  /// Sets the memory for the next host access of stream `id`: the access writes to `data` or reads from `source`. The
  /// memory contains the values of all replicas, one after another.
  void setHostBuffer(StreamId id, void *data, const void *source);
  /// If `toDevice` is true, copies the memory at `host` to a row of a remote buffer. Otherwise, copies the row to
  /// `host`. Throws poplar::stream_connection_error if there is no buffer with the handle or no such replica, or if
  /// `host` is null and the row is not empty. Throws poplar::application_runtime_error if the buffer has no such row.
  /// Thread-safe, even while a program accesses remote buffers.
  void copyRemoteRow(const std::string &handle, std::uint64_t row, std::uint32_t replica, void *host, bool toDevice);
  /// Returns the number of bytes of one row of a remote buffer. Throws poplar::stream_connection_error if there is no
  /// buffer with the handle.
  [[nodiscard]] std::size_t remoteRowBytes(const std::string &handle) const;
  [[nodiscard]] const PrefetchPolicy &policy() const { return policy_; }
  void setPolicy(const PrefetchPolicy &policy) { policy_ = policy; }
  void setPrintStream(std::ostream &out) { print_ = &out; }
  /// Sets the bar that shows the run on a terminal. HostSide removes the bar before printing, and before calling the
  /// user's functions, because these functions may print. If `bar` is null, there is no bar. Returns the bar that was
  /// set before.
  LongWork *setBar(LongWork *bar) { return std::exchange(bar_, bar); }
  /// Drops prefetched data that the device did not read. Call endRun() after every run, also after an exception.
  void endRun();

  void setReplica(std::uint32_t replica) override { replica_ = replica; }
  void fetch(StreamId stream, void *data, std::size_t bytes) override;
  void fetchBlock(StreamId stream, std::uint32_t block, std::uint32_t blocks, void *data, std::size_t bytes) override;
  void deliver(StreamId stream, const void *data, std::size_t bytes) override;
  void readRemote(StreamId buffer, std::uint64_t row, void *data, std::size_t bytes) override;
  void writeRemote(StreamId buffer, std::uint64_t row, const void *data, std::size_t bytes) override;
  void print(const std::string &title, ElementType type, const std::vector<std::size_t> &shape, std::uint32_t format,
             const void *data) override;

private:
  struct Connection {
    std::uint8_t *begin = nullptr;
    std::size_t size = 0, transfers = 0; // bytes of the buffer at `begin`; number of transfers so far
    std::shared_ptr<poplar::StreamCallback> callback;
    Prefetcher prefetcher;
    const void *source = nullptr; // memory that a host access reads
  };
  void clearBar() {
    if (bar_ != nullptr)
      bar_->clear();
  }
  /// Returns the connection of the selected replica. The caller must keep the returned pointer during the transfer,
  /// because a callback may connect its own stream again. The new connection serves the next transfer.
  std::shared_ptr<Connection> connection(StreamId stream) { return connections_[stream][replica_]; }
  void checkReplica(const std::string &handle, std::uint32_t replica, std::size_t replicas) const;
  void requireConnected(StreamId stream, const Connection &connection) const;
  [[nodiscard]] StreamId find(const std::string &handle) const;
  [[nodiscard]] StreamId findFifo(const std::string &handle) const;
  [[nodiscard]] StreamId findRemote(const std::string &handle) const;
  /// Returns the streams of all parts of a replicated graph, beginning with `first`. For other graphs, returns only
  /// `first`.
  [[nodiscard]] std::vector<StreamId> partsOf(StreamId first) const;
  [[nodiscard]] std::size_t replicasOf(StreamId stream) const {
    return std::size_t(replicas_) * program_.streams[stream].parts;
  }
  [[nodiscard]] std::size_t replicaOf(StreamId stream) const {
    return replica_ * program_.streams[stream].parts + program_.streams[stream].part;
  }
  std::uint8_t *nextBlock(StreamId stream, Connection &connection, std::size_t bytes);
  void fetchFifo(StreamId stream, void *data, std::size_t bytes);
  /// Returns the remote buffer that has the handle and serves the replica, and the number of the replica within this
  /// buffer. Throws poplar::stream_connection_error if there is no such buffer or no such replica.
  [[nodiscard]] std::pair<StreamId, std::uint32_t> remoteOf(const std::string &handle, std::uint32_t replica) const;
  /// Returns a row of a remote buffer. The caller must hold remoteMutex_. Throws poplar::application_runtime_error if
  /// the buffer has no such row.
  std::vector<std::uint8_t> &rowOf(StreamId buffer, std::uint64_t row, std::uint32_t replica);

  const StepProgram &program_;
  std::map<std::string, StreamId> handles_; // ids of streams and remote buffers, by handle
  const std::vector<PrintFormat> &formats_;
  PrefetchPolicy policy_;
  std::uint32_t replicas_, replica_ = 0;
  IdVector<StreamId, std::vector<std::shared_ptr<Connection>>> connections_; // [stream][replica], never null
  IdVector<StreamId, BroadcastBlocks> broadcasts_;
  HostFunctions functions_;
  std::mutex remoteMutex_; // protects the next member
  /// Rows of remote buffers, by buffer, replica and row. A row that is not stored contains zeros.
  std::map<std::tuple<StreamId, std::uint32_t, std::uint64_t>, std::vector<std::uint8_t>> remote_;
  std::ostream *print_;
  LongWork *bar_ = nullptr;
};

} // namespace popscope
