#include "report/whatif/MachineChange.hpp"

#include "base/CommaList.hpp"
#include "base/EditDistance.hpp"
#include "base/Environment.hpp"
#include "base/FileErrors.hpp"
#include "base/JsonText.hpp"
#include "base/ReadNumber.hpp"
#include "target-models/model/Architectures.hpp"
#include "target-models/model/CustomMachine.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

namespace popscope {
namespace {

using Json = nlohmann::json;

TileMachine parseOr(const std::string &json, const std::string &where,
                    TileMachine (*parse)(const std::string &, const std::string &)) {
  try {
    return parse(json, where);
  } catch (const std::exception &e) {
    throw AnswerError(e.what());
  }
}

std::string readMachineFile(const std::string &path) {
  try {
    return contentsOf(path);
  } catch (const std::system_error &e) {
    throw AnswerError("--machine: cannot read '" + path + "': " + e.code().message() + "; give " +
                      architectureNames(false, "or") + ", or the path of a JSON file (docs/MACHINES.md)");
  }
}

/// Returns a built-in machine or the machine of a file, adapted to the recorded program. The result is a device if a
/// device was recorded. The size and the choices of compilation are the recorded ones unless the file states them.
TileMachine namedMachine(const std::string &name, const TileMachine &recorded) {
  const std::string text = isIpuArchitecture(name) ? jsonText(Json{{"base", name}}) : readMachineFile(homePath(name));
  TileMachine machine = parseOr(text, name, parseCustomMachine);
  const Json given = jsonOrThrow(text);
  const auto keep = [&](const char *field, auto TileMachine::*member) {
    if (!given.contains(field))
      machine.*member = recorded.*member;
  };
  keep("numIpus", &TileMachine::numIpus);
  keep("tilesPerIpu", &TileMachine::tilesPerIpu);
  keep("accurateHalf", &TileMachine::accurateHalf);
  keep("stack", &TileMachine::stack);
  keep("dataStartOffset", &TileMachine::dataStartOffset);
  machine.kind = recorded.kind;
  machine.compileIpuCode = recorded.compileIpuCode;
  if (machine.kind == DeviceKind::Ipu)
    becomeDevice(machine);
  return machine;
}

/// Throws AnswerError if the program does not fit on the IPUs of the machine, or on the tiles of each IPU.
void refuseSmallerMachine(const TileMachine &machine, const TileMachine &recorded) {
  if (machine.tilesPerIpu >= recorded.tilesPerIpu && machine.numIpus >= recorded.numIpus)
    return;
  const auto size = [](const TileMachine &m) {
    return std::to_string(m.numIpus) + " x " + std::to_string(m.tilesPerIpu);
  };
  throw AnswerError("the program was compiled for " + size(recorded) + " tiles and the chosen machine has " +
                    size(machine) +
                    "; give a machine with at least as many IPUs and tiles per IPU (numIpus, tilesPerIpu), or compile "
                    "the program for the smaller machine (POPSCOPE_MACHINE=FILE)");
}

/// Reads a number of bytes in a form such as 524288, 512K or 1M.
std::uint32_t readBytes(const std::string &flag, const std::string &text) {
  std::string digits = text;
  std::uint64_t unit = 1;
  if (!digits.empty() && (digits.back() == 'K' || digits.back() == 'M')) {
    unit = digits.back() == 'K' ? 1024 : 1024 * 1024;
    digits.pop_back();
  }
  const auto number = readWhole(digits, {1, 0xffffffffU / unit});
  if (!number)
    throw AnswerError(flag + ": \"" + text +
                      "\" is no number of bytes up to 4294967295; give a number such as 524288, 512K or 1M");
  return static_cast<std::uint32_t>(*number * unit);
}

std::uint32_t readCount(const std::string &flag, const std::string &text, NumberRange range) {
  const auto number = readWhole(text, range);
  if (!number)
    throw AnswerError(flag + ": \"" + text + "\" is not " + describeRange(range));
  return static_cast<std::uint32_t>(*number);
}

/// Returns the value in the type of the field: a number, true or false, otherwise text.
Json valueLike(const Json &field, const std::string &path, const std::string &value) {
  const Json parsed = jsonOf(value);
  if (parsed.is_discarded() || parsed.is_structured())
    return value;
  if (field.is_number() && !parsed.is_number())
    throw AnswerError("machine field " + path + ": \"" + value + "\" is no number");
  return field.is_string() ? Json(value) : parsed;
}

std::string pointerOf(const std::string &path) { return path.starts_with('/') ? path : "/" + path; }

/// Returns the machine with a field of --set. On a device, fields of /device replace fields of /host and /exchange.
TileMachine withSetField(const TileMachine &machine, const std::string &path, const std::string &value) {
  TileMachine changed = withField(machine, path, value);
  if (changed.kind != DeviceKind::Ipu || (changed.device == machine.device && changed.device.hostBytesPerCycle == 0))
    return changed;
  if (changed.device.hostBytesPerCycle == 0)
    throw AnswerError("--set: /device/hostBytesPerCycle is 0, with which a device has the values of the model; the "
                      "profile does not contain these values, so set the fields of /host and /exchange instead");
  becomeDevice(changed);
  return changed;
}

std::vector<std::string> namesOf(const std::map<std::string, std::string> &fields) {
  std::vector<std::string> names;
  for (const auto &[path, value] : fields)
    names.push_back(path);
  return names;
}
} // namespace

TileMachine withField(const TileMachine &machine, const std::string &path, const std::string &value) {
  Json json = jsonOrThrow(tileMachineToJson(machine));
  const std::string pointer = pointerOf(path);
  Json *field = nullptr;
  try {
    const Json::json_pointer at(pointer);
    if (json.contains(at))
      field = &json[at];
  } catch (const Json::exception &) {
  }
  if (field == nullptr || field->is_structured())
    throw AnswerError("a machine has no field " + pointer + "; docs/MACHINES.md lists them." +
                      didYouMean(pointer, namesOf(machineFields(machine))));
  *field = valueLike(*field, pointer, value);
  TileMachine changed = parseOr(jsonText(json), "the other machine", parseTileMachine);
  changed.kind = machine.kind;
  changed.compileIpuCode = machine.compileIpuCode;
  return changed;
}

std::string fieldInEffect(const TileMachine &machine, const std::string &path) {
  static const std::map<std::string, std::string> replacements{
      {"/host/bytesPerCycle", "/device/hostBytesPerCycle"},
      {"/host/setupCycles", "/device/hostSetupCycles"},
      {"/host/beginCycles", "/device/hostBeginCycles"},
      {"/host/endCycles", "/device/hostEndCycles"},
      {"/exchange/minLatencyCycles", "/device/minExchangeLatencyCycles"},
      {"/exchange/maxLatencyCycles", "/device/maxExchangeLatencyCycles"}};
  const auto at = replacements.find(path);
  const bool replaces = machine.kind == DeviceKind::Ipu && machine.device.hostBytesPerCycle != 0;
  return replaces && at != replacements.end() ? at->second : path;
}

// Starts with the named or the recorded machine, then applies the single flags and last the fields of --set. The result
// is validated, and must be large enough for the program.
TileMachine machineOf(const Request &request, const TileMachine &recorded, std::vector<std::string> &notes) {
  const auto asked = [&](const char *name) -> const std::string & { return request.options.at(name); };
  std::set<std::string> fields; // the fields that have a new value
  const auto sets = [&](const char *flag, const char *field) {
    return !asked(flag).empty() && fields.insert(field).second;
  };
  TileMachine machine = asked("machine").empty() ? recorded : namedMachine(asked("machine"), recorded);
  if (sets("tile-memory", "/bytesPerTile")) {
    try {
      setTileMemory(machine, readBytes("--tile-memory", asked("tile-memory")));
      validateTileMachine(machine);
    } catch (const AnswerError &) {
      throw;
    } catch (const std::exception &e) {
      throw AnswerError(std::string("--tile-memory: ") + e.what());
    }
  }
  if (sets("clock", "/clockHz")) {
    const auto hertz = readReal(asked("clock"));
    if (!hertz || *hertz <= 0)
      throw AnswerError("--clock: \"" + asked("clock") + "\" is no number of Hz above 0; give a number such as 1.85e9");
    machine.clockHz = *hertz;
  }
  if (sets("workers", "/workerContexts"))
    machine.workerContexts = readCount("--workers", asked("workers"), {1, 256});
  if (sets("exchange-bytes-per-cycle", "/exchange/bytesPerCycle"))
    machine.exchange.bytesPerCycle =
        readCount("--exchange-bytes-per-cycle", asked("exchange-bytes-per-cycle"), {1, 1U << 20});
  if (sets("sync-delay", "/sync/minDelayCycles")) {
    const std::uint32_t way = machine.sync.maxDelayCycles - machine.sync.minDelayCycles;
    machine.sync.minDelayCycles = readCount("--sync-delay", asked("sync-delay"), {0, 1U << 30});
    machine.sync.maxDelayCycles = machine.sync.minDelayCycles + way;
  }
  for (const std::string &pair : commaList(asked("set"))) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos)
      throw AnswerError("--set: \"" + pair + "\" is not FIELD=VALUE, such as exchange/perMessageCycles=2");
    const std::string path = pair.substr(0, equals);
    machine = withSetField(machine, path, pair.substr(equals + 1));
    const std::string pointer = pointerOf(path), used = fieldInEffect(machine, pointer);
    if (!fields.insert(pointer).second)
      throw AnswerError("--set: " + pointer + " has two values; give one");
    if (used != pointer)
      notes.push_back("the value of " + pointer + " has no effect: " + used + " replaces this field on a device; set " +
                      used.substr(1) + " instead");
  }
  try {
    validateTileMachine(machine);
  } catch (const std::exception &e) {
    throw AnswerError(e.what());
  }
  refuseSmallerMachine(machine, recorded);
  return machine;
}

bool isCosted(const std::string &path, const TileMachine &recorded) {
  static constexpr std::array kCosted{"/workerContexts",
                                      "/tilesPerIpu",
                                      "/bytesPerTile",
                                      "/clockHz",
                                      "/regions/",
                                      "/sync/",
                                      "/exchange/bytesPerCycle",
                                      "/exchange/busSharing",
                                      "/exchange/minLatencyCycles",
                                      "/exchange/maxLatencyCycles",
                                      "/exchange/latencyExponent",
                                      "/exchange/perMessageCycles",
                                      "/host/bytesPerCycle",
                                      "/host/singlePacketBytesPerCycle",
                                      "/host/setupCycles",
                                      "/host/maxPacketBytes",
                                      "/link/bytesPerCycle",
                                      "/link/setupCycles",
                                      "/link/latencyCycles",
                                      "/link/constraints",
                                      "/device/"};
  if (path == "/host/beginCycles" || path == "/host/endCycles") // otherwise, no recorded copy waits for the host
    return recorded.host.beginCycles != 0 || recorded.host.endCycles != 0;
  return std::any_of(kCosted.begin(), kCosted.end(), [&](const char *prefix) { return path.starts_with(prefix); });
}

} // namespace popscope
