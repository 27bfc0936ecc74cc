#include "tests/fuzz/pop/Corpus.hpp"
#include "tests/fuzz/pop/ReadEverything.hpp"

#include <csignal>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

constexpr unsigned kSeconds = 20;
constexpr rlim_t kMemory = rlim_t(1) << 30;
enum Code : int { Read = 0, Refused = 1, SeveralLines = 2, OtherException = 3 };

/// Reads the file in a separate process with little memory and time, so that a crash or a hang is detected.
int outcome(const std::string &path) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit memory{kMemory, kMemory};
    ::setrlimit(RLIMIT_AS, &memory);
    ::signal(SIGALRM, SIG_DFL);
    ::alarm(kSeconds);
    int code = Read;
    try {
      (void)fuzz::readEverything(path);
    } catch (const std::runtime_error &e) {
      const std::string text = e.what();
      code = text.find('\n') == std::string::npos && text.compare(0, path.size(), path) == 0 ? Refused : SeveralLines;
    } catch (...) {
      code = OtherException;
    }
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

} // namespace

TEST_SUITE("fuzz.pop") {
  TEST_CASE(
      "every file of the corpus is read, or refused with one line that names it: no crash, no hang, bounded memory") {
    const fs::path folder = fs::temp_directory_path() / ("popscope-corpus-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    const std::string path = (folder / "a.pop").string();
    int refused = 0;
    for (const auto &sample : fuzz::makeCorpus(folder.string())) {
      std::ofstream(path, std::ios::binary) << sample.bytes;
      const int code = outcome(path);
      CAPTURE(sample.name);
      CHECK_MESSAGE((code == Read || code == Refused), std::string("outcome "), code);
      if (sample.valid)
        CHECK(code == Read);
      refused += code == Refused ? 1 : 0;
    }
    CHECK(refused > 30);
    fs::remove_all(folder);
  }
}
