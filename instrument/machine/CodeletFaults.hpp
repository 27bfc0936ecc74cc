// Names the vertex whose codelet does something wrong: an exception, a division of an integer by zero, a loop without
// end. Codelets are the user's code and run in this process (docs/SECURITY.md), so some faults arrive as signals.
//
//   runCodelets(faults, n, vertex):  the thread's slot: begin  vertex 0  vertex 1  ...  end
//   SIGFPE, or the thread's clock ticks `limit` times in one vertex  ->  out of the codelet, CodeletFault of the vertex
//
// A codelet that a signal ends leaves what it holds (memory, locks). So the machine cannot run again, as after any
// failed run. A SIGFPE outside of codelets goes to the program's own handler. Cost: a setjmp per tile, a store per
// vertex, and a signal per second of a thread's work.
#pragma once
#include <chrono>
#include <cstdint>
#include <setjmp.h>
#include <string>

namespace popscope {

/// The signal handlers and the data that they read. Each Machine has one; any number may exist at once.
class CodeletFaults {
public:
  /// Sets up the handlers. `limit`: processor time of one vertex; 0 = no limit.
  explicit CodeletFaults(std::chrono::seconds limit);
  ~CodeletFaults();
  CodeletFaults(const CodeletFaults &) = delete;
  CodeletFaults &operator=(const CodeletFaults &) = delete;

  enum class Kind : std::uint8_t { Exception, DivisionByZero, Endless };
  struct Fault {
    Kind kind = Kind::Exception;
    std::uint32_t vertex = 0;
    std::string what; // text of the exception
  };

  /// The state of a thread while it runs codelets. The signal handlers read it.
  struct Slot {
    sigjmp_buf leave;
    volatile std::uint32_t vertex = 0;
    volatile std::uint64_t calls = 0;   // calls of run()
    volatile std::uint32_t seconds = 0; // seconds that the vertex has taken
    volatile std::uint32_t limit = 0;   // 0: no limit
    volatile bool inside = false;
    volatile std::uint64_t seenCalls = 0; // `calls` at the last tick
    volatile std::uint32_t seenVertex = 0;
  };

  /// Runs body(v) for each v of [begin, end). body returns bool, and run() returns the AND of the results. A fault is
  /// passed to fault(Fault), which throws. Exceptions that derive from poplar::poplar_error pass through.
  template <class Body, class OnFault>
  bool run(std::uint32_t begin, std::uint32_t end, const Body &body, const OnFault &fault) const {
    Slot &slot = enter();
    if (const int left = sigsetjmp(slot.leave, 0); left != 0) {
      slot.inside = false;
      fault(Fault{left == 1 ? Kind::DivisionByZero : Kind::Endless, slot.vertex, ""});
    }
    const Inside inside(slot); // from here on, a signal may return to the sigsetjmp above
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
  /// Runs the vertices between the beginning and the end of the slot. Separate from run(): locals that change after
  /// setjmp would be lost.
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
  /// Returns the text of the exception being handled; rethrows it if it derives from poplar::poplar_error.
  static std::string describeException();
  Slot &enter() const;

  std::uint32_t limit_;
};

} // namespace popscope
