#include "tests/fuzz/pop/Corpus.hpp"

#include "report/pop/PopDatabase.hpp"
#include "tests/unit/report/RandomRecords.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <random>
#include <zlib.h>

using namespace popscope;

namespace {

std::string read(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string validFile(const std::string &path, std::uint64_t seed, int steps) {
  std::mt19937_64 random(seed);
  {
    CompilationRecord record = randomCompilation(random);
    for (auto &p : record.programs)
      if (p.type == "OnTileExecute")
        p.computeSet = 0;
    PopWriter writer(path);
    writer.compilation(record);
    for (int run = 0; run < 2; ++run) {
      writer.beginRun({"run", 0, 0, 0});
      for (int i = 0; i < steps; ++i)
        writer.step(randomStep(random, record));
      writer.endRun({}, 0);
    }
  }
  return read(path);
}

std::string changedBySql(const std::string &path, const std::string &valid, const std::string &sql) {
  std::ofstream(path, std::ios::binary) << valid;
  PopFile(path, PopFile::Mode::Write).execute(sql);
  return read(path);
}

// ------------------------------------------------------------------ pages of SQLite's file format
class Pages {
public:
  explicit Pages(std::string bytes) : bytes_(std::move(bytes)), size_(big(16, 2) == 1 ? 65536 : big(16, 2)) {}
  [[nodiscard]] const std::string &bytes() const { return bytes_; }
  /// Changes the page number of each child of every inner table page (except the right-most if `keepRight`). Returns
  /// the number of changed pages.
  template <class Child> int relink(Child &&child) {
    int pages = 0;
    for (std::size_t page = 2; page * size_ <= bytes_.size(); ++page) {
      const std::size_t at = (page - 1) * size_;
      constexpr char kInnerTable = 5;
      if (bytes_[at] != kInnerTable)
        continue;
      ++pages;
      const std::size_t cells = big(at + 3, 2);
      for (std::size_t c = 0; c < cells; ++c) {
        const std::size_t cell = at + big(at + 12 + 2 * c, 2);
        put(cell, child(page, big(cell, 4), big(at + 8, 4)));
      }
      put(at + 8, child(page, big(at + 8, 4), big(at + 8, 4)));
    }
    return pages;
  }

private:
  [[nodiscard]] std::size_t big(std::size_t at, std::size_t n) const {
    std::size_t value = 0;
    for (std::size_t i = 0; i < n; ++i)
      value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    return value;
  }
  void put(std::size_t at, std::size_t value) {
    for (int i = 3; i >= 0; --i, value >>= 8)
      bytes_[at + static_cast<std::size_t>(i)] = static_cast<char>(value & 0xFF);
  }
  std::string bytes_;
  std::size_t size_;
};

std::string hex(const std::string &bytes) {
  std::string text;
  for (const unsigned char c : bytes)
    text += fmt::format("{:02x}", c);
  return text;
}

/// Returns a blob of `tiles` numbers whose compressed payload claims `expands` bytes of zeros.
std::string bomb(std::size_t tiles, std::size_t expands) {
  const std::string zeros(expands, '\1');
  uLongf size = compressBound(expands);
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef *>(packed.data()), &size, reinterpret_cast<const Bytef *>(zeros.data()), expands, 9);
  std::string blob(1, '\1');
  for (int i = 0; i < 4; ++i)
    blob.push_back(static_cast<char>(tiles >> (8 * i) & 0xFF));
  return blob + packed.substr(0, size);
}

void addHostile(std::vector<fuzz::Sample> &corpus, const std::string &path, const std::string &valid) {
  struct Case {
    const char *name;
    std::string sql;
  };
  const std::string endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) ";
  // Adds a table with the name of a packed one.
  const std::string lowered =
      "CREATE TABLE vars_info (id, name, variable, tile, offset, size_bytes, alignment, category, always_live, "
      "overlapped, is_constant, equivalence_class); INSERT INTO vars_info VALUES ";
  const std::string variable = "CREATE TABLE liveness_variables (id, name, size_bytes, always_live, equivalence_class, "
                               "category, bytes_by_tile); INSERT INTO liveness_variables VALUES ";
  const Case cases[] = {
      {"view", "DROP TABLE runs; CREATE VIEW runs AS " + endless +
                   "SELECT x AS id, 'a' AS name, 0 AS program, 0 AS first_step, 0 AS start_us, 0 AS end_us, 1 AS "
                   "complete FROM n"},
      {"trigger", "CREATE TRIGGER t AFTER UPDATE ON meta BEGIN DELETE FROM runs; END"},
      {"virtual", "CREATE VIRTUAL TABLE f USING fts5(a)"},
      {"computed", "ALTER TABLE runs ADD COLUMN more TEXT AS (hex(zeroblob(100000000)))"},
      {"tiles", "UPDATE target SET tiles_per_ipu = 2097152"},
      {"tiles-overflow", "UPDATE target SET num_ipus = 1 << 33, tiles_per_ipu = 1 << 33"},
      {"replicas", "UPDATE target SET num_replicas = 0"},
      {"huge-id", "INSERT INTO equivalence_classes VALUES (9223372036854775806, 1)"},
      {"huge-step", "INSERT INTO steps VALUES (9223372036854775806, 0, 'Sync', 0, NULL, NULL, NULL)"},
      {"negative-step", "UPDATE steps SET id = -9223372036854775807 WHERE id = 0"},
      {"run-order", "UPDATE runs SET first_step = 1000000000000 - id"},
      {"parent-circle", "UPDATE programs SET parent = id"},
      {"parent-forward", "UPDATE programs SET parent = (SELECT MAX(id) FROM programs) WHERE id = 0"},
      {"interval", "UPDATE equivalence_class_intervals SET first_program = 4294967295"},
      {"position", "UPDATE equivalence_class_intervals SET position = position + 1"},
      {"names", "DELETE FROM vars_string_table"},
      {"category", lowered + "(0, 0, NULL, 0, 0, 4, 4, 4000000000, 0, 0, 0, NULL)"},
      {"rows-many", "UPDATE packed_rows SET count = 9223372036854775807"},
      {"rows-negative", "UPDATE packed_rows SET count = -1, first = -9223372036854775807"},
      {"rows-shifted", "UPDATE packed_rows SET first = first + 9223372036854770000"},
      {"rows-of-another",
       "UPDATE packed_rows SET table_name = 'vars_info', first = first + 1 WHERE table_name = 'liveness_variables'"},
      {"accesses-of-another",
       "UPDATE packed_rows SET table_name = 'variable_accesses', first = first + 1 WHERE table_name = 'vars_info'"},
      {"rows-cut", "UPDATE packed_rows SET columns = substr(columns, 1, length(columns) - 9)"},
      {"rows-size", "UPDATE packed_rows SET raw_size = 9223372036854775807"},
      {"rows-empty", "UPDATE packed_rows SET columns = x''"},
      {"rows-not-there", "DROP TABLE packed_rows"},
      {"long-text", "UPDATE compute_sets SET name = hex(zeroblob(300000))"},
      {"bomb", variable + "(0, 0, 4, 0, NULL, 1, x'" + hex(bomb(100000000, 20000000)) + "')"},
      {"bomb-small-count", variable + "(0, 0, 4, 0, NULL, 1, x'" + hex(bomb(1, 20000000)) + "')"},
      {"bomb-of-rows", "UPDATE packed_rows SET columns = x'06" + hex(bomb(20000000, 20000000).substr(1)) +
                           "', raw_size = 20000000, count = 65536"},
      {"packed-count", "UPDATE steps_by_tile SET cycles = x'02ffffffff'"},
      {"packed-wrong-type", "UPDATE steps_by_tile SET cycles = x''"},
      {"slots-cut", "UPDATE slot_cycles SET cycles = x'0200'"},
      {"slots-more-than-fullest", "DELETE FROM slot_cycles WHERE part = 0"},
      {"dealt-cut", "UPDATE dealt_vertices SET runs = x'03ffffffff'"},
      {"dealt-pattern-of-none", "UPDATE dealt_vertices SET runs = x'030000000002000000'"},
      {"dealt-other", "UPDATE dealt_vertices SET cycles = vertices, vertices = runs"},
      {"message-sizes-cut", "UPDATE message_sizes SET messages = x'03'"},
      {"link-of-no-ipu",
       "INSERT OR REPLACE INTO link_transfers SELECT id, 0, 9223372036854775807, 0, 1, NULL FROM programs"},
      {"link-long",
       "INSERT OR REPLACE INTO link_transfers SELECT id, 0, 0, 0, 9223372036854775807, bytes_sent FROM programs"},
      {"traffic-of-no-tiles", "UPDATE traffic SET tiles_per_group = 0"},
      {"operand-of-no-type", "UPDATE compute_set_operands SET vertex_type = 2000000000"},
      {"operand-out-of-order", "UPDATE compute_set_operands SET position = position + 7"},
      {"flops-of-more", "UPDATE compute_set_vertices SET flop_vertices = instances + 1, flops = 3"},
      {"flops-of-none", "UPDATE compute_set_vertices SET flop_vertices = 0, flops = 3"},
      {"flops-negative", "UPDATE compute_set_vertices SET flop_vertices = -1, flops = -1"},
      {"flops-huge", "UPDATE compute_set_vertices SET flop_vertices = instances, flops = 9223372036854775807"},
      {"traffic-beyond", "UPDATE traffic SET tiles_per_group = 2147483648"},
      {"traffic-cut", "UPDATE traffic SET to_groups = x'0300000000'"},
      {"contexts-out-of-order", "INSERT INTO more_contexts SELECT id, 3, 1 FROM programs"},
      {"machine-broken", "UPDATE target SET machine = '{\"numIpus\":'"},
      {"slots-of-nothing", "UPDATE steps SET slot_cycles = 9223372036854775807"},
      {"workers", "UPDATE target SET worker_contexts = 9223372036854775807"},
      {"delays-short", "UPDATE sync_delays SET to_controller = x''"},
      {"delays-many", "DELETE FROM sync_delays; INSERT INTO sync_delays WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL "
                      "SELECT x + 1 FROM n WHERE x < 3000) SELECT x, 0, x'02', x'02' FROM n"},
      {"shared-code-forward", "UPDATE programs SET exchange_code_of = 4000000000"},
      {"barriers-long", "UPDATE programs SET barriers = replace(hex(zeroblob(50000)), '0', ',')"},
      {"context-negative", "UPDATE programs SET debug_context = -5"},
      {"no-meta", "DELETE FROM meta"},
      {"no-target", "DELETE FROM target"},
      {"no-table", "DROP TABLE steps_by_tile"},
      {"old-format", "PRAGMA user_version = 0"},
      {"reals", "UPDATE target SET clock_hz = 9e999"},
  };
  for (const Case &c : cases)
    corpus.push_back({std::string("hostile-") + c.name, changedBySql(path, valid, c.sql), false});
}

} // namespace

