# SPDX-License-Identifier: MIT
set(PACKAGE_VERSION 99.1.0)
