# SPDX-License-Identifier: MIT
# What the system has: nothing is fetched in the test.
set(VCPKG_POLICY_EMPTY_PACKAGE enabled)
