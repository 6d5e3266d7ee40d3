#include "CSimdjson.h"

#include <cstring>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

namespace ondemand = simdjson::ondemand;

struct tape {
    ondemand::parser parser;
    std::vector<tape_node> nodes;
    /* The input with the zeroed padding that simdjson reads past its end. */
    std::vector<uint8_t> input;
};

namespace {

std::string_view trimmed(std::string_view text) {
    size_t end = text.size();
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\n' || text[end - 1] == '\r' || text[end - 1] == '\t')) {
        end--;
    }
    return text.substr(0, end);
}

/* RFC 8259 section 6. On-Demand checks a number only when it is read. We keep its text unread, so we check it here. */
bool is_number(std::string_view text) {
    size_t i = 0, n = text.size();
    auto digits = [&] {
        size_t start = i;
        while (i < n && text[i] >= '0' && text[i] <= '9') i++;
        return i > start;
    };
    if (i < n && text[i] == '-') i++;
    if (i < n && text[i] == '0') i++;
    else if (!digits()) return false;
    if (i < n && text[i] == '.') {
        i++;
        if (!digits()) return false;
    }
    if (i < n && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        if (i < n && (text[i] == '+' || text[i] == '-')) i++;
        if (!digits()) return false;
    }
    return i == n;
}

struct reader {
    tape &out;
    ondemand::document &document;
    const char *start;
    size_t length;
    uint32_t maximum_depth, maximum_nodes;

    static int code(simdjson::error_code error) {
        switch (error) {
        case simdjson::SUCCESS: return tape_ok;
        case simdjson::UTF8_ERROR: return tape_error_utf8;
        case simdjson::DEPTH_ERROR: return tape_error_depth;
        case simdjson::MEMALLOC: return tape_error_memory;
        case simdjson::CAPACITY: return tape_error_size;
        default: return tape_error_syntax;
        }
    }

    /* Fills in the members of a container's node that are known only after the container has been read. */
    int close(uint32_t index, uint32_t count) {
        /* The parser is now at the next token. The container ends before the blanks in front of that token. */
        size_t end = length;
        const char *location = nullptr;
        if (document.current_location().get(location) == simdjson::SUCCESS) end = size_t(location - start);
        tape_node &node = out.nodes[index];
        node.count = count;
        node.next = uint32_t(out.nodes.size());
        node.end = uint32_t(trimmed(std::string_view(start, end < length ? end : length)).size());
        return tape_ok;
    }

    int open(uint32_t kind, size_t begin, std::string_view key, uint32_t depth, uint32_t &index) {
        if (kind >= tape_kind_array && depth > maximum_depth) return tape_error_depth;
        if (out.nodes.size() >= maximum_nodes) return tape_error_size;
        index = uint32_t(out.nodes.size());
        tape_node node{};
        node.kind = kind;
        node.next = index + 1;
        node.begin = uint32_t(begin);
        node.key = key.data();
        node.key_length = uint32_t(key.size());
        out.nodes.push_back(node);
        return tape_ok;
    }

    int read_array(ondemand::array &array, size_t begin, std::string_view key, uint32_t depth) {
        uint32_t index, count = 0;
        if (int failure = open(tape_kind_array, begin, key, depth, index)) return failure;
        for (auto element : array) {
            ondemand::value value;
            if (auto error = element.get(value)) return code(error);
            if (int failure = read_value(value, std::string_view(), depth + 1)) return failure;
            count++;
        }
        return close(index, count);
    }

    int read_object(ondemand::object &object, size_t begin, std::string_view key, uint32_t depth) {
        uint32_t index, count = 0;
        if (int failure = open(tape_kind_object, begin, key, depth, index)) return failure;
        for (auto member : object) {
            ondemand::field field;
            if (auto error = std::move(member).get(field)) return code(error);
            std::string_view name;
            /* A key that is not valid text becomes an empty key. */
            if (auto error = field.unescaped_key().get(name)) {
                if (error != simdjson::STRING_ERROR) return code(error);
                name = std::string_view();
            }
            ondemand::value value = field.value();
            if (int failure = read_value(value, name, depth + 1)) return failure;
            count++;
        }
        return close(index, count);
    }

