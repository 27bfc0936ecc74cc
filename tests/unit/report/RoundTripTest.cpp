#include "RandomRecords.hpp"

#include "report/pop/AdviceRows.hpp"
#include "report/pop/BlobBytes.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pop/PopReader.hpp"
#include "report/pop/TileBlob.hpp"

#include <algorithm>
#include <cstdio>
#include <doctest/doctest.h>
#include <functional>
#include <memory>
#include <optional>

using namespace popscope;

namespace {
void checkMemory(const TileMemoryRecord &a, const TileMemoryRecord &b) {
  CHECK(a.category == b.category);
  CHECK(a.usedBy == b.usedBy);
  CHECK(a.excludingGaps == b.excludingGaps);
  CHECK(a.includingGaps == b.includingGaps);
  CHECK(a.totalExcludingGaps == b.totalExcludingGaps);
  CHECK(a.totalIncludingGaps == b.totalIncludingGaps);
  CHECK(a.afterOverlapping == b.afterOverlapping);
  CHECK(a.lowerBoundOverlapped == b.lowerBoundOverlapped);
  CHECK(a.alwaysLiveBytes == b.alwaysLiveBytes);
  CHECK(a.maxNotAlwaysLiveBytes == b.maxNotAlwaysLiveBytes);
}

TileValues readProgramVector(PopFile &file, const ProfileLimits &limits, std::uint32_t program, ProgramVector which) {
  const auto packed = readPackedProgramVectors(file, program, {which}).front();
  return packed ? decodeTileValues(*packed, limits.tiles) : TileValues();
}

void checkPrograms(PopFile &file, const ProfileLimits &limits, const CompilationRecord &record) {
  const auto programs = readPrograms(file, limits);
  REQUIRE(programs.size() == record.programs.size());
  for (std::uint32_t i = 0; i < programs.size(); ++i) {
    const ProgramRecord &a = record.programs[i];
    const ProgramTilesRecord &on = record.programTiles[i];
    const StoredProgram &b = programs[i];
    CHECK(a.type == b.type);
    CHECK(a.name == b.name);
    CHECK(a.parent == b.parent);
    CHECK(a.isFunction == b.isFunction);
    CHECK(a.computeSet == b.computeSet);
    CHECK(a.controlCodeEveryTile.count() == b.controlCodeEveryTile);
    CHECK(a.count == b.count);
    CHECK(a.callee == b.callee);
    CHECK(a.livenessPoint == b.livenessPoint);
    CHECK(on.controlCode == readProgramVector(file, limits, i, ProgramVector::ControlCode));
    CHECK(on.exchangeCode == readProgramVector(file, limits, i, ProgramVector::ExchangeCode));
    CHECK(on.bytesSent == readProgramVector(file, limits, i, ProgramVector::BytesSent));
    CHECK(on.bytesReceived == readProgramVector(file, limits, i, ProgramVector::BytesReceived));
    CHECK(on.estimatedCycles == readProgramVector(file, limits, i, ProgramVector::EstimatedCycles));
    CHECK(a.exchangeCodeOf == b.exchangeCodeOf);
    CHECK(a.debugContext == b.debugContext);
    CHECK(a.barriers == b.barriers);
    CHECK(on.counterCycles == readProgramVector(file, limits, i, ProgramVector::CounterCycles));
    CHECK(on.messagesReceived == readProgramVector(file, limits, i, ProgramVector::MessagesReceived));
    CHECK(on.receiveLatency == readProgramVector(file, limits, i, ProgramVector::ReceiveLatency));
    CHECK(on.receiveTransfer == readProgramVector(file, limits, i, ProgramVector::ReceiveTransfer));
    CHECK(on.receiveControls == readProgramVector(file, limits, i, ProgramVector::ReceiveControls));
    CHECK(on.counterStores == readProgramVector(file, limits, i, ProgramVector::CounterStores));
    CHECK(on.receiveDistance == readProgramVector(file, limits, i, ProgramVector::ReceiveDistance));
    CHECK(on.messageSizes == readProgramVector(file, limits, i, ProgramVector::MessageSizes));
    CHECK(on.links == readLinkTransfers(file, limits, i));
    CHECK(on.traffic == readTraffic(file, limits, i));
    CHECK(a.moreContexts == readMoreContexts(file, i));
  }
}

void checkCosts(PopFile &file, const ProfileLimits &limits, const CompilationRecord &record) {
  CHECK(readMeta(file).debugContexts == record.debugContexts);
  const auto delays = readSyncDelays(file, limits);
  REQUIRE(delays.size() == record.syncDelays.size());
  for (std::size_t i = 0; i < delays.size(); ++i) {
    const auto &a = record.syncDelays[i], &b = delays[i];
    CHECK((a.kind == b.kind && a.acrossIpus == b.acrossIpus && a.toController == b.toController &&
           a.fromController == b.fromController));
  }
  CHECK(readTarget(file).machine == record.target.machine);
  CHECK(readMessageSizes(file) == record.messageSizes);
  const auto costs = readMachineCosts(file);
  REQUIRE(costs.size() == record.machineCosts.size());
  for (std::size_t i = 0; i < costs.size(); ++i)
    CHECK((costs[i].key == record.machineCosts[i].key && costs[i].value == record.machineCosts[i].value &&
           costs[i].unit == record.machineCosts[i].unit));
}

/// Checks that the stored parts add up to the slots of each tile.
void checkSlots(PopFile &file, const ProfileLimits &limits, const StoredStep &stored, const StepRecord &step) {
  REQUIRE(stored.slotCycles.has_value() == (step.slots != nullptr));
  if (!step.slots)
    return;
  const SlotCycles &slots = *step.slots;
  std::vector<std::vector<std::uint64_t>> parts;
  for (std::uint64_t part = 0; part < slots.slots + 2; ++part)
    parts.push_back(readSlotCycles(file, limits, *stored.slotCycles, part));
  std::size_t worked = 0;
  for (std::uint32_t t = 0; t < limits.stepTiles; ++t) {
    const bool works = worked < slots.tiles.size() && slots.tiles[worked] == t;
    for (std::uint32_t s = 0; s < slots.slots; ++s)
      REQUIRE(parts[kFullestSlot][t] - parts[kFirstSlot + s][t] ==
              (works ? slots.threadCycles[worked * slots.slots + s].count() : 0));
    REQUIRE(parts.back()[t] == (works ? slots.supervisor[worked].count() : 0));
    worked += works ? 1 : 0;
  }
  const DealtVertices dealt = readDealtVertices(file, limits, *stored.slotCycles);
  CHECK(dealt.patternByTile.empty() ==
        std::all_of(slots.dealt.begin(), slots.dealt.end(), [](const auto &runs) { return runs.empty(); }));
  for (std::size_t i = 0; i < slots.tiles.size() && !dealt.patternByTile.empty(); ++i) {
    const std::uint64_t pattern = dealt.patternByTile[slots.tiles[i]];
    CHECK((pattern == 0 ? std::vector<DealtRun>() : dealt.patterns[pattern - 1]) == slots.dealt[i]);
  }
}

void checkVariables(PopFile &file, const ProfileLimits &limits, const CompilationRecord &record) {
  const auto variables = readVariables(file, limits);
  REQUIRE(variables.size() == record.variables.size());
  const auto lowered = readLoweredVariables(file, limits);
  const auto names = readVariableNames(file, limits);
  const auto sameName = [&](NameId a, NameId b) { return record.variableNames[a] == names[b.index()]; };
  REQUIRE(lowered.size() == record.loweredVariables.size());
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto &a = record.variables[i], &b = variables[i];
    CHECK((sameName(a.name, b.name) && a.bytes == b.bytes && a.alwaysLive == b.alwaysLive &&
           a.liveClass == b.liveClass && a.category == b.category && a.bytesByTile == b.bytesByTile));
    CHECK(std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), [](const auto &x, const auto &y) {
      return x.liveClass == y.liveClass && x.bytes == y.bytes && x.bytesByTile == y.bytesByTile;
    }));
    const auto &c = record.loweredVariables[i], &d = lowered[i];
    CHECK((c.variable == d.variable && sameName(c.name, d.name) && c.tile == d.tile && c.offset == d.offset &&
           c.bytes == d.bytes && c.alignment == d.alignment && c.category == d.category &&
           c.alwaysLive == d.alwaysLive && c.overlapped == d.overlapped && c.isConstant == d.isConstant &&
           c.occupiedClass == d.occupiedClass));
  }
  for (std::size_t tile = 0; tile < limits.tiles; ++tile) {
    const auto alone = readLoweredVariablesOf(file, limits, tile);
    std::size_t next = 0;
    for (std::size_t i = 0; i < lowered.size(); ++i)
      if (lowered[i].tile == tile) {
        REQUIRE(next < alone.size());
        CHECK((alone[next].first == i && alone[next].second.name == lowered[i].name &&
               alone[next].second.offset == lowered[i].offset && alone[next].second.variable == lowered[i].variable));
        ++next;
      }
    CHECK(next == alone.size());
  }
}

