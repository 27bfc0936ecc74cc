// Control programs: values that describe the actions of the device and their order. A program that becomes part of
// another program is copied: later additions to the original do not change the copy. Constructors throw poplar_error or
// a subclass for a wrong argument; the message names the argument. If the two sides of a copy have different element
// types, the exception is a type_error.
#pragma once
#include <poplar/ArrayRef.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/PrintTensor.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/SyncType.hpp>
#include <poplar/Tensor.hpp>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace popscope {
struct ProgramNode;
struct GraphAccess;
} // namespace popscope

namespace poplar {

class Graph;

namespace program {

/// Any program. A default-constructed program does nothing.
class Program {
public:
  Program();
  Program(const Program &);
  Program(Program &&) noexcept;
  Program &operator=(const Program &);
  Program &operator=(Program &&) noexcept;
  ~Program();
  bool isEmpty() const;
  /// Returns whether both programs have the same structure, compute sets, tensors and arguments. Ignores debug names.
  bool operator==(const Program &p) const;
  bool operator!=(const Program &p) const;

protected:
  friend struct popscope::GraphAccess;
  std::shared_ptr<const popscope::ProgramNode> node_;
};

namespace detail {
template <class... P> struct AllPrograms : std::true_type {};
template <class First, class... Rest>
struct AllPrograms<First, Rest...>
    : std::integral_constant<bool, std::is_base_of<Program, typename std::decay<First>::type>::value &&
                                       AllPrograms<Rest...>::value> {};
} // namespace detail

/// A program that runs other programs one after the other.
class Sequence : public Program {
public:
  Sequence() : Sequence(DebugContext{}) {}
  Sequence(const DebugContext &debugContext);
  Sequence(std::initializer_list<Program> programs, const DebugContext &debugContext = {});
  explicit Sequence(const std::vector<Program> &programs, const DebugContext &debugContext = {});
  template <class... P, class = typename std::enable_if<(sizeof...(P) >= 1) && detail::AllPrograms<P...>::value>::type>
  Sequence(const Program &first, P &&...rest) : Sequence() {
    addAll(first, std::forward<P>(rest)...);
  }
  /// Creates a sequence that contains only this program.
  Sequence(const Program &program);
  void add(const Program &p);
  void add_back(const Program &p) { add(p); }

private:
  void addAll() {}
  template <class First, class... Rest> void addAll(First &&first, Rest &&...rest) {
    add(first);
    addAll(std::forward<Rest>(rest)...);
  }
};

/// A program that runs all vertices of a compute set once. All vertices read the values from before the Execute.
/// Compilation throws graph_cycle_error if a vertex writes an element twice, or writes an element that another vertex
/// of the set reads or writes.
class Execute : public Program {
public:
  Execute(ComputeSet cs, const DebugContext &dc = {});
  /// Writes the logical AND of the vertices' results to `outTensor`, which must be one BOOL.
  Execute(ComputeSet cs, Tensor outTensor, const DebugContext &dc = {});
};

/// A copy, element by element, in row-major order. Both sides must have the same element type and the same number of
/// elements; the destination must have no constants and no aliases.
class Copy : public Program {
public:
  Copy(Tensor src, Tensor dst, bool dontOutline = false, const DebugContext &dc = {});
  Copy(const DataStream &stream, Tensor dst, bool optimiseMemory = false, const DebugContext &dc = {});
  Copy(Tensor src, const DataStream &stream, bool optimiseMemory = false, const DebugContext &dc = {});
  /// Copies from or to row 0 of the buffer. With `offset` (rank 0 or 1, INT or UNSIGNED_INT, at least one element),
  /// copies from or to the rows whose numbers `offset` contains at run time. A run throws application_runtime_error for
  /// a row that the buffer does not have.
  Copy(const RemoteBuffer &buffer, Tensor dst, const DebugContext &dc = {});
  Copy(const RemoteBuffer &buffer, Tensor dst, Tensor offset, const DebugContext &dc = {});
  Copy(Tensor src, const RemoteBuffer &buffer, const DebugContext &dc = {});
  Copy(Tensor src, const RemoteBuffer &buffer, Tensor offset, const DebugContext &dc = {});
  /// Copies from blocks of the stream's host buffer. At run time, `offset` (rank 0 or 1, INT or UNSIGNED_INT, at least
  /// one element) contains the numbers of the blocks. The user must connect a buffer of at least `repeats` blocks to
  /// the stream. A block has the size of one transfer of the stream. If n replicas receive different data, the buffer
  /// must have at least n * `repeats` blocks. Block k of replica r is then block k * n + r of the buffer. `dst` has one
  /// block for each element of `offset`. The position of the stream does not change. A run throws
  /// stream_connection_error if a callback or a smaller buffer is connected to the stream. A run throws
  /// application_runtime_error for a block number that is not less than `repeats`.
  Copy(const DataStream &stream, Tensor dst, Tensor offset, std::size_t repeats, bool optimiseMemory = false,
       const DebugContext &dc = {});
  /// Stands for the transfer of code from the host. Nothing moves, because code is always on the tiles of a simulated
  /// machine.
  Copy(const DataStream &stream, const FunctionBuffer &buffer, const DebugContext &dc = {});
  /// Stands for the move of a function's code to its buffer, or back. Nothing moves, because code is always on the
  /// tiles of a simulated machine.
  Copy(const Function &function, const FunctionBuffer &buffer, const DebugContext &dc = {});
  Copy(const FunctionBuffer &buffer, const Function &function, const DebugContext &dc = {});
};

/// A copy between the replicas of a replicated graph: replicaMap[source] = destination. Every replica must be a source
/// once and a destination once.
class CrossReplicaCopy : public Program {
public:
  CrossReplicaCopy(Tensor src, Tensor dst, std::map<unsigned, unsigned> replicaMap, const DebugContext &dc = {});
};

class Repeat : public Program {
public:
  /// Repeats `prog` `count` times; `count` may be 0.
  Repeat(unsigned count, const Program &prog, const DebugContext &dc = {});
};

/// A loop that runs cond, then body, repeatedly. The loop ends after cond if the predicate (one BOOL, INT or
/// UNSIGNED_INT) is zero.
class RepeatWhileTrue : public Program {
public:
  RepeatWhileTrue(const Program &cond, Tensor predicate, const Program &body, const DebugContext &dc = {});
};

/// A loop that runs cond, then body, repeatedly. The loop ends after cond if the predicate (one BOOL, INT or
/// UNSIGNED_INT) is not zero.
class RepeatWhileFalse : public Program {
public:
  RepeatWhileFalse(const Program &cond, Tensor predicate, const Program &body, const DebugContext &dc = {});
};

/// A branch that runs one of two programs, chosen by a predicate: one BOOL, INT or UNSIGNED_INT. A value other than
/// zero is true.
class If : public Program {
public:
  If(Tensor predicate, const Program &trueBody, const Program &falseBody, const DebugContext &dc = {});
};

/// A branch that runs the case whose label equals the value of the control tensor (one INT or UNSIGNED_INT). If no
/// label equals the value, the Switch runs the default case or, without a default case, nothing.
class Switch : public Program {
public:
  Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>> &cases, const Program &defaultCaseBody,
         const DebugContext &dc = {});
  Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>> &cases, const DebugContext &dc = {});
  Switch(Tensor control, const Program &defaultCaseBody, const DebugContext &dc = {});
  Switch(Tensor control, const DebugContext &dc = {});
  /// Creates a Switch that stops the run with an error if no case has the control value as its label.
  static Switch switchWithBoundsChecking(Tensor control, const std::vector<std::pair<std::int32_t, Program>> &cases,
                                         const DebugContext &dc = {});
  static Switch switchWithBoundsChecking(Tensor control, const DebugContext &dc = {});
  /// Creates a Switch for which the caller promises that every control value at run time is the label of a case. If a
  /// control value breaks this promise, the Switch runs nothing.
  static Switch switchWithUnreachableDefault(Tensor control, const std::vector<std::pair<std::int32_t, Program>> &cases,
                                             const DebugContext &dc = {});
  static Switch switchWithUnreachableDefault(Tensor control, const DebugContext &dc = {});
  /// Adds a case. Throws control_program_error if the label already has a case.
  Switch &add(std::int32_t label, const Program &body);
};

