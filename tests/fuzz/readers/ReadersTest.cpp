// Runs each reader on its corpus and on mutations of a valid input from fixed seeds. scripts/fuzz.sh searches for more.
#include "tests/fuzz/readers/Readers.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kChanges = 200;

/// Returns a mutation: truncated, with flipped bits, changed bytes, repeated parts, large numbers, or unclosed
/// brackets.
std::string changed(const std::string &valid, std::mt19937 &random) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  std::string bytes = valid;
  switch (random() % 6) {
  case 0: return bytes.substr(0, below(bytes.size() + 1));
  case 1:
    for (std::size_t i = 1 + below(8); i != 0 && !bytes.empty(); --i)
      bytes[below(bytes.size())] ^= static_cast<char>(1u << below(8));
    return bytes;
  case 2:
    for (std::size_t i = 1 + below(4); i != 0 && !bytes.empty(); --i)
      bytes[below(bytes.size())] = static_cast<char>(random());
    return bytes;
  case 3: {
    const std::size_t from = below(bytes.size()), count = below(bytes.size() - from + 1);
    return bytes.insert(below(bytes.size() + 1), valid.substr(from, count));
  }
  case 4:
    for (std::size_t i = below(bytes.size()); i != std::min(bytes.size(), i + 8) && i < bytes.size(); ++i)
      bytes[i] = '\xff';
    return bytes;
  default: return bytes.insert(below(bytes.size() + 1), std::string(1 + below(100000), "[{\"("[below(4)]));
  }
}

/// Returns the input with a number, from 1 on; nullptr after the last. Called with ascending numbers.
using Inputs = std::function<const std::string *(int number)>;

Inputs changesOf(const std::string &valid, unsigned seed, int count) {
  return [valid, count, random = std::mt19937(seed), bytes = std::string()](int number) mutable {
    bytes = changed(valid, random);
    return number <= count ? &bytes : nullptr;
  };
}

Inputs filesOf(const std::filesystem::path &folder) {
  std::vector<std::string> all;
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path &path : paths) {
    std::ifstream in(path, std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return [all](int number) { return number <= int(all.size()) ? &all[std::size_t(number) - 1] : nullptr; };
}

/// 0 = all inputs were read or refused; otherwise the number of the first other input, and how its process ended.
struct Outcome {
  int first = 0, signal = 0;
};
Outcome readMany(const fuzz::Reader &reader, const Inputs &inputs) {
  int numbers[2];
  REQUIRE(::pipe(numbers) == 0);
  const pid_t child = ::fork();
  if (child == 0) { // limits memory and time, so that a crash or a hang is detected
    const rlimit memory{rlim_t(4) << 30, rlim_t(4) << 30};
    ::setrlimit(RLIMIT_AS, &memory);
    for (const int signal : {SIGALRM, SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGTERM})
      ::signal(signal, SIG_DFL); // the child must not run doctest's handlers
    for (int i = 1; const std::string *bytes = inputs(i); ++i) {
      ::alarm(60);
      [[maybe_unused]] const ssize_t told = ::write(numbers[1], &i, sizeof i);
      try {
        reader.read(*bytes);
      } catch (const std::runtime_error &e) {
        if (std::strstr(e.what(), "json.exception") != nullptr) // a message of the JSON library
          ::_exit(2);
      } catch (const std::invalid_argument &) {
      } catch (...) {
        ::_exit(1);
      }
    }
    ::_exit(0);
  }
  ::close(numbers[1]);
  Outcome outcome;
  for (int number = 0; ::read(numbers[0], &number, sizeof number) == sizeof number;)
    outcome.first = number;
  ::close(numbers[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    outcome.signal = WTERMSIG(status);
  else if (WEXITSTATUS(status) != 0)
    outcome.signal = -WEXITSTATUS(status);
  return outcome;
}

} // namespace

TEST_SUITE("fuzz.readers") {
  TEST_CASE("every reader takes what is valid, and refuses in its own words what is not") {
    for (const fuzz::Reader &reader : fuzz::readers()) {
      const std::string name = reader.name, valid = reader.valid();
      CAPTURE(name);
      REQUIRE_FALSE(valid.empty());
      CHECK_NOTHROW(reader.read(valid));
      const Outcome outcome = readMany(reader, changesOf(valid, 7, kChanges));
      CHECK_MESSAGE(outcome.signal == 0, "change ", outcome.first, " of seed 7 ends by ", outcome.signal);
      CHECK(outcome.first == kChanges);
    }
  }

  TEST_CASE("no input that a fuzzer kept ends a reader") {
    for (const fuzz::Reader &reader : fuzz::readers()) {
      const std::string name = reader.name;
      CAPTURE(name);
      const Outcome outcome =
          readMany(reader, filesOf(std::filesystem::path(POPSCOPE_SOURCE_DIR "/tests/fuzz/corpus") / name));
      CHECK_MESSAGE(outcome.signal == 0, "file ", outcome.first, " of the corpus ends by ", outcome.signal);
      CHECK(outcome.first > 0);
    }
  }

  TEST_CASE("a reader that crashes is found") {
    const fuzz::Reader crashing{"crashing", [](const std::string &) { std::raise(SIGSEGV); }, nullptr};
    CHECK(readMany(crashing, changesOf("text", 1, 5)).signal == SIGSEGV);
    const fuzz::Reader foreign{"foreign", [](const std::string &) { throw 1; }, nullptr};
    CHECK(readMany(foreign, changesOf("text", 1, 5)).signal == -1);
    const fuzz::Reader words{"words", [](const std::string &) { throw std::runtime_error("[json.exception] x"); },
                             nullptr};
    CHECK(readMany(words, changesOf("text", 1, 5)).signal == -2);
  }
}
