# SPDX-License-Identifier: Apache-2.0
# Makes this folder a lit suite of its own; everything else is in tests/lit.cfg.py.
import os

config.suite = "kernels"
lit_config.load_config(config, os.path.join(os.path.dirname(__file__), "../tests/lit.cfg.py"))
