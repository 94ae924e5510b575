# SPDX-License-Identifier: MIT
"""Checks a device's description on standard input with Home Assistant's own schemas.

Must run in a Python with the package homeassistant. Prints the number of valid entities.
"""

import importlib
import json
import sys

from homeassistant.components.mqtt.abbreviations import ABBREVIATIONS, DEVICE_ABBREVIATIONS
from homeassistant.components.mqtt.mixins import MQTT_ENTITY_DEVICE_INFO_SCHEMA


def schema(platform):
    """Returns Home Assistant's schema for user configuration of an entity, which rejects unknown keys."""
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
    # Keys that only discovery accepts, and keys from the device.
    written.pop("p")
    written.setdefault("availability_topic", message["availability_topic"])
    if component["p"] == "light":
        # Required before 2024.4; device-based discovery exists since 2024.11.
        written["color_mode"] = True
    schema(component["p"])({**written, "device": device})
print(len(message["cmps"]))
