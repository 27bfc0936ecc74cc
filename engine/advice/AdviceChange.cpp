#include "engine/advice/AdviceChange.hpp"

#include "base/EditDistance.hpp"
#include "base/FileErrors.hpp"
#include "base/JsonText.hpp"
#include "base/ReadNumber.hpp"
#include "base/ShownText.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <system_error>

namespace popscope {
namespace {

using Json = nlohmann::ordered_json;
using Kind = AdviceChange::Kind;
constexpr NumberRange kTileNumbers{0, std::numeric_limits<std::uint32_t>::max() - 1};
constexpr std::size_t kMaxTiles = 1U << 20; // maximum number of tiles in one list of a change
constexpr const char *kKindNames[] = {"writeUndef", "moveVariable", "moveVertices", "option"}; // index: Kind

std::string tilesText(const std::vector<TileId> &tiles) {
  std::string text;
  for (std::size_t i = 0; i < tiles.size();) {
    std::size_t end = i + 1;
    while (end < tiles.size() && tiles[end].index() == tiles[end - 1].index() + 1)
      ++end;
    text += (text.empty() ? "" : ",") + std::to_string(tiles[i].index());
    if (end - i > 1)
      text += "-" + std::to_string(tiles[end - 1].index());
    i = end;
  }
  return text;
}

std::string tilesInWords(const std::vector<TileId> &tiles) {
  constexpr std::size_t kShown = 3;
  const std::string all = tilesText(tiles);
  if (tiles.size() <= kShown || all.find(',') == std::string::npos)
    return (tiles.size() == 1 ? "tile " : "tiles ") + all;
  return fmt::format("tiles {},{},{},... ({})", tiles[0].index(), tiles[1].index(), tiles[2].index(), tiles.size());
}

class Reader {
public:
  explicit Reader(const std::string &where) : where_(where) {}

  AdviceChanges read(const Json &all) {
    if (!all.is_array())
      throw wrong("give a JSON array of changes, such as the changes that popscope fit FILE --json prints");
    AdviceChanges changes;
    for (const Json &one : all) {
      ++number_;
      changes.push_back(change(one));
    }
    return changes;
  }

private:
  [[nodiscard]] poplar::invalid_option wrong(const std::string &what) const {
    const std::string which = number_ == 0 ? std::string() : fmt::format("change {}: ", number_);
    return poplar::invalid_option(fmt::format("engine option \"popscope.applyAdvice\"{}: {}{}", where_, which, what));
  }
  const Json &member(const Json &object, const char *key) const {
    const auto found = object.find(key);
    if (found == object.end())
      throw wrong(fmt::format("\"{}\" is missing", key));
    return *found;
  }
  std::string text(const Json &object, const char *key) const {
    const Json &value = member(object, key);
    if (!value.is_string())
      throw wrong(fmt::format("\"{}\" is {}; give a text", key, jsonText(value)));
    return value.get<std::string>();
  }
  std::uint64_t whole(const Json &value, const char *key) const {
    if (!value.is_number_unsigned())
      throw wrong(fmt::format("\"{}\" is {}; give {}", key, jsonText(value), describeRange({})));
    return value.get<std::uint64_t>();
  }
  std::optional<std::uint64_t> occurrence(const Json &object) const {
    const auto found = object.find("occurrence");
    return found == object.end() ? std::nullopt : std::optional(whole(*found, "occurrence"));
  }
  std::vector<TileId> tiles(const Json &object, const char *key) const {
    const std::string list = text(object, key);
    std::string_view rest = list;
    std::vector<TileId> out;
    const auto bad = [&] {
      return wrong(fmt::format("\"{}\" is \"{}\"; give numbers of tiles, such as \"0,5-9\"", key, list));
    };
    do {
      if (!out.empty() && !rest.empty())
        rest.remove_prefix(1); // the comma
      const auto first = takeWhole(rest, kTileNumbers);
      auto last = first;
      if (!rest.empty() && rest[0] == '-') {
        rest.remove_prefix(1);
        last = takeWhole(rest, kTileNumbers);
      }
      if (!first || !last || *last < *first || *last - *first >= kMaxTiles - out.size() ||
          (!rest.empty() && rest[0] != ','))
        throw bad();
      for (std::uint64_t t = *first; t <= *last; ++t)
        out.emplace_back(static_cast<std::uint32_t>(t));
      if (rest == ",")
        throw bad();
    } while (!rest.empty());
    return out;
  }
  std::vector<MappedRange> mapping(const Json &rows) const {
    std::vector<MappedRange> out;
    const auto fits = [](const Json &row) {
      return row.is_array() && row.size() == 3 && row[0].is_number_unsigned() && row[1].is_number_unsigned() &&
             row[2].is_number_unsigned() && row[2].get<std::uint64_t>() <= kTileNumbers.max;
    };
    for (const Json &row : rows) {
      if (!fits(row))
        throw wrong(fmt::format("\"mapping\" has {}; give [first element, one past the last, tile]", jsonText(row)));
      out.push_back({row[0].get<std::uint64_t>(), row[1].get<std::uint64_t>(),
                     TileId(static_cast<std::uint32_t>(row[2].get<std::uint64_t>()))});
      if (out.back().begin >= out.back().end || (out.size() > 1 && out[out.size() - 2].end > out.back().begin))
        throw wrong(fmt::format("\"mapping\" has {}, which is empty or begins before the end of the previous interval",
                                jsonText(row)));
    }
    return out;
  }
  void checkKeys(const Json &object, const std::vector<std::string> &known) const {
    for (const auto &entry : object.items())
      if (std::find(known.begin(), known.end(), entry.key()) == known.end())
        throw wrong(fmt::format("\"{}\" is not known.{}", entry.key(), didYouMean(entry.key(), known)));
  }