void checkAdvice(const AdviceRecord &a, const AdviceRecord &b) {
  REQUIRE(a.present == b.present);
  REQUIRE(a.explanations.size() == b.explanations.size());
  REQUIRE(a.falseLive.size() == b.falseLive.size());
  REQUIRE(a.placements.size() == b.placements.size());
  REQUIRE(a.trials.size() == b.trials.size());
  for (std::size_t i = 0; i < a.trials.size(); ++i) {
    const auto &c = a.trials[i], &d = b.trials[i];
    CHECK((c.purpose == d.purpose && c.changes == d.changes && c.text == d.text && c.numChanges == d.numChanges &&
           c.tilesOutOfMemory == d.tilesOutOfMemory && c.fullestTile == d.fullestTile &&
           c.fullestBytes == d.fullestBytes && c.pastEndBytes == d.pastEndBytes && c.allTilesBytes == d.allTilesBytes &&
           c.exchangeCodeBytes == d.exchangeCodeBytes && c.exchangeCycles == d.exchangeCycles));
  }
  for (std::size_t i = 0; i < a.explanations.size(); ++i) {
    const auto &c = a.explanations[i], &d = b.explanations[i];
    CHECK((c.variable == d.variable && c.firstProgram == d.firstProgram && c.endProgram == d.endProgram &&
           c.born == d.born && c.read == d.read && c.failedKill == d.failedKill && c.missed == d.missed &&
           c.missedElements == d.missedElements && c.carrier == d.carrier && c.carriedBy == d.carriedBy));
    const auto &e = a.falseLive[i], &f = b.falseLive[i];
    CHECK((e.variable == f.variable && e.firstProgram == f.firstProgram && e.endProgram == f.endProgram &&
           e.bytes == f.bytes && e.bytesOnWorstTile == f.bytesOnWorstTile));
    const auto &g = a.placements[i], &h = b.placements[i];
    CHECK((g.variable == h.variable && g.before == h.before && g.savedOnWorstTile == h.savedOnWorstTile &&
           g.savedOnDevice == h.savedOnDevice && g.together == h.together));
  }
  CHECK((a.candidates == b.candidates && a.tried == b.tried && a.worstTile == b.worstTile &&
         a.worstProgram == b.worstProgram && a.worstPeak == b.worstPeak && a.falseLiveAtPeak == b.falseLiveAtPeak &&
         a.worstPeakAfterAll == b.worstPeakAfterAll));
}

