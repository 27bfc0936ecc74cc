// A web server that only this machine can reach.
#pragma once
#include <functional>
#include <string>

namespace popscope {

/// The response to one request.
struct Answer {
  unsigned status = 200;
  std::string type, body; // the type as in Content-Type
};

/// Serves GET requests on 127.0.0.1, at a free port, until SIGINT or SIGTERM. `ready` gets the address
/// ("http://127.0.0.1:PORT/SECRET/") when the server accepts requests; `answer` receives the rest of the requested
/// address. Other users of the machine do not know the secret, and a page of another host that reaches the port is
/// refused by its Host header. Throws std::runtime_error if no port is free.
void serveLoopback(const std::function<Answer(const std::string &path)> &answer,
                   const std::function<void(const std::string &address)> &ready);

} // namespace popscope
