# SPDX-License-Identifier: MIT
# As another fmt says that it is there.
add_library(fmt::fmt INTERFACE IMPORTED)