class Sync : public Program {
public:
  explicit Sync(SyncType type, const DebugContext &dc = {});
};

class Call : public Program {
public:
  Call(Function f, const DebugContext &dc = {});
  /// Calls `f`. Throws control_program_error if `buffer` was created for another function.
  Call(Function f, const FunctionBuffer &buffer, const DebugContext &dc = {});
  /// Sends the inputs to the host, calls the function there and waits for its outputs. Throws control_program_error if
  /// the numbers of tensors or elements differ from the function's arguments, and type_error if the element types
  /// differ.
  Call(HostFunction f, ArrayRef<Tensor> in, ArrayRef<Tensor> out, const DebugContext &dc = {});
};

/// A program that declares the contents of a tensor undefined. If the tensor contains all elements of a variable, the
/// variable is not live until a program writes the variable.
class WriteUndef : public Program {
public:
  WriteUndef(Tensor t, const DebugContext &dc = {});
};

/// A program that prints a tensor when execution reaches this program. Without `title`, the title is the name of `dc`
/// or, if this name is empty, the names of the variables (Tensor::getVarStr).
class PrintTensor : public Program {
public:
  explicit PrintTensor(Tensor t, const DebugContext &dc = {});
  PrintTensor(StringRef title, Tensor t, const DebugContext &dc = {});
  PrintTensor(Tensor t, const PrintTensorFmt &fmt, const DebugContext &dc = {});
  PrintTensor(StringRef title, Tensor t, const PrintTensorFmt &fmt, const DebugContext &dc = {});
};

