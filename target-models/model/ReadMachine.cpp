// Reads a TileMachine from JSON and writes it. Every mistake is reported with the JSON path of the value.
#include "base/EditDistance.hpp"
#include "base/JsonText.hpp"
#include "target-models/model/MachineData.hpp"
#include "target-models/model/MachineFields.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

using Json = nlohmann::json;

/// The names of an enumeration's values in files, in their order.
template <class T> struct Names;
template <> struct Names<RegionKind> {
  static constexpr const char *kKind = "region kind", *kAll[] = {"nonInterleaved", "interleaved", "overflowed"};
};
template <> struct Names<StackRule> {
  static constexpr const char *kKind = "stack rule", *kAll[] = {"own", "fixed", "linked"};
};
template <> struct Names<OpeningRule> {
  static constexpr const char *kKind = "opening rule", *kAll[] = {"two", "byPrograms"};
};
template <> struct Names<StreamOrder> {
  static constexpr const char *kKind = "stream order", *kAll[] = {"host", "tiles"};
};
template <> struct Names<OneWordMessages> {
  static constexpr const char *kKind = "rule of one-word messages", *kAll[] = {"twoCycles", "oneCycle"};
};
template <> struct Names<SharedBus> {
  static constexpr const char *kKind = "rule of shared buses", *kAll[] = {"whole", "messages"};
};
template <> struct Names<RenamingCopies> {
  static constexpr const char *kKind = "rule of renaming copies", *kAll[] = {"copied", "gone"};
};
template <> struct Names<ReceivedPieces> {
  static constexpr const char *kKind = "rule of received pieces", *kAll[] = {"inPlace", "asSent"};
};
template <class T>
concept Named = requires {
  Names<T>::kAll;
};

/// Reads one JSON object. `path` is its JSON pointer, "" for the whole text.
class Reader {
public:
  Reader(const Json &object, std::string where, std::string path, std::string missing)
      : object_(object), where_(std::move(where)), path_(std::move(path)), missing_(std::move(missing)) {
    if (!object_.is_object())
      fail(path_, "expected an object");
  }
  void operator()(const char *key, std::uint32_t &value) {
    const Json &json = member(key);
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > 0xffffffffu)
      fail(at(key), fmt::format("expected a whole number from 0 to 4294967295, found {}", jsonText(json)));
    value = json.get<std::uint32_t>();
  }
  void operator()(const char *key, double &value) {
    const Json &json = member(key);
    if (!json.is_number() || json.get<double>() < 0)
      fail(at(key), fmt::format("expected a number that is not negative, found {}", jsonText(json)));
    value = json.get<double>();
  }
  void operator()(const char *key, bool &value) {
    const Json &json = member(key);
    if (!json.is_boolean())
      fail(at(key), fmt::format("expected true or false, found {}", jsonText(json)));
    value = json.get<bool>();
  }
  void operator()(const char *key, std::string &value) {
    const Json &json = member(key);
    if (!json.is_string())
      fail(at(key), fmt::format("expected a string, found {}", jsonText(json)));
    value = json.get<std::string>();
  }
  template <Named T> void operator()(const char *key, T &value) {
    constexpr const auto &kAll = Names<T>::kAll;
    std::string name;
    (*this)(key, name);
    const auto it = std::find(std::begin(kAll), std::end(kAll), name);
    if (it == std::end(kAll))
      fail(at(key), fmt::format("unknown {} \"{}\"; write {}", Names<T>::kKind, name, choice<T>()));
    value = static_cast<T>(it - std::begin(kAll));
  }
  template <class T> void operator()(const char *key, std::vector<T> &list) {
    const Json &json = member(key);
    if (!json.is_array())
      fail(at(key), fmt::format("expected an array, found {}", jsonText(json)));
    list.assign(json.size(), T());
    for (std::size_t i = 0; i < json.size(); ++i)
      readObject(json[i], fmt::format("{}/{}", at(key), i), list[i]);
  }
  template <class T> void operator()(const char *key, T &object) { readObject(member(key), at(key), object); }

  /// Reports members that no field has read: such members are misspelt. Call refuseOthers() after all fields are read.
  void refuseOthers(const std::vector<std::string> &alsoAllowed) const {
    std::vector<std::string> known = known_;
    known.insert(known.end(), alsoAllowed.begin(), alsoAllowed.end());
    for (const auto &item : object_.items())
      if (std::find(known.begin(), known.end(), item.key()) == known.end())
        fail(path_ + "/" + item.key(), "unknown field." + didYouMean(item.key(), known));
  }

private:
  template <class T> void readObject(const Json &json, const std::string &path, T &object) const {
    Reader reader(json, where_, path, missing_);
    visitFields(reader, object);
    reader.refuseOthers({});
  }
  /// Returns, for example, "own, fixed or linked"; no machine file has an overflowed region.
  template <class T> static std::string choice() {
    std::string text;
    const std::size_t count = std::size(Names<T>::kAll) - (std::same_as<T, RegionKind> ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i)
      text += std::string(i == 0 ? "" : i + 1 == count ? " or " : ", ") + Names<T>::kAll[i];
    return text;
  }
  std::string at(const char *key) const { return path_ + "/" + key; }
  const Json &member(const char *key) {
    known_.emplace_back(key);
    const auto it = object_.find(key);
    if (it == object_.end())
      fail(at(key), missing_);
    return *it;
  }
  [[noreturn]] void fail(const std::string &path, const std::string &what) const {
    throw poplar::invalid_machine_model(fmt::format("{}: {}: {}", where_, path.empty() ? "/" : path, what));
  }

  const Json &object_;
  std::string where_, path_, missing_; // missing_: the message for a missing field
  std::vector<std::string> known_;
};

