// SPDX-License-Identifier: MIT

internal import Glibc

/// Who this process runs as.
package enum UserGroups {
  /// The user's name, or its number where it has none.
  package static var userName: String {
    // The entry is the C library's own and is copied at once.
    guard let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name else {
      return String(geteuid())
    }
    return unsafe String(cString: name)
  }

  /// The names of the groups whose rights this process has, numbers where they have none.
  package static var ofThisProcess: [String] {
    var numbers = [gid_t](repeating: 0, count: 256)
    // Writes at most `numbers.count` numbers.
    let count = unsafe getgroups(CInt(numbers.count), &numbers)
    let all = Set(numbers.prefix(Int(max(0, count))) + [getegid()])
    return all.sorted().map { number in
      guard let entry = unsafe getgrgid(number), let name = unsafe entry.pointee.gr_name else {
        return String(number)
      }
      return unsafe String(cString: name)
    }
  }
}
