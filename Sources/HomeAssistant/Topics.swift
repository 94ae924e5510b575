// SPDX-License-Identifier: MIT

/// The topics of one kiosk.
package struct Topics: Hashable, Sendable {
  /// What all of the kiosk's topics begin with, without the last slash.
  package let base: String
  /// The kiosk among the broker's devices; Home Assistant knows it by that.
  package let device: String
  private let discoveryPrefix: String

  /// Topics `prefix/kiosk/…`. Two kiosks of one broker must differ in one of these.
  package init(prefix: String, kiosk: String, discoveryPrefix: String) {
    base = "\(prefix)/\(Self.level(kiosk))"
    device = "\(Self.identifier(prefix))_\(Self.identifier(kiosk))"
    self.discoveryPrefix = discoveryPrefix
  }

  /// Says `online` or `offline`.
  package var availability: String { "\(base)/availability" }
  /// All topics by which something is set.
  package var allSettings: String { "\(base)/+/set" }
  /// The retained description of the kiosk.
  package var discovery: String { "\(discoveryPrefix)/device/\(device)/config" }

  package func state(_ name: String) -> String { "\(base)/\(name)/state" }
  package func setting(_ name: String) -> String { "\(base)/\(name)/set" }

  /// The name in a topic by which something is set; nil for another topic.
  package func settingName(of topic: String) -> String? {
    guard topic.hasPrefix(base + "/"), topic.hasSuffix("/set") else { return nil }
    let name = topic.utf8.dropFirst(base.utf8.count + 1).dropLast("/set".utf8.count)
    return name.isEmpty || name.contains(UInt8(ascii: "/")) ? nil : String(name)
  }

  /// Whether topics may begin with `prefix`, which may have several levels.
  package static func isPrefix(_ prefix: String) -> Bool {
    let levels = prefix.split(separator: "/", omittingEmptySubsequences: false)
    return !prefix.hasPrefix("$") && prefix.utf8.count <= 200
      && levels.allSatisfy { !$0.isEmpty && Self.level(String($0)) == $0 }
  }

  /// `name` as one level of a topic: what separates levels or stands for several becomes `_`.
  package static func level(_ name: String) -> String {
    var level = String.UnicodeScalarView()
    for scalar in name.unicodeScalars.prefix(100) {
      let isSpecial = "/+#".unicodeScalars.contains(scalar)
      let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
      level.append(
        isSpecial || isControl || scalar.properties.isNoncharacterCodePoint ? "_" : scalar)
    }
    return level.isEmpty ? "_" : String(level)
  }

  /// `name` in letters that Home Assistant takes in an id. Others become their bytes in hexadecimal
  /// digits, so that different names stay different.
  package static func identifier(_ name: String) -> String {
    var text = ""
    for byte in name.utf8.prefix(200) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "-" + String(byte, radix: 16)
      }
    }
    return text.isEmpty ? "_" : text
  }
}
