// The archive: values that were written are read back, and invalid bytes are refused with their position.
#include "graph/ir/Archive.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace popscope;

namespace {

enum class Colour : std::uint8_t { Red, Green };

struct Row {
  std::uint16_t small = 0;
  std::int64_t large = 0;
  bool flag = false;
  Colour colour = Colour::Red;
  NameId name;
  Bytes size;
  std::string text;
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::map<std::string, std::uint32_t> map;
  std::array<std::int8_t, 3> three{};
  std::pair<TileId, std::uint8_t> pair;
  friend bool operator==(const Row &, const Row &) = default;
};

Row sample() {
  return {7,           -3,        true,        Colour::Green,        NameId(4),  Bytes(1000),
          "some text", {0.5, -1}, {"", "two"}, {{"k", 1}, {"l", 2}}, {1, -2, 3}, {TileId(), 9}};
}

template <class T> std::string bytesOf(const T &value) {
  ArchiveWriter out;
  transfer(out, written(value));
  return out.out;
}
template <class T> T read(const std::string &bytes) {
  ArchiveReader in(bytes);
  T value{};
  transfer(in, value);
  in.requireEnd();
  return value;
}
template <class F> std::string errorOf(const F &f) {
  try {
    f();
  } catch (const ArchiveError &e) {
    return e.what();
  }
  return "no error";
}

/// A type with the same layout in memory and in the file.
struct Dense {
  std::uint32_t a = 0;
  NameId b;
  Bytes c{0};
  friend bool operator==(const Dense &, const Dense &) = default;
};
/// Four bytes of padding between its members are not in the file.
struct Padded {
  std::uint32_t a = 0;
  std::uint64_t b = 0;
  Dense c;
  friend bool operator==(const Padded &, const Padded &) = default;
};
/// Has the same layout in memory as in the file, but the reader checks the truth value.
struct Judged {
  std::uint8_t a = 0;
  bool b = false;
  friend bool operator==(const Judged &, const Judged &) = default;
};

} // namespace

