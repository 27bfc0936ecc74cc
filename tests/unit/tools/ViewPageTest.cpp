// popscope view: the place of the page, and the browser that shows it.
#include "RunProgram.hpp"

#include <chrono>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>

using tools::lines;
using tools::Outcome;
using tools::Workplace;

namespace {

namespace fs = std::filesystem;

/// Returns a browser that records its arguments and ends with an exit code.
std::string browser(const Workplace &place, const std::string &name, int exitCode) {
  place.write(name, "#!/bin/sh\nprintf '%s\\n' \"$@\" >" + name + ".txt\nexit " + std::to_string(exitCode) + "\n");
  fs::permissions(place.file(name), fs::perms::owner_all);
  return place.file(name);
}

const std::vector<std::string> kNoDesktop = {"DISPLAY=", "WAYLAND_DISPLAY="};

/// Runs `popscope view small.pop` so that pages lie in the workplace.
Outcome view(const Workplace &place, const std::string &browsers, std::vector<std::string> environment = kNoDesktop) {
  environment.push_back("BROWSER=" + browsers);
  environment.push_back("TMPDIR=" + fs::path(place.file("x")).parent_path().string());
  return place.run("popscope", {"view", "small.pop"}, environment);
}

/// Returns the page that the first line names. Checks that it exists and contains the profile.
std::string page(const Outcome &outcome) {
  CAPTURE(outcome.err);
  REQUIRE(outcome.exitCode == 0);
  REQUIRE(!lines(outcome.out).empty());
  const std::string path = lines(outcome.out)[0];
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  CHECK(fs::path(path).filename() == "small.html");
  CHECK(text.find("data-name=\"small.pop\"") != std::string::npos);
  return path;
}

} // namespace

// Builds without node have no page.
#define REQUIRE_VIEWER()                                                                                               \
  if (!fs::exists(POPSCOPE_TOOLS "/../share/popscope/viewer.html"))                                                    \
  return

TEST_SUITE("tools.view") {
  TEST_CASE("without a browser the path is printed, and what to do with it") {
    REQUIRE_VIEWER();
    const Workplace place;
    const Outcome outcome = view(place, "");
    (void)page(outcome);
    REQUIRE(lines(outcome.out).size() == 2);
    CHECK(lines(outcome.out)[1] == "No browser could be started here: open this page in one.");
  }

  TEST_CASE("BROWSER is asked first: its commands one after the other, the page for %s or behind the words") {
    REQUIRE_VIEWER();
    const Workplace place;
    const std::string good = browser(place, "good", 0), bad = browser(place, "bad", 3);
    const Outcome outcome = view(place, bad + ":" + place.file("not-there") + ":" + good + " --new %s last:" + bad);
    const std::string path = page(outcome);
    CHECK(lines(outcome.out).size() == 1);
    CHECK(place.read("bad.txt") == path + "\n");
    CHECK(place.read("good.txt") == "--new\n" + path + "\nlast\n");
  }

  TEST_CASE("a desktop's own way comes after BROWSER") {
    REQUIRE_VIEWER();
    const Workplace place;
    (void)browser(place, "xdg-open", 0);
    const std::string path = "PATH=" + fs::path(place.file("x")).parent_path().string() + ":/usr/bin:/bin";
    const Outcome outcome = view(place, "", {"DISPLAY=:0", path});
    const std::string shown = page(outcome);
    CHECK(lines(outcome.out).size() == 1);
    CHECK(place.read("xdg-open.txt") == shown + "\n");
  }

  TEST_CASE("a page goes when the browser that showed it ends, and else with a call a day later") {
    REQUIRE_VIEWER();
    const Workplace place;
    place.write("slow", "#!/bin/sh\nsleep 6\n");
    fs::permissions(place.file("slow"), fs::perms::owner_all);
    const Outcome waited = view(place, place.file("slow"));
    REQUIRE(waited.exitCode == 0);
    CHECK(!fs::exists(lines(waited.out)[0]));
    const std::string left = page(view(place, browser(place, "good", 0)));
    const fs::path folder = fs::path(left).parent_path();
    fs::create_directory(folder.parent_path() / "other-folder");
    const auto old = fs::file_time_type::clock::now() - std::chrono::hours(25);
    fs::last_write_time(folder, old);
    fs::last_write_time(folder.parent_path() / "other-folder", old);
    const std::string next = page(view(place, place.file("good")));
    CHECK(!fs::exists(left));
    CHECK(fs::exists(next));
    CHECK(fs::exists(folder.parent_path() / "other-folder"));
  }

  TEST_CASE("of a file that is no profile no page is left") {
    REQUIRE_VIEWER();
    const Workplace place;
    place.write("text.pop", "no profile");
    const auto before = place.files();
    tools::expectRefusal(
        place.run("popscope", {"view", "text.pop"}, {"TMPDIR=" + fs::path(place.file("x")).parent_path().string()}),
        "popscope view: ", "text.pop");
    CHECK(place.files() == before);
  }
}
