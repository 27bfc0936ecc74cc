// Debug information (debug.cbor) and the operations it names. Included by <pva/pva.hpp>.
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

/// One recorded DebugInfo. A default-constructed one, which stands for none, has the id 0 and empty text.
class DebugContext {
public:
  DebugContext() : index_(0) {}
  DebugContext(std::shared_ptr<const detail::DebugRecords> records, std::size_t index)
      : records_(records), index_(index) {}
  std::uint64_t id() const;
  /// The record as JSON.
  std::string json() const;
  /// A JSON object with the one key "layer".
  std::string layer() const;
  /// The context that this one was made in, if it was recorded.
  List<DebugContext> parents() const;
  DebugLocation location() const;
  /// Extension: the debug name with those of the contexts around it.
  std::string name() const;

private:
  const detail::DebugRecord &row() const;
  std::shared_ptr<const detail::DebugRecords> records_;
  std::size_t index_;
};

/// What one debug context became: the programs that were made in it, and in none inside of it. In a profile whose
/// programs do not know their context (of an executable that was loaded): the programs whose
/// name is the context's or lies below it, and below no longer one.
class Operation {
public:
  Operation() {}
  Operation(detail::Owner model, DebugContext context, const std::vector<std::uint32_t> &programs)
      : model_(model), context_(context), programs_(programs) {}
  std::string name() const { return context_.name(); }
  ProgramList programs() const;
  /// Lowered variables that its programs occupy, each once.
  List<LoweredVariable> vars() const;
  /// Extension: of one execution of each of its programs.
  Flops flops() const;
  /// Of livenessProgramSteps, inclusive; both 0 for an operation without programs there.
  std::size_t firstStepIndex() const;
  std::size_t lastStepIndex() const;
  DebugContext debugContext() const { return context_; }
  /// Always empty: nothing replaces contexts.
  List<DebugContext> replacedDebugContext() const { return List<DebugContext>(); }

private:
  detail::Owner model_;
  DebugContext context_;
  std::vector<std::uint32_t> programs_;
};

class Report;

/// One operation for each context, or, in a profile that matches by name, for each name; in the order in which contexts
/// were made. None for a report without debug information.
class OperationAnalysis {
public:
  /// Throws std::runtime_error, naming the path, for a debug file that cannot be read.
  explicit OperationAnalysis(const Report &report);
  List<Operation> operations() const { return operations_; }

private:
  List<Operation> operations_;
};

} // namespace pva
#endif
