// SPDX-License-Identifier: MIT
// expect-error: xgrad: a trainer gets an owner and a size of a named dimension, which the owner has already
// A size next to the owner that knows it.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim features{"features"};
constexpr auto w = xg::variable<"w", float, features>;
constexpr auto loss = xg::sum(xg::square(w));

template<class Owner>
auto make(Owner& vars) {
#ifdef XGRAD_EXPECT_ERROR
    return xg::minimize(loss, xg::adam{}, vars, features = 300);
#else
    return xg::minimize(loss, xg::adam{}, vars);
#endif
}
void use() {
    xg::variables vars{loss, features = 300};
    static_cast<void>(make(vars));
}
