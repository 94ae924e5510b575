// SPDX-License-Identifier: MIT

package import LinuxIO

extension Files.Kind {
  package static let kiosk = Self("the kiosk file", maximumBytes: 4 << 20)
  static let checkedKiosk = Self("the kiosk file", maximumBytes: 4 << 20, excess: .cut)
  package static let part = Self("the file", maximumBytes: 4 << 20)
  /// A limit for hours of continuous movement.
  package static let recording = Self("the recording", maximumBytes: 64 << 20, mayBePipe: true)
  package static let image = Self("the image", maximumBytes: 32 << 20)
  package static let sound = Self("the sound", maximumBytes: 32 << 20)
}
