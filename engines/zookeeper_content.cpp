#include <fencecheck/engines/zookeeper_content.h>

#include <algorithm>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <fencecheck/engines/plain_text.h>

namespace fencecheck::engines::zookeeper {
namespace {

using Json = nlohmann::json;
using Verb = Operation::Verb;

std::string line_of(const std::string& path, const Node& node) {
  std::string line = fmt::format("{} {} version {}, czxid {}, mzxid {}", key_text(path), quoted(node.value),
                                 node.version, node.czxid, node.mzxid);
  if (node.created > 0) line += fmt::format(", next child {}", node.created);
  if (node.session > 0) line += fmt::format(", of session {}", node.session);
  return line + "\n";
}

}  // namespace

Content content_of(const Stored& stored) {
  Json nodes = Json::array();
  std::string text = fmt::format("zxid {}\n", stored.zxid);
  for (const auto& [path, node] : stored.nodes) {
    text += line_of(path, node);
    nodes.push_back({path, node.value, node.version, node.czxid, node.mzxid, node.created, node.session});
  }
  for (const int session : stored.expired) text += fmt::format("session {} has expired unawares\n", session);
  const std::vector<std::uint8_t> image =  // not as text: values may be any bytes
      Json::to_cbor({{"zxid", stored.zxid}, {"nodes", nodes}, {"expired", stored.expired}});
  return {.text = text, .image = std::string(image.begin(), image.end())};
}

Stored stored_of(const std::string& image) {
  if (image.empty()) return {};
  const Json json = Json::from_cbor(image);
  Stored stored{.zxid = json.at("zxid").get<std::int64_t>(), .expired = json.at("expired").get<std::set<int>>()};
  for (const Json& each : json.at("nodes")) {
    stored.nodes[each.at(0).get<std::string>()] = {.value = each.at(1).get<std::string>(),
                                                   .version = each.at(2).get<int>(),
                                                   .czxid = each.at(3).get<std::int64_t>(),
                                                   .mzxid = each.at(4).get<std::int64_t>(),
                                                   .created = each.at(5).get<std::int64_t>(),
                                                   .session = each.at(6).get<int>()};
  }
  return stored;
}

std::string parent_of(const std::string& path) { return path.substr(0, std::max<std::size_t>(1, path.rfind('/'))); }

std::int64_t children_of(const Nodes& nodes, const std::string& path) {
  return std::count_if(nodes.begin(), nodes.end(),
                       [&](const auto& each) { return each.first != "/" && parent_of(each.first) == path; });
}

std::set<std::string> nodes_of(const Nodes& nodes, int session) {
  std::set<std::string> paths;
  for (const auto& [path, node] : nodes) {
    if (node.session == session) paths.insert(path);
  }
  return paths;
}

std::string lowest_of(const std::vector<std::string>& names) {
  constexpr std::size_t digits = 10;
  std::pair<std::string, std::string> lowest;  // its number and its name
  for (const std::string& name : names) {
    if (name.size() < digits) continue;
    const std::pair candidate{name.substr(name.size() - digits), name};
    const bool is_number = candidate.first.find_first_not_of("0123456789") == std::string::npos;
    if (is_number && (lowest.second.empty() || candidate < lowest)) lowest = candidate;
  }
  return lowest.second;
}

void make(std::vector<Operation>& operations, const std::string& path, const Node& node, std::int64_t children) {
  const bool is_set = node.version > 0;
  operations.push_back({Verb::create, path, is_set ? "" : node.value, node.session > 0});
  for (int i = 1; i < node.version; ++i) operations.push_back({Verb::set, path});
  if (is_set) operations.push_back({Verb::set, path, node.value});
  for (std::int64_t i = children; i < node.created; ++i) {
    operations.push_back({Verb::create, path + "/gone"});
    operations.push_back({Verb::remove, path + "/gone"});
  }
}

}  // namespace fencecheck::engines::zookeeper
