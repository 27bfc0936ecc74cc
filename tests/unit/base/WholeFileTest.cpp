#include "base/WholeFile.hpp"
#include "base/TemporaryProfile.hpp"
#include "tests/TemporaryFolder.hpp"

#include <cerrno>
#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

using namespace popscope;

namespace {

namespace fs = std::filesystem;

std::string contentOf(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void put(const std::string &path, const std::string &text) { std::ofstream(path, std::ios::binary) << text; }

std::set<std::string> namesIn(const fs::path &folder) {
  std::set<std::string> names;
  for (const auto &entry : fs::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

/// Returns errno and the text of the exception that `body` throws; 0 if it returns.
template <class Body> std::pair<int, std::string> errorOf(const Body &body) {
  try {
    body();
  } catch (const std::system_error &e) {
    return {e.code().value(), e.what()};
  }
  return {0, ""};
}

} // namespace

TEST_SUITE_BEGIN("base.wholeFile");

TEST_CASE("a signal that ends a tool leaves no temporary file, and keeps what was there before") {
  const TemporaryFolder folder("wholefile");
  put(folder.file("page.html"), "before");
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(signal, SIG_DFL);
      removeTemporaryFilesAtSignals();
      NewFile page(folder.file("page.html")), published(folder.file("published"));
      page.stream() << "half";
      published.publish();
      for (int i = 0; i < 20; ++i) // a removed file takes no place in the table of 16 files
        removeBeside(createBeside(folder.file("c.pop"), "profile_", ".pop"));
      const std::string profile = createBeside(folder.file("a.pop"), "profile_", ".pop");
      put(profile + "-journal", "x");
      moveIntoPlace(createBeside(folder.file("b.pop"), "profile_", ".pop"), folder.file("b.pop"));
      std::raise(signal);
      ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == signal));
    CHECK(namesIn(folder.path) == std::set<std::string>{"b.pop", "page.html", "published"});
    CHECK(contentOf(folder.file("page.html")) == "before");
  }
}

TEST_CASE("a file that is made first and moved later does not replace a device, a pipe or a socket") {
  const TemporaryFolder folder("wholefile");
  const std::string pipe = folder.file("pipe"), made = folder.file("made");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  put(made, "new");
  for (const std::string &path : {pipe, std::string("/dev/stdout"), std::string("/proc/self/fd/1")}) {
    const auto [creating, whyNot] = errorOf([&] { (void)createBeside(path, "x_", ".pop"); });
    CHECK(creating == EINVAL);
    CHECK(whyNot == path + ": it is a device, a pipe or a socket, and a file cannot replace it; name a regular file");
  }
  CHECK(errorOf([&] { moveIntoPlace(made, pipe); }).first == EINVAL);
  CHECK(namesIn(folder.path) == std::set<std::string>{"made", "pipe"});
  struct stat about {};
  CHECK((::stat(pipe.c_str(), &about) == 0 && S_ISFIFO(about.st_mode)));
}

TEST_CASE("an open file of the process is written at its position, as the shell opened it") {
  const TemporaryFolder folder("wholefile");
  const std::string path = folder.file("log");
  for (const int flags : {O_WRONLY | O_APPEND, O_RDWR}) {
    put(path, "before\n");
    const int open = ::open(path.c_str(), flags);
    REQUIRE(open >= 0);
    REQUIRE(::lseek(open, 0, (flags & O_APPEND) != 0 ? SEEK_SET : SEEK_END) >= 0);
    for (const char *place : {"/dev/fd/", "/proc/self/fd/"})
      writeWholeFile(place + std::to_string(open), place + std::string("\n"));
    ::close(open);
    CHECK(contentOf(path) == "before\n/dev/fd/\n/proc/self/fd/\n");
  }
  CHECK(errorOf([] { writeWholeFile("/dev/fd/1000000", "x"); }).first != 0);
}

TEST_CASE("a file appears when it is complete, and nothing else stays") {
  const TemporaryFolder folder("wholefile");
  const std::string path = folder.file("a.txt");
  put(path, "before");
  {
    NewFile file(path);
    file.stream() << "half";
    file.stream().flush();
    CHECK(contentOf(path) == "before");
    const std::set<std::string> names = namesIn(folder.path);
    REQUIRE(names.size() == 2);
    CHECK(isPartName(*std::next(names.begin())));
    CHECK_FALSE(isPartName(*names.begin()));
  }
  CHECK(contentOf(path) == "before");
  CHECK(namesIn(folder.path) == std::set<std::string>{"a.txt"});
  NewFile file(path);
  const std::string large(200000, 'x');
  file.stream() << "after" << large;
  CHECK(file.bytes() == large.size() + 5);
  file.publish();
  CHECK(contentOf(path) == "after" + large);
  CHECK(namesIn(folder.path) == std::set<std::string>{"a.txt"});
}

