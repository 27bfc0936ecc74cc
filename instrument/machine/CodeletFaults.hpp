// What a codelet does wrong is named by its vertex: an exception, a division of an integer by zero, a loop without end.
// Codelets are the user's code and run in this process (docs/SECURITY.md), so some of that arrives as a signal.
//
//   runCodelets(faults, n, vertex):  the thread's slot: begin  vertex 0  vertex 1  ...  end
//   SIGFPE, or the thread's clock ticks `limit` times in one vertex  ->  out of the codelet, CodeletFault of that
//   vertex
//
// A codelet that is left by a signal leaves what it holds (memory, locks): the machine cannot run again, as after any
// failed run. A handler of the program for SIGFPE gets what is not a codelet's. Cost: setjmp for a tile, a store for a
// vertex, one signal for each second of a thread's work.
#pragma once
#include <chrono>
#include <cstdint>
#include <setjmp.h>
#include <string>

namespace popscope {

/// The signal handlers and what they look at. One for a Machine; any number may live at once.
class CodeletFaults {
public:
  /// `limit`: of the processor time of one vertex; none for 0.
  explicit CodeletFaults(std::chrono::seconds limit);
  ~CodeletFaults();
  CodeletFaults(const CodeletFaults &) = delete;
  CodeletFaults &operator=(const CodeletFaults &) = delete;

  enum class Kind : std::uint8_t { Exception, DivisionByZero, Endless };
  struct Fault {
    Kind kind = Kind::Exception;
    std::uint32_t vertex = 0;
    std::string what; // of the exception
  };

  /// Of the calling thread while it runs codelets.
  struct Slot {
    sigjmp_buf leave;
    volatile std::uint32_t vertex = 0;
    volatile std::uint64_t calls = 0;   // of run()
    volatile std::uint32_t seconds = 0; // that the vertex has taken
    volatile std::uint32_t limit = 0;   // 0: none
    volatile bool inside = false;
    volatile std::uint64_t seenCalls = 0; // by the last tick
    volatile std::uint32_t seenVertex = 0;
  };

  /// Runs body(v) for each v of [begin, end); body returns bool, and so does this: the AND of them. What goes wrong is
  /// given to fault(Fault), which throws. Exceptions that derive from poplar::poplar_error pass.
  template <class Body, class OnFault>
  bool run(std::uint32_t begin, std::uint32_t end, const Body &body, const OnFault &fault) const {
    Slot &slot = enter();
    if (const int left = sigsetjmp(slot.leave, 0); left != 0) {
      slot.inside = false;
      fault(Fault{left == 1 ? Kind::DivisionByZero : Kind::Endless, slot.vertex, ""});
    }
    const Inside inside(slot); // from here on a signal may come back to the line above
    return runAll(slot, begin, end, body, fault);
  }

  [[nodiscard]] std::uint32_t seconds() const { return limit_; }

private:
  struct Inside {
    explicit Inside(Slot &s) : slot(s) { slot.inside = true; }
    ~Inside() { slot.inside = false; }
    Inside(const Inside &) = delete;
    Inside &operator=(const Inside &) = delete;
    Slot &slot;
  };
  /// Apart from run(): locals that change after setjmp would be lost.
  template <class Body, class OnFault>
  __attribute__((noinline)) static bool runAll(Slot &slot, std::uint32_t begin, std::uint32_t end, const Body &body,
                                               const OnFault &fault) {
    bool good = true;
    try {
      for (std::uint32_t v = begin; v != end; ++v) {
        slot.vertex = v;
        good = body(v) && good;
      }
    } catch (...) {
      fault(Fault{Kind::Exception, slot.vertex, describeException()});
    }
    return good;
  }
  /// Of the exception that is being handled; rethrows what is ours.
  static std::string describeException();
  Slot &enter() const;

  std::uint32_t limit_;
};

} // namespace popscope
