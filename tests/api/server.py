#!/usr/bin/env python3
"""A faithful Stack Exchange API 2.3 on loopback, for tests. See README.md beside this file."""
import os
import sys

# Compiled once for all tests of a run, and never beside the source.
sys.dont_write_bytecode = 'TEST_WORK' not in os.environ
sys.pycache_prefix = os.path.join(os.environ.get('TEST_WORK', ''), 'compiled')

import serving

serving.main()
