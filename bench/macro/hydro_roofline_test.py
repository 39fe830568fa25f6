#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each instruction on floating-point numbers is counted as what it does."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from hydro_roofline import FLOPS, REST, kind_of

# Those of AVX2 in the gas schemes whose names end in pd or sd, as objdump names them.
MNEMONICS = """
vaddpd vaddsd vandnpd vandpd vblendvpd vbroadcastsd vcmplepd vcmplesd vcmpltpd vcmpltsd vcmpnlesd vcmpnltpd vcmpnltsd vcomisd vcvtsi2sd
vdivpd vdivsd vfmadd132sd vfmadd213sd vfmadd231pd vfmadd231sd vfmsub132sd vfmsub213sd vfnmadd213sd vmaxpd vmaxsd vminpd vminsd vmovapd
vmovsd vmovupd vmulpd vmulsd vorpd vsqrtpd vsqrtsd vsubpd vsubsd vucomisd vunpckhpd vxorpd
""".split()


class Kinds(unittest.TestCase):
    def test_of_fused_operations_count_two_flops_a_lane(self):
        for mnemonic in ("vfmadd231pd", "vfmsub132sd", "vfnmadd213pd", "vfnmsub231sd"):
            self.assertEqual(kind_of(mnemonic), "fused", mnemonic)
        self.assertEqual(FLOPS["fused"], 2 * FLOPS["sums and products"])

    def test_of_floating_point_are_none_of_the_rest(self):
        self.assertEqual([mnemonic for mnemonic in MNEMONICS if kind_of(mnemonic) == REST], [])

    def test_of_integers_are_the_rest(self):
        self.assertEqual({kind_of(mnemonic) for mnemonic in ("add", "imul", "jne", "lea", "mov")}, {REST})


if __name__ == "__main__":
    unittest.main()
