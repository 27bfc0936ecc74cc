// Rows that are stored as columns are read back unchanged, through SQL as SQLite sees them.
#include "report/pop/PackedRows.hpp"
#include "report/pop/BlobBytes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <span>

using namespace popscope;

namespace {

struct LoweredRow {
  std::vector<std::optional<std::uint64_t>> values; // columns of vars_info except id
  friend bool operator==(const LoweredRow &, const LoweredRow &) = default;
};

LoweredRow randomRow(std::mt19937_64 &random, std::uint64_t tile) {
  const auto number = [&] { return random() >> (1 + random() % 63); };
  LoweredRow row;
  for (std::size_t c = 1; c < packedTable("vars_info").columns.size(); ++c)
    row.values.emplace_back(number());
  row.values[2] = tile;
  if (random() % 3 == 0)
    row.values[1] = std::nullopt;
  row.values[10] = random() % 2 == 0 ? std::nullopt : std::optional<std::uint64_t>(random() % 3);
  return row;
}

std::vector<LoweredRow> write(PopFile &file, std::mt19937_64 &random, std::size_t rows) {
  std::vector<LoweredRow> all;
  RowPacker packer(file, "vars_info");
  for (std::size_t i = 0; i < rows; ++i) {
    all.push_back(randomRow(random, i / 1500));
    for (const auto &value : all.back().values)
      value ? packer << *value : packer.null();
    packer.run();
  }
  packer.finish();
  return all;
}

std::vector<LoweredRow> read(PopFile &file, const std::string &tail, std::vector<std::uint64_t> *ids = nullptr) {
  std::vector<LoweredRow> all;
  Query q(file, selectStatement("vars_info", tail));
  while (q.next()) {
    const std::uint64_t id = q.u64();
    if (ids != nullptr)
      ids->push_back(id);
    all.emplace_back();
    for (std::size_t c = 1; c < packedTable("vars_info").columns.size(); ++c)
      all.back().values.push_back(q.u64OrNull());
  }
  return all;
}

std::shared_ptr<PopFile> emptyProfile() {
  auto file = std::make_shared<PopFile>("", PopFile::Mode::Memory);
  file->execute(schemaDdl());
  return file;
}

} // namespace

