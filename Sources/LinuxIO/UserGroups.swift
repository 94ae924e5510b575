// SPDX-License-Identifier: MIT

internal import Glibc

/// Users and groups of this machine by their names, and those of this process.
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
    return all.sorted().map { name(of: $0) ?? String($0) }
  }

  /// The name of a group; nil where it has none. C: `getgrgid_r`.
  static func name(of number: gid_t) -> String? {
    // As getgrgid_r wants its memory; the name points into `buffer` and is copied before it ends.
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    guard unsafe getgrgid_r(number, &entry, &buffer, buffer.count, &found) == 0,
      unsafe found != nil, let name = unsafe entry.gr_name
    else { return nil }
    return unsafe String(cString: name)
  }

  /// The number of a group; nil where there is none of that name. C: `getgrnam_r`.
  package static func number(of name: String) -> UInt32? {
    // As getgrnam_r wants its memory; only a number is taken out of it.
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    guard unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil
    else { return nil }
    return unsafe entry.gr_gid
  }
}
