// Compares runs of random valid programs on an engine with their meaning, and tests programs with one mistake.
// POPSCOPE_RANDOM_PROGRAMS sets their number (250; 1,000 in the slow test, 10,000 in the nightly one),
// POPSCOPE_RANDOM_SEED the first seed.
#include "tests/property/programs/Mistakes.hpp"

#include <doctest/doctest.h>
#include <pva/pva.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>
#include <thread>

using namespace random_programs;

namespace {

std::uint32_t fromEnvironment(const char *name, std::uint32_t otherwise) {
  const char *const asked = std::getenv(name);
  return asked == nullptr ? otherwise : static_cast<std::uint32_t>(std::strtoul(asked, nullptr, 10));
}

poplar::OptionFlags someOptions(RandomProgram &p) {
  poplar::OptionFlags options;
  const auto sometimes = [&](const char *key, const char *value, std::uint32_t percent) {
    if (p.chance(percent))
      options.set(key, value);
  };
  options.set("debug.verify", p.verified ? "true" : "false");
  sometimes("debug.runtimeVerify", "true", 25);
  sometimes("debug.instrument", "true", 25);
  sometimes("exchange.enablePrefetch", "true", 50);
  sometimes("popscope.scheduler", "table", 20);
  sometimes("popscope.alwaysSwitch", "false", 20);
  sometimes("opt.maxCopyMergeSize", "0", 15);
  sometimes("opt.maxCopyMergeSize", "64", 10);
  sometimes("popscope.elideCopies", "true", 50);
  sometimes("popscope.hostCopies", "merged", 50);
  sometimes("opt.maxCompilationThreads", "1", 20);
  sometimes("debug.cpuMultiThreadExecution", "false", 20);
  options.set("debug.allowOutOfMemory", "true");
  return options;
}

/// Returns one of the changes that the trials of advice found possible, or "". The program must compute the same values
/// with it.
std::string someAdvice(RandomProgram &p, const std::vector<poplar::program::Program> &programs,
                       poplar::OptionFlags options, std::uint32_t seed, Tally &tally) {
  if (p.graph.getTarget().getTargetType() == poplar::TargetType::CPU)
    return ""; // the target has no profile
  options.set("popscope.tryAdvice", "12");
  poplar::Engine engine(p.graph, programs, options);
  const auto trials = engine.getReport().popscope().adviceTrials();
  if (trials.size() < 2)
    return "";
  const pva::AdviceTrial &chosen = trials[1 + seed / 7 % (trials.size() - 1)];
  ++tally["advice: " + chosen.description.substr(0, chosen.description.find_first_of(" ("))];
  return chosen.changes;
}

/// Supplies the transfers of one replica in order, again and again, or receives them.
class Transfers : public poplar::StreamCallback {
public:
  Transfers(const RandomProgram &p, Stream &s, std::uint32_t replica) : program_(p), stream_(s), replica_(replica) {}
  Result prefetch(void *to) override {
    if (!stream_.toDevice)
      return Result::NotAvailable;
    fetch(to);
    return Result::Success;
  }
  void fetch(void *block) override {
    const Kind &kind = kindOf(stream_.type);
    const std::size_t transfer = next_++;
    std::vector<std::int64_t> values(stream_.elements);
    Bytes bytes(values.size() * kind.bytes);
    if (!stream_.toDevice) {
      std::memcpy(bytes.data(), block, bytes.size());
      values = decode(kind, bytes);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::int64_t &there = stream_.data[program_.transferElement(stream_, transfer, replica_, i)];
      (stream_.toDevice ? values[i] : there) = stream_.toDevice ? there : values[i];
    }
    if (stream_.toDevice)
      std::memcpy(block, encode(kind, values).data(), bytes.size());
  }
  void complete() override { ++done_; }
  void invalidatePrefetched() override { next_ = done_; }

private:
  const RandomProgram &program_;
  Stream &stream_;
  std::uint32_t replica_;
  std::size_t next_ = 0, done_ = 0;
};

/// An engine with a random program, and the expected state of the world.
class Trial {
public:
  Trial(std::uint32_t seed, Tally &tally) : Trial(std::make_unique<RandomProgram>(seed, tally), seed, tally) {}
  Trial(std::unique_ptr<RandomProgram> program, std::uint32_t seed, Tally &tally)
      : program_(std::move(program)), p_(*program_), twins_(p_.programs()), world_(p_.start()),
        buffers_(p_.streams.size()) {
    std::vector<poplar::program::Program> programs;
    for (const TwinProgram &t : twins_)
      programs.push_back(t.program);
    poplar::OptionFlags options = someOptions(p_);
    if (seed % 7 == 3)
      options.set("popscope.applyAdvice", someAdvice(p_, programs, options, seed, tally));
    engine_ = seed % 5 == 1 ? throughFile(programs, options, tally)
                            : std::make_unique<poplar::Engine>(p_.graph, programs, options);
    engine_->setPrintStream(printed_);
    engine_->load(p_.device);
    connectStreams();
    connectFunctions();
    fillRemoteBuffers();
  }
  /// Returns "", or a description of the first wrong element.
  std::string go() {
    for (const Variable &v : p_.variables)
      if (!v.handle.empty() && !v.constant && p_.chance(70))
        writeVariable(v);
    for (std::uint32_t n = 2 + p_.below(4); n > 0; --n) {
      const std::uint32_t program = p_.below(static_cast<std::uint32_t>(twins_.size()));
      engine_->run(program);
      twins_[program].meaning(world_);
      const std::string difference = compare();
      if (!difference.empty())
        return "after program " + std::to_string(program) + ": " + difference;
      const Variable &v = p_.variables[p_.below(static_cast<std::uint32_t>(p_.variables.size()))];
      if (!v.handle.empty() && !v.constant)
        writeVariable(v);
    }
    return "";
  }
  World &world() { return world_; }
  std::string compare() {
    std::string difference = compareVariables();
    if (difference.empty())
      difference = compareStreams();
    return difference.empty() ? compareRemoteBuffers() : difference;
  }
  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    out << p_.replicas << " replica(s) on " << p_.graph.getTarget().getNumIPUs() << " IPU(s) of "
        << p_.graph.getTarget().getTilesPerIPU() << " tiles each, device type "
        << static_cast<int>(p_.graph.getTarget().getTargetType()) << '\n';
    for (const TwinProgram &t : twins_)
      dumpProgram(p_.graph, t.program, out);
    return out.str() + p_.vertexList();
  }

private:
  using Values = std::vector<std::int64_t>;

