// Names of the small public enumerations and file types.
#include <poplar/CodeletFileType.hpp>
#include <poplar/DataStreamType.hpp>
#include <poplar/ReplicatedStreamMode.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/VariableMappingMethod.hpp>

#include <string>

namespace poplar {

namespace {
const char *nameOf(DataStreamType type) {
  switch (type) {
  case DataStreamType::HostToDeviceFIFO: return "HostToDeviceFIFO";
  case DataStreamType::DeviceToHostFIFO: return "DeviceToHostFIFO";
  case DataStreamType::HostToDeviceBuffer: return "HostToDeviceBuffer";
  case DataStreamType::DeviceToHostBuffer: return "DeviceToHostBuffer";
  case DataStreamType::RemoteBuffer: return "RemoteBuffer";
  }
  return "unknown";
}
} // namespace
std::ostream &operator<<(std::ostream &os, DataStreamType type) { return os << nameOf(type); }

std::ostream &operator<<(std::ostream &os, const ReplicatedStreamMode &mode) {
  return os << (mode == ReplicatedStreamMode::REPLICATE ? "REPLICATE" : "BROADCAST");
}

std::string toString(const TensorCloneMethod &method) {
  switch (method) {
  case TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES: return "PRESERVE_ORDER_AND_ALIASES";
  case TensorCloneMethod::CREATE_NEW_ORDER: return "CREATE_NEW_ORDER";
  case TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES: return "PRESERVE_ORDER_UNLESS_ALIASES";
  case TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES:
    return "GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES";
  }
  return "unknown";
}
std::ostream &operator<<(std::ostream &os, const TensorCloneMethod &method) { return os << toString(method); }

std::string toString(const VariableMappingMethod &method) {
  return method == VariableMappingMethod::NONE ? "NONE" : "LINEAR";
}
std::ostream &operator<<(std::ostream &os, const VariableMappingMethod &method) { return os << toString(method); }

CodeletFileType getCodeletFileType(const char *path) {
  const std::string name(path);
  const std::size_t dot = name.rfind('.');
  const std::string extension = dot == std::string::npos ? "" : name.substr(dot);
  if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C")
    return CodeletFileType::CppSource;
  if (extension == ".c")
    return CodeletFileType::CSource;
  if (extension == ".S")
    return CodeletFileType::PreprocessedAsmSource;
  if (extension == ".s")
    return CodeletFileType::AsmSource;
  if (extension == ".ll")
    return CodeletFileType::IrSource;
  return extension == ".gp" ? CodeletFileType::Object : CodeletFileType::Auto;
}

std::string getExtensionFromFileType(CodeletFileType type) {
  switch (type) {
  case CodeletFileType::PreprocessedAsmSource: return ".S";
  case CodeletFileType::AsmSource: return ".s";
  case CodeletFileType::IrSource: return ".ll";
  case CodeletFileType::CSource: return ".c";
  case CodeletFileType::CppSource: return ".cpp";
  case CodeletFileType::Object: return ".gp";
  case CodeletFileType::Auto: break;
  }
  return "";
}

} // namespace poplar