class Writer {
public:
  explicit Writer(Json &object) : object_(object) { object_ = Json::object(); }
  template <class T> void operator()(const char *key, const T &value) {
    if constexpr (requires(Writer & w) { visitFields(w, value); }) {
      Writer inner(object_[key]);
      visitFields(inner, value);
    } else
      object_[key] = value;
  }
  template <Named T> void operator()(const char *key, const T &value) {
    object_[key] = Names<T>::kAll[static_cast<std::size_t>(value)];
  }
  template <class T> void operator()(const char *key, const std::vector<T> &list) {
    Json &array = object_[key] = Json::array();
    for (const T &entry : list) {
      Writer inner(array.emplace_back());
      visitFields(inner, entry);
    }
  }

private:
  Json &object_;
};

constexpr const char *kShared = "runtime";
// Members of the built-in files that describe an architecture and not a machine (Architectures.hpp).
constexpr const char *kOfArchitectures[] = {"architectureVersion", "systems"};

Json parseText(std::string_view text, const std::string &where) {
  try {
    return jsonOrThrow(text);
  } catch (const JsonError &e) {
    throw poplar::invalid_machine_model(where + ": " + e.what());
  }
}

[[noreturn]] void unknownMachine(const std::string &name, const std::string &prefix,
                                 const std::vector<std::string> &known) {
  throw poplar::invalid_machine_model(fmt::format("{}unknown machine \"{}\"; known are {}.{}", prefix, name,
                                                  fmt::join(known, ", "), didYouMean(name, known)));
}

Json resolveBase(Json json, const std::string &where);

Json builtIn(const MachineData &data) {
  Json json = resolveBase(parseText(data.json, std::string(data.name)), std::string(data.name));
  for (const char *key : kOfArchitectures)
    json.erase(key);
  return json;
}

/// Returns the text merged over all of its bases.
Json resolveBase(Json json, const std::string &where) {
  if (!json.is_object() || !json.contains("base"))
    return json;
  const Json base = json["base"];
  const std::string name = base.is_string() ? base.get<std::string>() : jsonText(base);
  const auto data = machineData();
  const auto it = std::find_if(data.begin(), data.end(), [&](const MachineData &d) { return d.name == name; });
  if (it == data.end()) {
    std::vector<std::string> known = tileMachineNames();
    std::erase(known, "cpu"); // a file describes an IPU
    unknownMachine(name, where + ": /base: ", known);
  }
  Json merged = builtIn(*it);
  json.erase("base");
  merged.merge_patch(json);
  return merged;
}

/// Sorts rows by name. Throws if two rows have the same name.
template <class Row> void sortByName(std::vector<Row> &rows, const std::string &where, const char *list) {
  std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) { return a.name < b.name; });
  const auto twice =
      std::adjacent_find(rows.begin(), rows.end(), [](const Row &a, const Row &b) { return a.name == b.name; });
  if (twice != rows.end())
    throw poplar::invalid_machine_model(
        fmt::format("{}: /{}: lists \"{}\" twice; keep one of the rows", where, list, twice->name));
}

TileMachine readMachine(const Json &json, const std::string &where, const std::string &missing = "missing") {
  TileMachine machine;
  Reader reader(json, where, "", missing);
  visitFields(reader, machine);
  reader.refuseOthers({"sources", "description"});
  if (machine.architecture == "cpu")
    machine.kind = DeviceKind::Cpu;
  sortByName(machine.library, where, "library");
  sortByName(machine.vertexCode, where, "vertexCode");
  try {
    validateTileMachine(machine); // first, because a bad value may request billions of elements
  } catch (const poplar::invalid_machine_model &e) {
    throw poplar::invalid_machine_model(where + ": " + e.what());
  }
  placeMemoryElements(machine);
  return machine;
}

} // namespace

TileMachine parseTileMachine(const std::string &text, const std::string &where) {
  const Json json = parseText(text, where);
  const bool hasBase = json.is_object() && json.contains("base");
  return readMachine(
      resolveBase(json, where), where,
      hasBase
          ? "missing"
          : "missing; name every field, or begin with \"base\": \"ipu2\" (or another machine) and name what differs");
}

TileMachine loadTileMachine(const std::string &name) {
  for (const MachineData &data : machineData())
    if (data.name == name && name != kShared)
      return readMachine(builtIn(data), "built-in machine " + name);
  unknownMachine(name, "", tileMachineNames());
}

std::vector<std::string> tileMachineNames() {
  std::vector<std::string> names;
  for (const MachineData &data : machineData())
    if (data.name != kShared)
      names.emplace_back(data.name);
  return names;
}

std::string tileMachineToJson(const TileMachine &machine) {
  Json json;
  Writer writer(json);
  visitFields(writer, machine);
  return jsonText(json);
}

} // namespace popscope
