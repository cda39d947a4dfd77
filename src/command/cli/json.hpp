#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace anympi::command {

/// A JSON document to be written. Only json.cpp includes the JSON library, because it takes long to compile.
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
    /// json.cpp defines these functions: clang rejects definitions here, because `member` is incomplete.
    json(const json& other);
    json(json&& other) noexcept;
    json& operator=(const json& other);
    json& operator=(json&& other) noexcept;
    ~json();
    static json array();
    static json object();

    void push_back(json element);              // appends an element to an array
    json& operator[](const std::string& name); // returns a member of an object; adds the member if it is missing
    void update(std::initializer_list<member> members); // sets members of an object

    /// Returns the document as text. Bytes that are not UTF-8 are replaced, because a path may have such bytes.
    std::string in_lines() const; // characters that are not ASCII are escaped
    std::string in_one_line() const;

private:
    enum class kind : unsigned char { null, boolean, number, text, array, object };

    explicit json(kind what);
    nlohmann::ordered_json for_library() const;

    kind kind_;
    int number_ = 0; // also the value of a boolean
    std::string text_;
    std::vector<member> members_; // members of an array have no names
};

struct json::member {
    std::string name;
    json value;
};

} // namespace anympi::command
