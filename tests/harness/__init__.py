# SPDX-License-Identifier: MIT
"""What the tests in Python share. Every suite imports it in one way,
`from harness import tap`: meson puts tests/ on PYTHONPATH."""
