// The perceptron's idle tiles look like those of published reports: code lies in the first memory element, stack and
// data start at the second, interleaved data at the region's border. A tile that takes no part holds little more than
// its stack.
#include "tests/check/profile/Runs.hpp"
#include "tests/check/profile/Sql.hpp"

#include <doctest/doctest.h>

using namespace profile_check;

namespace {

// On ipu1, an element has 16,384 bytes, and the stack 6 * 512 + 96.
constexpr std::uint64_t kElement = 16384, kStack = 3168;
const std::string kNamed = "FROM vars_info v JOIN var_categories c ON c.id = v.category ";
const std::string kIdle = "v.tile NOT IN (SELECT tile FROM vertices_by_tile) ";
const std::string kCode =
    "c.name IN ('controlCode', 'vertexCode', 'sharedCodeStorage', 'internalExchangeCode', 'hostExchangeCode', "
    "'globalExchangeCode') ";

} // namespace

TEST_SUITE("profile.idleTiles") {

  TEST_CASE("there are idle tiles, and their code lies in the first element, everything else from the second on") {
    const Database db(profiled("mlp").profile);
    CHECK(db.number("SELECT count(*) FROM memory_by_tile WHERE tile NOT IN (SELECT tile FROM vertices_by_tile)") > 100);
    CHECK(db.number("SELECT max(v.offset + v.size_bytes) " + kNamed + "WHERE " + kIdle + "AND " + kCode) <= kElement);
    CHECK(db.number("SELECT min(v.offset) " + kNamed + "WHERE NOT " + kCode) == kElement);
  }

  TEST_CASE("including gaps, an idle tile is one element, the stack and the few bytes that follow, without a gap "
            "between them") {
    const Database db(profiled("mlp").profile);
    const std::string data = "SELECT sum(v.size_bytes) " + kNamed + "WHERE v.tile = m.tile AND NOT " + kCode;
    CHECK(db.number("SELECT count(*) FROM memory_by_tile m WHERE m.tile NOT IN (SELECT tile FROM vertices_by_tile) AND "
                    "m.after_overlapping = 0 AND m.total_including_gaps <> " +
                    std::to_string(kElement) + " + (" + data + ")") == 0);
    CHECK(db.number("SELECT min(total_including_gaps) FROM memory_by_tile") >= kElement + kStack);
    CHECK(db.number("SELECT max(total_including_gaps) FROM memory_by_tile WHERE tile NOT IN (SELECT tile FROM "
                    "vertices_by_tile)") < kElement + kStack + 1024);
    CHECK(db.number("SELECT count(*) " + kNamed + "WHERE c.name = 'stack' AND (v.size_bytes <> " +
                    std::to_string(kStack) + " OR v.offset <> " + std::to_string(kElement) + ")") == 0);
  }

  TEST_CASE("a tile with interleaved data ends at the region's border and that data") {
    for (const ProfiledProgram &program : profiledPrograms()) {
      const Database db(program.profile);
      CHECK(db.number("SELECT count(*) FROM memory_by_tile WHERE interleaved > 0 AND overflowed = 0 AND "
                      "total_including_gaps <> "
                      "(SELECT interleaved_offset FROM target) + interleaved_including_gaps") == 0);
    }
  }

} // TEST_SUITE
