# Replaces a kiosk file and its attached files in its folder, unless the kiosk would have errors.
#
# Input: the path of the kiosk file, a random word, the number of files, then for each file, ending with the kiosk
# file: its name relative to the kiosk's folder, the SHA-256 of the content to replace, "none" for a new file or
# "any", its size in bytes, and its content. Each file is complete before it replaces the old one. Symbolic links are
# kept. A file keeps its owner, group, permissions and access control list. A new file gets the kiosk file's.
#
# Exits with 3 if a file has a different content than expected. After other failures, the output has the reason.
exec 2>&1
export LC_ALL=C
umask 077
IFS= read -r path && IFS= read -r word && IFS= read -r count || exit 1
name=${path##*/}
folder=${path%/*}/
draft=$folder.roundel-$word-$name
overlay=$folder.roundel-$word-${name%.*}.overlay.yaml

refuse() {
  printf '%s\n' "$1"
  exit 65
}

# Sets `target` to the file that links lead to. The owner of a folder must not make root replace other files by links.
follow() {
  [ -e "$1" ] || [ ! -L "$1" ] || refuse "$1 is a broken link"
  target=$(realpath -m -- "$1") || exit 65
  link=$1
  while [ -L "$link" ]; do
    owner=$(stat -c %u -- "$link")
    [ "$owner" = 0 ] || [ "$owner" = "$(id -u)" ] || [ "$owner" = "$(stat -c %u -- "$target")" ] ||
      refuse "$1 is another user's link"
    next=$(readlink -- "$link")
    case $next in /*) link=$next ;; *) link=${link%/*}/$next ;; esac
  done
  case $target in
  */.bundles/*) refuse "cannot save $1: it was installed from a signed bundle; install a new version instead" ;;
  esac
}

# Copies a file's permissions to a draft. If the group can't be kept, it gets the permissions of all other users.
permit() {
  cp -p --attributes-only -- "$1" "$2" || exit 65
  [ "$(stat -c %g -- "$1")" = "$(stat -c %g -- "$2")" ] || chmod g=o -- "$2"
}

make_folder() {
  [ -d "$1" ] && return
  make_folder "${1%/*}"
  mkdir -- "$1" || exit 65
  chown --reference="$folder" -- "$1" 2>/dev/null
  chmod --reference="$folder" -- "$1"
}

# Removes the drafts, and restores the previous files.
undo() {
  rm -f -- "$draft" "$overlay"
  number=0
  for target; do
    number=$((number + 1))
    [ ! -e "former$number" ] || mv -fT -- "former$number" "$target"
    [ ! -e "new$number" ] || rm -f -- "$target"
  done
  cd / && rm -rf -- "$stage"
}

follow "$path"
kiosk=$target
[ -f "$kiosk" ] || refuse "$path does not exist"
top=$(realpath -e -- "$folder") || exit 65
stage=${kiosk%/*}/.roundel-$word
mkdir -- "$stage" && cd -P -- "$stage" || exit 65
trap 'exit 1' HUP INT TERM PIPE
trap 'undo "$@"' EXIT

while [ $# -lt "$count" ]; do
  IFS= read -r own && IFS= read -r sum && IFS= read -r size || exit 1
  follow "$folder$own"
  case $target in
  "$kiosk") [ "$own" = "$name" ] || refuse "$own is the kiosk file itself" ;;
  "${top%/}"/*) ;;
  *) refuse "$own is a link out of the kiosk's folder" ;;
  esac
  now=none
  [ ! -e "$target" ] || now=$(sha256sum <"$target") || exit 65
  [ "$sum" = any ] || [ "$sum" = "${now%% *}" ] || exit 3
  set -- "$@" "$target"
  dd bs=65536 iflag=fullblock,count_bytes count="$size" of="draft$#" status=none || exit 65
  [ "$(stat -c %s "draft$#")" = "$size" ] || exit 1
  sync "draft$#"
  if [ -e "$target" ]; then permit "$target" "draft$#"; else permit "$kiosk" "draft$#"; fi
done

# Put the other files in place for the check, and read the draft of the kiosk file in their folder.
number=0
for target; do
  number=$((number + 1))
  [ "$number" -lt "$count" ] || break
  make_folder "${target%/*}"
  if [ -e "$target" ]; then cp -p -- "$target" "former$number"; else : >"new$number"; fi || exit 65
  mv -fT -- "draft$number" "$target" || exit 65
done
ln -s -- "$stage/draft$count" "$draft" || exit 65
[ ! -e "$folder${name%.*}.overlay.yaml" ] || ln -s -- "$folder${name%.*}.overlay.yaml" "$overlay"
roundel check "$draft" || exit 65
trap '' HUP INT TERM PIPE
mv -fT -- "draft$count" "$kiosk" || exit 65
rm -f former* new*
sync "${kiosk%/*}"
