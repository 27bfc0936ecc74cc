#include "report/pop/PopReader.hpp"
#include "report/pop/ReplaceFile.hpp"

#include <filesystem>

namespace popscope {

void recoverPop(const std::string &from, const std::string &to) {
  // A roll-back journal can only be played by a writer; a write-ahead log needs none.
  std::error_code error;
  if (std::filesystem::exists(from + "-journal", error))
    PopFile(from, PopFile::Mode::Write).execute("SELECT COUNT(*) FROM sqlite_schema");
  const auto file = openPop(from);
  if (!readMeta(*file).hasCompilation)
    file->fail("nothing to recover: its program stopped before the compiled graph was written");
  copyToFile(*file, to, "");
}

void upgradePop(const std::string &from, const std::string &to) { copyToFile(*openPop(from), to, ""); }

} // namespace popscope