TEST_CASE("only the names of temporary files have their form") {
  CHECK(isPartName("a.txt.0123abcd.part"));
  for (const char *name : {"", ".part", "0123abcd.part", ".0123abcd.part", "a0123abcd.part", "a.0123abc.part",
                           "a.0123abcg.part", "a.0123ABCD.part", "a.0123abcd.par", "a.0123abcd.part "})
    CHECK_FALSE_MESSAGE(isPartName(name), name);
  CHECK(isTemporaryName("profile_0123abcd.pop"));
  for (const char *name : {"profile.pop", "profile_0123abc.pop", "profile_0123abcde.pop", "profiles_0123abcd.pop",
                           "profile_0123abcg.pop", "xprofile_0123abcd.pop"})
    CHECK_FALSE_MESSAGE(isTemporaryName(name), name);
}

TEST_CASE("temporary names of files differ each time") {
  const TemporaryFolder folder("wholefile");
  std::set<std::string> names;
  for (int i = 0; i != 20; ++i)
    names.insert(createBeside(folder.file("p"), "profile_", ".pop"));
  CHECK(names.size() == 20);
  const std::string one = fs::path(*names.begin()).filename().string();
  CHECK(one.size() == std::string("profile_01234567.pop").size());
}

TEST_CASE("a link is replaced, and what it points to stays") {
  const TemporaryFolder folder("wholefile");
  const std::string victim = folder.file("victim"), link = folder.file("debug.cbor");
  put(victim, "mine");
  fs::create_symlink(victim, link);
  writeWholeFile(link, "text");
  CHECK(contentOf(victim) == "mine");
  CHECK(contentOf(link) == "text");
  CHECK_FALSE(fs::is_symlink(link));
  fs::remove(link);
  fs::create_symlink(folder.file("nothing"), link); // a dangling link creates no file, either
  writeWholeFile(link, "text");
  CHECK_FALSE(fs::exists(folder.file("nothing")));
  fs::create_symlink(folder.file("nothing"), folder.file("profile.pop"));
  const std::string made = createBeside(folder.file("profile.pop"), "profile_", ".pop");
  moveIntoPlace(made, folder.file("profile.pop"));
  CHECK_FALSE(fs::exists(folder.file("nothing")));
  fs::create_symlink(folder.file("nothing"), folder.file("trace"));
  CHECK(errorOf([&] { (void)openNew(folder.file("trace")); }).first == EEXIST);
  CHECK_FALSE(fs::exists(folder.file("nothing")));
}

TEST_CASE("a file of another user in a shared folder stays") {
  if (::geteuid() != 0) {
    MESSAGE("only root can give a file to another user");
    return;
  }
  const TemporaryFolder folder("wholefile");
  const std::string path = folder.file("profile.pop");
  put(path, "theirs");
  REQUIRE(::chown(path.c_str(), 65534, 65534) == 0);
  fs::permissions(folder.path, fs::perms::all | fs::perms::sticky_bit);
  const auto [error, text] = errorOf([&] { writeWholeFile(path, "ours"); });
  CHECK(error == EPERM);
  CHECK(isRefusal(error));
  CHECK(text.find(path + ": it belongs to another user") == 0);
  CHECK(errorOf([&] { (void)createBeside(path, "profile_", ".pop"); }).first == EPERM);
  CHECK(contentOf(path) == "theirs");
  CHECK(namesIn(folder.path).size() == 1);
  fs::remove(path);
  fs::create_symlink("elsewhere", path);
  REQUIRE(::lchown(path.c_str(), 65534, 65534) == 0);
  CHECK(errorOf([&] { writeWholeFile(path, "ours"); }).first == EPERM);
  CHECK(fs::is_symlink(path));
  fs::permissions(folder.path, fs::perms::owner_all); // now only the owner has access
  writeWholeFile(path, "ours");
  CHECK(contentOf(path) == "ours");
}

TEST_CASE("a name that is taken stays when it is to stay") {
  const TemporaryFolder folder("wholefile");
  const std::string path = folder.file("a.txt");
  put(path, "before");
  NewFile file(path);
  file.stream() << "after";
  CHECK(errorOf([&] { file.publish(false); }).first == EEXIST);
  CHECK(contentOf(path) == "before");
  NewFile other(folder.file("b.txt"));
  other.stream() << "new";
  other.publish(false);
  CHECK(contentOf(folder.file("b.txt")) == "new");
}

TEST_CASE("devices and pipes are written to") {
  const TemporaryFolder folder("wholefile");
  writeWholeFile("/dev/null", "text");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK(errorOf([] { writeWholeFile("/dev/full", "text"); }).first == ENOSPC);
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::string got;
  std::thread reader([&] { got = contentOf(pipe); });
  writeWholeFile(pipe, "through");
  reader.join();
  CHECK(got == "through");
}

TEST_CASE("a folder that is none, and one of that name, are refused") {
  const TemporaryFolder folder("wholefile");
  CHECK(errorOf([&] { writeWholeFile(folder.file("none/a"), ""); }).first == ENOENT);
  CHECK(errorOf([&] { writeWholeFile(folder.path.string(), ""); }).first == EISDIR);
}

TEST_SUITE_END();
