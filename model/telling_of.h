// The words for parts of a state.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include <fencecheck/model/fields.h>
#include <fencecheck/model/step.h>
#include <fencecheck/model/telling.h>

namespace fencecheck {

/// The fields of a row, a record or a worker's memory. Fields that would share a name are numbered: "token", "token 2".
template <class Part>
std::vector<FieldTold> fields_of(const Part& part) {
  std::vector<FieldTold> told;
  for_each_field(part, [&](const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    const std::string wanted(field_name<Part, Field>(told.size()));
    std::string name = wanted;
    const auto is_taken = [&](const FieldTold& each) { return each.name == name; };
    for (int copy = 2; std::any_of(told.begin(), told.end(), is_taken); ++copy)
      name = wanted + " " + std::to_string(copy);
    told.push_back({name, std::string(field_type_name<Field>()), field_number(field), std::string(field_word(field))});
  });
  return told;
}

/// "next", "accepted", …
inline std::string reply_name(Reply reply) {
  constexpr std::array names{"next", "accepted", "granted", "stale", "refused", "unknown", "again", "wait"};
  return names[static_cast<std::size_t>(reply)];
}

}  // namespace fencecheck
