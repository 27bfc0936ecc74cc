// HostSide: the host's end of streams, remote buffers, host accesses and printing, as the machine sees it.
#pragma once
#include "graph/ir/GraphIr.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Machine.hpp"

#include <poplar/StreamCallback.hpp>

#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace popscope {

class HostSide : public HostPort {
public:
  HostSide(const StepProgram &program, const std::vector<PrintFormat> &formats);

  /// `end` may be null: exactly one transfer. Throws poplar::stream_connection_error naming the handle.
  void connect(const std::string &handle, void *begin, void *end);
  void connect(const std::string &handle, std::shared_ptr<poplar::StreamCallback> callback);
  /// Where the next host access of stream `id` reads or writes.
  void setHostBuffer(StreamId id, void *data, const void *source);
  /// Row of a remote buffer. Throws when the handle or the row is unknown.
  std::vector<std::uint8_t> &remoteRow(const std::string &handle, std::uint64_t row);
  void setPrintStream(std::ostream &out) { print_ = &out; }

  void fetch(StreamId stream, void *data, std::size_t bytes) override;
  void deliver(StreamId stream, const void *data, std::size_t bytes) override;
  void readRemote(StreamId buffer, std::uint64_t row, void *data, std::size_t bytes) override;
  void writeRemote(StreamId buffer, std::uint64_t row, const void *data, std::size_t bytes) override;
  void print(const std::string &title, ElementType type, const std::vector<std::size_t> &shape, std::uint32_t format,
             const void *data) override;

private:
  struct Connection {
    std::uint8_t *begin = nullptr;
    std::size_t size = 0, position = 0;     // bytes; circular
    std::shared_ptr<poplar::StreamCallback> callback;
    const void *source = nullptr;           // host accesses
  };
  StreamId find(const std::string &handle) const;
  std::uint8_t *nextBlock(StreamId stream, std::size_t bytes);
  std::vector<std::uint8_t> &rowOf(StreamId buffer, std::uint64_t row);

  const StepProgram &program_;
  const std::vector<PrintFormat> &formats_;
  IdVector<StreamId, Connection> connections_;
  std::map<std::pair<StreamId, std::uint64_t>, std::vector<std::uint8_t>> remote_; // rows are zero until written
  std::ostream *print_;
};

} // namespace popscope