  // Reads one change. The kind of the change determines which members are required and which are allowed.
  AdviceChange change(const Json &one) {
    if (!one.is_object())
      throw wrong(fmt::format("it is {}; give an object with a \"kind\"", jsonText(one)));
    const std::string kind = text(one, "kind");
    const auto *const at = std::find(std::begin(kKindNames), std::end(kKindNames), kind);
    if (at == std::end(kKindNames))
      throw wrong(fmt::format("\"kind\" is \"{}\"; give writeUndef, moveVariable, moveVertices or option", kind));
    AdviceChange c;
    c.kind = static_cast<Kind>(at - std::begin(kKindNames));
    c.occurrence = occurrence(one);
    switch (c.kind) {
    case Kind::WriteUndef: {
      checkKeys(one, {"kind", "variable", "occurrence", "before"});
      c.name = text(one, "variable");
      const Json &before = member(one, "before");
      if (!before.is_object())
        throw wrong("\"before\" is no object with \"kind\" and \"name\"");
      checkKeys(before, {"kind", "name", "occurrence"});
      c.beforeKind = text(before, "kind");
      c.beforeName = text(before, "name");
      c.beforeOccurrence = occurrence(before).value_or(0);
      break;
    }
    case Kind::MoveVariable:
      checkKeys(one, {"kind", "variable", "occurrence", "from", "to", "mapping"});
      c.name = text(one, "variable");
      if (one.contains("mapping"))
        c.mapping = mapping(one["mapping"]);
      else
        readTiles(one, c);
      break;
    case Kind::MoveVertices:
      checkKeys(one, {"kind", "computeSet", "occurrence", "from", "to"});
      c.name = text(one, "computeSet");
      readTiles(one, c);
      break;
    case Kind::Option:
      checkKeys(one, {"kind", "option", "value"});
      c.name = text(one, "option");
      c.value = text(one, "value");
    }
    return c;
  }
  void readTiles(const Json &one, AdviceChange &c) const {
    c.from = tiles(one, "from");
    c.to = tiles(one, "to");
  }

  std::string where_;
  std::size_t number_ = 0;
};

} // namespace

AdviceChanges readAdviceChanges(const std::string &textOrPath) {
  const std::size_t first = textOrPath.find_first_not_of(" \t\r\n");
  std::string json = textOrPath, where;
  if (first == std::string::npos)
    return {};
  if (textOrPath[first] != '[') {
    where = fmt::format(", file \"{}\"", textOrPath);
    try {
      json = contentsOf(textOrPath);
    } catch (const std::system_error &e) {
      throw poplar::invalid_option(
          fmt::format("engine option \"popscope.applyAdvice\": \"{}\" is no JSON array, and no "
                      "file of that name can be read: {}",
                      textOrPath, e.code().message()));
    }
  }
  try {
    return Reader(where).read(orderedJsonOrThrow(json));
  } catch (const JsonError &e) {
    throw poplar::invalid_option(fmt::format("engine option \"popscope.applyAdvice\"{}: {}", where, e.what()));
  }
}

std::string toJson(const AdviceChanges &changes) {
  Json all = Json::array();
  for (const AdviceChange &c : changes) {
    Json one;
    one["kind"] = kKindNames[static_cast<std::size_t>(c.kind)];
    one[c.kind == Kind::MoveVertices ? "computeSet" : c.kind == Kind::Option ? "option" : "variable"] = c.name;
    if (c.occurrence)
      one["occurrence"] = *c.occurrence;
    if (c.kind == Kind::WriteUndef) {
      Json before = {{"kind", c.beforeKind}, {"name", c.beforeName}};
      if (c.beforeOccurrence != 0)
        before["occurrence"] = c.beforeOccurrence;
      one["before"] = before;
    } else if (c.kind == Kind::Option) {
      one["value"] = c.value;
    } else if (!c.mapping.empty()) {
      for (const MappedRange &r : c.mapping)
        one["mapping"].push_back({r.begin, r.end, r.tile.index()});
    } else {
      one["from"] = tilesText(c.from);
      one["to"] = tilesText(c.to);
    }
    all.push_back(std::move(one));
  }
  return jsonText(all);
}

std::string describe(const AdviceChange &c) {
  // The text of several changes has one line per change, so a name must not contain a line end.
  const std::string name = shownText(c.name);
  const std::string which = c.occurrence ? fmt::format(" (no. {})", *c.occurrence) : "";
  switch (c.kind) {
  case Kind::WriteUndef:
    return fmt::format("WriteUndef(\"{}\"{}) before {}\"{}\"{}", name, which,
                       c.beforeKind == "source" ? "" : c.beforeKind + " ", shownText(c.beforeName),
                       c.beforeOccurrence != 0 ? fmt::format(" (no. {})", c.beforeOccurrence) : "");
  case Kind::MoveVariable:
    if (!c.mapping.empty())
      return fmt::format("map \"{}\"{} anew, in {} range{}", name, which, c.mapping.size(),
                         c.mapping.size() == 1 ? "" : "s");
    return fmt::format("move \"{}\"{} from {} to {}", name, which, tilesInWords(c.from), tilesInWords(c.to));
  case Kind::MoveVertices:
    return fmt::format("move vertices \"{}\"{} from {} to {}", name, which, tilesInWords(c.from), tilesInWords(c.to));
  case Kind::Option: return fmt::format("engine option {} = {}", name, c.value.empty() ? "\"\"" : shownText(c.value));
  }
  return "";
}

} // namespace popscope
