#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs Roundel @VERSION@ on Debian 12 or 13, or on a 64-bit Raspberry Pi OS based on it.
#
#   curl -fsSL @ADDRESS@/install.sh | sudo sh
#   curl -fsSL @ADDRESS@/install.sh | sudo sh -s -- --kiosk thermostat
set -eu

usage() {
  cat <<'TEXT'
Usage: install.sh [--from URL] [--kiosk EXAMPLE] [--studio] [--mqtt] [--home] [--yes]

Adds Roundel's package repository with its key, and installs Roundel. Says what it will do first, and asks if there
is a terminal. If a step fails, it undoes the previous ones.

  --from URL       the repository's address, or its folder (default: the folder of this file, or @ADDRESS@)
  --kiosk EXAMPLE  begin /etc/roundel/EXAMPLE.yaml from an example, and show it now and at every boot: empty-grid,
                   thermostat, coffee-machine, museum-guide, pendant or now-playing
  --studio         also install the studio, which edits kiosks in a browser
  --mqtt           also install the bridge to MQTT and Home Assistant
  --home           also install the bridge to Home Assistant without a broker
  --yes            don't ask
TEXT
}

say() { printf '%s\n' "$*"; }
refuse() { # CODE MESSAGE
  printf 'install.sh: %s\nNothing was changed.\n' "$2" >&2
  exit "$1"
}

key() {
  cat <<'KEY'
@KEY@
KEY
}

