# SPDX-License-Identifier: MIT
"""Holds a device's description, on standard input, against Home Assistant's own schemas.

Run by the Python in which the package homeassistant is. Prints how many entities were right.
"""

import importlib
import json
import sys

from homeassistant.components.mqtt.abbreviations import ABBREVIATIONS, DEVICE_ABBREVIATIONS
from homeassistant.components.mqtt.mixins import MQTT_ENTITY_DEVICE_INFO_SCHEMA


def schema(platform):
    """What Home Assistant lets people write of an entity, which forbids what it does not know."""
    module = importlib.import_module(f"homeassistant.components.mqtt.{platform}")
    if platform == "light":
        module = importlib.import_module("homeassistant.components.mqtt.light.schema_json")
        return module.PLATFORM_SCHEMA_MODERN_JSON
    return module.PLATFORM_SCHEMA_MODERN


message = json.load(sys.stdin)
device = {DEVICE_ABBREVIATIONS.get(key, key): value for key, value in message["dev"].items()}
MQTT_ENTITY_DEVICE_INFO_SCHEMA(device)
for component in message["cmps"].values():
    written = {ABBREVIATIONS.get(key, key): value for key, value in component.items()}
    # What its discovery takes beside, and what it takes from the device.
    written.pop("p")
    written.setdefault("availability_topic", message["availability_topic"])
    if component["p"] == "light":
        # Had to be said before 2024.4; devices as a whole are known since 2024.11.
        written["color_mode"] = True
    schema(component["p"])({**written, "device": device})
print(len(message["cmps"]))
