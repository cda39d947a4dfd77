#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace anympi::command {

// A JSON document to be written. The library that writes it takes long to compile: json.cpp alone includes it.
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
    // For clang: in the class `member` is incomplete.
    json(const json& other);
    json(json&& other) noexcept;
    json& operator=(const json& other);
    json& operator=(json&& other) noexcept;
    ~json();
    static json array();
    static json object();

    void push_back(json element);                       // of an array
    json& operator[](const std::string& name);          // of an object; added where it is not there
    void update(std::initializer_list<member> members); // of an object

    // A path may hold bytes that are no UTF-8: in texts they are replaced.
    std::string in_lines() const; // characters that are not ASCII as JSON's escapes
    std::string in_one_line() const;

private:
    enum class kind : unsigned char { null, boolean, number, text, array, object };

    explicit json(kind what);
    nlohmann::ordered_json for_library() const;

    kind kind_;
    int number_ = 0; // a boolean, too
    std::string text_;
    std::vector<member> members_; // those of an array have no names
};

struct json::member {
    std::string name;
    json value;
};

} // namespace anympi::command
