#pragma once

#include "convert/descriptor.hpp"

#include <cstdint>
#include <vector>

/// An array section with its memory, and the places of its elements by Fortran's rule.
class array {
public:
    struct dimension {
        std::intptr_t extent, stride;
    };

    array(std::size_t element, std::vector<dimension> dimensions) : descriptor_{} {
        descriptor_.element = element;
        descriptor_.rank = static_cast<std::int8_t>(dimensions.size());
        std::intptr_t lowest = 0, highest = 0;
        for (std::size_t i = 0; i < dimensions.size(); ++i) {
            descriptor_.dimensions[i] = {1, dimensions[i].extent, dimensions[i].stride};
            const std::intptr_t reach =
                dimensions[i].extent > 1 ? (dimensions[i].extent - 1) * dimensions[i].stride : 0;
            (reach < 0 ? lowest : highest) += reach;
        }
        memory_.resize(static_cast<std::size_t>(highest - lowest) + element);
        descriptor_.address = memory_.data() - lowest;
        places_.push_back(0);
        for (const auto& [extent, stride] : dimensions) {
            std::vector<std::intptr_t> longer;
            for (std::intptr_t i = 0; i < extent; ++i)
                for (const std::intptr_t place : places_)
                    longer.push_back(place + i * stride);
            places_ = longer;
        }
    }

    anympi::fortran::descriptor& descriptor() { return descriptor_; }
    char* address() const { return static_cast<char*>(descriptor_.address); }
    std::vector<char>& memory() { return memory_; }
    /// Returns the place of each element in array element order, in bytes from the first.
    const std::vector<std::intptr_t>& places() const { return places_; }
    /// Returns the place of a byte of the contiguous buffer that the section represents.
    std::intptr_t place_of_byte(std::int64_t n) const {
        const auto element = static_cast<std::int64_t>(descriptor_.element);
        return places_.at(static_cast<std::size_t>(n / element)) + n % element;
    }

private:
    anympi::fortran::descriptor descriptor_;
    std::vector<char> memory_;
    std::vector<std::intptr_t> places_;
};
