#include "report/pop/Ending.hpp"

#include <fmt/format.h>

namespace popscope {
namespace {

std::uint64_t count(PopFile &file, const std::string &rows) {
  Query q(file, "SELECT COUNT(*) FROM " + rows);
  return q.next() ? q.u64() : 0;
}

} // namespace

std::string whereItEnds(PopFile &file, const OpenRun &run) {
  const std::string title = fmt::format("run {}{}", run.number, run.name.empty() ? "" : " (\"" + run.name + "\")");
  if (count(file, fmt::format("runs WHERE id = {}", run.id)) == 0)
    return "before " + title;
  return fmt::format("in {}, after {} of its steps", title,
                     count(file, fmt::format("steps WHERE id >= {}", run.firstStep)));
}

} // namespace popscope
