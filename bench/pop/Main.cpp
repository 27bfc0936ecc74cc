// popscope_pop_bench: compares layouts of numbers per step and tile in SQLite, on the same data in one run: rows,
// packed blocks per step (as in the file), packed blocks in chunks of 64 steps x 64 tiles. Prints medians of three
// measurements. Each reading uses a new connection, and the page cache of the system is warm.
#include "bench/pop/Answers.hpp"
#include "bench/pop/Profile.hpp"
#include "report/pop/MapFiles.hpp"
#include "report/pop/TileBlocks.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>

using namespace popscope;
using Numbers = std::vector<std::uint32_t>; // step after step

namespace {

struct Shape {
  std::size_t tiles = 1472, steps = 10000;
  int pageBytes = 8192;
};

/// Returns data in which 30 % of the steps are uniform, 20 % active on the first tiles only, 30 % with one value for each
/// quarter of the tiles, and 20 % have jitter per tile.
Numbers structuredData(const Shape &s) {
  std::mt19937_64 random(20);
  Numbers all;
  all.reserve(s.tiles * s.steps);
  for (std::size_t step = 0; step < s.steps; ++step) {
    const auto kind = random() % 10, base = 100 + random() % 50000, cut = random() % s.tiles;
    const std::uint64_t groups[] = {random() % 40000, random() % 40000, random() % 40000, random() % 40000};
    for (std::size_t t = 0; t < s.tiles; ++t)
      all.push_back(static_cast<std::uint32_t>(kind < 3   ? base
                                               : kind < 5 ? (t < cut ? base : 0)
                                               : kind < 8 ? groups[t * 4 / s.tiles]
                                                          : base + random() % 256));
  }
  return all;
}
Numbers randomData(const Shape &s) {
  std::mt19937_64 random(21);
  Numbers all(s.tiles * s.steps);
  for (auto &v : all)
    v = static_cast<std::uint32_t>(random() % 1000000);
  return all;
}

class Database {
public:
  Database(const std::string &path, bool create) {
    check(sqlite3_open_v2(path.c_str(), &db_,
                          create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY, nullptr));
  }
  ~Database() {
    for (sqlite3_stmt *s : statements_)
      sqlite3_finalize(s);
    sqlite3_close(db_);
  }
  Database(const Database &) = delete;
  Database &operator=(const Database &) = delete;
  void run(const std::string &sql) { check(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr)); }
  sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *s = nullptr;
    check(sqlite3_prepare_v2(db_, sql, -1, &s, nullptr));
    statements_.push_back(s);
    return s;
  }
  void check(int rc) const {
    if (rc != SQLITE_OK)
      throw std::runtime_error(sqlite3_errmsg(db_));
  }

private:
  sqlite3 *db_ = nullptr;
  std::vector<sqlite3_stmt *> statements_;
};

std::string_view blobOf(sqlite3_stmt *s, int column) {
  return {static_cast<const char *>(sqlite3_column_blob(s, column)),
          static_cast<std::size_t>(sqlite3_column_bytes(s, column))};
}
void bind(sqlite3_stmt *s, std::initializer_list<std::size_t> values) {
  sqlite3_reset(s);
  int i = 0;
  for (const std::size_t v : values)
    sqlite3_bind_int64(s, ++i, static_cast<sqlite3_int64>(v));
}
void insert(sqlite3_stmt *s, std::initializer_list<std::size_t> keys, const std::string &blob) {
  bind(s, keys);
  sqlite3_bind_blob(s, static_cast<int>(keys.size()) + 1, blob.data(), static_cast<int>(blob.size()), SQLITE_STATIC);
  sqlite3_step(s);
}

struct Layout {
  const char *name, *ddl;
  std::function<void(Database &, const Shape &, const Numbers &)> write;
  std::function<std::uint64_t(Database &, const Shape &, std::size_t step, std::uint32_t *out)> readStep;
  std::function<void(Database &, const Shape &, std::size_t tile, std::uint32_t *out)> readTile;
  std::function<void(
      Database &, const Shape &,
      const std::function<void(std::size_t step, std::size_t tile, const std::uint32_t *, std::size_t)> &)>
      readAll;
};

std::size_t blocksOf(const Shape &s) { return (s.tiles + kBlockNumbers - 1) / kBlockNumbers; }
std::size_t widthOf(const Shape &s, std::size_t block) {
  return std::min(kBlockNumbers, s.tiles - block * kBlockNumbers);
}

