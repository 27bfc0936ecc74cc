#include "report/tool/LoopbackServer.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <chrono>
#include <csignal>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>

namespace popscope {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using boost::asio::ip::tcp;
using WebRequest = http::request<http::empty_body>;
using WebResponse = http::response<http::string_body>;

constexpr std::chrono::seconds kPatience(20);    // time limit of one request
constexpr std::chrono::milliseconds kPause(100); // after a connection that the system refused

std::string secretWord() {
  std::random_device random;
  std::string word;
  for (int i = 0; i < 32; ++i)
    word += "0123456789abcdef"[random() % 16];
  return word;
}

struct Place {
  std::string host, root; // "127.0.0.1:PORT", "/SECRET/"
};

WebResponse respond(const WebRequest &request, const Place &place,
                    const std::function<Answer(const std::string &path)> &answer) {
  const std::string target(request.target());
  Answer given{404, "text/plain", "This address has no page.\n"};
  if (request[http::field::host] != place.host)
    given = {403, "text/plain", "Only pages of this machine can use this address.\n"};
  else if (request.method() != http::verb::get)
    given = {405, "text/plain", "Only GET is served.\n"};
  else if (target.rfind(place.root, 0) == 0)
    given = answer(target.substr(place.root.size()));
  WebResponse response(static_cast<http::status>(given.status), request.version());
  response.set(http::field::content_type, given.type);
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.body() = std::move(given.body);
  response.keep_alive(false);
  response.prepare_payload();
  return response;
}

/// One connection: it reads a request, answers it and closes. The object lives as long as an operation is pending.
class Connection : public std::enable_shared_from_this<Connection> {
public:
  Connection(tcp::socket socket, const Place &place, const std::function<Answer(const std::string &path)> &answer)
      : stream_(std::move(socket)), place_(place), answer_(answer) {}
  void begin() {
    stream_.expires_after(kPatience);
    http::async_read(stream_, buffer_, request_,
                     [self = shared_from_this()](beast::error_code error, std::size_t /*bytes*/) {
                       if (!error)
                         self->write();
                     });
  }

private:
  void write() {
    response_ = respond(request_, place_, answer_);
    stream_.expires_after(kPatience);
    http::async_write(stream_, response_,
                      [self = shared_from_this()](beast::error_code /*error*/, std::size_t /*bytes*/) {
                        beast::error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  WebRequest request_;
  WebResponse response_;
  const Place &place_;
  const std::function<Answer(const std::string &path)> &answer_;
};

/// Accepts connections, one after the other. If the system refuses a connection (the process has no free descriptor),
/// waits for kPause: the connection stays pending, so another attempt at once fails, too.
void acceptNext(tcp::acceptor &acceptor, boost::asio::steady_timer &pause, const Place &place,
                const std::function<Answer(const std::string &path)> &answer) {
  acceptor.async_accept([&](beast::error_code error, tcp::socket socket) {
    if (!error)
      std::make_shared<Connection>(std::move(socket), place, answer)->begin();
    pause.expires_after(error ? kPause : kPause.zero());
    pause.async_wait([&](beast::error_code /*error*/) { acceptNext(acceptor, pause, place, answer); });
  });
}

} // namespace

void serveLoopback(const std::function<Answer(const std::string &path)> &answer,
                   const std::function<void(const std::string &address)> &ready) {
  try {
    boost::asio::io_context context(1);
    tcp::acceptor acceptor(context, {boost::asio::ip::address_v4::loopback(), 0});
    const Place place{"127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()), "/" + secretWord() + "/"};
    boost::asio::signal_set ends(context, SIGINT, SIGTERM);
    ends.async_wait([&](beast::error_code /*error*/, int /*signal*/) { context.stop(); });
    boost::asio::steady_timer pause(context);
    acceptNext(acceptor, pause, place, answer);
    ready("http://" + place.host + place.root);
    context.run();
  } catch (const boost::system::system_error &problem) {
    throw std::runtime_error("a page cannot be served on 127.0.0.1: " + problem.code().message());
  }
}

} // namespace popscope
