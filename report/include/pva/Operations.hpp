// Debug information (debug.cbor) and the operations that the debug information defines. <pva/pva.hpp> includes this
// header.
#ifndef PVA_OPERATIONS_HPP
#define PVA_OPERATIONS_HPP

#include <pva/Execution.hpp>

namespace pva {

namespace detail {
struct DebugRecord;
struct DebugRecords;
} // namespace detail

class DebugLocation {
public:
  DebugLocation() : line_(0) {}
  DebugLocation(const std::string &file, const std::string &function, std::uint64_t line)
      : file_(file), function_(function), line_(line) {}
  std::string fileName() const { return file_; }
  std::string functionName() const { return function_; }
  std::uint64_t lineNumber() const { return line_; }

private:
  std::string file_, function_;
  std::uint64_t line_;
};

/// A recorded DebugInfo. A default-constructed object stands for no record: its id is 0, its name, location and json()
/// are empty, and the value in layer() is "".
class DebugContext {
public:
  DebugContext() : index_(0) {}
  DebugContext(std::shared_ptr<const detail::DebugRecords> records, std::size_t index)
      : records_(records), index_(index) {}
  std::uint64_t id() const;
  /// Returns the record as JSON.
  std::string json() const;
  /// Returns a JSON object with the single key "layer". The value is the layer that was passed to the constructor of
  /// the DebugInfo.
  std::string layer() const;
  /// Returns a list with the context in which this context was made. The list is empty if this context was made in no
  /// other context, or if the other context was not recorded.
  List<DebugContext> parents() const;
  DebugLocation location() const;
  /// Extension: returns the debug name, preceded by the names of the enclosing contexts.
  std::string name() const;

private:
  const detail::DebugRecord &row() const;
  std::shared_ptr<const detail::DebugRecords> records_;
  std::size_t index_;
};

/// One debug context, and the programs that were made directly in this context, not in a nested context. The programs
/// of a loaded executable do not contain their contexts. A program of a loaded executable belongs to a context whose
/// name equals the program's name or a part of this name from the beginning to a '/'. If there are several such
/// contexts, the program belongs to the context with the longest name.
class Operation {
public:
  Operation() {}
  Operation(detail::Owner model, DebugContext context, const std::vector<std::uint32_t> &programs)
      : model_(model), context_(context), programs_(programs) {}
  std::string name() const { return context_.name(); }
  ProgramList programs() const;
  /// Returns the lowered variables that occupy memory while the operation's programs run, except always-live variables.
  /// Each variable occurs once.
  List<LoweredVariable> vars() const;
  /// Extension: returns the floating-point operations for one execution of each program of the operation.
  Flops flops() const;
  /// These functions return indices in livenessProgramSteps(): the index of the operation's first program with a
  /// liveness step, and the index of the last such program. Both indices are 0 if no program of the operation has a
  /// liveness step.
  std::size_t firstStepIndex() const;
  std::size_t lastStepIndex() const;
  DebugContext debugContext() const { return context_; }
  /// Returns an empty list, because Popscope never replaces a context.
  List<DebugContext> replacedDebugContext() const { return List<DebugContext>(); }

private:
  detail::Owner model_;
  DebugContext context_;
  std::vector<std::uint32_t> programs_;
};

class Report;

/// The operations of a report, in the order in which their contexts were made. There is one operation per context, or
/// one operation per name if the programs contain no contexts. A report without debug information has no operations.
class OperationAnalysis {
public:
  /// Reads the operations. Throws std::runtime_error if the debug file cannot be read or belongs to another profile;
  /// the message contains the path.
  explicit OperationAnalysis(const Report &report);
  List<Operation> operations() const { return operations_; }

private:
  List<Operation> operations_;
};

} // namespace pva
#endif