// ------------------------------------------------------------------ rows
Layout rows() {
  Layout l;
  l.name = "rows";
  l.ddl = "CREATE TABLE x (step INTEGER, tile INTEGER, v INTEGER, PRIMARY KEY (step, tile)) WITHOUT ROWID";
  l.write = [](Database &db, const Shape &s, const Numbers &data) {
    auto *q = db.prepare("INSERT INTO x VALUES (?, ?, ?)");
    for (std::size_t i = 0; i < data.size(); ++i) {
      bind(q, {i / s.tiles, i % s.tiles, data[i]});
      sqlite3_step(q);
    }
  };
  l.readStep = [q = static_cast<sqlite3_stmt *>(nullptr)](Database &db, const Shape &, std::size_t step,
                                                          std::uint32_t *out) mutable {
    if (q == nullptr)
      q = db.prepare("SELECT v FROM x WHERE step = ? ORDER BY tile");
    bind(q, {step});
    std::size_t n = 0;
    while (sqlite3_step(q) == SQLITE_ROW)
      out[n++] = static_cast<std::uint32_t>(sqlite3_column_int64(q, 0));
    return n;
  };
  l.readTile = [](Database &db, const Shape &, std::size_t tile, std::uint32_t *out) {
    auto *q = db.prepare("SELECT v FROM x WHERE tile = ? ORDER BY step");
    bind(q, {tile});
    while (sqlite3_step(q) == SQLITE_ROW)
      *out++ = static_cast<std::uint32_t>(sqlite3_column_int64(q, 0));
  };
  l.readAll = [](Database &db, const Shape &s, const auto &take) {
    auto *q = db.prepare("SELECT v FROM x ORDER BY step, tile");
    Numbers line(s.tiles);
    for (std::size_t step = 0; step < s.steps; ++step) {
      for (std::size_t t = 0; t < s.tiles && sqlite3_step(q) == SQLITE_ROW; ++t)
        line[t] = static_cast<std::uint32_t>(sqlite3_column_int64(q, 0));
      take(step, 0, line.data(), s.tiles);
    }
  };
  return l;
}

// ------------------------------------------------------------------ one blob a step
using Encode = std::function<std::string(const std::uint32_t *, const Shape &)>;
using Decode = std::function<void(std::string_view, const Shape &, std::uint32_t *)>;
using DecodeOne = std::function<std::uint32_t(std::string_view, const Shape &, std::size_t tile)>;

Layout blobPerStep(const char *name, const Encode &encode, const Decode &decode, const DecodeOne &one) {
  Layout l;
  l.name = name;
  l.ddl = "CREATE TABLE x (step INTEGER PRIMARY KEY, v BLOB)";
  l.write = [encode](Database &db, const Shape &s, const Numbers &data) {
    auto *q = db.prepare("INSERT INTO x VALUES (?, ?)");
    for (std::size_t step = 0; step < s.steps; ++step)
      insert(q, {step}, encode(&data[step * s.tiles], s));
  };
  l.readStep = [decode, q = static_cast<sqlite3_stmt *>(nullptr)](Database &db, const Shape &s, std::size_t step,
                                                                  std::uint32_t *out) mutable {
    if (q == nullptr)
      q = db.prepare("SELECT v FROM x WHERE step = ?");
    bind(q, {step});
    if (sqlite3_step(q) == SQLITE_ROW)
      decode(blobOf(q, 0), s, out);
    return s.tiles;
  };
  l.readTile = [one](Database &db, const Shape &s, std::size_t tile, std::uint32_t *out) {
    auto *q = db.prepare("SELECT v FROM x ORDER BY step");
    while (sqlite3_step(q) == SQLITE_ROW)
      *out++ = one(blobOf(q, 0), s, tile);
  };
  l.readAll = [decode](Database &db, const Shape &s, const auto &take) {
    auto *q = db.prepare("SELECT v FROM x ORDER BY step");
    Numbers line(s.tiles);
    for (std::size_t step = 0; sqlite3_step(q) == SQLITE_ROW; ++step) {
      decode(blobOf(q, 0), s, line.data());
      take(step, 0, line.data(), s.tiles);
    }
  };
  return l;
}

Layout blocksPerStep() {
  return blobPerStep(
      "blocks a step",
      [](const std::uint32_t *v, const Shape &s) {
        BlockEncoder e;
        for (std::size_t b = 0; b < blocksOf(s); ++b)
          e.add(v + b * kBlockNumbers, widthOf(s, b));
        return e.take();
      },
      [](std::string_view blob, const Shape &s, std::uint32_t *out) {
        for (const std::uint64_t number : unpackTiles(blob, s.tiles))
          *out++ = static_cast<std::uint32_t>(number);
      },
      [](std::string_view blob, const Shape &s, std::size_t tile) { return unpackTile(blob, s.tiles, tile); });
}

// ------------------------------------------------------------------ chunks
constexpr std::size_t kChunk = 64; // steps

