#include "engine/session/ProcessEnd.hpp"

#include "base/QuietThread.hpp"
#include "base/TerminalText.hpp"
#include "base/WholeFile.hpp"
#include "report/pop/ReplaceFile.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace popscope {
namespace {

/// The unfinished profiles that removeAtEnd() names. The object belongs to the library, so its destructor runs after
/// the destructors of static objects in programs that use the library.
class Leftovers {
public:
  ~Leftovers() { removeAll(); }
  void add(const std::string &temporary) {
    const std::lock_guard guard(mutex_);
    files_.emplace_back(::getpid(), temporary);
  }
  void removeAll() {
    const std::lock_guard guard(mutex_);
    for (const auto &[process, file] : files_)
      if (process == ::getpid()) // a forked child does not remove its parent's files
        removeBeside(file);
    files_.clear();
  }

private:
  std::mutex mutex_;
  std::vector<std::pair<pid_t, std::string>> files_;
};
Leftovers leftovers; // NOLINT: must be destroyed with the library

/// The watch of the process. There is only one, because signals, exit and uncaught exceptions concern the whole
/// process. A forked child inherits the handlers. The watch of a child makes only the calls that the child registers.
class Watch {
public:
  static Watch &get() {
    static Watch *watch = new Watch; // NOLINT: never destroyed, because engines of static duration end late
    return *watch;
  }

  void add(ProcessEnd::Call *call) {
    const std::lock_guard guard(mutex_);
    if (process_ != ::getpid()) { // a forked child: the calls and the thread for signals are its parent's
      process_ = ::getpid();
      calls_.clear();
      watchSignals();
    }
    calls_.push_back(call);
  }
  void remove(ProcessEnd::Call *call) {
    const std::lock_guard guard(mutex_);
    calls_.erase(std::remove(calls_.begin(), calls_.end(), call), calls_.end());
  }
  void endAll(const std::string &how) {
    if (::getpid() != process_)
      return; // a forked child that registered nothing
    const std::lock_guard guard(mutex_);
    for (const ProcessEnd::Call *call : calls_)
      try {
        (*call)(how);
      } catch (const std::exception &e) {
        printMessage(std::string("Popscope: ") + e.what());
      }
    calls_.clear();
  }
  static void watchExit() {
    std::atexit([] { get().endAll("exit"); });
  }

private:
  Watch() {
    previous_ = std::set_terminate([] {
      Watch &watch = get();
      watch.endAll("exception");
      if (watch.previous_ != nullptr)
        watch.previous_();
      std::abort();
    });
    std::at_quick_exit([] {
      get().endAll("exit");
      leftovers.removeAll(); // quick_exit runs no destructor
    });
  }

  // Starts the thread before it installs the handlers, which have no effect without the thread.
  void watchSignals() {
    std::vector<int> watched;
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
      struct sigaction now {};
      if (::sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
          (now.sa_handler == SIG_DFL || now.sa_handler == &wakeThread))
        watched.push_back(signal); // the program handles the other signals itself
    }
    if (watched.empty() || ::pipe2(pipe().data(), O_CLOEXEC) != 0)
      return;
    try {
      startQuietThread([this] { waitForSignal(); }).detach();
    } catch (const std::system_error &) { // the system cannot start a thread, so signals keep their usual effect
      return;
    }
    processOfHandler() = process_; // only now, because a forked child has inherited the handler
    struct sigaction ours {};
    ours.sa_handler = &wakeThread;
    ours.sa_flags = SA_RESTART;
    for (const int signal : watched)
      ::sigaction(signal, &ours, nullptr);
  }
  static void wakeThread(int number) {
    if (::getpid() != processOfHandler()) { // a forked child without a thread to wake: the signal has its usual effect
      std::signal(number, SIG_DFL);
      std::raise(number);
      return;
    }
    const auto byte = static_cast<unsigned char>(number);
    [[maybe_unused]] const ssize_t sent = ::write(pipe()[1], &byte, 1);
  }
  void waitForSignal() {
    unsigned char number = 0;
    while (::read(pipe()[0], &number, 1) != 1)
      if (errno != EINTR)
        return;
    const char *names[] = {"SIGHUP", "SIGINT", "SIGTERM"};
    endAll(names[number == SIGHUP ? 0 : number == SIGINT ? 1 : 2]);
    std::signal(number, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    ::kill(::getpid(), number);
  }

  // The handler reads the next two objects. These objects must exist before the handler is installed, and must need no
  // initialisation.
  static std::array<int, 2> &pipe() {
    static std::array<int, 2> ends; // zero-initialised, so that an access needs no guard
    return ends;
  }
  static pid_t &processOfHandler() {
    static pid_t process;
    return process;
  }

  pid_t process_ = 0; // the process whose calls these are; 0 before the first call
  std::mutex mutex_;
  std::vector<ProcessEnd::Call *> calls_; // in the order of registration
  std::terminate_handler previous_ = nullptr;
};

} // namespace

ProcessEnd::ProcessEnd(Call call) : call_(std::move(call)) {
  Watch::get().add(&call_);
  Watch::watchExit();
}
ProcessEnd::~ProcessEnd() { Watch::get().remove(&call_); }

void ProcessEnd::removeAtEnd(const std::string &temporary) { leftovers.add(temporary); }
void ProcessEnd::watchExitAgain() { Watch::watchExit(); }

} // namespace popscope
