// SPDX-License-Identifier: MIT

internal import Glibc

/// The users and groups of this machine by name, and this process's own.
package enum UserGroups {
  /// The user's name, or the user's number if unknown.
  package static var userName: String {
    // The entry belongs to the C library, and is copied immediately.
    guard let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name else {
      return String(geteuid())
    }
    return unsafe String(cString: name)
  }

  /// The names of this process's groups, or their numbers if unknown.
  package static var ofThisProcess: [String] {
    var numbers = [gid_t](repeating: 0, count: 256)
    // Writes at most `numbers.count` numbers.
    let count = unsafe getgroups(CInt(numbers.count), &numbers)
    let all = Set(numbers.prefix(Int(max(0, count))) + [getegid()])
    return all.sorted().map { name(of: $0) ?? String($0) }
  }

  /// The name of a group, or nil if unknown. C: `getgrgid_r`.
  static func name(of number: gid_t) -> String? {
    // Memory as required by getgrgid_r. The name points into `buffer`, and is copied before it is freed.
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    guard unsafe getgrgid_r(number, &entry, &buffer, buffer.count, &found) == 0,
      unsafe found != nil, let name = unsafe entry.gr_name
    else { return nil }
    return unsafe String(cString: name)
  }

  /// The number of a group, or nil if the name is unknown. C: `getgrnam_r`.
  package static func number(of name: String) -> UInt32? {
    // Memory as required by getgrnam_r. Only a number is read from it.
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    guard unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil
    else { return nil }
    return unsafe entry.gr_gid
  }
}
