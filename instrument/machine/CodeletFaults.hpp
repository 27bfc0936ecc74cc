// Reports the vertex whose codelet throws an exception, divides an integer by zero (or the smallest integer by -1), or
// does not end. Codelets are the user's code and run in this process (docs/SECURITY.md), so some faults arrive as
// signals.
//
//   run(body, fault):  the thread's slot: inside  vertex 7  vertex 8  ...  outside
//   SIGFPE, or one vertex takes `limit` seconds of the thread's clock  ->  run() leaves the codelet, reports Fault
//
// If a signal ends a codelet, the codelet does not release its memory and locks. Therefore the machine cannot run again
// after a fault. For a SIGFPE outside of codelets, the handler that the process had before is restored and called.
// Cost: a setjmp per call of run(), a store per vertex, and a signal per second of a thread's work.
#pragma once
#include <chrono>
#include <cstdint>
#include <setjmp.h>
#include <string>

namespace popscope {

/// The owner of the signal handlers. Each Machine has one object of this class. Several objects may exist at once, and
/// share the handlers. After the last object has been destroyed, only the handler of SIGRTMIN + 9 remains, because the
/// timers of the threads continue.
class CodeletFaults {
public:
  /// Installs the handlers if no other object exists. `limit` is the maximum processor time of one vertex (0 = no
  /// limit). A timer of each thread sends the signal SIGRTMIN + 9 once per second of the thread's processor time. If
  /// the process already uses this signal, there is no limit.
  explicit CodeletFaults(std::chrono::seconds limit);
  ~CodeletFaults();
  CodeletFaults(const CodeletFaults &) = delete;
  CodeletFaults &operator=(const CodeletFaults &) = delete;

  enum class Kind : std::uint8_t { Exception, DivisionByZero, Endless };
  struct Fault {
    Kind kind = Kind::Exception;
    std::uint32_t vertex = 0;
    std::string what; // for Kind::Exception: text of the exception, or "" if it is not a std::exception
  };

  /// The state of a thread while it runs codelets. The signal handlers read and update this state.
  struct Slot {
    sigjmp_buf leave;
    volatile std::uint32_t vertex = 0;
    volatile std::uint64_t calls = 0;      // number of calls of run()
    volatile std::uint32_t seconds = 0;    // full seconds that the current vertex has taken
    volatile std::uint32_t limit = 0;      // maximum of `seconds`; 0 = no limit
    volatile bool inside = false;          // true while the thread runs codelets
    volatile std::uint64_t seenCalls = 0;  // value of `calls` at the latest tick of the timer
    volatile std::uint32_t seenVertex = 0; // value of `vertex` at the latest tick of the timer
  };

  /// Calls body(vertex). `body` runs codelets, and stores the number of each vertex in `vertex` before it runs the
  /// vertex. Passes a fault to `fault`, which must throw. An InternalError, and exceptions that derive from
  /// poplar::poplar_error, are not faults: run() lets these exceptions pass to its caller.
  template <class Body, class OnFault> void run(const Body &body, const OnFault &fault) const {
    Slot &slot = enter();
    if (const int left = sigsetjmp(slot.leave, 0); left != 0) {
      slot.inside = false;
      fault(Fault{left == 1 ? Kind::DivisionByZero : Kind::Endless, slot.vertex, ""});
    }
    const Inside inside(slot); // from here on, a signal may return to the sigsetjmp above
    runBody(slot, body, fault);
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
  /// Calls `body` while the slot is marked as inside. The call is in a separate function, because local variables that
  /// change after setjmp would be lost.
  template <class Body, class OnFault>
  __attribute__((noinline)) static void runBody(Slot &slot, const Body &body, const OnFault &fault) {
    try {
      body(slot.vertex);
    } catch (...) {
      fault(Fault{Kind::Exception, slot.vertex, describeException()});
    }
  }
  /// Returns the text of the exception that is being handled, or "" if this exception is not a std::exception. If the
  /// exception is an InternalError or derives from poplar::poplar_error, rethrows the exception.
  static std::string describeException();
  Slot &enter() const;

  std::uint32_t limit_; // in seconds; 0 = no limit
};

} // namespace popscope
