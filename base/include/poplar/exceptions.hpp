// The exceptions of Poplar. poplar_error::type is the name of the class that was thrown. All exceptions can be copied.
// what() escapes control characters and bytes that are not UTF-8. Only messages of several lines, such as the output of
// a compiler, keep their line ends and tabs. If a line has more than 8,192 bytes, what() leaves out bytes in the middle
// of the line.
#pragma once
#include <poplar/ProfileValue.hpp>

namespace poplar {

struct poplar_error : std::runtime_error {
  std::string type;
  explicit poplar_error(const std::string &s);
  explicit poplar_error(const char *s);
  poplar_error(const poplar_error &) = default;
  poplar_error &operator=(const poplar_error &) = default;
  /// Destroys the error. The destructor is not inline, so that one library owns the type information of this class.
  ~poplar_error() override;
  /// Returns the name of the library that raised the error: "poplar".
  virtual const char *getLocation() const;

protected:
  /// \param hasLines  true: the message has several lines, and keeps its line ends and tabs. The code that makes such a
  ///                  message must escape the names in the message.
  poplar_error(const std::string &s, const char *typeName, bool hasLines = false);
};

/// A number does not fit into the type to which it is converted. Or an estimate, or the number of cycles of all timed
/// runs together, is too large.
struct overflow_error : poplar_error {
  explicit overflow_error(const std::string &s);
  explicit overflow_error(const char *s);
};

/// The memory of a tile overflows only because operands must lie in different memory elements.
struct memory_elem_constraints_error : poplar_error {
  explicit memory_elem_constraints_error(const std::string &s);
  explicit memory_elem_constraints_error(const char *s);
};

/// A vertex has no field with the requested name.
struct unknown_field : poplar_error {
  explicit unknown_field(const std::string &s);
  explicit unknown_field(const char *s);
};

/// The graph has no vertex class with the requested name.
struct unknown_vertex_type : poplar_error {
  explicit unknown_vertex_type(const std::string &s);
  explicit unknown_vertex_type(const char *s);
};

/// The environment variable POPSCOPE_SIM_IPUS has a bad value.
struct no_environment : poplar_error {
  explicit no_environment(const std::string &s);
  explicit no_environment(const char *s);
};

/// A text cannot be parsed.
struct parse_error : poplar_error {
  explicit parse_error(const std::string &s);
  explicit parse_error(const char *s);
};

/// An option is unknown, or does not accept the value.
struct invalid_option : poplar_error {
  explicit invalid_option(const std::string &s);
  explicit invalid_option(const char *s);
};

/// A machine description is invalid.
struct invalid_machine_model : poplar_error {
  explicit invalid_machine_model(const std::string &s);
  explicit invalid_machine_model(const char *s);
};

/// The handle of a stream, a host function, a remote buffer or a tensor is unknown. Or a stream, a callback or a buffer
/// is missing or unsuitable, for example because a buffer has the wrong size.
struct stream_connection_error : poplar_error {
  explicit stream_connection_error(const std::string &s);
  explicit stream_connection_error(const char *s);
};

struct graph_cycle_error : poplar_error {
  explicit graph_cycle_error(const std::string &s);
  explicit graph_cycle_error(const char *s);
};

/// A tensor or vertex is mapped to no tile, to a tile that does not exist, or to several tiles where only one is
/// possible. Or the tiles of a virtual graph are invalid, or a part of a variable is too large for its tile.
struct invalid_tile_mapping : poplar_error {
  explicit invalid_tile_mapping(const std::string &s);
  explicit invalid_tile_mapping(const char *s);
};

/// A value or tensor has the wrong type.
struct type_error : poplar_error {
  explicit type_error(const std::string &s);
  explicit type_error(const char *s);
};

/// The size of a vector field is needed, but is not known.
struct no_size_specified : poplar_error {
  explicit no_size_specified(const std::string &s);
  explicit no_size_specified(const char *s);
};

/// A profile was requested, but the target does not record profiles.
struct profiling_disabled : poplar_error {
  explicit profiling_disabled(const std::string &s);
  explicit profiling_disabled(const char *s);
};

/// A control program is invalid.
struct control_program_error : poplar_error {
  explicit control_program_error(const std::string &s);
  explicit control_program_error(const char *s);
};

/// A .gp file or a library of compiled codelets cannot be loaded.
struct graph_object_load_error : poplar_error {
  explicit graph_object_load_error(const std::string &s);
  explicit graph_object_load_error(const char *s);
};

struct graph_object_creation_error : poplar_error {
  explicit graph_object_creation_error(const std::string &s);
  explicit graph_object_creation_error(const char *s);
};

/// A codelet cannot be parsed, compiled or linked, or a tool for these steps cannot be used.
struct graph_program_compilation_error : poplar_error {
  explicit graph_program_compilation_error(const std::string &s);
  explicit graph_program_compilation_error(const char *s);
};

/// Functions call each other recursively.
struct graph_recursion_error : poplar_error {
  explicit graph_recursion_error(const std::string &s);
  explicit graph_recursion_error(const char *s);
};

struct tensor_creation_error : poplar_error {
  explicit tensor_creation_error(const std::string &s);
  explicit tensor_creation_error(const char *s);
};

struct tensor_io_state_error : poplar_error {
  explicit tensor_io_state_error(const std::string &s);
  explicit tensor_io_state_error(const char *s);
};

/// A vertex field is not connected as required.
struct graph_connection_error : poplar_error {
  explicit graph_connection_error(const std::string &s);
  explicit graph_connection_error(const char *s);
};

struct graph_replication_error : poplar_error {
  explicit graph_replication_error(const std::string &s);
  explicit graph_replication_error(const char *s);
};

/// A file cannot be read or written.
struct file_load_error : poplar_error {
  explicit file_load_error(const std::string &s);
  explicit file_load_error(const char *s);
};

/// An index or a key does not exist.
struct index_error : poplar_error {
  explicit index_error(const std::string &s);
  explicit index_error(const char *s);
};

/// A range extends past the end. Popscope never throws this error.
struct bounds_error : poplar_error {
  explicit bounds_error(const std::string &s);
  explicit bounds_error(const char *s);
};

struct missing_cycle_estimate : poplar_error {
  explicit missing_cycle_estimate(const std::string &s);
  explicit missing_cycle_estimate(const char *s);
};

struct missing_perf_estimate : poplar_error {
  explicit missing_perf_estimate(const std::string &s);
  explicit missing_perf_estimate(const char *s);
};

struct stream_memory_allocation_error : poplar_error {
  explicit stream_memory_allocation_error(const std::string &s);
  explicit stream_memory_allocation_error(const char *s);
};

/// The code of a tile refers to an undefined symbol. Popscope never throws this error (see link_error).
struct symbol_error : poplar_error {
  explicit symbol_error(const std::string &s);
  explicit symbol_error(const char *s);
  symbol_error(const std::string &name, unsigned tile);
  std::string name;
  unsigned tile = 0;
};

/// The code of a tile cannot be linked. `output` has one line for each symbol that no codelet file defines, for example
/// "undefined symbol: f".
struct link_error : poplar_error {
  explicit link_error(const std::string &s);
  explicit link_error(const char *s);
  link_error(const std::string &s, const std::string &output);
  std::string output;
};

/// The memory of a tile overflows. If Popscope throws this error, graphProfile and executionProfile are the trees that
/// Engine::getGraphProfile and getExecutionProfile return before the first run. For a CPU target, which has no profile,
/// the trees are empty.
struct graph_memory_allocation_error : poplar_error {
  explicit graph_memory_allocation_error(const std::string &s);
  explicit graph_memory_allocation_error(const char *s);
  graph_memory_allocation_error(const std::string &s, const std::string &profilePath);
  graph_memory_allocation_error(const std::string &s, const ProfileValue &graphProfile,
                                const ProfileValue &executionProfile);
  const ProfileValue &getGraphProfile() const { return graphProfile; }
  const ProfileValue &getExecutionProfile() const { return executionProfile; }
  ProfileValue graphProfile;
  ProfileValue executionProfile;
  std::string profilePath; // path of the .pop file of the failed compilation; empty if no file was written
};

enum class RecoveryAction { IPU_RESET, LINK_RESET, PARTITION_RESET, FULL_RESET };
std::string toString(RecoveryAction action);
std::ostream &operator<<(std::ostream &os, RecoveryAction action);

/// An error occurred while a program was running.
struct runtime_error : poplar_error {
  explicit runtime_error(const std::string &s);
  explicit runtime_error(const char *s);

protected:
  runtime_error(const std::string &s, const char *typeName);
};

/// The program itself caused an error, for example an abort or a floating-point exception.
struct application_runtime_error : runtime_error {
  explicit application_runtime_error(const std::string &s);
  explicit application_runtime_error(const char *s);
};

struct system_runtime_error : runtime_error {
  explicit system_runtime_error(const std::string &s);
  explicit system_runtime_error(const char *s);

protected:
  system_runtime_error(const std::string &s, const char *typeName);
};

struct recoverable_runtime_error : system_runtime_error {
  explicit recoverable_runtime_error(const std::string &s, RecoveryAction action = RecoveryAction::IPU_RESET);
  explicit recoverable_runtime_error(const char *s, RecoveryAction action = RecoveryAction::IPU_RESET);
  recoverable_runtime_error(RecoveryAction action, const std::string &s);
  RecoveryAction getRecoveryAction() const { return action_; }

private:
  RecoveryAction action_;
};

struct unrecoverable_runtime_error : system_runtime_error {
  explicit unrecoverable_runtime_error(const std::string &s);
  explicit unrecoverable_runtime_error(const char *s);
};

struct unknown_runtime_error : system_runtime_error {
  explicit unknown_runtime_error(const std::string &s);
  explicit unknown_runtime_error(const char *s);
};

} // namespace poplar