std::vector<fuzz::Sample> fuzz::makeCorpus(const std::string &scratch) {
  const std::string path = (std::filesystem::path(scratch) / "sample.pop").string();
  std::vector<Sample> corpus;
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    corpus.push_back({fmt::format("valid-{}", seed), validFile(path, seed, 10), true});
  const std::string valid = corpus.front().bytes, deep = validFile(path, 9, 2500);
  corpus.push_back({"valid-deep", deep, true});
  for (std::size_t i = 0; i < 12; ++i)
    corpus.push_back({fmt::format("cut-{}", i), valid.substr(0, valid.size() * i / 12), false});
  std::mt19937_64 random(17);
  for (int i = 0; i < 80; ++i) {
    std::string changed = i % 2 == 0 ? valid : deep;
    for (std::uint64_t k = 1 + random() % 20; k > 0; --k)
      changed[random() % changed.size()] ^= static_cast<char>(1u << random() % 8);
    corpus.push_back({fmt::format("flipped-{}", i), changed, false});
  }
  addHostile(corpus, path, valid);
  Pages circle(deep), twice(deep), last(deep);
  const int pages = circle.relink([](std::size_t page, std::size_t, std::size_t) { return page; });
  twice.relink([](std::size_t, std::size_t, std::size_t right) { return right; });
  last.relink([](std::size_t page, std::size_t child, std::size_t right) { return child == right ? page : child; });
  if (pages == 0)
    throw std::runtime_error("the deep sample has no inner pages: give it more steps");
  corpus.push_back({"tree-circle", circle.bytes(), false});
  corpus.push_back({"tree-one-child-many-times", twice.bytes(), false});
  corpus.push_back({"tree-last-child-is-itself", last.bytes(), false});
  return corpus;
}