    int read_value(ondemand::value &value, std::string_view key, uint32_t depth) {
        ondemand::json_type type;
        if (auto error = value.type().get(type)) return code(error);
        std::string_view token = trimmed(value.raw_json_token());
        size_t begin = size_t(token.data() - start);
        if (type == ondemand::json_type::array) {
            ondemand::array array;
            if (auto error = value.get_array().get(array)) return code(error);
            return read_array(array, begin, key, depth);
        }
        if (type == ondemand::json_type::object) {
            ondemand::object object;
            if (auto error = value.get_object().get(object)) return code(error);
            return read_object(object, begin, key, depth);
        }
        uint32_t index, kind;
        std::string_view text = token;
        switch (type) {
        case ondemand::json_type::null:
            if (token != "null") return tape_error_syntax;
            kind = tape_kind_null;
            break;
        case ondemand::json_type::boolean:
            if (token != "true" && token != "false") return tape_error_syntax;
            kind = token == "true" ? tape_kind_true : tape_kind_false;
            break;
        case ondemand::json_type::number:
            if (!is_number(token)) return tape_error_syntax;
            kind = tape_kind_number;
            break;
        case ondemand::json_type::string: {
            kind = tape_kind_string;
            auto error = value.get_string().get(text);
            if (error == simdjson::STRING_ERROR) {
                kind = tape_kind_invalid_string;
                text = token;
            } else if (error) {
                return code(error);
            }
            break;
        }
        default: return tape_error_syntax;
        }
        if (int failure = open(kind, begin, key, depth, index)) return failure;
        tape_node &node = out.nodes[index];
        node.end = uint32_t(begin + token.size());
        node.text = text.data();
        node.text_length = uint32_t(text.size());
        return tape_ok;
    }

    int read_document() {
        ondemand::json_type type;
        if (auto error = document.type().get(type)) return code(error);
        std::string_view token;
        if (auto error = document.raw_json_token().get(token)) return code(error);
        size_t begin = size_t(token.data() - start);
        int failure = tape_error_syntax;
        if (type == ondemand::json_type::object) {
            ondemand::object object;
            if (auto error = document.get_object().get(object)) return code(error);
            failure = read_object(object, begin, std::string_view(), 0);
        } else if (type == ondemand::json_type::array) {
            ondemand::array array;
            if (auto error = document.get_array().get(array)) return code(error);
            failure = read_array(array, begin, std::string_view(), 0);
        }
        if (failure) return failure;
        /* Anything after the root is a second text. */
        const char *location = nullptr;
        return document.current_location().get(location) == simdjson::OUT_OF_BOUNDS ? tape_ok : tape_error_syntax;
    }
};

}  // namespace

tape *tape_make(void) { return new (std::nothrow) tape(); }

void tape_free(tape *tape) { delete tape; }

int tape_read(tape *tape, const uint8_t *bytes, size_t length, uint32_t maximum_depth, uint32_t maximum_nodes) {
    if (!tape) return tape_error_memory;
    /* Offsets are 32 bits wide; simdjson's own limit is the same. */
    if (length > UINT32_MAX - simdjson::SIMDJSON_PADDING) return tape_error_size;
    try {
        tape->nodes.clear();
        tape->input.resize(length + simdjson::SIMDJSON_PADDING);
        if (length > 0) std::memcpy(tape->input.data(), bytes, length);
        std::memset(tape->input.data() + length, 0, simdjson::SIMDJSON_PADDING);
        ondemand::document document;
        auto error = tape->parser.iterate(tape->input.data(), length, tape->input.size()).get(document);
        if (error) return reader::code(error);
        const char *start = reinterpret_cast<const char *>(tape->input.data());
        reader reader{*tape, document, start, length, maximum_depth, maximum_nodes};
        return reader.read_document();
    } catch (const std::bad_alloc &) {
        return tape_error_memory;
    }
}

const tape_node *tape_nodes(const tape *tape) { return tape->nodes.data(); }
