#include "command/cli/json.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace anympi::command {

using nlohmann::ordered_json;

json::json(const json& other) = default;
json::json(json&& other) noexcept = default;
json& json::operator=(const json& other) = default;
json& json::operator=(json&& other) noexcept = default;
json::~json() = default;

json::json(kind what) : kind_(what) {}

json::json(std::nullptr_t) : json(kind::null) {}

json::json(bool value) : kind_(kind::boolean), number_(value) {}

json::json(int value) : kind_(kind::number), number_(value) {}

json::json(const char* text) : json(std::string(text)) {}

json::json(std::string text) : kind_(kind::text), text_(std::move(text)) {}

json::json(const std::vector<std::string>& texts) : json(kind::array) {
    for (const std::string& text : texts)
        push_back(text);
}

json::json(const std::set<std::string>& texts) : json(kind::array) {
    for (const std::string& text : texts)
        push_back(text);
}

json::json(const std::map<std::string, std::string>& texts) : json(kind::object) {
    for (const auto& [name, text] : texts)
        members_.push_back({name, text});
}

json::json(std::initializer_list<member> members) : kind_(kind::object), members_(members) {}

json json::array() {
    return json(kind::array);
}

json json::object() {
    return json(kind::object);
}

void json::push_back(json element) {
    members_.push_back({"", std::move(element)});
}

json& json::operator[](const std::string& name) {
    for (member& one : members_)
        if (one.name == name)
            return one.value;
    members_.push_back({name, nullptr});
    return members_.back().value;
}

void json::update(std::initializer_list<member> members) {
    for (const member& one : members)
        (*this)[one.name] = one.value;
}

ordered_json json::for_library() const {
    switch (kind_) {
    case kind::null:
        break;
    case kind::boolean:
        return number_ != 0;
    case kind::number:
        return number_;
    case kind::text:
        return text_;
    case kind::array: {
        ordered_json all = ordered_json::array();
        for (const member& one : members_)
            all.push_back(one.value.for_library());
        return all;
    }
    case kind::object: {
        ordered_json all = ordered_json::object();
        for (const member& one : members_)
            all[one.name] = one.value.for_library();
        return all;
    }
    }
    return nullptr;
}

std::string json::in_lines() const {
    return for_library().dump(2, ' ', true, ordered_json::error_handler_t::replace);
}

std::string json::in_one_line() const {
    return for_library().dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace anympi::command