Layout chunks() {
  Layout l;
  l.name = "blocks in chunks";
  l.ddl = "CREATE TABLE x (id INTEGER PRIMARY KEY, first INTEGER, n INTEGER, tile INTEGER, v BLOB)";
  l.write = [](Database &db, const Shape &s, const Numbers &data) {
    auto *q = db.prepare("INSERT INTO x VALUES (?, ?, ?, ?, ?)");
    BlockEncoder e;
    for (std::size_t first = 0; first < s.steps; first += kChunk) {
      const std::size_t n = std::min(kChunk, s.steps - first);
      for (std::size_t b = 0; b < blocksOf(s); ++b) {
        for (std::size_t i = 0; i < n; ++i)
          e.add(&data[(first + i) * s.tiles + b * kBlockNumbers], widthOf(s, b));
        insert(q, {first * blocksOf(s) + b, first, n, b * kBlockNumbers}, e.take());
      }
    }
  };
  l.readStep = [q = static_cast<sqlite3_stmt *>(nullptr)](Database &db, const Shape &s, std::size_t step,
                                                          std::uint32_t *out) mutable {
    if (q == nullptr)
      q = db.prepare("SELECT n, v FROM x WHERE id BETWEEN ? AND ? ORDER BY id");
    const std::size_t first = step / kChunk * kChunk, blocks = blocksOf(s);
    bind(q, {first * blocks, first * blocks + blocks - 1});
    for (std::size_t b = 0; sqlite3_step(q) == SQLITE_ROW; ++b) {
      const auto numbers = unpackTiles(blobOf(q, 1), sqlite3_column_int64(q, 0) * kBlockNumbers);
      std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>((step - first) * kBlockNumbers), widthOf(s, b),
                  out + b * kBlockNumbers);
    }
    return s.tiles;
  };
  l.readTile = [](Database &db, const Shape &s, std::size_t tile, std::uint32_t *out) {
    auto *q = db.prepare("SELECT n, v FROM x WHERE id = ?");
    for (std::size_t first = 0; first < s.steps; first += kChunk) {
      bind(q, {first * blocksOf(s) + tile / kBlockNumbers});
      if (sqlite3_step(q) != SQLITE_ROW)
        return;
      const auto n = static_cast<std::size_t>(sqlite3_column_int64(q, 0));
      for (std::size_t i = 0; i < n; ++i)
        *out++ = unpackTile(blobOf(q, 1), n * kBlockNumbers, i * kBlockNumbers + tile % kBlockNumbers);
    }
  };
  l.readAll = [](Database &db, const Shape &s, const auto &take) {
    auto *q = db.prepare("SELECT first, n, tile, v FROM x ORDER BY id");
    NumberBlock block;
    while (sqlite3_step(q) == SQLITE_ROW) {
      const auto first = static_cast<std::size_t>(sqlite3_column_int64(q, 0)),
                 n = static_cast<std::size_t>(sqlite3_column_int64(q, 1)),
                 tile = static_cast<std::size_t>(sqlite3_column_int64(q, 2));
      const auto numbers = unpackTiles(blobOf(q, 3), n * kBlockNumbers);
      for (std::size_t i = 0; i < n; ++i) {
        std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(i * kBlockNumbers), kBlockNumbers, block.begin());
        take(first + i, tile, block.data(), std::min(kBlockNumbers, s.tiles - tile));
      }
    }
  };
  return l;
}

// ------------------------------------------------------------------ measuring
double milliseconds(const std::function<void()> &work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}
double median(const std::function<double()> &measure, int times) {
  std::vector<double> all;
  for (int i = 0; i < times; ++i)
    all.push_back(measure());
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}
void require(bool ok, const char *layout, const char *what) {
  if (!ok)
    throw std::runtime_error(fmt::format("layout '{}' reads back other numbers: {}", layout, what));
}

