// Provides sources that are built into the library, so that codelets compile wherever the library is installed. Also
// provides the suffix of the LLVM tools that compile these sources. CMake generates EmbeddedText.cpp from device/ and
// standin/include/.
#pragma once
#include <string>

namespace popscope {

/// Returns the text of device/RegistryTable.hpp, followed by the text of device/Registry.hpp.
std::string registryText();
/// Returns the text of device/HalfCalls.hpp.
std::string halfCallsText();
/// Returns the text of device/RuntimeVertices.cpp.
std::string runtimeVerticesText();
/// Returns the text of standin/include/features.h.
std::string standInFeaturesText();
/// Returns the suffix in the names of the LLVM tools, such as "-14". The suffix belongs to the version of LLVM with
/// which Popscope was built.
std::string llvmSuffix();

} // namespace popscope
