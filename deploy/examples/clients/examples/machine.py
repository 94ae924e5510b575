#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The control program of the coffee machine machine.yaml, which starts it by `logic:`.

The kiosk shows values and reports orders; this program knows the state of brewing. A real one would open valves
instead of sleeping. Its output goes to the kiosk's log.

    machine.py [SECONDS PER CUP]
"""

import asyncio
import pathlib
import sys

# In the source tree; deploy/install puts the client where Python finds it.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import roundel  # noqa: E402

SECONDS_PER_CUP = float(sys.argv[1]) if len(sys.argv) > 1 else 6.0
STEPS = [(0, "Heating"), (20, "Grinding"), (35, "Pouring"), (100, "Done")]


async def brew(kiosk, drink, cups):
    print(f"brewing {cups} × {drink}")
    for percent in range(101):
        state = [name for first, name in STEPS if first <= percent][-1]
        await kiosk.set("progress", percent)
        await kiosk.set("state", state)
        await asyncio.sleep(SECONDS_PER_CUP * cups / 100)
    await kiosk.emit("sold", drink=drink, cups=cups)
    await kiosk.go("ready")


async def main():
    async with roundel.async_logic() as kiosk:
        # The program may have been restarted while the kiosk kept running.
        await kiosk.reset()
        await kiosk.set("machine", True)
        brewing = None
        async for event in kiosk.events():
            if event["event"] != "emit" or event["name"] not in ("brew", "stop"):
                continue
            if brewing:
                brewing.cancel()
            if event["name"] == "brew":
                brewing = asyncio.ensure_future(brew(kiosk, event["drink"], event["cups"]))


asyncio.run(main())
