#include "base/Check.hpp"
#include "base/EditDistance.hpp"
#include "base/Half.hpp"
#include "base/PublicTypes.hpp"
#include "target-models/model/Architectures.hpp"
#include "target-models/model/CustomMachine.hpp"
#include "target-models/model/TargetData.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

std::string identityOf(const TargetData &data) {
  const TileMachine &m = data.machine;
  std::string constraints;
  for (const auto &c : data.constraints) {
    constraints += fmt::format("{:a}:", c.bandwidth);
    for (const auto &flow : c.flows)
      constraints += fmt::format("{}>{},", flow.src, flow.dst);
  }
  std::string options;
  for (const auto &option : data.options.flags)
    options += option.first + "=" + option.second + ";";
  return fmt::format("{}|{}|{}|{}|{}|{}|{}", static_cast<int>(m.kind), m.compileIpuCode, data.system, options,
                     constraints, m.numIpus, tileMachineToJson(m));
}

std::vector<poplar::GlobalExchangeConstraint> publicConstraints(const LinkModel &link) {
  std::vector<poplar::GlobalExchangeConstraint> constraints;
  for (const LinkConstraint &c : link.constraints) {
    poplar::GlobalExchangeConstraint constraint(c.bitsPerSecond, {});
    for (const LinkFlow &flow : c.flows)
      constraint.flows.emplace_back(flow.source, flow.destination);
    constraints.push_back(constraint);
  }
  return constraints;
}

} // namespace

const TileMachine &machineOf(const poplar::Target &target) { return TargetAccess::data(target).machine; }

poplar::Target makeTarget(TileMachine machine, const std::string &system, const poplar::OptionFlags &options) {
  validateTileMachine(machine);
  auto data = std::make_shared<TargetData>();
  data->system = system.empty() ? machine.architecture : system;
  data->options = parseTargetOptions(options);
  data->constraints = publicConstraints(machine.link);
  data->machine = std::move(machine);
  data->identity = identityOf(*data);
  return TargetAccess::make(std::move(data));
}

namespace {
/// Returns whether `name` is one of the names that the pattern stands for (Architecture::systems).
bool isSystem(const std::string &pattern, const std::string &name) {
  if (pattern.back() != '#')
    return name == pattern;
  const std::size_t stem = pattern.size() - 1;
  return name.size() > stem && name.compare(0, stem, pattern, 0, stem) == 0 && name[stem] != '0' &&
         name.find_first_not_of("0123456789", stem) == std::string::npos;
}
} // namespace

std::string architectureOf(const std::string &system) {
  std::string name = system;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<std::string> known, systems;
  for (const Architecture &one : architectures()) {
    if (one.isHost())
      continue;
    if (one.name == name || std::any_of(one.systems.begin(), one.systems.end(),
                                        [&](const std::string &pattern) { return isSystem(pattern, name); }))
      return one.name;
    known.push_back(one.name);
    systems.insert(systems.end(), one.systems.begin(), one.systems.end());
  }
  throw poplar::invalid_machine_model(
      fmt::format("unknown IPU system \"{}\"; give {}, or a system: {} (# stands for a number above 0).{}", system,
                  architectureNames(false, "or"), fmt::join(systems, ", "), didYouMean(name, known)));
}

poplar::Target makeIpuTarget(unsigned numIpus, unsigned tilesPerIpu, const std::string &system,
                             const poplar::OptionFlags &options) {
  TileMachine machine = machineOfArchitecture(architectureOf(system));
  becomeDevice(machine);
  machine.numIpus = numIpus;
  if (tilesPerIpu > machine.tilesPerIpu)
    throw poplar::invalid_machine_model(
        fmt::format("an IPU of system \"{}\" has {} tiles, not {}", system, machine.tilesPerIpu, tilesPerIpu));
  machine.tilesPerIpu = tilesPerIpu;
  return makeTarget(std::move(machine), system, withEnvironment(options));
}

} // namespace popscope

