// The viewer's page (report/viewer, built to one HTML file) with a profile inside it:
//
//   <!--popscope:profile-->  ->  <script type="application/gzip" id="profile" data-name="NAME" data-written="SECONDS">
//                                base64 of gzip</script>
//
// A second profile, to compare with, follows it the same way, with the id "second". Debug information (debug.cbor)
// follows it the same way, with the id "debug", and answers about it (JSON) with the id "answers".
//
// A script of that type is data to a browser and never runs. The page's content security policy names the hashes of its
// own script and style, so nothing of a profile can become code.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>

namespace popscope {

/// A profile for a page: its bytes until the end of the stream, its name there, and the time of its file.
struct PageProfile {
  std::istream &bytes;
  const std::string &name;
  std::int64_t written = 0; // seconds since 1970; 0 = not known
};

/// Writes `viewer` with `profile` in place of the mark. Keeps only a small part of a profile in memory. `debug`: its
/// debug information, or null; `answers`: the answers that the page shows, as JSON, or null; `second`: the profile to
/// compare with, or null. Throws std::runtime_error if `viewer` does not have exactly one mark, or if a stream fails.
void writeHtml(std::ostream &out, const std::string &viewer, const PageProfile &profile, std::istream *debug = nullptr,
               std::istream *answers = nullptr, const PageProfile *second = nullptr);
/// Writes the page without a profile; a user drops one on it.
void writeHtml(std::ostream &out, const std::string &viewer);
/// Returns a page that requests the profile called `name` from its own server, and from no other. Throws
/// std::runtime_error if `viewer` does not have exactly one mark.
[[nodiscard]] std::string followingPage(const std::string &viewer, const std::string &name);

} // namespace popscope
