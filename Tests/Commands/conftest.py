# SPDX-License-Identifier: MIT
"""The order of the tests, and which of them run sequentially in one process: pytest's --dist loadgroup.

With --dist worksteal, each process would make the fixtures of the same module again."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Groups the tests that share a fixture of their module, and starts with the largest groups. A long group that
    starts late would leave the other processes idle."""
    groups = {}
    for item in items:
        definitions = item._fixtureinfo.name2fixturedefs.values()
        if any(found[-1].scope == "module" for found in definitions):
            groups.setdefault(item.path.stem, []).append(item)
    for name, members in groups.items():
        for item in members:
            item.add_marker(pytest.mark.xdist_group(name))
    items.sort(key=lambda item: -len(groups.get(item.path.stem, [])) if item.get_closest_marker("xdist_group") else 0)
