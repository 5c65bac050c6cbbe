// What the tests of the ZooKeeper adapter share: what it answers, and ZooKeeper as naive as can be.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fencecheck/engines/engine.h>

namespace fencecheck::engines {

inline Answer created(int czxid, const std::string& path) {
  return {.rows = 1, .columns = {"czxid", "path"}, .table = {{std::to_string(czxid), path}}};
}
inline Answer was_set(int version, int mzxid) {
  return {.rows = 1, .columns = {"version", "mzxid"}, .table = {{std::to_string(version), std::to_string(mzxid)}}};
}
inline Answer got(const std::string& value, int version, int czxid, int mzxid) {
  return {.rows = 1,
          .columns = {"value", "version", "czxid", "mzxid"},
          .table = {{value, std::to_string(version), std::to_string(czxid), std::to_string(mzxid)}}};
}
inline Answer lowest(int czxid, const std::string& path, const std::string& value) {
  return {.rows = 1, .columns = {"czxid", "path", "value"}, .table = {{std::to_string(czxid), path, value}}};
}
inline Answer counted(int count) { return {.rows = 1, .columns = {"count"}, .table = {{std::to_string(count)}}}; }
inline Answer error(const std::string& name) { return {.error = name}; }
inline const Answer not_there{.rows = 0, .columns = {"value", "version", "czxid", "mzxid"}};
inline const Answer none_lowest{.rows = 0, .columns = {"czxid", "path", "value"}};
inline const Answer done{.rows = 1};
inline const Answer nobody{.rows = 0};

inline const std::string nothing_yet = "zxid 0\n/ \"\" version 0, czxid 0, mzxid 0\n";

/// ZooKeeper as a table of nodes.
class Model {
 public:
  std::string text() const {
    std::string text = "zxid " + std::to_string(zxid_) + "\n";
    for (const auto& [path, node] : nodes_) {
      text += path + " \"" + node.value + "\" version " + std::to_string(node.version) + ", czxid " +
              std::to_string(node.czxid) + ", mzxid " + std::to_string(node.mzxid);
      if (node.born > 0) text += ", next child " + std::to_string(node.born);
      if (node.owner > 0) text += ", of session " + std::to_string(node.owner);
      text += "\n";
    }
    for (const int session : expired_) text += "session " + std::to_string(session) + " has expired unawares\n";
    return text;
  }

  /// Whether the session has expired, which its worker now learns.
  bool forget(int session) { return expired_.erase(session) > 0; }

  Answer create(int session, std::string path, const std::string& value, bool ephemeral, bool sequential) {
    const std::string parent = parent_of(path);
    if (!nodes_.contains(parent)) return error("ZNONODE");
    if (sequential) {
      const std::string number = std::to_string(nodes_[parent].born);
      path += std::string(10 - number.size(), '0') + number;
    }
    if (nodes_.contains(path)) return error("ZNODEEXISTS");
    if (nodes_[parent].owner > 0) return error("ZNOCHILDRENFOREPHEMERALS");
    ++zxid_;
    ++nodes_[parent].born;
    nodes_[path] = {value, 0, zxid_, zxid_, ephemeral ? session : 0, 0};
    return created(zxid_, path);
  }

  Answer set(const std::string& path, const std::string& value, int version) {
    const Answer checked = check(path, version);
    if (!checked.error.empty()) return checked;
    Node& node = nodes_[path];
    node.value = value;
    node.mzxid = ++zxid_;
    return was_set(++node.version, zxid_);
  }

  Answer remove(const std::string& path, int version) {
    const Answer checked = check(path, version);
    if (!checked.error.empty()) return checked;
    if (!children_of(path).empty()) return error("ZNOTEMPTY");
    ++zxid_;
    nodes_.erase(path);
    return done;
  }

  Answer check(const std::string& path, int version) const {
    if (!nodes_.contains(path)) return error("ZNONODE");
    return version >= 0 && nodes_.at(path).version != version ? error("ZBADVERSION") : done;
  }

  Answer multi(const std::vector<std::function<Answer(Model&)>>& operations) {
    Model copy = *this;
    Answer answer = done;
    for (const auto& each : operations) {
      copy.zxid_ = zxid_;
      const Answer one = each(copy);
      if (!one.error.empty()) return one;
      if (answer.columns.empty()) answer = one;
    }
    copy.zxid_ = copy.text() == text() ? zxid_ : zxid_ + 1;
    *this = copy;
    return answer;
  }

  Answer get(const std::string& path) const {
    if (!nodes_.contains(path)) return not_there;
    const Node& node = nodes_.at(path);
    return got(node.value, node.version, node.czxid, node.mzxid);
  }

  Answer lowest_child(const std::string& path) const {
    if (!nodes_.contains(path)) return error("ZNONODE");
    const std::string child = lowest_of(path);
    return child.empty() ? none_lowest : lowest(nodes_.at(child).czxid, child, nodes_.at(child).value);
  }

  /// Gives whether it had anything.
  bool cut_off(int session) {
    if (std::erase_if(nodes_, [&](const auto& each) { return each.second.owner == session; }) == 0) return false;
    ++zxid_;
    return true;
  }

  Answer expire(const std::string& path) {
    if (!nodes_.contains(path)) return nobody;
    int owner = nodes_[path].owner;
    if (owner == 0 && !lowest_of(path).empty()) owner = nodes_[lowest_of(path)].owner;
    if (owner == 0) return nobody;
    cut_off(owner);
    expired_.insert(owner);
    return done;
  }

 private:
  struct Node {
    std::string value;
    int version = 0;
    int czxid = 0;
    int mzxid = 0;
    int owner = 0;
    int born = 0;
  };

  static std::string parent_of(const std::string& path) {
    return path.rfind('/') == 0 ? "/" : path.substr(0, path.rfind('/'));
  }

  std::vector<std::string> children_of(const std::string& path) const {
    std::vector<std::string> children;
    for (const auto& [each, node] : nodes_) {
      if (each != "/" && parent_of(each) == path) children.push_back(each);
    }
    return children;
  }

  /// The names that have a number differ in nothing else here.
  std::string lowest_of(const std::string& path) const {
    for (const std::string& each : children_of(path)) {
      if (each.find("n-") != std::string::npos) return each;
    }
    return "";
  }

  std::map<std::string, Node> nodes_{{"/", {}}};
  std::set<int> expired_;
  int zxid_ = 0;
};

}  // namespace fencecheck::engines
