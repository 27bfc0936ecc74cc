// Writes a profile into the viewer's page (report/viewer, built to one HTML file). The page has a mark, which the
// profile replaces:
//
//   <!--popscope:profile-->  ->  <script type="application/gzip" id="profile" data-name="NAME" data-written="SECONDS">
//                                base64 of gzip</script>
//
// Further script elements of the type application/gzip follow. Their ids are "second" (a profile to compare with),
// "debug" and "second-debug" (debug.cbor of the two profiles), "answers" and "second-answers" (answers about the two
// profiles, as JSON).
//
// A browser never runs a script element of the type application/gzip. The page's content security policy allows only
// the hashes of the page's own script and style, so no data of a profile can become code.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>

namespace popscope {

/// A profile for a page. `bytes` is read to its end; `name` is the profile's name on the page.
struct PageProfile {
  std::istream &bytes;
  const std::string &name;
  std::int64_t written = 0;        // when the profile's file was last written, in seconds since 1970; 0 if unknown
  std::istream *answers = nullptr; // JSON of the answers that the page shows about the profile, or null
  std::istream *debug = nullptr;   // debug information of the profile, or null
};

/// Writes `viewer` with `profile` in place of the mark. Keeps only a small part of a profile in memory. `second` (the
/// profile to compare with) may be null. Throws std::runtime_error if `viewer` does not contain exactly one mark, or if
/// a stream fails.
void writeHtml(std::ostream &out, const std::string &viewer, const PageProfile &profile,
               const PageProfile *second = nullptr);
/// Writes the page without a profile. The user can drop a profile onto the page. Throws as the other writeHtml does.
void writeHtml(std::ostream &out, const std::string &viewer);
/// Returns a page for the profile called `name`. The page requests the profile from the server that served the page,
/// and may connect to no other server. Throws std::runtime_error if `viewer` does not contain exactly one mark and
/// exactly one content security policy.
[[nodiscard]] std::string followingPage(const std::string &viewer, const std::string &name);

} // namespace popscope
