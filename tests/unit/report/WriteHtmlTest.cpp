#include "report/html/WriteHtml.hpp"

#include <array>
#include <doctest/doctest.h>
#include <random>
#include <sstream>
#include <zlib.h>

namespace {

/// Decodes base64 by searching each digit, without a table shared with the writer.
std::string fromBase64(const std::string &text) {
  std::string out;
  unsigned bits = 0, held = 0;
  for (const char c : text) {
    if (c == '=')
      break;
    const unsigned digit = c >= 'A' && c <= 'Z'   ? unsigned(c - 'A')
                           : c >= 'a' && c <= 'z' ? unsigned(c - 'a') + 26
                           : c >= '0' && c <= '9' ? unsigned(c - '0') + 52
                           : c == '+'             ? 62
                           : c == '/'             ? 63
                                                  : 99;
    REQUIRE(digit < 64);
    bits = (bits << 6 | digit) & 0xfffff;
    held += 6;
    if (held >= 8)
      out += static_cast<char>(bits >> (held -= 8) & 255);
  }
  return out;
}

std::string gunzip(const std::string &packed) {
  z_stream zip{};
  REQUIRE(inflateInit2(&zip, 15 + 16) == Z_OK);
  zip.next_in = reinterpret_cast<unsigned char *>(const_cast<char *>(packed.data()));
  zip.avail_in = static_cast<unsigned>(packed.size());
  std::string out;
  std::array<char, 4096> part;
  int state = Z_OK;
  while (state == Z_OK) {
    zip.next_out = reinterpret_cast<unsigned char *>(part.data());
    zip.avail_out = part.size();
    state = inflate(&zip, Z_NO_FLUSH);
    out.append(part.data(), part.size() - zip.avail_out);
  }
  inflateEnd(&zip);
  CHECK(state == Z_STREAM_END);
  return out;
}

const std::string kPage = "<html><!--popscope:profile--><script>x</script></html>";

std::string page(const std::string &profile, const std::string &name) {
  std::istringstream in(profile);
  std::ostringstream out;
  popscope::writeHtml(out, kPage, {in, name});
  return out.str();
}

} // namespace

TEST_SUITE("report.html") {
  TEST_CASE("a page holds the bytes of its profile, of any length") {
    std::mt19937 random(5);
    for (const std::size_t size : {0, 1, 2, 3, 1000, 262144, 262145, 700001}) {
      std::string profile(size, '\0');
      for (char &c : profile)
        c = static_cast<char>(random() % (size % 2 == 0 ? 256 : 3));
      const std::string text = page(profile, "p.pop"),
                        head = "<html><script type=\"application/gzip\" id=\"profile\" data-name=\"p.pop\">",
                        tail = "</script><script>x</script></html>";
      REQUIRE(text.substr(0, head.size()) == head);
      REQUIRE(text.substr(text.size() - tail.size()) == tail);
      CHECK(gunzip(fromBase64(text.substr(head.size(), text.size() - head.size() - tail.size()))) == profile);
    }
  }

  TEST_CASE("a followed page may ask its own server, and no name ends its script") {
    CHECK(popscope::followingPage("<meta default-src 'none'; x><!--popscope:profile-->", "</script><script>y \"") ==
          "<meta default-src 'none'; connect-src 'self'; x><script type=\"application/json\" id=\"follow\">"
          "\"\\u003c/script>\\u003cscript>y \\\"\"</script>");
    // a page without a content security policy
    CHECK_THROWS_AS((void)popscope::followingPage(kPage, "p.pop"), std::runtime_error);
  }

  TEST_CASE("debug information follows the profile, and is a script of its own") {
    std::istringstream profile("profile"), debug("debug");
    std::ostringstream out;
    const std::string name = "p.pop";
    popscope::writeHtml(out, kPage, {profile, name, 0, nullptr, &debug});
    const std::string text = out.str(), head = "</script><script type=\"application/gzip\" id=\"debug\">",
                      tail = "</script><script>x</script></html>";
    const std::size_t at = text.find(head);
    REQUIRE(at != std::string::npos);
    REQUIRE(text.substr(text.size() - tail.size()) == tail);
    CHECK(gunzip(fromBase64(text.substr(at + head.size(), text.size() - at - head.size() - tail.size()))) == "debug");
    CHECK(page("profile", "p.pop").find("id=\"debug\"") == std::string::npos);
  }

  TEST_CASE("each of two profiles has its own debug information") {
    std::istringstream first, second, debug("of the first"), other("of the second");
    const std::string name = "p.pop";
    const popscope::PageProfile beside{second, name, 0, nullptr, &other};
    std::ostringstream out;
    popscope::writeHtml(out, kPage, {first, name, 0, nullptr, &debug}, &beside);
    const std::string text = out.str();
    const auto held = [&text](const std::string &id) {
      const std::string head = "id=\"" + id + "\">";
      const std::size_t from = text.find(head) + head.size();
      return gunzip(fromBase64(text.substr(from, text.find("</script>", from) - from)));
    };
    CHECK(held("debug") == "of the first");
    CHECK(held("second-debug") == "of the second");
  }

  TEST_CASE("the name of a file is never markup") {
    const std::string text = page("", "a\"><script>alert(1)</script>&\n.pop");
    CHECK(text.find("data-name=\"a&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp; .pop\">") != std::string::npos);
    CHECK(text.find("<script>alert") == std::string::npos);
  }

  TEST_CASE("profiles of a page have the times of their files, where these are known") {
    std::istringstream first("first"), second("second");
    const std::string name = "p.pop", other = "q.pop";
    const popscope::PageProfile beside{second, other, 1764200000};
    std::ostringstream out;
    popscope::writeHtml(out, kPage, {first, name}, &beside);
    CHECK(out.str().find("id=\"profile\" data-name=\"p.pop\">") != std::string::npos);
    CHECK(out.str().find("id=\"second\" data-name=\"q.pop\" data-written=\"1764200000\">") != std::string::npos);
  }

  TEST_CASE("a page without a profile has no mark left, and a page that is none is refused") {
    std::ostringstream out;
    popscope::writeHtml(out, kPage);
    CHECK(out.str() == "<html><script>x</script></html>");
    CHECK_THROWS_AS(popscope::writeHtml(out, "<html></html>"), std::runtime_error);
    CHECK_THROWS_AS(popscope::writeHtml(out, kPage + kPage), std::runtime_error);
  }

  TEST_CASE("a stream that takes no more is an error") {
    std::ostringstream out;
    out.setstate(std::ios::badbit);
    CHECK_THROWS_WITH_AS(popscope::writeHtml(out, kPage), "the page could not be written to its end: is the disk full?",
                         std::runtime_error);
  }
}
