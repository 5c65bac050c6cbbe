// The small languages in which a design file says requests of stores that have none of their own: words, signs, and
// parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fencecheck/engines/engine.h>

namespace fencecheck::engines {

/// Why a statement is refused before it is sent.
struct Malformed {
  std::string message;
};

/// A piece of a statement: a sign, a word, or, where it was in quotes or is a parameter's value, a literal.
struct Piece {
  std::string text;   ///< as it stands in the statement
  bool plain = true;  ///< no literal: it may be a sign or one of the language's words
  Cell value;         ///< what it means where something of the user's is wanted
};

/// The pieces of a statement, taken one after another. Words have white space between them, or a sign. A word in '…' or
/// "…" is literal. A bare word that is exactly `:name` is that parameter's value.
class Pieces {
 public:
  /// `signs`: those that end a word, longer ones first. `reserved`: words of the language that are nothing of the
  /// user's unless they are in quotes. Throws Malformed.
  Pieces(const Statement& statement, std::vector<std::string_view> signs, std::vector<std::string_view> reserved);

  bool at_end() const { return at_ == pieces_.size(); }

  /// Takes the next piece where it is this sign or word of the language.
  bool take(std::string_view wanted);

  /// Takes a word of the user's. Throws Malformed where the next piece is none.
  const Piece& word(const std::string& wanted);

  /// Throws Malformed: what should stand here, behind what, and what does.
  [[noreturn]] void complain(const std::string& wanted) const;

 private:
  std::string_view sign_at(std::string_view text, std::size_t at) const;
  Piece quoted_at(std::string_view text, std::size_t& at) const;
  Piece bare_at(std::string_view text, std::size_t& at, const std::vector<Parameter>& parameters) const;

  std::vector<std::string_view> signs_;
  std::vector<std::string_view> reserved_;
  std::vector<Piece> pieces_;
  std::size_t at_ = 0;
};

}  // namespace fencecheck::engines