namespace poplar {

using popscope::elementType;
using popscope::ElementType;

StringRef toString(TargetType t) {
  switch (t) {
  case TargetType::IPU: return "IPU";
  case TargetType::IPU_MODEL: return "IPU_MODEL";
  case TargetType::CPU: return "CPU";
  }
  POPSCOPE_CHECK(false, "unknown target type {}", static_cast<int>(t));
}
std::ostream &operator<<(std::ostream &os, TargetType t) { return os << toString(t); }

bool operator<(const GlobalExchangeFlow &a, const GlobalExchangeFlow &b) {
  return std::tie(a.src, a.dst) < std::tie(b.src, b.dst);
}
bool operator==(const GlobalExchangeFlow &a, const GlobalExchangeFlow &b) { return a.src == b.src && a.dst == b.dst; }
bool operator!=(const GlobalExchangeFlow &a, const GlobalExchangeFlow &b) { return !(a == b); }
bool operator<(const GlobalExchangeConstraint &a, const GlobalExchangeConstraint &b) {
  return std::tie(a.bandwidth, a.flows) < std::tie(b.bandwidth, b.flows);
}
bool operator==(const GlobalExchangeConstraint &a, const GlobalExchangeConstraint &b) {
  return a.bandwidth == b.bandwidth && a.flows == b.flows;
}
bool operator!=(const GlobalExchangeConstraint &a, const GlobalExchangeConstraint &b) { return !(a == b); }

Target::Target() = default;
Target::~Target() = default;
Target::Target(const Target &) = default;
Target::Target(Target &&) noexcept = default;
Target &Target::operator=(const Target &) = default;
Target &Target::operator=(Target &&) noexcept = default;

const popscope::TargetData &Target::data() const {
  if (!data_)
    throw poplar_error("this poplar::Target is empty; create a target with Target::createIPUTarget, "
                       "Target::createCPUTarget or Device::getTarget");
  return *data_;
}

bool Target::operator==(const Target &o) const {
  return data_ == o.data_ || (data_ && o.data_ && data_->identity == o.data_->identity);
}
bool Target::operator!=(const Target &o) const { return !(*this == o); }
bool Target::operator<(const Target &o) const { return o.data_ && (!data_ || data_->identity < o.data_->identity); }
std::size_t Target::hash() const { return data_ ? std::hash<std::string>()(data_->identity) : 0; }

Target Target::createIPUTarget(unsigned numIPUs, StringRef systemType, const OptionFlags &opts) {
  const std::string system = systemType;
  const unsigned tiles = popscope::machineOfArchitecture(popscope::architectureOf(system)).tilesPerIpu;
  return popscope::makeIpuTarget(numIPUs, tiles, system, opts);
}

Target Target::createIPUTarget(unsigned numIPUs, unsigned tilesPerIPU, StringRef systemType, const OptionFlags &opts) {
  return popscope::makeIpuTarget(numIPUs, tilesPerIPU, systemType, opts);
}

Target Target::createCPUTarget(bool accurateHalf, unsigned numIPUs) {
  popscope::TileMachine machine = popscope::loadTileMachine("cpu");
  machine.accurateHalf = accurateHalf;
  machine.numIpus = numIPUs;
  return popscope::makeTarget(std::move(machine));
}

Target Target::createVirtualTarget(unsigned numIPUs, unsigned tilesPerIPU) const {
  const popscope::TargetData &from = data();
  if (numIPUs > from.machine.numIpus || tilesPerIPU > from.machine.tilesPerIpu)
    throw invalid_machine_model(
        fmt::format("a virtual target of {} IPUs with {} tiles each does not fit a target of {} "
                    "IPUs with {} tiles each",
                    numIPUs, tilesPerIPU, from.machine.numIpus, from.machine.tilesPerIpu));
  popscope::TileMachine machine = from.machine;
  machine.numIpus = numIPUs;
  machine.tilesPerIpu = tilesPerIPU;
  return popscope::makeTarget(std::move(machine), from.system, from.options.flags);
}

TargetType Target::getTargetType() const {
  switch (data().machine.kind) {
  case popscope::DeviceKind::Ipu: return TargetType::IPU;
  case popscope::DeviceKind::IpuModel: return TargetType::IPU_MODEL;
  case popscope::DeviceKind::Cpu: break;
  }
  return TargetType::CPU;
}

OptionFlags Target::getTargetOptions() const { return data().options.flags; }
unsigned Target::getIpuLinkDomainSize() const {
  return data().options.linkDomainSize != 0 ? data().options.linkDomainSize : getNumIPUs();
}
IpuLinkTopology Target::getIpuLinkTopology() const { return data().options.linkTopology; }
IpuLinkConfiguration Target::getIpuLinkConfiguration() const { return data().options.linkConfiguration; }
bool Target::getGatewayMode() const { return data().options.gateway; }
unsigned Target::getInstanceSize() const {
  return data().options.instanceSize != 0 ? data().options.instanceSize : getNumIPUs();
}
StringRef Target::getTargetSystemString() const { return data().system; }
StringRef Target::getTargetArchString() const { return data().machine.architecture; }
const std::vector<GlobalExchangeConstraint> &Target::getGlobalExchangeConstraints() const { return data().constraints; }

std::ostream &operator<<(std::ostream &os, const Target &target) {
  if (target == Target())
    return os << "no target";
  return os << target.getTargetType() << " " << target.getTargetArchString() << ", " << target.getNumIPUs()
            << (target.getNumIPUs() == 1 ? " IPU, " : " IPUs, ") << target.getTilesPerIPU()
            << (target.getTilesPerIPU() == 1 ? " tile each" : " tiles each");
}

void copyFloatToDeviceHalf(const Target &, const float *src, void *dst, std::size_t n) {
  popscope::floatsToHalves(src, dst, n); // host buffers for half need no alignment
}
void copyDoubleToDeviceHalf(const Target &, const double *src, void *dst, std::size_t n) {
  auto *out = static_cast<unsigned char *>(dst);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint16_t bits = popscope::doubleToHalf(src[i]);
    std::memcpy(out + 2 * i, &bits, 2);
  }
}
void copyDeviceHalfToFloat(const Target &, const void *src, float *dst, std::size_t n) {
  popscope::halvesToFloats(src, dst, n);
}
void copyDeviceHalfToDouble(const Target &, const void *src, double *dst, std::size_t n) {
  const auto *in = static_cast<const unsigned char *>(src);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, in + 2 * i, 2);
    dst[i] = popscope::halfToFloat(bits);
  }
}

} // namespace poplar

std::size_t std::hash<poplar::Target>::operator()(const poplar::Target &target) const { return target.hash(); }
