#include "base/ShownText.hpp"

#include <poplar/exceptions.hpp>

namespace poplar {
poplar_error::poplar_error(const std::string &s) : poplar_error(s, "poplar_error") {}
poplar_error::poplar_error(const char *s) : poplar_error(std::string(s), "poplar_error") {}
// Messages quote names of programs and files. So control characters are escaped before a terminal can act on them, and
// a name of a megabyte does not make a message of a megabyte. In a message without lines of its own, a line end can
// only come from a name or a value.
poplar_error::poplar_error(const std::string &s, const char *typeName, bool hasLines)
    : std::runtime_error(popscope::shownText(popscope::boundedMessage(s),
                                             hasLines ? popscope::LineEnds::Kept : popscope::LineEnds::Escaped)),
      type(typeName) {}
poplar_error::~poplar_error() = default;
const char *poplar_error::getLocation() const { return "poplar"; }

// Each class stores its own name in `type`.
#define POPSCOPE_DEFINE_ERROR(Class, Base)                                                                             \
  Class::Class(const std::string &s) : Base(s, #Class) {}                                                              \
  Class::Class(const char *s) : Base(std::string(s), #Class) {}

// Errors whose messages have several lines: reports of a compiler and of memory.
#define POPSCOPE_DEFINE_ERROR_OF_LINES(Class)                                                                          \
  Class::Class(const std::string &s) : poplar_error(s, #Class, true) {}                                                \
  Class::Class(const char *s) : poplar_error(std::string(s), #Class, true) {}

POPSCOPE_DEFINE_ERROR(overflow_error, poplar_error)
POPSCOPE_DEFINE_ERROR_OF_LINES(memory_elem_constraints_error)
POPSCOPE_DEFINE_ERROR(unknown_field, poplar_error)
POPSCOPE_DEFINE_ERROR(unknown_vertex_type, poplar_error)
POPSCOPE_DEFINE_ERROR(no_environment, poplar_error)
POPSCOPE_DEFINE_ERROR(parse_error, poplar_error)
POPSCOPE_DEFINE_ERROR(invalid_option, poplar_error)
POPSCOPE_DEFINE_ERROR(invalid_machine_model, poplar_error)
POPSCOPE_DEFINE_ERROR(stream_connection_error, poplar_error)
POPSCOPE_DEFINE_ERROR(graph_cycle_error, poplar_error)
POPSCOPE_DEFINE_ERROR(invalid_tile_mapping, poplar_error)
POPSCOPE_DEFINE_ERROR(type_error, poplar_error)
POPSCOPE_DEFINE_ERROR(no_size_specified, poplar_error)
POPSCOPE_DEFINE_ERROR(profiling_disabled, poplar_error)
POPSCOPE_DEFINE_ERROR(control_program_error, poplar_error)
POPSCOPE_DEFINE_ERROR(graph_object_load_error, poplar_error)
POPSCOPE_DEFINE_ERROR(graph_object_creation_error, poplar_error)
POPSCOPE_DEFINE_ERROR_OF_LINES(graph_program_compilation_error)
POPSCOPE_DEFINE_ERROR(graph_recursion_error, poplar_error)
POPSCOPE_DEFINE_ERROR(tensor_creation_error, poplar_error)
POPSCOPE_DEFINE_ERROR(tensor_io_state_error, poplar_error)
POPSCOPE_DEFINE_ERROR(graph_connection_error, poplar_error)
POPSCOPE_DEFINE_ERROR(graph_replication_error, poplar_error)
POPSCOPE_DEFINE_ERROR(file_load_error, poplar_error)
POPSCOPE_DEFINE_ERROR(index_error, poplar_error)
POPSCOPE_DEFINE_ERROR(bounds_error, poplar_error)
POPSCOPE_DEFINE_ERROR(missing_cycle_estimate, poplar_error)
POPSCOPE_DEFINE_ERROR(missing_perf_estimate, poplar_error)
POPSCOPE_DEFINE_ERROR(stream_memory_allocation_error, poplar_error)
POPSCOPE_DEFINE_ERROR(symbol_error, poplar_error)
POPSCOPE_DEFINE_ERROR(link_error, poplar_error)
POPSCOPE_DEFINE_ERROR_OF_LINES(graph_memory_allocation_error)
POPSCOPE_DEFINE_ERROR(runtime_error, poplar_error)
POPSCOPE_DEFINE_ERROR(application_runtime_error, runtime_error)
POPSCOPE_DEFINE_ERROR(system_runtime_error, runtime_error)
POPSCOPE_DEFINE_ERROR(unrecoverable_runtime_error, system_runtime_error)
POPSCOPE_DEFINE_ERROR(unknown_runtime_error, system_runtime_error)

#undef POPSCOPE_DEFINE_ERROR
#undef POPSCOPE_DEFINE_ERROR_OF_LINES

symbol_error::symbol_error(const std::string &symbolName, unsigned onTile)
    : poplar_error("symbol '" + symbolName + "' is missing on tile " + std::to_string(onTile), "symbol_error"),
      name(symbolName), tile(onTile) {}

link_error::link_error(const std::string &s, const std::string &linkerOutput)
    : poplar_error(s, "link_error"), output(linkerOutput) {}

graph_memory_allocation_error::graph_memory_allocation_error(const std::string &s, const std::string &path)
    : poplar_error(s, "graph_memory_allocation_error", true), profilePath(path) {}
graph_memory_allocation_error::graph_memory_allocation_error(const std::string &s, const ProfileValue &graph,
                                                             const ProfileValue &execution)
    : poplar_error(s, "graph_memory_allocation_error", true), graphProfile(graph), executionProfile(execution) {}

runtime_error::runtime_error(const std::string &s, const char *typeName) : poplar_error(s, typeName) {}
system_runtime_error::system_runtime_error(const std::string &s, const char *typeName) : runtime_error(s, typeName) {}

recoverable_runtime_error::recoverable_runtime_error(const std::string &s, RecoveryAction action)
    : system_runtime_error(s, "recoverable_runtime_error"), action_(action) {}
recoverable_runtime_error::recoverable_runtime_error(const char *s, RecoveryAction action)
    : recoverable_runtime_error(std::string(s), action) {}
recoverable_runtime_error::recoverable_runtime_error(RecoveryAction action, const std::string &s)
    : recoverable_runtime_error(s, action) {}

std::string toString(RecoveryAction action) {
  switch (action) {
  case RecoveryAction::IPU_RESET: return "IPU_RESET";
  case RecoveryAction::LINK_RESET: return "LINK_RESET";
  case RecoveryAction::PARTITION_RESET: return "PARTITION_RESET";
  case RecoveryAction::FULL_RESET: return "FULL_RESET";
  }
  return "unknown RecoveryAction " + std::to_string(static_cast<int>(action));
}

std::ostream &operator<<(std::ostream &os, RecoveryAction action) { return os << toString(action); }

} // namespace poplar
