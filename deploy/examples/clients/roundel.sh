# SPDX-License-Identifier: MIT
# A client for shell scripts, which calls functions on events and changes. Needs jq. To set, get, tap and wait, call
# `roundel set`, `roundel get` … directly; for a long list, use `roundel set --file NAME=-`.
#
#   . /usr/share/roundel/roundel.sh
#   heat() { echo "$1 is $2"; }
#   roundel_watch heat "temperature < target"           # calls: heat "temperature < target" true
#   ordered() { echo "$1" | jq -r .item; }
#   roundel_events ordered '.event == "confirmed"'      # calls: ordered '{"t":2.3,"control":"menu",…}'
#
# Both run for ever, also across restarts of the kiosk. ROUNDEL_OPTIONS are options for every command, such as
# `--host lobby`. Handlers run in a subshell, with an empty standard input.

# roundel_watch HANDLER EXPRESSION…: calls HANDLER EXPRESSION VALUE for each, at once and after each change. Text has
# no quotation marks, and an undefined value is null.
roundel_watch() {
  _roundel_handler=$1
  shift
  _roundel_again watch "$@" | jq --unbuffered -r '(.watch, .value) | if type == "string" then @json else tojson end' |
    while IFS= read -r _roundel_name && IFS= read -r _roundel_value; do
      "$_roundel_handler" "$(printf %s "$_roundel_name" | jq -r .)" \
        "$(printf %s "$_roundel_value" | jq -r .)" </dev/null
    done
}

# roundel_events HANDLER [FILTER]: calls HANDLER LINE for each event that matches jq's FILTER.
roundel_events() {
  _roundel_again events | jq --unbuffered -c "select(${2:-true})" |
    while IFS= read -r _roundel_line; do "$1" "$_roundel_line" </dev/null; done
}

# Repeats a command that runs until the kiosk exits. Other failures, such as wrong usage, end the loop.
_roundel_again() {
  while :; do
    _roundel_code=0
    # shellcheck disable=SC2086 # a list of options
    roundel "$@" ${ROUNDEL_OPTIONS-} || _roundel_code=$?
    [ "$_roundel_code" = 69 ] || return "$_roundel_code"
    sleep 1
  done
}
