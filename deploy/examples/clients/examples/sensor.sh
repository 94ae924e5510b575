#!/bin/sh
# SPDX-License-Identifier: MIT
# A sensor and a boiler for the example kiosk thermostat.yaml.
#
#   sensor.sh [FILE]   FILE contains thousandths of a degree, like the kernel's sensors
#
# Reads the sensor every 10 s (PERIOD) and sets the kiosk's temperature when it has changed by a tenth. This neither
# wakes the panel nor keeps it awake. For the boiler it prints "heat on" and "heat off". It needs no clock, and
# continues after a restart of the kiosk.
set -eu
. "${ROUNDEL_SH:-/usr/share/roundel/roundel.sh}"

sensor=${1:-/sys/class/thermal/thermal_zone0/temp}

report() {
  last=''
  while :; do
    milli=$(cat "$sensor")
    tenths=$(((milli + 50) / 100))
    if [ "$tenths" != "$last" ]; then
      # shellcheck disable=SC2086 # a list of options
      if roundel set "temperature=$((tenths / 10)).$((tenths % 10))" ${ROUNDEL_OPTIONS-}; then
        last=$tenths
      fi
    fi
    sleep "${PERIOD:-10}"
  done
}

heat() { if [ "$2" = true ]; then echo "heat on"; else echo "heat off"; fi; }

report &
trap 'kill $!' EXIT
roundel_watch heat heating
