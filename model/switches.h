// A design's own switches: variants of one design that are chosen at run time (`--set check=atomic`).
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <fencecheck/model/program.h>
#include <fencecheck/model/telling.h>
#include <fencecheck/model/world.h>

namespace fencecheck {

/// One switch: a member of the design's `struct Switches`, and the words for its values.
template <class Switches, class T>
struct Switch {
  std::string_view name;
  std::string_view help;
  T Switches::*member;
  int first_value;  ///< what the first word stands for; the others follow it
  std::size_t count;
  std::array<std::string_view, 8> words;
};

/// A switch over an enum whose enumerators are 0, 1, 2 … in the order of `words`.
template <class Switches, class Enum>
constexpr Switch<Switches, Enum> choice(std::string_view name, std::string_view help, Enum Switches::*member,
                                        std::initializer_list<std::string_view> words) {
  Switch<Switches, Enum> result{name, help, member, 0, words.size(), {}};
  std::size_t i = 0;
  for (const std::string_view word : words) result.words[i++] = word;
  return result;
}

/// A switch over the numbers `first`, `first` + 1, … for which there are words.
template <class Switches>
constexpr Switch<Switches, int> number(std::string_view name, std::string_view help, int Switches::*member, int first,
                                       std::initializer_list<std::string_view> words) {
  Switch<Switches, int> result{name, help, member, first, words.size(), {}};
  std::size_t i = 0;
  for (const std::string_view word : words) result.words[i++] = word;
  return result;
}

/// Throws UsageError: design `design` has no switch `name`, or no such value of it; says which there are.
[[noreturn]] void report_bad_switch(std::string_view design, const std::vector<SwitchText>& switches,
                                    const std::string& name, const std::string& value);

namespace detail {

template <class D>
std::vector<SwitchText> describe_switches() {
  std::vector<SwitchText> result;
  if constexpr (requires { D::switches; }) {
    const typename D::Switches standard;
    const auto describe = [&](const auto& each) {
      SwitchText text{std::string(each.name), std::string(each.help), {}, {}};
      for (std::size_t i = 0; i < each.count; ++i) text.values.emplace_back(each.words[i]);
      text.standard = each.words[static_cast<std::size_t>(static_cast<int>(standard.*each.member) - each.first_value)];
      result.push_back(text);
    };
    std::apply([&](const auto&... each) { (describe(each), ...); }, D::switches);
  }
  return result;
}

/// D's switches with `values` set; throws UsageError on one that D does not have.
template <class D>
typename SwitchesOf<D>::type parse_switches(std::string_view design, const SwitchValues& values) {
  typename SwitchesOf<D>::type result;
  for (const auto& [name, value] : values) {
    bool known = false;
    if constexpr (requires { D::switches; }) {
      const auto try_set = [&](const auto& each) {
        for (std::size_t i = 0; i < each.count; ++i) {
          if (each.name != name || each.words[i] != value) continue;
          using T = std::remove_reference_t<decltype(result.*each.member)>;
          result.*each.member = static_cast<T>(each.first_value + static_cast<int>(i));
          known = true;
        }
      };
      std::apply([&](const auto&... each) { (try_set(each), ...); }, D::switches);
    }
    if (!known) report_bad_switch(design, describe_switches<D>(), name, value);
  }
  return result;
}

}  // namespace detail
}  // namespace fencecheck
