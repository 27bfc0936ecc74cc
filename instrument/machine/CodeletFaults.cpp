#include "instrument/machine/CodeletFaults.hpp"

#include "base/Check.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace popscope {
namespace {

using Slot = CodeletFaults::Slot;

constexpr int kDivision = 1, kEndless = 2; // return values of sigsetjmp

int tickSignal() { return SIGRTMIN + 9; }

/// The number of forks between the first process with handlers and this process. Each call of CodeletFaults::run()
/// needs to know whether the process has forked, and getpid() would be a system call.
std::atomic<std::uint32_t> forks = 0; // NOLINT: the handler of fork() counts it

/// The calling thread's slot, and its timer, which ticks once per second of the thread's processor time.
struct Worker {
  Slot slot;
  timer_t timer{};
  bool hasTimer = false;
  std::uint32_t process = UINT32_MAX; // `forks` at the start of the timer: a forked child has the memory, but no timer
  ~Worker() {
    if (hasTimer && process == forks)
      ::timer_delete(timer);
  }
  void start() {
    if (process == forks)
      return;
    process = forks;
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = tickSignal();
    event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
    itimerspec second{};
    second.it_interval.tv_sec = second.it_value.tv_sec = 1;
    hasTimer = ::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0 &&
               ::timer_settime(timer, 0, &second, nullptr) == 0;
  }
};
thread_local Worker *threadsWorker = nullptr; // NOLINT: signal handlers read it and must not create one

Worker &worker() {
  thread_local Worker own;
  threadsWorker = &own;
  return own;
}

/// Returns the action that the program had for SIGFPE. The action changes only while none of our handlers is installed.
struct sigaction &handlerBefore() {
  static struct sigaction before {}; // handlers belong to the process
  return before;
}

void onDivision(int signal, siginfo_t *, void *) {
  if (threadsWorker != nullptr && threadsWorker->slot.inside)
    siglongjmp(threadsWorker->slot.leave, kDivision);
  ::sigaction(signal, &handlerBefore(), nullptr); // no codelet is the cause: the signal is raised again for its former
                                                  // handler
}

void onTick(int, siginfo_t *, void *) {
  if (threadsWorker == nullptr)
    return;
  Slot &slot = threadsWorker->slot;
  if (!slot.inside || slot.limit == 0)
    return;
  if (slot.seenCalls != slot.calls || slot.seenVertex != slot.vertex) {
    slot.seenCalls = slot.calls;
    slot.seenVertex = slot.vertex;
    slot.seconds = 0;
    return;
  }
  slot.seconds = slot.seconds + 1;
  if (slot.seconds >= slot.limit)
    siglongjmp(slot.leave, kEndless);
}

/// Keeps the handlers installed while they have users.
class Handlers {
public:
  void add() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (users_++ != 0)
      return;
    if (::sigaction(SIGFPE, nullptr, &handlerBefore()) == 0)
      set(SIGFPE, onDivision);
    // the handler of ticks stays installed, because the timers of the threads continue
    tick_ = tick_ || (isFree(tickSignal()) && set(tickSignal(), onTick));
    static const int counted = ::pthread_atfork(nullptr, nullptr, [] { ++forks; });
    tick_ = tick_ && counted == 0;
  }
  void remove() {
    const std::lock_guard<std::mutex> lock(mutex_);
    struct sigaction now {};
    if (--users_ == 0 && ::sigaction(SIGFPE, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
        now.sa_sigaction == onDivision)
      ::sigaction(SIGFPE, &handlerBefore(), nullptr);
  }
  [[nodiscard]] bool tick() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return tick_;
  }

private:
  static bool isFree(int signal) {
    struct sigaction now {};
    return ::sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL;
  }
  static bool set(int signal, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction ours {};
    ours.sa_sigaction = handler;
    ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    sigemptyset(&ours.sa_mask);
    return ::sigaction(signal, &ours, nullptr) == 0;
  }
  std::mutex mutex_;
  int users_ = 0;
  bool tick_ = false;
};

Handlers &handlers() {
  static Handlers all; // handlers belong to the process
  return all;
}

} // namespace

CodeletFaults::CodeletFaults(std::chrono::seconds limit)
    : limit_(static_cast<std::uint32_t>(std::clamp<std::int64_t>(limit.count(), 0, UINT32_MAX))) {
  handlers().add();
  if (!handlers().tick())
    limit_ = 0; // the program uses the signal itself
}

CodeletFaults::~CodeletFaults() { handlers().remove(); }

CodeletFaults::Slot &CodeletFaults::enter() const {
  Worker &own = threadsWorker != nullptr ? *threadsWorker : worker();
  if (limit_ != 0)
    own.start();
  own.slot.limit = limit_;
  own.slot.calls = own.slot.calls + 1;
  return own.slot;
}

std::string CodeletFaults::describeException() {
  try {
    throw;
  } catch (const poplar::poplar_error &) {
    throw;
  } catch (const InternalError &) {
    throw;
  } catch (const std::exception &e) {
    return e.what();
  } catch (...) {
    return "";
  }
}

} // namespace popscope