TEST_SUITE("base.archive") {

  TEST_CASE("rows taken as they lie in memory have the bytes of their members, one by one") {
    const std::vector<Dense> dense = {{1, NameId(2), Bytes(3)}, {~0u, NameId(), Bytes(std::uint64_t(1) << 40)}};
    std::string expected = bytesOf(std::uint64_t(2));
    for (const Dense &row : dense)
      expected += bytesOf(row.a) + bytesOf(row.b) + bytesOf(row.c);
    CHECK(bytesOf(dense) == expected);
    CHECK(read<std::vector<Dense>>(expected) == dense);
    const std::vector<Padded> padded = {{1, 2, dense[0]}, {3, 4, dense[1]}, {5, 6, {}}};
    expected = bytesOf(std::uint64_t(3));
    for (const Padded &row : padded)
      expected += bytesOf(row.a) + bytesOf(row.b) + bytesOf(row.c);
    CHECK(expected.size() == 8 + 3 * 28);
    CHECK(bytesOf(padded) == expected);
    CHECK(read<std::vector<Padded>>(expected) == padded);
    const std::vector<Judged> judged = {{7, true}, {9, false}};
    std::string bytes = bytesOf(judged);
    CHECK(read<std::vector<Judged>>(bytes) == judged);
    bytes.back() = 2;
    CHECK(errorOf([&] { (void)read<std::vector<Judged>>(bytes); }) ==
          "at byte 11, a truth value is 2, the largest possible value 1");
    // The reader compares a count with the whole size of a row.
    CHECK_THROWS_AS(read<std::vector<Dense>>(bytesOf(std::uint64_t(2)) + std::string(31, 'x')), ArchiveError);
  }

  TEST_CASE("an aggregate with a member of each kind comes back, and its bytes again") {
    const std::string bytes = bytesOf(sample());
    CHECK(read<Row>(bytes) == sample());
    CHECK(bytesOf(read<Row>(bytes)) == bytes);
    // Numbers as wide as their type, counts of 8 bytes: 2 + 8 + 1 + 1 + 4 + 8, then the sequences.
    CHECK(bytes.size() == 24 + (8 + 9) + (8 + 2 * 8) + (8 + 8 + 8 + 3) + (8 + 2 * (8 + 1 + 4)) + 3 + 5);
    CHECK(bytes.substr(0, 4) == std::string("\x07\x00\xfd\xff", 4));
  }

  TEST_CASE("no prefix is read, and no changed byte does anything but throw or give a value") {
    const std::string good = bytesOf(sample());
    for (std::size_t n = 0; n < good.size(); ++n)
      CHECK_THROWS_AS(read<Row>(good.substr(0, n)), ArchiveError);
    CHECK_THROWS_AS(read<Row>(good + "x"), ArchiveError);
    for (std::size_t at = 0; at < good.size(); ++at)
      for (const int flip : {0x01, 0x80, 0xff}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ flip);
        try {
          (void)read<Row>(bad);
        } catch (const ArchiveError &) {
        }
      }
  }

  TEST_CASE("a count beyond what is left is refused before memory is asked for it") {
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t n : {std::uint64_t(3), std::uint64_t(1) << 40, most}) {
      const std::string bytes = bytesOf(n) + std::string(16, '\0');
      CHECK_THROWS_AS(read<std::vector<double>>(bytes), ArchiveError);
      CHECK(errorOf([&] { (void)read<std::vector<double>>(bytes); }) ==
            "at byte 0, a count of elements is " + std::to_string(n) + ", the largest possible value 2");
    }
    // Elements that are larger in memory than in the file: the count may be valid, so the bytes that are read decide.
    struct Wide {
      std::vector<std::string> a, b, c, d;
    };
    CHECK_THROWS_AS(read<std::vector<Wide>>(bytesOf(std::uint64_t(1) << 20) + std::string(1 << 20, '\x7f')),
                    ArchiveError);
  }

  TEST_CASE("an error says at which byte what is wrong") {
    CHECK(errorOf([] { (void)read<std::uint32_t>("abc"); }) == "at byte 0, 4 bytes are expected and 3 are left");
    CHECK(errorOf([] { (void)read<std::uint8_t>("abc"); }) == "at byte 1, 2 bytes follow the end");
    CHECK(errorOf([] { (void)read<bool>("\x02"); }) == "at byte 0, a truth value is 2, the largest possible value 1");
    const std::vector<std::pair<std::uint8_t, std::uint8_t>> twice{{1, 2}, {1, 3}};
    CHECK(errorOf([&] { (void)read<std::map<std::uint8_t, std::uint8_t>>(bytesOf(twice)); }) ==
          "at byte 12, the same key occurs twice");
    const std::vector<std::string> names{"a", "a"};
    CHECK(errorOf([&] { (void)read<StringTable>(bytesOf(names)); }) == "at byte 26, the same name occurs twice");
  }

  TEST_CASE("limits and ids are checked when reading, and name what they are of") {
    const auto upTo = [](std::uint64_t limit) {
      const std::string bytes = bytesOf(std::uint16_t(5));
      ArchiveReader in(bytes);
      std::uint16_t n = 0;
      transferUpTo(in, n, limit, "a number");
      return n;
    };
    CHECK(upTo(5) == 5);
    CHECK(errorOf([&] { (void)upTo(4); }) == "at byte 0, a number is 5, the largest possible value 4");
    const auto id = [](TileId tile, bool mayBeNone) {
      const std::string bytes = bytesOf(tile);
      ArchiveReader in(bytes);
      if (mayBeNone)
        transferIdOrNone(in, tile, 3, "a tile");
      else
        transferId(in, tile, 3, "a tile");
      return tile;
    };
    CHECK(id(TileId(2), false) == TileId(2));
    CHECK(id(TileId(), true) == TileId());
    CHECK(errorOf([&] { (void)id(TileId(), false); }) == "at byte 0, a tile is missing");
    CHECK(errorOf([&] { (void)id(TileId(3), true); }) == "at byte 0, a tile is 3; there are 3");
  }

  TEST_CASE("foreign files and other versions are refused by name") {
    ArchiveWriter out;
    transferMagic(out, "MAGIC", "");
    transferVersion(out, std::uint32_t(3));
    const auto readAs = [&](const char *magic, std::uint32_t version) {
      ArchiveReader in(out.out);
      transferMagic(in, magic, "no such file");
      transferVersion(in, version);
      in.requireEnd();
    };
    CHECK(errorOf([&] { readAs("MAGIC", 3); }) == "no error");
    CHECK(errorOf([&] { readAs("OTHER", 3); }) == "no such file");
    CHECK(errorOf([&] { readAs("LONGER THAN ALL", 3); }) == "no such file");
    CHECK(errorOf([&] { readAs("MAGIC", 4); }) == "its format has version 3, this library reads version 4");
  }
}
