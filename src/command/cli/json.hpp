#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace anympi::command {

/// A JSON document to be written. Only json.cpp includes the library that writes it, which takes long to compile.
class json {
public:
    struct member;

    json(std::nullptr_t);
    json(bool value);
    json(int value);
    json(const char* text);
    json(std::string text);
    json(const std::vector<std::string>& texts);
    json(const std::set<std::string>& texts);
    json(const std::map<std::string, std::string>& texts);
    json(std::initializer_list<member> members);
    /// clang needs these definitions in json.cpp, since `member` is incomplete here.
    json(const json& other);
    json(json&& other) noexcept;
    json& operator=(const json& other);
    json& operator=(json&& other) noexcept;
    ~json();
    static json array();
    static json object();

    void push_back(json element);                       // of an array
    json& operator[](const std::string& name);          // of an object; adds a missing member
    void update(std::initializer_list<member> members); // of an object

    /// In texts, bytes that are not UTF-8 are replaced: a path may have such bytes.
    std::string in_lines() const; // characters that are not ASCII as JSON's escapes
    std::string in_one_line() const;

private:
    enum class kind : unsigned char { null, boolean, number, text, array, object };

    explicit json(kind what);
    nlohmann::ordered_json for_library() const;

    kind kind_;
    int number_ = 0; // a boolean, too
    std::string text_;
    std::vector<member> members_; // members of an array have no names
};

struct json::member {
    std::string name;
    json value;
};

} // namespace anympi::command
