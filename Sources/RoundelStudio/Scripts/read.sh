# Prints a line for each file: "+" and its content in base64, "=" if its content is known, or "-" if it can't be read.
# Input: the number of files, then two lines for each: the SHA-256 of the known content, if any, and the path.
IFS= read -r count
room=67108864
while [ "$count" -gt 0 ] && IFS= read -r known && IFS= read -r path; do
  count=$((count - 1))
  if ! [ -f "$path" ] || ! [ -r "$path" ] || [ "$(stat -Lc %s "$path")" -gt "$room" ]; then
    echo -
  elif [ "$(sha256sum <"$path")" = "$known  -" ]; then
    echo =
  else
    room=$((room - $(stat -Lc %s "$path")))
    printf +
    base64 -w0 "$path"
    echo
  fi
done
