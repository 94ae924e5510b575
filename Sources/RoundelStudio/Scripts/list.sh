# Prints the paths of a kiosk's files. Input: the path of the kiosk file.
IFS= read -r path
exec roundel check --files "$path" 2>/dev/null