  /// Returns an engine of the program after saving and loading its executable.
  std::unique_ptr<poplar::Engine> throughFile(const std::vector<poplar::program::Program> &programs,
                                              const poplar::OptionFlags &options, Tally &tally) {
    ++tally["saved and loaded executable"];
    std::stringstream file;
    poplar::compileGraph(p_.graph, programs, options).serialize(file);
    return std::make_unique<poplar::Engine>(poplar::Executable::deserialize(file), options);
  }

  static std::string difference(const std::string &what, const Values &wanted, const Values &found) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i] != kUndefined && wanted[i] != found[i])
        return what + "[" + std::to_string(i) + "] is " + std::to_string(found[i]) + " and should be " +
               std::to_string(wanted[i]);
    return "";
  }

  void connectStreams() {
    for (std::size_t i = 0; i < p_.streams.size(); ++i) {
      Stream &s = p_.streams[i];
      const std::vector<std::string> used = engine_->getStreamHandles();
      if (std::find(used.begin(), used.end(), s.handle) == used.end())
        continue;
      if (!s.callback) {
        buffers_[i] = encode(kindOf(s.type), s.data);
        engine_->connectStream(s.handle, buffers_[i].data(), buffers_[i].data() + buffers_[i].size());
        continue;
      }
      for (std::uint32_t r = 0; r < p_.replicas; ++r)
        engine_->connectStreamToCallback(s.handle, r, std::make_unique<Transfers>(p_, s, r));
    }
  }

  void connectFunctions() {
    for (const HostFn &f : p_.hostFunctions)
      for (std::uint32_t r = 0; r < p_.replicas; ++r)
        try {
          engine_->connectHostFunction(f.function, r,
                                       [f](const void *const *in, std::size_t, void *const *out, std::size_t) {
                                         const Kind &kind = kindOf(poplar::INT);
                                         std::int64_t sum = 0;
                                         for (std::size_t i = 0; i < f.in; ++i)
                                           sum = fold(kind, sum, static_cast<const std::int32_t *>(in[0])[i]);
                                         for (std::size_t i = 0; i < f.out; ++i)
                                           static_cast<std::int32_t *>(out[0])[i] =
                                               static_cast<std::int32_t>(fold(kind, sum, static_cast<std::int64_t>(i)));
                                       });
        } catch (const poplar::stream_connection_error &) { // no program uses the stream
        }
  }

  bool isUsed(const Remote &b) const {
    const std::vector<std::string> used = engine_->getStreamHandles();
    return std::find(used.begin(), used.end(), b.handle) != used.end();
  }

  void fillRemoteBuffers() {
    for (std::size_t k = 0; k < p_.remotes.size(); ++k) {
      const Remote &b = p_.remotes[k];
      const Kind &kind = kindOf(b.type);
      for (std::uint32_t r = 0; r < p_.replicas && isUsed(b); ++r)
        for (std::size_t row = 0; row < b.rows; ++row) {
          Values values(b.elements);
          for (std::int64_t &v : values)
            v = p_.value(kind);
          std::copy(values.begin(), values.end(),
                    world_.remote[k][r].begin() + static_cast<std::ptrdiff_t>(row * b.elements));
          Bytes bytes = encode(kind, values);
          engine_->copyToRemoteBuffer(bytes.data(), b.buffer, static_cast<int>(row), r);
        }
    }
  }

  void writeVariable(const Variable &v) {
    const Kind &kind = kindOf(v.whole.tensor.elementType());
    const std::size_t n = v.initial.size() / p_.replicas;
    Values values(v.initial.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      world_.values[i / n][v.first + i % n] = values[i] = p_.value(kind);
    const Bytes bytes = encode(kind, values);
    engine_->writeTensor(v.handle, bytes.data(), bytes.data() + bytes.size());
  }

  std::string compareVariables() {
    for (const Variable &v : p_.variables) {
      if (v.handle.empty())
        continue;
      const Kind &kind = kindOf(v.whole.tensor.elementType());
      const std::size_t n = v.initial.size() / p_.replicas;
      Bytes bytes(v.initial.size() * kind.bytes);
      engine_->readTensor(v.handle, bytes.data(), bytes.data() + bytes.size());
      Values wanted(v.initial.size());
      for (std::size_t i = 0; i < wanted.size(); ++i)
        wanted[i] = world_.values[i / n][v.first + i % n];
      const std::string d = difference(v.handle, wanted, decode(kind, bytes));
      if (!d.empty())
        return d;
    }
    return "";
  }

  std::string compareStreams() {
    for (std::size_t i = 0; i < p_.streams.size(); ++i) {
      const Stream &s = p_.streams[i];
      if (s.toDevice || (!s.callback && buffers_[i].empty()))
        continue;
      const std::string d =
          difference(s.handle, world_.received[i], s.callback ? s.data : decode(kindOf(s.type), buffers_[i]));
      if (!d.empty())
        return d;
    }
    return "";
  }

  std::string compareRemoteBuffers() {
    for (std::size_t k = 0; k < p_.remotes.size(); ++k) {
      const Remote &b = p_.remotes[k];
      const Kind &kind = kindOf(b.type);
      for (std::uint32_t r = 0; r < p_.replicas && isUsed(b); ++r)
        for (std::size_t row = 0; row < b.rows; ++row) {
          Bytes bytes(b.elements * kind.bytes);
          engine_->copyFromRemoteBuffer(b.buffer, bytes.data(), static_cast<int>(row), r);
          const auto first = world_.remote[k][r].begin() + static_cast<std::ptrdiff_t>(row * b.elements);
          const std::string d =
              difference(b.handle, Values(first, first + static_cast<std::ptrdiff_t>(b.elements)), decode(kind, bytes));
          if (!d.empty())
            return d;
        }
    }
    return "";
  }

  std::unique_ptr<RandomProgram> program_;
  RandomProgram &p_;
  std::vector<TwinProgram> twins_;
  World world_;
  std::vector<Bytes> buffers_; // host buffers of connected streams
  std::unique_ptr<poplar::Engine> engine_;
  std::ostringstream printed_;
};

