// SPDX-License-Identifier: MIT

internal import LinuxIO
package import RoundelInput

extension LayoutNames {
  package static let path = "/etc/default/keyboard"

  /// The machine's keyboard layout: XKB_DEFAULT_LAYOUT, otherwise the layout of Debian's file, otherwise US English.
  package static var ofThisMachine: LayoutNames {
    let file = try? Files.read(path, Files.Kind("the keyboard layout", maximumBytes: 1 << 16))
    return LayoutNames(
      environment: Environment.variable, file: String(decoding: file ?? [], as: UTF8.self))
  }
}