main() {
  from='' kiosk='' studio='' mqtt='' home='' yes=no
  while [ $# -gt 0 ]; do
    case $1 in
      --from | --kiosk)
        [ $# -ge 2 ] || refuse 64 "$1 needs a value"
        case $1 in --from) from=${2%/} ;; --kiosk) kiosk=$2 ;; esac
        shift 2
        ;;
      --studio) studio=roundel-studio; shift ;;
      --mqtt) mqtt=roundel-mqtt; shift ;;
      --home) home=roundel-home; shift ;;
      --yes) yes=yes; shift ;;
      -h | --help) usage; exit 0 ;;
      *) usage >&2; refuse 64 "unknown option $1" ;;
    esac
  done
  case $kiosk in
    '' | empty-grid | thermostat | coffee-machine | museum-guide | pendant | now-playing) ;;
    *) refuse 64 "no example $kiosk; see --help" ;;
  esac

  # Identify the machine's system.
  os=/etc/os-release
  [ -r "$os" ] || refuse 69 "this is not Debian; build Roundel from its source instead"
  # shellcheck disable=SC1090 # a file of the machine
  id=$(. "$os" && echo "${ID:-}") codename=$(. "$os" && echo "${VERSION_CODENAME:-}")
  # shellcheck disable=SC1090
  name=$(. "$os" && echo "${PRETTY_NAME:-this system}")
  case $id in
    debian) ;;
    raspbian) refuse 69 "cannot install on $name: it has 32 bits; use the 64-bit Raspberry Pi OS" ;;
    *) refuse 69 "cannot install on $name: there are packages for Debian 12 and 13; on another system, build Roundel from its source in a container with Debian" ;;
  esac
  case $codename in
    bookworm | trixie) ;;
    *) refuse 69 "cannot install on $name: there are packages for Debian 12 (bookworm) and 13 (trixie)" ;;
  esac
  architecture=$(dpkg --print-architecture 2>/dev/null) || refuse 69 "cannot install: dpkg is missing"
  case $architecture in
    amd64 | arm64) ;;
    *) refuse 69 "cannot install on $architecture: there are packages for amd64 and arm64, which have 64 bits" ;;
  esac
  [ "$(id -u)" = 0 ] || refuse 77 "cannot install without root; run it with sudo"

  if [ -z "$from" ]; then
    here=$(cd "$(dirname "$0")" 2>/dev/null && pwd) || here=''
    if [ -f "$0" ] && [ -e "$here/apt/dists" ]; then from=$here; else from='@ADDRESS@'; fi
  fi
  case $from in
    /*) address=file:$from/apt ;;
    http://* | https://* | file:*) address=$from/apt ;;
    *) refuse 64 "--from needs an address such as https://…, or a folder that begins with /" ;;
  esac
  packages="roundel${studio:+ $studio}${mqtt:+ $mqtt}${home:+ $home}"
  list=/etc/apt/sources.list.d/roundel.list
  keyring=/etc/apt/keyrings/roundel.asc

  say "On $name ($architecture), this will"
  say "  add the package repository $address in $list,"
  say "  trust the key @FINGERPRINT@ for it, in $keyring,"
  say "  install $packages with the missing packages of Debian that they need$([ -z "$kiosk" ] || echo ','; )"
  [ -z "$kiosk" ] || say "  and show the example $kiosk from /etc/roundel/$kiosk.yaml, now and at every boot."
  asks=no
  if [ "$yes" = no ] && (: </dev/tty) 2>/dev/null; then asks=yes; fi
  if [ "$asks" = yes ]; then
    printf 'Continue? [Y/n] '
    read -r answer </dev/tty || answer=n
    case $answer in '' | [Yy]*) ;; *) refuse 1 "cancelled" ;; esac
  fi

  # Check the repository in a separate folder before anything changes.
  work=$(mktemp -d)
  added='' new=''
  undo() {
    code=$?
    trap - EXIT INT TERM HUP
    if [ "$code" != 0 ] && [ -n "$added" ]; then
      # shellcheck disable=SC2086 # a list of packages that were not installed before
      if [ -n "$new" ] && ! apt-get -qq -y purge $new >"$work/said" 2>&1; then
        echo "install.sh: cannot remove the new packages; run apt-get purge" $new >&2
      fi
      # The former files, if there were any.
      for file in $list $keyring; do
        if [ -e "$file.before" ]; then mv -f "$file.before" "$file"; else rm -f "$file"; fi
      done
      echo "install.sh: the installation was undone" >&2
    fi
    rm -rf "$work" "$list.before" "$keyring.before" "$list.new" "$keyring.new"
    exit "$code"
  }
  trap undo EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  key >"$work/roundel.asc"
  echo "deb [signed-by=$work/roundel.asc arch=$architecture] $address $codename main" >"$work/sources"
  mkdir -p "$work/lists/partial" "$work/cache"
  chmod -R a+rX "$work"
  if ! apt-get -q -o Dir::Etc::sourcelist="$work/sources" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root \
    -o APT::Update::Error-Mode=any -o Acquire::Retries=2 update >"$work/said" 2>&1; then
    sed 's/^/  /' "$work/said" >&2
    refuse 1 "the repository $address cannot be used: it is not available, or it is not signed by the key of this script"
  fi

  # From here on, files change. A failure undoes it.
  added=yes
  for file in $list $keyring; do
    mkdir -p "${file%/*}"
    if [ -e "$file" ]; then cp -p "$file" "$file.before"; fi
  done
  key >"$keyring.new" && chmod 644 "$keyring.new" && mv -f "$keyring.new" "$keyring"
  echo "deb [signed-by=$keyring arch=$architecture] $address $codename main" >"$list.new"
  chmod 644 "$list.new" && mv -f "$list.new" "$list"
  export DEBIAN_FRONTEND=noninteractive
  say "reading the package lists"
  # Other repositories of the machine may be unavailable.
  apt-get -qq -o Acquire::Retries=2 update >"$work/said" 2>&1 || sed 's/^/  /' "$work/said" >&2
  # shellcheck disable=SC2086
  new=$(apt-get -s -qq --no-install-recommends install $packages | sed -n 's/^Inst \([^ ]*\) (.*/\1/p' | tr '\n' ' ') || {
    echo "install.sh: apt-get cannot install $packages; see above" >&2
    exit 1
  }
  say "installing $packages"
  # shellcheck disable=SC2086 # a list
  apt-get -qq -y -o DPkg::Lock::Timeout=120 --no-install-recommends install $packages >"$work/said" 2>&1 </dev/null || {
    tail -n 20 "$work/said" | sed 's/^/  /' >&2
    echo "install.sh: apt-get cannot install $packages; see above" >&2
    exit 1
  }
  added=''
  say "installed $(roundel --version)"

  if [ -n "$kiosk" ]; then
    if [ -e "/etc/roundel/$kiosk.yaml" ]; then
      say "kept the existing /etc/roundel/$kiosk.yaml"
    else
      mkdir -p /etc/roundel
      roundel new "/etc/roundel/$kiosk.yaml" --from "$kiosk" >/dev/null
      mkdir -p /usr/local/share/roundel
      mv "/etc/roundel/$kiosk-suite.yaml" /usr/local/share/roundel/
      sed -i "s|^kiosk: .*|kiosk: /etc/roundel/$kiosk.yaml|" "/usr/local/share/roundel/$kiosk-suite.yaml"
    fi
    command -v systemctl >/dev/null || {
      say "this machine has no systemd; show the kiosk with  roundel run /etc/roundel/$kiosk.yaml"
      return
    }
    systemctl --quiet enable "roundel@$kiosk.service"
    if [ -d /run/systemd/system ]; then
      systemctl start "roundel@$kiosk.service"
      say "the kiosk $kiosk is on the panel; see systemctl status roundel@$kiosk"
    else
      say "the kiosk $kiosk appears at the next boot"
    fi
  else
    file=''
    if [ "$asks" = yes ]; then
      printf 'Begin a kiosk? Enter its file, such as lunch.yaml, or nothing: '
      read -r file </dev/tty || file=''
    fi
    if [ -n "$file" ]; then
      # The file belongs to the user, not to root.
      if [ -n "${SUDO_USER:-}" ]; then set -- runuser -u "$SUDO_USER" --; else set --; fi
      "$@" roundel new "$file" </dev/tty || say "begin it later with  roundel new"
    else
      say "Begin a kiosk:  roundel try lunch.yaml"
    fi
    say "Show one at every boot:  put it into /etc/roundel/NAME.yaml, and run  systemctl enable --now roundel@NAME"
  fi
}

# Complete once the last line has arrived, so that an interrupted download runs nothing.
main "$@"