/// Sets enough simulated IPUs for every program, before any thread starts.
const bool kIpusAreSimulated = setenv("POPSCOPE_SIM_IPUS", "ipu2:8", 1) == 0;

} // namespace

TEST_SUITE("programs.values") {

  TEST_CASE("random programs of every kind compute the values of plain loops") {
    REQUIRE(kIpusAreSimulated);
    const std::uint32_t programs = fromEnvironment("POPSCOPE_RANDOM_PROGRAMS", 250),
                        first = fromEnvironment("POPSCOPE_RANDOM_SEED", 1);
    Tally tally;
    for (std::uint32_t seed = first; seed < first + programs; ++seed) {
      CAPTURE(seed);
      std::string text;
      try {
        Trial trial(seed, tally);
        text = trial.text();
        const std::string difference = trial.go();
        CHECK_MESSAGE(difference.empty(), "seed ", seed, ": ", difference, "\n", text);
      } catch (const std::exception &e) {
        FAIL_CHECK("seed " << seed << ": " << std::string(e.what()) << "\n" << text);
      }
    }
    if (programs < 200)
      return;
    for (const char *what : {"slice",
                             "flatten",
                             "dimShuffle",
                             "reverse",
                             "subSample",
                             "reshape",
                             "operator[]",
                             "concat",
                             "broadcast",
                             "upsample",
                             "concat of variables",
                             "Add<int>",
                             "Add<unsigned int>",
                             "Add<float>",
                             "Add<half>",
                             "Add<unsigned char>",
                             "Add<short>",
                             "Add<unsigned long long>",
                             "Add<bool>",
                             "Add<quarter>",
                             "Prefix<int>",
                             "Prefix<float>",
                             "Prefix<half>",
                             "Prefix<unsigned char>",
                             "Rows<int>",
                             "Rows<half>",
                             "Rows<short>",
                             "Rows<quarter>",
                             "Spread<float>",
                             "Spread<unsigned char>",
                             "Spread<quarter>",
                             "Turn<unsigned int>",
                             "Turn<half>",
                             "Turn<quarter>",
                             "Cast<int,half>",
                             "Cast<half,float>",
                             "Cast<float,unsigned char>",
                             "Cast<unsigned char,int>",
                             "Cast<half,quarter>",
                             "Cast<quarter,float>",
                             "Shares",
                             "Step",
                             "Execute",
                             "Execute with a result",
                             "Copy",
                             "Copy through a clone",
                             "Copy to itself",
                             "reinterpret",
                             "CrossReplicaCopy",
                             "stream from a callback",
                             "stream of broadcasts",
                             "stream from a buffer",
                             "stream to a callback",
                             "stream to a buffer",
                             "stream with an offset",
                             "from a remote buffer",
                             "to a remote buffer",
                             "host function",
                             "Sync",
                             "PrintTensor",
                             "AssumeEqualAcrossReplicas",
                             "empty Sequence",
                             "WriteUndef",
                             "set a control",
                             "Repeat",
                             "RepeatWhileTrue",
                             "RepeatWhileFalse",
                             "If",
                             "Switch",
                             "Switch with default",
                             "Block",
                             "Call",
                             "the same program twice",
                             "simulated IPU",
                             "saved and loaded executable",
                             "advice: move"})
      CHECK_MESSAGE(tally[what] >= 2, what);
  }

  TEST_CASE("popscope.elideCopies: a clone that is read behind its copy has no memory and its copy no step") {
    const auto summary = [](const char *elide) {
      poplar::IPUModel model;
      model.tilesPerIPU = 2;
      poplar::Graph graph(model.createDevice());
      const poplar::Tensor from = graph.addVariable(poplar::FLOAT, {64}, "from"),
                           to = graph.addVariable(poplar::FLOAT, {64}, "to");
      graph.setTileMapping(from, 0);
      graph.setTileMapping(to, 1);
      graph.createHostWrite("from", from);
      graph.createHostRead("to", to);
      const poplar::Tensor clone = graph.clone(from, "clone");
      poplar::Engine engine(
          graph, poplar::program::Sequence({poplar::program::Copy(from, clone), poplar::program::Copy(clone, to)}),
          {{"popscope.elideCopies", elide}, {"debug.verify", "true"}});
      engine.load(model.createDevice());
      std::vector<float> in(64), out(64);
      for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<float>(i);
      engine.writeTensor("from", in.data(), in.data() + in.size());
      engine.run(0);
      engine.readTensor("to", out.data(), out.data() + out.size());
      CHECK(in == out);
      std::ostringstream text;
      engine.printProfileSummary(text, {{"showVarStorage", "true"}, {"showExecutionSteps", "true"}});
      return text.str();
    };
    CHECK(summary("false").find("clone") != std::string::npos);
    CHECK(summary("false").find("OnTileCopy") != std::string::npos);
    CHECK(summary("true").find("clone") == std::string::npos);
    CHECK(summary("true").find("OnTileCopy") == std::string::npos);
  }

  TEST_CASE("engines in threads leave the values that their programs mean") {
    constexpr std::uint32_t kThreads = 4, kEach = 4, kFirst = 100001;
    struct Share {
      Tally tally;
      std::vector<std::unique_ptr<RandomProgram>> programs;
      std::string found;
    };
    std::vector<Share> shares(kThreads);
    std::uint32_t made = kFirst; // before any thread starts, because the environment selects some devices
    for (Share &share : shares)
      for (std::uint32_t i = 0; i < kEach; ++i)
        share.programs.push_back(std::make_unique<RandomProgram>(made++, share.tally));
    std::vector<std::thread> threads;
    std::uint32_t first = kFirst;
    for (Share &share : shares) {
      threads.emplace_back([&share, first] {
        for (std::uint32_t i = 0; i < kEach; ++i)
          try {
            Trial trial(std::move(share.programs[i]), first + i, share.tally);
            if (const std::string difference = trial.go(); !difference.empty())
              share.found += "seed " + std::to_string(first + i) + ": " + difference + "\n";
          } catch (const std::exception &e) {
            share.found += "seed " + std::to_string(first + i) + ": " + e.what() + "\n";
          }
      });
      first += kEach;
    }
    for (std::thread &thread : threads)
      thread.join();
    for (const Share &share : shares)
      CHECK_MESSAGE(share.found.empty(), share.found);
  }

  TEST_CASE("random programs with one mistake are refused, and the message names what is wrong") {
    const std::uint32_t programs = fromEnvironment("POPSCOPE_RANDOM_PROGRAMS", 250) / 2;
    Tally tally;
    std::map<std::string, unsigned> made;
    for (std::uint32_t seed = 1; seed <= programs; ++seed) {
      RandomProgram p(seed, tally);
      std::vector<poplar::program::Program> all;
      for (const TwinProgram &twin : p.programs())
        all.push_back(twin.program);
      const Mistake mistake = makeMistake(p, all, seed);
      ++made[mistake.name];
      CAPTURE(seed);
      CAPTURE(mistake.name);
      try {
        mistake.make();
        FAIL_CHECK("seed " << seed << ": " << mistake.name << " is accepted");
      } catch (const poplar::poplar_error &e) {
        CHECK_MESSAGE(std::string(e.what()).find(mistake.names) != std::string::npos, mistake.names, " in: ", e.what());
      } catch (const std::exception &e) {
        FAIL_CHECK("seed " << seed << ": " << mistake.name << ": no poplar_error: " << std::string(e.what()));
      }
    }
    CHECK((programs < 50 || made.size() == 9));
  }

  TEST_CASE("a value that differs is found") {
    Tally tally;
    Trial trial(3, tally);
    REQUIRE(trial.go() == "");
    for (auto &values : trial.world().values)
      for (std::int64_t &v : values)
        v = v == kUndefined ? v : v + 1;
    CHECK(trial.compare() != "");
  }

} // TEST_SUITE
