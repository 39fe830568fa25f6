# SPDX-License-Identifier: MIT
# Runs in cpack, before the package is made of what was installed: its folders are for all who install it, whatever the
# umask of whoever makes it (which CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS does not overrule).
file(CHMOD_RECURSE ${CPACK_TEMPORARY_DIRECTORY} DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
