// fencecheck: can a late request from an old owner hurt my data, and if so, how?
//
// A *design* is components (a lock service, stores) and a program (what a worker does, step by step). The *world*
// interleaves the steps of all workers with every fault that the bounds allow. A *property* judges each step by what
// happened to the data. The *explorer* visits every state, and gives the shortest run that breaks a property.
//
//   struct MyDesign {
//     static constexpr std::string_view name = "my-design";
//     struct Table {
//       struct Row { Token highest; Value value; };
//       static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
//         if (!check("the token is not older", r.token >= row.highest)) return Reply::stale;
//         row = {r.token, r.value};
//         return Reply::accepted;
//       });
//     };
//     using Issuer = CountingIssuer;
//     using Stores = stores<Table>;
//     static constexpr auto worker = program(acquire, write<0>, finally(release));
//   };
//
//   int main(int argc, char** argv) { return fencecheck::command_line<MyDesign>(argc, argv); }
//
// Read next: model/step.h (steps and programs), model/types.h (what a row may consist of), properties/fencing.h (what
// is judged), explorer/search.h (how all of it is visited).
#pragma once

#include <fencecheck/model/by_token.h>
#include <fencecheck/model/issuer.h>
#include <fencecheck/model/seen.h>
#include <fencecheck/model/step.h>
#include <fencecheck/model/switches.h>
#include <fencecheck/model/types.h>
#include <fencecheck/properties/standard.h>
