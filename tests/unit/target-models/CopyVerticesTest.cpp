#include "target-models/costs/CostModel.hpp"

#include <doctest/doctest.h>
#include <set>

using namespace popscope;

TEST_SUITE("target-models.copies") {
  const CostModel &model() {
    static const CostModel costs(loadTileMachine("ipu1"));
    return costs;
  }

  TEST_CASE("the machine's table is in the order of the kinds") {
    const TileMachine &m = model().machine();
    REQUIRE(m.copyVertices.size() == kNumCopyVertexKinds);
    std::set<std::string> names;
    for (std::size_t i = 0; i < kNumCopyVertexKinds; ++i) {
      const auto kind = static_cast<CopyVertexKind>(i);
      CHECK(m.copyVertices[i].name == copyVertexName(kind));
      CHECK(m.copyVertices[i].supervisor == copyVertexIsSupervisor(kind));
      CHECK(model().copyVertexCodeBytes(kind).count() > 0);
      names.insert(copyVertexName(kind));
    }
    CHECK(names.size() == kNumCopyVertexKinds);
  }

  TEST_CASE("the copy vertex follows alignment, runs and length") {
    const CostModel &c = model();
    using Kind = CopyVertexKind;
    using Value = CopyShape::Value;
    const auto choose = [&](std::uint64_t bytes, std::uint64_t runs, std::uint32_t align, bool contiguous,
                            Value value = Value::Copied) {
      return c.chooseCopyVertex({Bytes(bytes), runs, align, contiguous, value});
    };
    CHECK(choose(4096, 1, 8, true) == Kind::Memcpy64BitSupervisor);
    CHECK(choose(32, 1, 8, true) == Kind::Memcpy64BitSupervisor);
    CHECK(choose(24, 1, 8, true) == Kind::ShortMemcpy);
    CHECK(choose(64, 1, 4, true) == Kind::ShortMemcpy);
    CHECK(choose(112, 1, 4, true) == Kind::ShortMemcpy); // shortCopyMaxBytes
    CHECK(choose(116, 1, 4, true) == Kind::DstStridedCopyDA32);
    CHECK(choose(4096, 1, 4, true) == Kind::DstStridedCopyDA32);
    CHECK(choose(64, 4, 4, true) == Kind::DstStridedCopyDA32);
    CHECK(choose(64, 4, 4, false) == Kind::StridedCopyDA32);
    CHECK(choose(64, 4, 8, true) == Kind::DstStridedCopy64BitMultiAccess);
    CHECK(choose(64, 4, 8, false) == Kind::StridedCopy64BitMultiAccess);
    CHECK(choose(24, 3, 8, false) == Kind::StridedCopyDA32);
    for (const bool contiguous : {false, true}) // a single memory element is enough
      CHECK(c.chooseCopyVertex({Bytes(64), 4, 8, contiguous, Value::Copied, false}) ==
            (contiguous ? Kind::DstStridedCopyDA32 : Kind::StridedCopyDA32));
    CHECK(c.chooseCopyVertex({Bytes(4096), 1, 8, true, Value::Copied, false}) == Kind::DstStridedCopyDA32);
    CHECK(choose(64, 1, 2, true) == Kind::SubWordCopy);
    CHECK(choose(64, 4, 1, false) == Kind::SubWordCopy);
    CHECK(choose(12, 1, 4, true, Value::Zero) == Kind::MemsetZero);
    CHECK(choose(64, 1, 8, true, Value::Zero) == Kind::MemsetZero64Bit);
    CHECK(choose(64, 4, 8, true, Value::Zero) == Kind::DstStridedMemsetZero64Bit);
    CHECK(choose(64, 4, 4, true, Value::Zero) == Kind::DstStridedMemsetZero);
    CHECK(choose(64, 4, 4, true, Value::Other) == Kind::DstStridedMemset);
    CHECK(choose(6, 1, 2, true, Value::Zero) == Kind::SubWordMemset);
  }

  TEST_CASE("copies take the cycles that were measured") {
    const CostModel &c = model();
    CHECK(c.copyVertexCycles(CopyVertexKind::ShortMemcpy, Bytes(4), 1).count() == 72);
    CHECK(c.copyVertexCycles(CopyVertexKind::ShortMemcpy, Bytes(100), 1).count() == 72);
    CHECK(c.copyVertexCycles(CopyVertexKind::Memcpy64BitSupervisor, Bytes(8192), 1).count() == 1308);
    CHECK(c.copyVertexCycles(CopyVertexKind::Memcpy64BitSupervisor, Bytes(48), 1).count() == 288);
    CHECK(c.copyVertexCycles(CopyVertexKind::StridedCopyDA32, Bytes(64), 2).count() == 30 + 2 * 4 + 64 / 8);
    // Published: 17 words that are not adjacent; 16; a sixth of a transposed block of 5,760 words.
    CHECK(c.copyVertexCycles(CopyVertexKind::DstStridedCopyDA32, Bytes(17 * 4), 17).count() == 801);
    CHECK((4 * 801 + 2 * c.copyVertexCycles(CopyVertexKind::DstStridedCopyDA32, Bytes(16 * 4), 16).count()) / 6 == 786);
    CHECK(c.copyVertexCycles(CopyVertexKind::StridedCopyDA32, Bytes(960 * 4), 960).count() == 26100 / 6);
    CHECK(c.copyVertexCycles(CopyVertexKind::SubWordCopy, Bytes(3), 1).count() == 40 + 14 + 2 * 6);
    CHECK(c.copyVertexCycles(CopyVertexKind::Memcpy64Bit, Bytes(400), 1).count() ==
          83); // a row of 100 floats: 82.9 on average
    CHECK(c.copyVertexCycles(CopyVertexKind::MemsetZero, Bytes(12), 1).count() == 15);
    CHECK(c.copyVertexCycles(CopyVertexKind::MemsetZero64Bit, Bytes(8), 1).count() == 13);
  }

  TEST_CASE("footprints hold pointers, lengths and descriptors") {
    const CostModel &c = model();
    const CopyVertexFootprint shortCopy = c.copyVertexFootprint(CopyVertexKind::ShortMemcpy, 1);
    CHECK(shortCopy.pointerBytes == 8);
    CHECK(shortCopy.stateBytes == 10);
    CHECK(shortCopy.descriptorBytes == 0);
    CHECK(c.copyVertexFootprint(CopyVertexKind::Memcpy64BitSupervisor, 1).pointerBytes == 4);
    const CostModel later(loadTileMachine("ipu2")); // 16 bits do not reach all of its memory
    CHECK(later.copyVertexFootprint(CopyVertexKind::Memcpy64BitSupervisor, 1).pointerBytes == 8);
    CHECK(later.copyVertexFootprint(CopyVertexKind::Memcpy64BitSupervisor, 1).stateBytes == 10);
    CHECK(later.copyVertexFootprint(CopyVertexKind::ShortMemcpy, 1).pointerBytes == 8);
    CHECK(c.copyVertexFootprint(CopyVertexKind::StridedCopyDA32, 100).descriptorBytes == 8);
    CHECK(c.copyVertexFootprint(CopyVertexKind::StridedCopyDA32, 128).descriptorBytes == 9);
    CHECK(c.copyVertexFootprint(CopyVertexKind::StridedCopyDA32, 100).stateBytes == 8);
  }

  TEST_CASE("the sample report's copy pointers add up") {
    // 1,393 + 455 strided copies, 73 short, 203 wide, 41 + 33 of 64 bits, fills: 1, 2 and 18 (docs/SAMPLE.md).
    const CostModel &c = model();
    const auto pointers = [&](CopyVertexKind kind) { return c.copyVertexFootprint(kind, 2).pointerBytes; };
    CHECK(1393 * pointers(CopyVertexKind::DstStridedCopyDA32) + 455 * pointers(CopyVertexKind::StridedCopyDA32) +
              73 * pointers(CopyVertexKind::ShortMemcpy) + 203 * pointers(CopyVertexKind::Memcpy64BitSupervisor) +
              41 * pointers(CopyVertexKind::DstStridedCopy64BitMultiAccess) +
              33 * pointers(CopyVertexKind::StridedCopy64BitMultiAccess) + pointers(CopyVertexKind::MemsetZero) +
              2 * pointers(CopyVertexKind::MemsetZero64Bit) +
              18 * pointers(CopyVertexKind::DstStridedMemsetZero64Bit) ==
          16668);
  }
}
