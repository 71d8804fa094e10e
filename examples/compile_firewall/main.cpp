// SPDX-License-Identifier: MIT
// Trains the model to tell two moons apart; sees the plain header only.
#include "model.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    std::vector<float> points, classes;
    for (int i = 0; i < 400; ++i) {
        float const angle = 3.14159265f * static_cast<float>(i / 2) / 200.0f,
                    radius = 1.0f + 0.15f * std::sin(37.0f * static_cast<float>(i));
        bool const second = i % 2 == 1;
        points.push_back(radius * (second ? 1.0f - std::cos(angle) : std::cos(angle)));
        points.push_back(radius * (second ? 0.4f - std::sin(angle) : std::sin(angle)));
        classes.push_back(second ? 1.0f : 0.0f);
    }
    auto const m = make_model();
    std::printf("the model runs its code for %s\n", m->architecture());
    for (int step = 0; step <= 600; ++step) {
        float const loss = m->train(points, classes);
        if (step % 200 == 0) std::printf("step %3d   loss %.4f\n", step, static_cast<double>(loss));
    }
    std::vector<float> p(classes.size());
    m->predict(points, p);
    int right = 0;
    for (std::size_t i = 0; i < p.size(); ++i) right += (p[i] > 0.5f) == (classes[i] > 0.5f);
    std::printf("%d of %zu points on the right side\n", right, p.size());
    return right >= 396 ? 0 : 1;
}
