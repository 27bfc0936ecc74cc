// A web server that only this machine can reach.
#pragma once
#include <functional>
#include <string>

namespace popscope {

/// The response to one request.
struct Answer {
  unsigned status = 200;
  std::string type, body; // `type` is the value of the header Content-Type
};

/// Serves GET requests on 127.0.0.1, at a free port, until SIGINT or SIGTERM. Calls `ready` with the address
/// ("http://127.0.0.1:PORT/SECRET/") when the server accepts requests. Calls `answer` with the part of a requested
/// address after "/SECRET/". Other users of the machine get only errors, because they do not know the secret. The
/// server refuses a request if its Host header is not "127.0.0.1:PORT", because such a request can come from a web page
/// of another host. Throws std::runtime_error if the server cannot use a port. Also throws the exceptions of `answer`
/// and `ready`.
void serveLoopback(const std::function<Answer(const std::string &path)> &answer,
                   const std::function<void(const std::string &address)> &ready);

} // namespace popscope
