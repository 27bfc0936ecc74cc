#include "report/pop/PopReader.hpp"
#include "report/pop/ReplaceFile.hpp"

#include <filesystem>

namespace popscope {

void recoverPop(const std::string &from, const std::string &to) {
  // Only a connection that writes can apply a roll-back journal. A write-ahead log needs no such connection.
  std::error_code error;
  if (std::filesystem::exists(from + "-journal", error))
    PopFile(from, PopFile::Mode::Write).execute("SELECT COUNT(*) FROM sqlite_schema");
  const auto file = openPop(from);
  if (!readMeta(*file).hasCompilation)
    file->fail("nothing to recover: its program stopped before the compiled graph was written");
  copyToFile(*file, to, "");
}

namespace {

/// Returns the SQL that marks a copy as complete. A copy of a file that was opened for reading keeps the mark of that
/// file.
std::string completing(const PopFile &file) {
  const bool ours = !file.bounds();
  return ours ? "UPDATE meta SET value = COALESCE((SELECT complete FROM runs ORDER BY id DESC LIMIT 1), 1) "
                "WHERE key = 'complete' AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'ended');"
              : "";
}

} // namespace

void savePop(PopFile &file, const std::string &to) { copyToFile(file, to, completing(file)); }

std::string popImage(PopFile &file) {
  const std::shared_ptr<PopFile> copy = PopFile::copyOf(file);
  copy->execute(completing(file));
  return copy->image();
}

} // namespace popscope
