# Prints the paths of the files of a kiosk. Input: the path of the kiosk file.
IFS= read -r path
exec roundel check --files "$path" 2>/dev/null