TEST_SUITE("report.packedRows") {
  TEST_CASE("numbers of any size, NULL and the order of rows come back, in one block and in several") {
    for (const std::size_t rows : {0, 1, 2, 4095, 4096, 4097, 10000}) {
      CAPTURE(rows);
      std::mt19937_64 random(rows);
      const auto file = emptyProfile();
      const std::vector<LoweredRow> written = write(*file, random, rows);
      std::vector<std::uint64_t> ids;
      CHECK(read(*file, "ORDER BY id", &ids) == written);
      for (std::size_t i = 0; i < ids.size(); ++i)
        REQUIRE(ids[i] == i);
    }
  }

  TEST_CASE("rows that come several at a time are kept as those that come one by one, also where columns are runs") {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
      CAPTURE(seed);
      std::mt19937_64 random(seed);
      std::vector<LoweredRow> all(9000, randomRow(random, 0));
      for (std::size_t c = 0; c < all[0].values.size(); ++c) { // each column rises and falls in runs of equal steps
        std::uint64_t value = std::uint64_t(1) << 40U, step = 0, left = 0;
        for (LoweredRow &row : all) {
          if (left-- == 0) {
            left = random() % (c % 2 == 0 ? 200 : 3);
            step = random() % 5 - 2;
          }
          row.values[c] = value += step;
        }
      }
      for (std::size_t r = seed; r < all.size(); r += 2 + seed)
        all[r].values[1] = all[r].values[10] = std::nullopt;
      const auto one = emptyProfile(), several = emptyProfile();
      RowPacker single(*one, "vars_info"), together(*several, "vars_info");
      for (const LoweredRow &row : all) {
        for (const auto &value : row.values)
          value ? single << *value : single.null();
        single.run();
      }
      single.finish();
      const auto column = [](std::size_t c) {
        return [c](const LoweredRow &row) { return row.values[c] ? static_cast<std::int64_t>(*row.values[c]) : -1; };
      };
      for (std::span<const LoweredRow> left(all); !left.empty();) {
        const auto some = left.first(std::min<std::size_t>(left.size(), 1 + random() % 6000));
        together.rows(some, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7),
                      column(8), column(9), column(10));
        left = left.subspan(some.size());
      }
      together.finish();
      CHECK(read(*several, "ORDER BY id") == all);
      const auto blocks = [](PopFile &file) {
        std::vector<std::string> blobs;
        Query q(file, "SELECT columns FROM packed_rows ORDER BY first");
        while (q.next())
          blobs.emplace_back(q.blobView().value());
        return blobs;
      };
      CHECK(blocks(*one) == blocks(*several));
    }
  }

  TEST_CASE("rows of a tile and of an id are found, also where a tile lies in two blocks") {
    std::mt19937_64 random(1);
    const auto file = emptyProfile();
    const std::vector<LoweredRow> written = write(*file, random, 10000);
    for (std::uint64_t tile = 0; tile < 8; ++tile) {
      std::vector<LoweredRow> wanted;
      for (const LoweredRow &row : written)
        if (row.values[2] == tile)
          wanted.push_back(row);
      CHECK(read(*file, "WHERE tile = " + std::to_string(tile) + " ORDER BY id") == wanted);
    }
    for (const std::size_t id : {0, 4095, 4096, 9999})
      CHECK(read(*file, "WHERE id = " + std::to_string(id)) == std::vector{written[id]});
    CHECK(read(*file, "WHERE id = 10000").empty());
    std::vector<LoweredRow> backwards = read(*file, "ORDER BY id DESC");
    std::reverse(backwards.begin(), backwards.end());
    CHECK(backwards == written);
    CHECK(read(*file, "WHERE tile = 2 AND id < 3100").size() == 100);
  }

  TEST_CASE("BLOBs come back, of any length and NULL") {
    const auto file = emptyProfile();
    std::mt19937_64 random(5);
    std::vector<std::optional<std::string>> blobs;
    {
      RowPacker packer(*file, "liveness_variables");
      for (std::uint64_t i = 0; i < 5000; ++i) {
        blobs.emplace_back(std::string(random() % 5 == 0 ? random() % 300 : random() % 4, static_cast<char>(i)));
        if (random() % 7 == 0)
          blobs.back() = std::nullopt;
        packer << i << i * i << std::uint64_t(i % 2);
        packer.optional(i % 3 == 0 ? -1 : 4) << std::uint64_t(1);
        blobs.back() ? packer.blob(*blobs.back()) : packer.null();
        packer.run();
      }
      packer.finish();
    }
    Query q(*file, "SELECT bytes_by_tile, size_bytes, equivalence_class FROM liveness_variables ORDER BY id");
    for (std::uint64_t i = 0; i < blobs.size(); ++i) {
      REQUIRE(q.next());
      REQUIRE(q.blobOrNull() == blobs[i]);
      REQUIRE(q.u64() == i * i);
      REQUIRE(q.u64OrNull() == (i % 3 == 0 ? std::nullopt : std::optional<std::uint64_t>(4)));
    }
    CHECK_FALSE(q.next());
  }

  TEST_CASE("numbers in runs come back, and BLOBs of one length, which lie by position") {
    for (const std::size_t rows : {1, 2, 9, 17, 4096, 9000}) {
      CAPTURE(rows);
      const auto file = emptyProfile();
      std::mt19937_64 random(rows);
      std::vector<std::string> blobs;
      {
        RowPacker packer(*file, "liveness_variables");
        for (std::uint64_t i = 0; i < rows; ++i) {
          blobs.emplace_back();
          for (int b = 0; b < 5; ++b)
            blobs.back().push_back(static_cast<char>(random()));
          packer << 7000000000 + i << i / 100 * 100 << std::uint64_t(1); // a step of 1; runs of 100; one number
          packer.optional(i % 2000 < 1000 ? -1 : std::int64_t(i)) << std::uint64_t(i == 0 ? 5 : 2);
          packer.blob(blobs.back()).run();
        }
        packer.finish();
      }
      Query sizes(*file, "SELECT TOTAL(raw_size) FROM packed_rows");
      REQUIRE(sizes.next());
      // bytes, with little overhead
      CHECK(sizes.u64() <= rows * (5 + 8) / (rows > 4000 ? 2 : 1) + rows / 4096 * 300 + 700);
      Query q(*file, "SELECT id, name, size_bytes, always_live, equivalence_class, category, bytes_by_tile FROM "
                     "liveness_variables ORDER BY id");
      for (std::uint64_t i = 0; i < rows; ++i) {
        REQUIRE(q.next());
        REQUIRE(q.u64() == i);
        REQUIRE(q.u64() == 7000000000 + i);
        REQUIRE(q.u64() == i / 100 * 100);
        REQUIRE(q.u64() == 1);
        REQUIRE(q.u64OrNull() == (i % 2000 < 1000 ? std::nullopt : std::optional<std::uint64_t>(i)));
        REQUIRE(q.u64() == (i == 0 ? 5 : 2));
        REQUIRE(q.blobOrNull() == blobs[i]);
      }
      CHECK_FALSE(q.next());
    }
  }

  TEST_CASE("blocks as the format's page says them: differences, and runs of equal ones") {
    const SchemaTable &table = packedTable("liveness_variables"); // five numbers, the fourth may be NULL; a BLOB
    const auto block = [&](const std::string &raw, std::size_t rows) {
      std::string blob("\x06");
      appendLittle(blob, raw.size(), 4);
      return RowBlock(table, blob + deflated(raw), rows, raw.size());
    };
    const std::string zeros("\x04\0\0\0\0\0\0\0\0\0\0\0\x01\0", 14); // three rows of 0: the first and one run
    const auto column = [&](const RowBlock &of, std::size_t c) {
      std::vector<std::int64_t> numbers;
      for (std::size_t row = 0; row < of.rows(); ++row)
        numbers.push_back(of.number(c, row));
      return numbers;
    };
    const std::string plain("\x00\x00\x01\0\0\0\0\0\0\xff\x02", 11);     // 256, 255, 257
    const std::string runs("\x04\x03\0\0\0\0\0\0\0\0\0\x01\x01\0", 14);  // 3, then twice 1 more: 3, 4, 5
    const std::string mixed("\x00\x02\0\0\0\0\0\0\0\x01\xfd", 11);       // 2, 3, 0: lengths 1, 2, NULL
    const std::string wide("\x01\x00\x01\0\0\0\0\0\0\0\0\xff\xff", 13);  // 256, 256, 255
    const std::string lengths("\x04\x03\0\0\0\0\0\0\0\0\0\0\x01\0", 14); // 3, 3, 3: two bytes each, as NULL is 0
    const RowBlock some = block(plain + wide + zeros + mixed + zeros + mixed + "abc", 3);
    CHECK(column(some, 0) == std::vector<std::int64_t>{256, 255, 257});
    CHECK(column(some, 1) == std::vector<std::int64_t>{256, 256, 255});
    CHECK((some.number(3, 0) == 1 && some.number(3, 1) == 2 && some.isNull(3, 2)));
    CHECK((some.blob(5, 0) == "a" && some.blob(5, 1) == "bc" && some.isNull(5, 2)));
    const RowBlock equal = block(plain + runs + zeros + zeros + zeros + lengths + "ace" + "bdf", 3);
    CHECK(column(equal, 1) == std::vector<std::int64_t>{3, 4, 5});
    CHECK((equal.blob(5, 0) == "ab" && equal.blob(5, 1) == "cd" && equal.blob(5, 2) == "ef"));
    const std::string rest = zeros + zeros + zeros + zeros + lengths + "abcdef";
    CHECK(block(runs + rest, 3).rows() == 3);
    for (const std::string &wrong : {std::string("\x08\x05\0\0\0\0\0\0\0\xff\x02", 11),       // an unknown bit
                                     std::string("\x04\x03\0\0\0\0\0\0\0\0\0\x01\0\0", 14),   // runs of two rows
                                     std::string("\x04\x03\0\0\0\0\0\0\0\0\0\x01\x02\0", 14), // of four
                                     std::string("\x04\x03\0\0\0\0\0\0\0\0\0\xfc\x01\0", 14), // below 0
                                     std::string("\x00\0\0\0\0\0\0\0\x80\0\0", 11)})          // a first number below 0
      CHECK_THROWS_AS((void)block(wrong + rest, 3), ProfileError);
    // 65,536 rows of one number each, and 256 rows for each byte at most
    const std::string one("\x04\0\0\0\0\0\0\0\0\0\0\0\xfe\xff", 14), all = one + one + one + one + one + one;
    std::string bytes = "\x06";
    appendLittle(bytes, all.size(), 4);
    bytes += deflated(all);
    REQUIRE(bytes.size() < 256);
    CHECK_THROWS_WITH_AS((void)RowBlock(table, bytes, 65536, all.size()),
                         "corrupt rows: a block has more rows than its bytes can say", ProfileError);
  }

  TEST_CASE("damaged blocks are refused, and no change of a byte makes more of them than rows") {
    std::mt19937_64 random(3);
    const auto file = emptyProfile();
    (void)write(*file, random, 40);
    std::string blob;
    std::uint64_t size = 0;
    {
      Query q(*file, "SELECT columns, raw_size FROM packed_rows");
      REQUIRE(q.next());
      blob = q.blobOrNull().value();
      size = q.u64();
    }
    const SchemaTable &table = packedTable("vars_info");
    CHECK(RowBlock(table, blob, 40, size).rows() == 40);
    for (const std::size_t rows : {0, 1, 39, 41, 65537})
      CHECK_THROWS_AS(RowBlock(table, blob, rows, size), ProfileError);
    CHECK_THROWS_AS(RowBlock(table, blob, 40, size + 1), ProfileError);
    CHECK_THROWS_AS(RowBlock(table, blob.substr(0, blob.size() - 1), 40, size), ProfileError);
    CHECK_THROWS_AS(RowBlock(table, blob + "x", 40, size), ProfileError);
    CHECK_THROWS_AS(RowBlock(table, "", 40, size), ProfileError);
    unsigned refused = 0;
    for (unsigned i = 0; i < 3000; ++i) {
      std::string changed = blob;
      changed[random() % changed.size()] ^= static_cast<char>(1 + random() % 255);
      try {
        const RowBlock block(table, changed, 40, size);
        CHECK(block.rows() == 40);
      } catch (const ProfileError &) {
        ++refused;
      }
    }
    CHECK(refused > 2900); // zlib has a checksum
  }
}