void checkStep(PopFile &file, const ProfileLimits &limits, const StoredStep &stored, const StepRecord &step) {
  CHECK(stored.program == step.program);
  CHECK(stored.threadCycles.has_value() == step.threadCycles.has_value());
  CHECK(Cycles(stored.threadCycles.value_or(0)) == step.threadCycles.value_or(Cycles()));
  const auto packed = readPackedStepCycles(file, stored.id);
  const auto cycles = packed ? unpackStepCycles(file, limits, *packed) : std::vector<std::uint64_t>();
  CHECK(cycles == std::vector<std::uint64_t>(step.cyclesByTile.begin(), step.cyclesByTile.end()));
  const auto ipus = readStepIpus(file, limits, {stored.id, stored.id + 1}).front();
  REQUIRE(ipus.size() == step.ipus.size());
  for (std::size_t i = 0; i < ipus.size(); ++i) {
    const auto &a = step.ipus[i], &b = ipus[i];
    CHECK((a.cycles == b.cycles && a.activeTiles == b.activeTiles && a.busyCycles == b.busyCycles));
    CHECK((a.allFromMin == b.allFromMin && a.allFromMax == b.allFromMax && a.allToMin == b.allToMin &&
           a.allToMax == b.allToMax));
    CHECK((a.activeFromMin == b.activeFromMin && a.activeFromMax == b.activeFromMax && a.activeToMin == b.activeToMin &&
           a.activeToMax == b.activeToMax));
    CHECK((a.dataIn == b.dataIn && a.dataOut == b.dataOut && a.maxTileData == b.maxTileData));
  }
  const auto types = readStepVertexTypes(file, limits, stored.id);
  REQUIRE(types.size() == step.vertexTypes.size());
  for (std::size_t i = 0; i < types.size(); ++i)
    CHECK((types[i].instances == step.vertexTypes[i].instances && types[i].cycles == step.vertexTypes[i].cycles));
}
} // namespace

