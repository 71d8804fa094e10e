// SPDX-License-Identifier: MIT
// What the rest of a program sees of the model: no header of xgrad, so only model.cpp takes its time to compile.
#pragma once

#include <memory>
#include <span>

struct model {
    virtual ~model() = default;
    /// One training step on rows of two coordinates and their classes (0 or 1); returns the mean loss before the step.
    virtual float train(std::span<float const> points, std::span<float const> classes) = 0;
    /// The probability of class 1 for each row.
    virtual void predict(std::span<float const> points, std::span<float> probability) = 0;
    virtual char const* architecture() const = 0;
};

/// The variant for this processor.
std::unique_ptr<model> make_model();
