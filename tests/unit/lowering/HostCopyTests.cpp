#include "GraphFixture.hpp"
#include <algorithm>
#include <doctest/doctest.h>

using namespace popscope;

namespace {

StreamId stream(GraphFixture &f, const std::string &handle, GraphStream::Kind kind, std::uint64_t elements) {
  GraphStream s;
  s.handle = handle;
  s.kind = kind;
  s.elements = elements;
  return f.graph.streams.push(s);
}

std::shared_ptr<ProgramNode> streamCopy(ProgramKind kind, StreamId s, const View &view) {
  auto p = GraphFixture::node(kind, "io");
  p->arguments = HostCopyArguments{s};
  (kind == ProgramKind::StreamToTensor || kind == ProgramKind::RemoteToTensor ? p->b : p->a) = view;
  return p;
}

LoweringOptions merging() {
  LoweringOptions options;
  options.mergesHostCopies = true;
  return options;
}

} // namespace

TEST_SUITE("lowering.host") {

  TEST_CASE("a stream into a tensor is begin, mid and end, with transfers in stream order") {
    GraphFixture f;
    const auto x = f.var("x", 6, {{0, 2, TileId(1)}, {2, 4, TileId(0)}, {4, 6, TileId(1)}});
    const auto in = stream(f, "in", GraphStream::Kind::HostToDevice, 6);
    const StepProgram p = f.lower({streamCopy(ProgramKind::StreamToTensor, in, f.all(x))});
    CHECK(dumpSteps(p) == "0 Sequence\n"
                          "  1 StreamCopyBegin: io #0\n"
                          "  2 StreamCopyMid: io #0; in to device, 24 B, 2 tiles; write x[0,6)\n"
                          "  3 StreamCopyEnd: io #0\n");
    REQUIRE(p.transfers.size() == 3);
    CHECK(p.transfers[1].streamOffset.count() == 8);
    CHECK(p.transfers[2].streamOffset.count() == 16);
    CHECK(p.transfers[2].home.first.offset.count() == 8); // x[4,6) follows x[0,2) on tile 1
    CHECK(p.streamCopies[0].cycles.count() == CostModel(f.graph.machine).hostCopy(Bytes(24)).count());
  }

  TEST_CASE("packet headers: 8 bytes for each packet to the host, 8 for each request of 1024 bytes from it") {
    GraphFixture f;
    const auto x = f.onTile("x", 257, 0); // 1028 bytes: 5 packets of 256, 2 requests
    const auto in = stream(f, "in", GraphStream::Kind::HostToDevice, 257),
               out = stream(f, "out", GraphStream::Kind::DeviceToHost, 257);
    const StepProgram p = f.lower({GraphFixture::sequence({streamCopy(ProgramKind::StreamToTensor, in, f.all(x)),
                                                           streamCopy(ProgramKind::TensorToStream, out, f.all(x))})});
    REQUIRE(p.hostTiles.size() == 2);
    CHECK(p.hostTiles[0].headerBytes.count() == 16);
    CHECK(p.hostTiles[1].headerBytes.count() == 40);
    CHECK(p.hostTiles[1].codeBytes.count() == (5 + 1 + 2) * 4);
    CHECK(contains(dumpSteps(p), "out to host, 1028 B, 1 tile; read x[0,257)"));
  }

  TEST_CASE("what a host copy takes on a tile is the machine's to say") {
    GraphFixture f;
    f.graph.machine.host.readRequestBytes = 512;
    f.graph.machine.code.hostFrameInstr = 100;
    f.graph.machine.code.hostSendInstr = 10;
    f.graph.machine.code.hostPointerInstr = 1000;
    const auto x = f.onTile("x", 257, 0); // 1028 bytes: 3 requests
    const auto in = stream(f, "in", GraphStream::Kind::HostToDevice, 257);
    const StepProgram p = f.lower({streamCopy(ProgramKind::StreamToTensor, in, f.all(x))});
    REQUIRE(p.hostTiles.size() == 1);
    CHECK(p.hostTiles[0].headerBytes.count() == 24);
    CHECK(p.hostTiles[0].codeBytes.count() == (3 * 10 + 1000 + 100) * 4);
  }

  TEST_CASE("parts that are not whole words are packed in a host message") {
    GraphFixture f;
    const auto x = f.onTile("x", 8, 0, ElementType::Half);
    const auto out = stream(f, "out", GraphStream::Kind::DeviceToHost, 4);
    const StepProgram p = f.lower({streamCopy(ProgramKind::TensorToStream, out, f.strided(x, 0, 2, 4))});
    const std::string dump = dumpSteps(p);
    CHECK(contains(dump, "1 OnTileExecute: io/OnTileCopyPre #0; poplar_rt::SubWordCopy on tile 0: 4 runs, 8 B; read "
                         "x[0,1)[2,3)[4,5)[6,7); write <hostMessage:x>[0,4)"));
    CHECK(contains(dump, "read <hostMessage:x>[0,4)\n"));
    CHECK(p.vars[VarId(1)].category == StorageCategory::HostMessage);
  }

  TEST_CASE("a host that rearranges takes adjacent parts together, whatever their order in the stream") {
    for (const bool onHost : {false, true}) {
      CAPTURE(onHost);
      GraphFixture f;
      const auto x = f.onTile("x", 8, 0, ElementType::Half);
      const auto out = stream(f, "out", GraphStream::Kind::Remote, 8);
      f.graph.streams[out].type = ElementType::Half;
      f.graph.streams[out].rearrangeOnHost = onHost;
      const StepProgram p =
          f.lower({streamCopy(ProgramKind::TensorToRemote, out, f.strided(x, 7, -1, 8))}); // backwards
      verifySteps(p);
      CHECK(contains(dumpSteps(p), "OnTileExecute") == !onHost);
      CHECK(p.streamCopies[0].bytes.count() == 16);
      if (onHost)
        CHECK(p.transfers[0].home.first.offset.count() ==
              14); // the first element of the stream is the last one in memory
    }
  }

  TEST_CASE("a host that rearranges still packs what is no whole word") {
    GraphFixture f;
    const auto x = f.onTile("x", 8, 0, ElementType::Half);
    const auto out = stream(f, "out", GraphStream::Kind::Remote, 4);
    f.graph.streams[out].type = ElementType::Half;
    f.graph.streams[out].rearrangeOnHost = true;
    CHECK(contains(dumpSteps(f.lower({streamCopy(ProgramKind::TensorToRemote, out, f.strided(x, 0, 2, 4))})),
                   "OnTileCopyPre"));
  }

  TEST_CASE("a host that orders streams sends what is adjacent in a tile's memory together") {
    // A tile has 8 rows of 8, and the stream has them by columns: 64 pieces of one element each.
    for (const bool onHost : {false, true})
      for (const ElementType type : {ElementType::Float, ElementType::Half}) {
        CAPTURE(onHost);
        GraphFixture f;
        const auto x = f.onTile("x", 64, 1, type);
        const auto in = stream(f, "in", GraphStream::Kind::HostToDevice, 64);
        f.graph.streams[in].type = type;
        View byColumns = f.strided(x, 0, 8, 8);
        for (std::uint64_t column = 1; column < 8; ++column)
          byColumns = GraphFixture::concat(byColumns, f.strided(x, column, 8, 8));
        LoweringOptions options;
        options.hostRearranges = onHost;
        const StepProgram p = f.lower({streamCopy(ProgramKind::StreamToTensor, in, byColumns)}, options);
        const bool packed = type == ElementType::Half && !onHost; // single halves do not form whole words
        CHECK(contains(dumpSteps(p), "poplar_rt::SubWordCopy") == packed);
        REQUIRE(p.hostTiles.size() == 1);
        CHECK(p.hostTiles[0].bytes.count() == 64 * (type == ElementType::Half ? 2 : 4));
        CHECK(p.hostTiles[0].codeBytes.count() ==
              (1 + (onHost || packed ? 1 : 64) + 2) * 4); // a request, pointers, wait and return
        // The values still go to the places that the stream defines.
        if (!packed) {
          REQUIRE(p.transfers.size() == 8); // one per column: 8 pieces, one row apart
          CHECK(p.transfers[3].home.count == 8);
          CHECK(p.transfers[3].home.at(5).offset.count() == (5 * 8 + 3) * elementBytes(type));
          CHECK(p.transfers[3].streamOffset.count() == 3 * 8 * elementBytes(type));
        }
      }
  }

  TEST_CASE("host copies that follow each other are one, each stream a source and a buffer of its own") {
    GraphFixture f;
    const auto x = f.var("x", 6, {{0, 2, TileId(1)}, {2, 6, TileId(0)}}), y = f.onTile("y", 3, 1);
    const auto a = stream(f, "a", GraphStream::Kind::HostToDevice, 6),
               b = stream(f, "b", GraphStream::Kind::HostToDevice, 3);
    auto first = streamCopy(ProgramKind::StreamToTensor, a, f.all(x)),
         second = streamCopy(ProgramKind::StreamToTensor, b, f.all(y));
    second->name = "labels";
    // A Sequence around one of them does not prevent merging.
    const StepProgram p =
        f.lower({GraphFixture::sequence({first, GraphFixture::sequence({second})}), GraphFixture::sequence({second})},
                merging());
    verifySteps(p);
    const std::string dump = dumpSteps(p);
    CAPTURE(dump);
    CHECK(contains(dump, "StreamCopyMid: {io,labels} "));
    CHECK(contains(dump, "; a, b to device, 36 B, 2 tiles; write x[0,6); write y[0,3)\n"));
    CHECK(contains(dump, "StreamCopyMid: labels ")); // not merged in the second program
    const auto merged = std::find_if(p.streamCopies.begin(), p.streamCopies.end(),
                                     [](const StreamCopyStep &c) { return c.numParts == 2; });
    REQUIRE(merged != p.streamCopies.end());
    CHECK(merged->cycles == CostModel(f.graph.machine).hostCopy(Bytes(36)));
    const HostTile *const rows = p.hostTiles.data() + merged->firstTile;
    CHECK(rows[0].bytes.count() == 16);
    CHECK(rows[0].headerBytes.count() == 8);
    CHECK(rows[1].bytes.count() == 8 + 12);
    CHECK(rows[1].headerBytes.count() == 16);            // one request per stream
    CHECK(rows[1].codeBytes.count() == (2 + 2 + 2) * 4); // requests, two addresses, wait and return
    const StreamPart &labels = p.streamParts[merged->firstPart + 1];
    CHECK(labels.stream == b);
    CHECK(p.transfers[labels.firstTransfer].streamOffset.count() == 0);
    for (const Step &step : p.steps.raw())
      if (step.kind == StepKind::StreamCopyMid && p.streamCopies[step.payload].numParts == 2) {
        REQUIRE(step.numAccesses == 2);
        CHECK(p.accesses[step.firstAccess].member == 0);
        CHECK(p.accesses[step.firstAccess + 1].member == 1);
      }
  }

  TEST_CASE("host copies stand in the Sequence in which the last of them is") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 1);
    const auto in = stream(f, "in", GraphStream::Kind::HostToDevice, 4),
               more = stream(f, "more", GraphStream::Kind::HostToDevice, 4);
    const auto first = streamCopy(ProgramKind::StreamToTensor, in, f.all(x)),
               second = streamCopy(ProgramKind::StreamToTensor, more, f.all(y));
    const auto sequence = [](std::vector<ProgramPtr> children, const char *name) {
      return GraphFixture::sequence(std::move(children), name);
    };
    const std::string dump =
        dumpSteps(f.lower({sequence({sequence({first}, "a"), sequence({sequence({}, "empty"), second}, "b"),
                                     sequence({f.copy(f.all(x), f.all(y))}, "c")},
                                    "")},
                          merging()));
    CHECK(contains(dump, "  1 Sequence: a\n"
                         "  2 Sequence: b\n"
                         "    3 Sequence: empty\n"
                         "    4 StreamCopyBegin: io #0\n"
                         "    5 StreamCopyMid: io #0; in, more to device, 32 B, 2 tiles; write x[0,4); write y[0,4)\n"
                         "    6 StreamCopyEnd: io #0\n"
                         "  7 Sequence: c\n"));
  }

  TEST_CASE("host copies that stay apart") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 1);
    const auto in = stream(f, "in", GraphStream::Kind::HostToDevice, 4),
               more = stream(f, "more", GraphStream::Kind::HostToDevice, 4),
               out = stream(f, "out", GraphStream::Kind::DeviceToHost, 4),
               store = stream(f, "store", GraphStream::Kind::Remote, 4);
    const auto to = [&](StreamId s, const View &v) { return streamCopy(ProgramKind::StreamToTensor, s, v); };
    LoweringOptions options = merging();
    const auto copies = [&](const std::vector<ProgramPtr> &programs) {
      const StepProgram p = f.lower({GraphFixture::sequence(programs)}, options);
      verifySteps(p);
      return p.streamCopies.size();
    };
    CHECK(copies({to(in, f.all(x)), to(more, f.all(y))}) == 1);
    // the stream's next block
    CHECK(copies({to(in, f.all(x)), to(in, f.all(y))}) == 2);
    CHECK(copies({to(in, f.all(x)), to(more, f.all(x))}) == 2); // overwrites x
    // overwrites a part of x
    CHECK(copies({to(in, f.all(x)), to(more, f.slice(x, 3, 4))}) == 2);
    // writes other elements
    CHECK(copies({to(in, f.slice(x, 0, 3)), to(more, f.slice(x, 3, 4))}) == 1);
    // the opposite direction
    CHECK(copies({to(in, f.all(x)), streamCopy(ProgramKind::TensorToStream, out, f.all(y))}) == 2);
    CHECK(copies({to(in, f.all(x)), streamCopy(ProgramKind::RemoteToTensor, store, f.all(y))}) == 2);
    const auto copy = GraphFixture::node(ProgramKind::Copy, "between");
    copy->a = f.all(x);
    copy->b = f.all(y);
    CHECK(copies({to(in, f.all(x)), copy, to(more, f.all(x))}) == 2);
    options.maxCopyMergeBytes = 31;
    CHECK(copies({to(in, f.all(x)), to(more, f.all(y))}) == 2);
    options.maxCopyMergeBytes = 32;
    CHECK(copies({to(in, f.all(x)), to(more, f.all(y))}) == 1);
    options.maxCopyMergeBytes = 0;
    CHECK(copies({to(in, f.all(x)), to(more, f.all(y))}) == 2);
    options = LoweringOptions(); // by default, copies do not merge
    CHECK(copies({to(in, f.all(x)), to(more, f.all(y))}) == 2);
  }

  TEST_CASE("a remote buffer copy carries its row operand") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 1), row = f.onTile("row", 1, 0, ElementType::UnsignedInt);
    const auto buffer = stream(f, "store", GraphStream::Kind::Remote, 4);
    auto load = streamCopy(ProgramKind::RemoteToTensor, buffer, f.all(x));
    load->offset = f.all(row);
    const StepProgram p = f.lower({load});
    CHECK(p.streamCopies[0].remote);
    CHECK(p.homes[p.streamCopies[0].offset.home].var == VarId(1));
    CHECK(contains(dumpSteps(p), "store to device, row row@0+0, 16 B, 1 tile; write x[0,4); read row[0,1)"));
    CHECK(p.streams[StreamId(0)].kind == StreamInfo::Kind::Remote);
  }
}