void measure(const std::function<Layout()> &make, const Shape &s, const Numbers &data,
             const std::filesystem::path &path) {
  const Layout l = make();
  const int times = std::string(l.name) == "rows" ? 1 : 3;
  const double write = median(
      [&] {
        std::filesystem::remove(path);
        return milliseconds([&] {
          Database db(path.string(), true);
          db.run(fmt::format("PRAGMA page_size = {}; PRAGMA journal_mode = OFF; {}; BEGIN", s.pageBytes, l.ddl));
          l.write(db, s, data);
          db.run("COMMIT");
        });
      },
      times);
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  constexpr std::size_t kSteps = 1000;
  Numbers line(s.tiles), column(s.steps);
  const double step = median(
                          [&] {
                            Database db(path.string(), false);
                            const Layout fresh = make();
                            std::mt19937_64 random(9);
                            (void)fresh.readStep(db, s, 0, line.data()); // opens and prepares
                            return milliseconds([&] {
                              for (std::size_t i = 0; i < kSteps; ++i)
                                (void)fresh.readStep(db, s, random() % s.steps, line.data());
                            });
                          },
                          times) *
                      1000 / kSteps;
  {
    Database db(path.string(), false);
    (void)make().readStep(db, s, s.steps / 2, line.data());
    require(std::equal(line.begin(), line.end(), &data[s.steps / 2 * s.tiles]), l.name, "a step");
  }
  const std::size_t tile = s.tiles / 3;
  const double oneTile = median(
      [&] {
        Database db(path.string(), false);
        return milliseconds([&] { l.readTile(db, s, tile, column.data()); });
      },
      times);
  for (std::size_t i = 0; i < s.steps; ++i)
    require(column[i] == data[i * s.tiles + tile], l.name, "a tile");
  std::uint64_t sum = 0;
  const double all = median(
      [&] {
        Database db(path.string(), false);
        sum = 0;
        return milliseconds([&] {
          l.readAll(db, s, [&](std::size_t, std::size_t, const std::uint32_t *v, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i)
              sum += v[i];
          });
        });
      },
      times);
  std::uint64_t expected = 0;
  for (const std::uint32_t v : data)
    expected += v;
  require(sum == expected, l.name, "everything");
  fmt::print("{:<18}{:>10.1f}{:>10.2f}{:>12.3f}{:>12.1f}{:>12.2f}{:>12.1f}\n", l.name, write, bytes / 1e6,
             bytes / static_cast<double>(data.size()), step, oneTile, all);
  std::filesystem::remove(path);
}

} // namespace

int main(int argc, char **argv) {
  mapProfiles(); // as the tools do
  CLI::App app{"Layouts of per-step per-tile numbers in SQLite, side by side.", "popscope_pop_bench"};
  Shape s;
  app.add_option("--tiles", s.tiles, "Tiles")->check(CLI::Range(1, 1000000));
  app.add_option("--steps", s.steps, "Steps")->check(CLI::Range(1, 1000000));
  app.add_option("--page", s.pageBytes, "SQLite page size, bytes")
      ->check(CLI::IsMember({4096, 8192, 16384, 32768, 65536}));
  std::size_t profileSteps = 0, answerSteps = 0;
  app.add_option("--profile", profileSteps, "Instead: write, open and summarise a profile of so many steps")
      ->check(CLI::Range(1, 10000000));
  app.add_option("--answers", answerSteps, "Instead: ask each view of popscope of a profile of so many steps")
      ->check(CLI::Range(1, 1000000));
  std::size_t answerPrograms = 0;
  app.add_option("--programs", answerPrograms,
                 "Of --answers: programs of the loop that these steps are; default: as many as steps, each once")
      ->check(CLI::Range(3, 1000000));
  std::string answersOf;
  app.add_option("--answers-of", answersOf, "Instead: ask each view of popscope of this profile")
      ->check(CLI::ExistingFile);
  bench::Slots slots = bench::Slots::Same;
  const std::map<std::string, bench::Slots> slotNames{
      {"none", bench::Slots::None}, {"same", bench::Slots::Same}, {"changing", bench::Slots::Changing}};
  app.add_option("--slots", slots,
                 "Of --profile: what compute steps say of worker slots: none, same (each time) or changing")
      ->transform(CLI::CheckedTransformer(slotNames))
      ->default_str("same");
  CLI11_PARSE(app, argc, argv);
  std::string folder = (std::filesystem::temp_directory_path() / "popscope-bench-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr)
    return 2;
  int code = 0;
  try {
    if (profileSteps > 0)
      bench::measureProfile(s.tiles, profileSteps, slots, folder + "/profile.pop");
    if (answerSteps > 0)
      (void)bench::measureAnswers(s.tiles, answerSteps, answerPrograms, folder + "/profile.pop");
    if (!answersOf.empty())
      (void)bench::measureAnswersOf(answersOf);
    for (const bool structured : {true, false}) {
      if (profileSteps > 0 || answerSteps > 0 || !answersOf.empty())
        break;
      fmt::print("{} data, {} tiles x {} steps, pages of {} bytes\n{:<18}{:>10}{:>10}{:>12}{:>12}{:>12}{:>12}\n",
                 structured ? "structured" : "random", s.tiles, s.steps, s.pageBytes, "layout", "write ms", "file MB",
                 "B/number", "1 step us", "1 tile ms", "all ms");
      const Numbers data = structured ? structuredData(s) : randomData(s);
      for (const auto &make : {rows, blocksPerStep, chunks})
        measure(make, s, data, std::filesystem::path(folder) / "bench.db");
    }
  } catch (const std::exception &e) {
    fmt::print(stderr, "popscope_pop_bench: {}\n", e.what());
    code = 1;
  }
  std::filesystem::remove_all(folder);
  return code;
}