TEST_SUITE("report.pop") {
  TEST_CASE("what is written is what is read") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      CAPTURE(seed);
      std::mt19937_64 random(seed);
      const CompilationRecord record = randomCompilation(random);
      PopWriter writer;
      writer.compilation(record);
      writer.beginRun({"run", 3, 1.5, 2.5});
      std::vector<StepRecord> steps;
      for (int i = 0; i < 5; ++i) {
        steps.push_back(randomStep(random, record));
        writer.step(steps.back());
      }
      RunTotals totals;
      totals.totalCycles = Cycles(100);
      totals.compute = Cycles(90);
      totals.exchange = Cycles(5);
      totals.globalExchange = Cycles(4);
      totals.hostExchange = Cycles(3);
      totals.sharedStructureCopy = Cycles(2);
      totals.sync = Cycles(1);
      totals.unattributed = Cycles(7);
      writer.endRun(totals, 9.5);
      PopFile &file = *writer.file();
      const ProfileLimits limits = readLimits(file);
      checkPrograms(file, limits, record);
      checkVariables(file, limits, record);
      checkCosts(file, limits, record);
      checkAdvice(record.advice, readAdvice(file, limits));
      std::vector<VariableAccessRecord> accesses;
      for (std::uint32_t v = 0; v < record.variables.size(); ++v)
        for (const VariableAccessRecord &a : readVariableAccesses(file, limits, v))
          accesses.push_back(a);
      CHECK(accesses == record.advice.accesses);
      CHECK(hasVariableAccesses(file) == !accesses.empty());
      const auto tiles = readTiles(file, limits);
      REQUIRE(tiles.size() == record.tiles.size());
      for (std::size_t t = 0; t < tiles.size(); ++t)
        checkMemory(tiles[t], record.tiles[t]);
      CHECK(readTilesOutOfMemory(file, limits) == record.tilesOutOfMemory);
      CHECK(readMeta(file).codeIncluded == record.codeIncluded);
      const auto vertices = readVerticesOnTile(file, limits);
      REQUIRE(vertices.size() == record.verticesOnTile.size());
      CHECK(vertices.back().descriptors == record.verticesOnTile.back().descriptors);
      CHECK(readComputeSetVertices(file, limits, 0).at(0).countByTile == record.computeSets[0].vertices[0].countByTile);
      CHECK(readComputeSetVertices(file, limits, 0).at(0).flops == record.computeSets[0].vertices[0].flops);
      CHECK(readComputeSetVertices(file, limits, 0).at(0).flopVertices ==
            record.computeSets[0].vertices[0].flopVertices);
      CHECK(readComputeSetVertices(file, limits, 0).at(0).estimatedVertices ==
            record.computeSets[0].vertices[0].estimatedVertices);
      CHECK(readComputeSetVertices(file, limits, 0).at(0).estimatedCycles ==
            record.computeSets[0].vertices[0].estimatedCycles);
      const auto operands = readOperands(file, limits, 0);
      REQUIRE(operands.size() == record.computeSets[0].operands.size());
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const VertexOperandRecord &a = operands[i], &b = record.computeSets[0].operands[i];
        CHECK((a.field == b.field && a.elementType == b.elementType && a.read == b.read && a.written == b.written &&
               a.edges == b.edges && a.elements == b.elements && a.leastElements == b.leastElements &&
               a.mostElements == b.mostElements && a.bytes == b.bytes));
      }
      CHECK(readFlops(file, limits).size() >= record.computeSets[0].vertices.size());
      CHECK(readClasses(file, limits).at(0).intervals == record.livenessClasses[0].intervals);
      CHECK(readLivenessSteps(file, limits).back().bytesByIpu == record.livenessSteps.back().bytesByIpu);
      const auto stored = readSteps(file, limits, readStepIds(file));
      REQUIRE(stored.size() == steps.size());
      for (std::size_t i = 0; i < steps.size(); ++i)
        checkStep(file, limits, stored[i], steps[i]), checkSlots(file, limits, stored[i], steps[i]);
      const auto runs = readRuns(file);
      REQUIRE(runs.size() == 1);
      CHECK(runs[0].run.name == "run");
      CHECK(runs[0].run.endMicroseconds == 9.5);
      CHECK(runs[0].totals.unattributed.count() == 7);
      CHECK_FALSE(runs[0].totals.threadCycles.has_value());
    }
  }

  TEST_CASE("slots of steps that cost the same are stored once, and a writer that goes on adds to them") {
    std::mt19937_64 random(3);
    const CompilationRecord record = randomCompilation(random);
    const std::string path = "popscope-slots-test.pop";
    StepRecord step = randomStep(random, record);
    while (!step.slots || step.slots->tiles.empty())
      step = randomStep(random, record);
    const auto ids = [&](PopFile &file) {
      std::vector<std::optional<std::uint64_t>> result;
      for (const StoredStep &s : readSteps(file, readLimits(file), readStepIds(file)))
        result.push_back(s.slotCycles);
      return result;
    };
    std::uint64_t last = 0;
    StepRecord equal = step, other = step, unknown = step, large = step;
    equal.slots = std::make_shared<SlotCycles>(*step.slots);
    auto changed = std::make_shared<SlotCycles>(*step.slots);
    changed->threadCycles[0] = Cycles(changed->threadCycles[0].count() ^ 1);
    other.slots = changed;
    unknown.slots = nullptr;
    auto much = std::make_shared<SlotCycles>(*step.slots);
    much->threadCycles[0] = Cycles(std::uint64_t(1) << 32);
    large.slots = much;
    const auto write = [&](PopWriter &writer, const std::vector<StepRecord> &steps) {
      writer.beginRun({"run", 0, 0, 0});
      for (const StepRecord &s : steps)
        writer.step(s);
      writer.endRun({}, 0);
    };
    {
      PopWriter writer(path);
      writer.compilation(record);
      write(writer, {step, step, equal, other, other, unknown, large, step});
      const auto first = ids(*writer.file());
      CHECK((first[0] == 0u && first[1] == 0u && first[2] == 0u)); // equal values, whether one object or two
      CHECK((first[3] > first[0] && first[4] == first[3]));
      CHECK((!first[5] && !first[6])); // unknown, and a number that is too large
      CHECK(first[7] > first[3]);      // compared only with the latest
      last = *first[7];
      writer.resetExecution();
      write(writer, {step});
      REQUIRE(ids(*writer.file()).size() == 1);
      CHECK(ids(*writer.file())[0] > last); // forgotten objects are not referred to
      last = *ids(*writer.file())[0];
    }
    const auto more = PopWriter::append(path, path);
    write(*more, {step, other});
    more->finish();
    std::remove(path.c_str());
    const auto all = ids(*more->file());
    CHECK((all.size() == 3 && all[0] == last && all[1] > all[0] && all[2] > all[1]));
  }

  TEST_CASE("bytes are compressed to the same again and again, whatever was compressed in between") {
    std::mt19937_64 random(11);
    std::vector<std::string> inputs(20); // more than a thread keeps
    for (std::size_t i = 0; i < inputs.size(); ++i)
      for (std::size_t b = 0; b < 100 * i; ++b) // from none to 1,900 bytes
        inputs[i].push_back(static_cast<char>(random() % 7));
    inputs.push_back(inputs.back()); // equal except for its last byte
    inputs.back().back() ^= 1;
    inputs.emplace_back(300000, 'x'); // longer than any kept blob
    std::vector<std::string> first;
    for (const std::string &input : inputs) {
      first.push_back(deflated(input));
      CHECK(inflatedExactly(first.back(), input.size()) == input);
    }
    for (int i = 0; i < 2000; ++i) {
      const std::size_t one = random() % inputs.size();
      CHECK(deflated(inputs[one]) == first[one]);
    }
  }

  TEST_CASE("sparse and dense per-tile values survive, and every cut or changed blob is refused or decodes in bounds") {
    std::mt19937_64 random(7);
    constexpr std::uint32_t kTiles = 1472;
    constexpr int kZlib = 1, kList = 3, kMasked = 7, kOneTile = 32, kSparse = 16;        // bits of the first byte
    const auto large = [&](std::uint32_t) { return 1 + (random() >> (random() % 63)); }; // some beyond 32 bits
    const auto small = [&](std::uint32_t) { return 1 + random() % 1000; };
    struct Shape {
      std::uint32_t first, step;
      std::function<std::uint64_t(std::uint32_t)> value;
      int bits, set; // of the first byte
    };
    const std::vector<Shape> shapes{
        {0, 1, large, 2, 0},
        {0, 3, large, 2, 0},
        {0, 500, large, kSparse | kOneTile, kSparse},
        {0, 1, small, 255, kList},
        {0, 2, small, 255, kMasked},
        {0, 500, small, kSparse | kOneTile, kSparse},
        {1471, 1, small, kOneTile, kOneTile},
        {3, 4000, large, kOneTile, kOneTile},
        {0, 1, [](std::uint32_t t) { return 1 + t / 64 * 37 % 91; }, 255, kZlib},    // blocks of equal neighbours
        {0, 1, [](std::uint32_t t) { return 1 + t % 46 * 7 % 31 * 3; }, 255, kZlib}, // the same in each row of a grid
        // some tiles have a value, the same for all
        {0, 1, [&](std::uint32_t) { return 16 * (random() % 2); }, 255, kMasked},
        // the low bits of all values are 0
        {0, 1, [&](std::uint32_t) { return 4 * (random() % 3) << 20; }, 255, kMasked},
        {1, 1, [&](std::uint32_t) { return 0xFFFFFFFF * (random() % 2); }, 255, kMasked}}; // the largest
    for (const Shape &shape : shapes) {
      CAPTURE(&shape - shapes.data());
      TileValues values;
      for (std::uint32_t t = shape.first; t < kTiles; t += shape.step)
        if (const std::uint64_t value = shape.value(t); value != 0)
          values.emplace_back(t, value);
      const std::string blob = encodeTileValues(values, kTiles);
      CHECK((blob[0] & shape.bits) == shape.set);
      CHECK(encodeTileValues(values, kTiles) == blob); // one call keeps no state for the next
      CHECK(decodeTileValues(blob, kTiles) == values);
      const std::vector<std::uint64_t> dense = decodeDense(blob, kTiles);
      for (const auto &[tile, value] : values)
        CHECK(dense.at(tile) == value);
      const bool isSparse = (blob[0] & (kSparse | kOneTile)) != 0;
      CHECK_THROWS_AS((void)decodeTileValues(blob, isSparse ? values.back().first : kTiles - 1), ProfileError);
      for (std::size_t size = 0; size < blob.size(); size += 1 + blob.size() / 97)
        CHECK_THROWS_AS((void)decodeTileValues(blob.substr(0, size), kTiles), ProfileError);
      CHECK_THROWS_AS((void)decodeTileValues(blob + 'x', kTiles), ProfileError);
      for (int i = 0; i < 300; ++i) {
        std::string changed = blob;
        changed[random() % changed.size()] ^= static_cast<char>(1u << random() % 8);
        try {
          for (const auto &entry : decodeTileValues(changed, kTiles))
            CHECK(entry.first < kTiles);
        } catch (const ProfileError &) {
        }
      }
    }
  }
}
