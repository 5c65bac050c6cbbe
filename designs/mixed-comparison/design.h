// A row with two columns that are written by two services under the same lease. One takes an equal token, the other
// wants a newer one.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct MixedComparison {
  static constexpr std::string_view name = "mixed-comparison";
  static constexpr std::string_view summary = "two ways to write a row compare the token by different rules";

  enum class Second : std::uint8_t { newer, as_new, last = as_new };
  struct Switches {
    Second second = Second::newer;
  };
  static constexpr auto switches =
      std::tuple(choice("second", "the second way wants a newer token, or one as new, like the first",
                        &Switches::second, {"newer", "as-new"}));

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "price", "stock"};
      Token highest;
      Value price;
      Value stock;
    };

    static constexpr auto write_price =
        step("compare, and write the price", [](Row& row, const Request& r, Guards& check) {
          if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
          row.highest = r.token;
          row.price = r.value;
          return Reply::accepted;
        });
    static constexpr auto write_stock =
        step("compare, and write the stock", [](Row& row, const Request& r, Guards& check, const Switches& s) {
          const bool current = s.second == Second::newer ? r.token > row.highest : r.token >= row.highest;
          if (!check("the token is current by the second rule", current)) return Reply::stale;
          row.highest = r.token;
          row.stock = r.value;
          return Reply::accepted;
        });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto worker =
      program(acquire, at(store<0>, Table::write_price), at(store<0>, Table::write_stock), finally(release));
};

}  // namespace fencecheck::designs