/// A program that stops the run. The error message contains `message` and the values of `debugTensor`.
class ErrorProgram : public Program {
public:
  ErrorProgram(StringRef message, Tensor debugTensor, const DebugContext &dc = {});
};

class Abort : public Program {
public:
  explicit Abort(const DebugContext &dc = {});
  Abort(StringRef message, const DebugContext &dc = {});
  Abort(const char *message, const DebugContext &dc = {}) : Abort(StringRef(message), dc) {}
  Abort(const std::string &message, const DebugContext &dc = {}) : Abort(StringRef(message), dc) {}
};

/// A program that stops the run if the predicate (one BOOL, INT or UNSIGNED_INT) is not zero.
class AbortOnCondition : public Program {
public:
  AbortOnCondition(Tensor predicate, const DebugContext &dc = {});
  AbortOnCondition(Tensor predicate, StringRef message, const DebugContext &dc = {});
  AbortOnCondition(Tensor predicate, const char *message, const DebugContext &dc = {})
      : AbortOnCondition(predicate, StringRef(message), dc) {}
  AbortOnCondition(Tensor predicate, const std::string &message, const DebugContext &dc = {})
      : AbortOnCondition(predicate, StringRef(message), dc) {}
};

/// A promise that the tensor has the same value on all replicas.
class AssumeEqualAcrossReplicas : public Program {
public:
  AssumeEqualAcrossReplicas(Tensor t, const DebugContext &dc = {});
};

/// A program that a profile shows as one block. The block has the name of the program's debug context.
class Block : public Program {
public:
  Block(const Program &body, const DebugContext &dc = {});
};

/// Writes the program as an indented tree, one line per node.
void dumpProgram(const Graph &graph, const Program &program, std::ostream &out);

} // namespace program
} // namespace poplar
