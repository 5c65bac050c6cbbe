#include <fencecheck/engines/postgresql_connection.h>

#include <libpq-fe.h>
#include <poll.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <fmt/core.h>

#include <fencecheck/engines/statement_text.h>

namespace fencecheck::engines::postgresql {
namespace {

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \n\r\t") + 1);
  return text;
}

/// A statement as the server takes it: `$1`, `$2`, … for the parameters, one number for each name.
struct Numbered {
  std::string text;
  std::vector<const char*> values;  ///< of the statement, which has to outlive this
};

Numbered numbered(const Statement& statement) {
  Numbered out;
  std::vector<std::size_t> used;  // the parameters in the order of their numbers
  std::size_t done = 0;
  for (const Placeholder& place : placeholders(statement.text)) {
    std::size_t parameter = 0;
    while (parameter < statement.parameters.size() && statement.parameters[parameter].name != place.name) ++parameter;
    if (parameter == statement.parameters.size()) continue;  // not ours: the server will say what it thinks of it
    std::size_t number = 0;
    while (number < used.size() && used[number] != parameter) ++number;
    if (number == used.size()) {
      used.push_back(parameter);
      const Cell& value = statement.parameters[parameter].value;
      out.values.push_back(value ? value->c_str() : nullptr);
    }
    out.text += fmt::format("{}${}", statement.text.substr(done, place.begin - done), number + 1);
    done = place.begin + place.length;
  }
  out.text += statement.text.substr(done);
  return out;
}

void read_table(const PGresult& result, Answer& answer) {
  const int columns = PQnfields(&result);
  for (int c = 0; c < columns; ++c) answer.columns.emplace_back(PQfname(&result, c));
  answer.rows = PQntuples(&result);
  for (int r = 0; r < PQntuples(&result); ++r) {
    std::vector<Cell>& row = answer.table.emplace_back();
    for (int c = 0; c < columns; ++c) {
      row.push_back(PQgetisnull(&result, r, c) != 0 ? Cell{} : Cell(PQgetvalue(&result, r, c)));
    }
  }
}

bool is_copy(ExecStatusType status) {
  return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
}

bool is_error(ExecStatusType status) { return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE; }

}  // namespace

std::string literal(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  return out + "'";
}

AddressWords::AddressWords(const Address& address) {
  for (const auto& [name, value] : address) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
}

Connection::Connection(const Address& address) {
  const AddressWords words(address);
  connection_.reset(PQconnectdbParams(words.names.data(), words.values.data(), 1));
  if (is_lost()) throw ConnectionLost(last_words());
  PQsetNoticeReceiver(connection_.get(), &Connection::notice, this);
}

void Connection::Close::operator()(pg_conn* connection) const { PQfinish(connection); }
void Connection::Close::operator()(pg_result* result) const { PQclear(result); }

int Connection::pid() const { return PQbackendPID(connection_.get()); }
int Connection::version() const { return PQserverVersion(connection_.get()); }
bool Connection::is_lost() const { return gave_up_ || PQstatus(connection_.get()) == CONNECTION_BAD; }
bool Connection::is_idle() const { return PQtransactionStatus(connection_.get()) == PQTRANS_IDLE; }

// The name of the function is the same in every language of the server's, unlike its message.
void Connection::notice(void* self, const PGresult* report) {
  const std::string function = text_of(PQresultErrorField(report, PG_DIAG_SOURCE_FUNCTION));
  if (function == "ProcSleep") static_cast<Connection*>(self)->lock_reported_ = true;
}

std::string Connection::last_words() const { return trimmed(text_of(PQerrorMessage(connection_.get()))); }

void Connection::send(const Statement& statement) {
  const Numbered text = numbered(statement);
  last_.reset();
  lock_reported_ = false;
  PQsendQueryParams(connection_.get(), text.text.c_str(), static_cast<int>(text.values.size()), nullptr,
                    text.values.data(), nullptr, nullptr, 0);
}

void Connection::send(const std::string& script) {
  last_.reset();
  lock_reported_ = false;
  PQsendQuery(connection_.get(), script.c_str());
}

std::optional<Answer> Connection::take() {
  // Where this fails, the connection is lost, and what the server said before that is the result.
  PQconsumeInput(connection_.get());
  while (PQisBusy(connection_.get()) == 0) {
    Result result(PQgetResult(connection_.get()));
    if (!result) return answer_of_last();
    const ExecStatusType status = PQresultStatus(result.get());
    if (is_copy(status)) {
      gave_up_ = true;
      return Answer{"0A000", "COPY from or to fencecheck: it has no file; use INSERT or SELECT"};
    }
    if (!last_ || !is_error(PQresultStatus(last_.get()))) last_ = std::move(result);
  }
  return std::nullopt;
}

Answer Connection::answer_of_last() {
  Answer answer;
  const Result result = std::move(last_);
  if (!result) {
    answer.message = last_words();
    return answer;
  }
  switch (PQresultStatus(result.get())) {
    case PGRES_TUPLES_OK: read_table(*result, answer); break;
    case PGRES_COMMAND_OK: answer.rows = std::strtoll(PQcmdTuples(result.get()), nullptr, 10); break;
    case PGRES_EMPTY_QUERY: break;
    default:
      answer.error = text_of(PQresultErrorField(result.get(), PG_DIAG_SQLSTATE));
      answer.message = text_of(PQresultErrorField(result.get(), PG_DIAG_MESSAGE_PRIMARY));
      if (answer.message.empty()) answer.message = trimmed(text_of(PQresultErrorMessage(result.get())));
  }
  return answer;
}

bool Connection::wait(std::chrono::milliseconds time) const {
  pollfd socket{PQsocket(connection_.get()), POLLIN, 0};
  return ::poll(&socket, 1, static_cast<int>(time.count())) != 0;
}

Answer Connection::ask(const std::string& script, double seconds) {
  send(script);
  const Clock::time_point begin = Clock::now();
  while (true) {
    std::optional<Answer> answer = take();
    if (is_lost()) throw ConnectionLost(answer && !answer->message.empty() ? answer->message : last_words());
    if (answer) return std::move(*answer);
    wait(std::chrono::milliseconds(100));
    if (std::chrono::duration<double>(Clock::now() - begin).count() > seconds) {
      throw EngineFailure(fmt::format("PostgreSQL did not answer fencecheck itself within {} seconds", seconds));
    }
  }
}

}  // namespace fencecheck::engines::postgresql
