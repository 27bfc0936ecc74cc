#include "report/html/WriteHtml.hpp"

#include "base/Base64.hpp"
#include "base/JsonText.hpp"

#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace popscope {
namespace {

constexpr std::string_view kMark = "<!--popscope:profile-->", kPolicy = "default-src 'none';";

std::size_t markOf(const std::string &viewer, std::string_view mark = kMark) {
  const std::size_t at = viewer.find(mark);
  if (at == std::string::npos || viewer.find(mark, at + 1) != std::string::npos)
    throw std::runtime_error("the viewer's page does not have exactly one place for a profile: the page was not built "
                             "from this source tree");
  return at;
}

/// Escapes text for an attribute in double quotes. Other bytes stay: the page is UTF-8, and an invalid sequence only
/// spoils a name.
std::string escaped(const std::string &text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '&': out += "&amp;"; break;
    case '"': out += "&quot;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

/// Writes `in` as gzip in base64.
void writePacked(std::ostream &out, std::istream &in) {
  z_stream zip{};
  constexpr int kGzip = 15 + 16, kMemory = 8;
  if (deflateInit2(&zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib cannot start to compress");
  Base64 text(out);
  std::vector<char> from(1 << 18);
  std::vector<unsigned char> to(1 << 18);
  bool last = false;
  while (!last) {
    in.read(from.data(), static_cast<std::streamsize>(from.size()));
    last = !in;
    zip.next_in = reinterpret_cast<unsigned char *>(from.data());
    zip.avail_in = static_cast<unsigned>(in.gcount());
    do {
      zip.next_out = to.data();
      zip.avail_out = static_cast<unsigned>(to.size());
      deflate(&zip, last ? Z_FINISH : Z_NO_FLUSH);
      text.put({reinterpret_cast<const char *>(to.data()), to.size() - zip.avail_out});
    } while (zip.avail_out == 0);
    text.write();
  }
  deflateEnd(&zip);
  text.finish();
  if (in.bad())
    throw std::runtime_error("the profile could not be read to its end");
}

void put(std::ostream &out, std::string_view text) {
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

void checkWritten(std::ostream &out) {
  if (!out)
    throw std::runtime_error("the page could not be written to its end: is the disk full?");
}

} // namespace

void writeHtml(std::ostream &out, const std::string &viewer, const PageProfile &profile, const PageProfile *second) {
  const std::size_t at = markOf(viewer);
  put(out, std::string_view(viewer).substr(0, at));
  const auto named = [&out](const char *id, const PageProfile &one) {
    const std::string written = one.written == 0 ? "" : " data-written=\"" + std::to_string(one.written) + "\"";
    put(out, "<script type=\"application/gzip\" id=\"" + std::string(id) + "\" data-name=\"" + escaped(one.name) +
                 "\"" + written + ">");
    writePacked(out, one.bytes);
    put(out, "</script>");
  };
  named("profile", profile);
  if (second != nullptr)
    named("second", *second);
  const auto beside = [&out](const char *id, std::istream *in) {
    if (in == nullptr)
      return;
    put(out, "<script type=\"application/gzip\" id=\"" + std::string(id) + "\">");
    writePacked(out, *in);
    put(out, "</script>");
  };
  beside("debug", profile.debug);
  beside("answers", profile.answers);
  if (second != nullptr) {
    beside("second-debug", second->debug);
    beside("second-answers", second->answers);
  }
  put(out, std::string_view(viewer).substr(at + kMark.size()));
  checkWritten(out);
}

void writeHtml(std::ostream &out, const std::string &viewer) {
  const std::size_t at = markOf(viewer);
  put(out, std::string_view(viewer).substr(0, at));
  put(out, std::string_view(viewer).substr(at + kMark.size()));
  checkWritten(out);
}

std::string followingPage(const std::string &viewer, const std::string &name) {
  std::string text = jsonText(nlohmann::json(name)), page = viewer;
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;)
    text.replace(at, 1, "\\u003c"); // so that no name can end the script
  page.insert(markOf(page, kPolicy) + kPolicy.size(), " connect-src 'self';");
  page.replace(markOf(page), kMark.size(), "<script type=\"application/json\" id=\"follow\">" + text + "</script>");
  return page;
}

} // namespace popscope
