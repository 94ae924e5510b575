// SPDX-License-Identifier: MIT

package struct Topics: Hashable, Sendable {
  /// The common prefix of the panel's topics, without the last slash.
  package let base: String
  /// The panel's name at the broker and in Home Assistant.
  package let device: String
  private let discoveryPrefix: String
  /// Prefixes for setting several panels together.
  private let groups: [String]

  /// Topics are `prefix/node/…`, and `prefix/group/…` for settings. Panels on the same broker must
  /// differ in prefix or node.
  package init(prefix: String, node: String, groups: [String] = [], discoveryPrefix: String) {
    base = "\(prefix)/\(Self.level(node))"
    self.groups = groups.map { "\(prefix)/\(Self.level($0))" }
    device = "\(Self.identifier(prefix))_\(Self.identifier(node))"
    self.discoveryPrefix = discoveryPrefix
  }

  /// The topic with `online` or `offline`.
  package var availability: String { "\(base)/availability" }
  package var allSettings: [String] {
    ([base] + groups).flatMap { ["\($0)/+/set", "\($0)/\(Self.ofNode)+/set"] }
  }
  /// The state of the panel, as JSON.
  package var status: String { state(Self.ofNode + "status") }
  /// The screenshot, as a PNG file.
  package var picture: String { state(Self.ofNode + "picture") }
  /// The description of the screenshot, as JSON.
  package var proof: String { state(Self.ofNode + "proof") }
  /// The versions of the kiosk, as JSON.
  package var update: String { state(Self.ofNode + "update") }
  /// The problem, as JSON.
  package var problem: String { state(Self.ofNode + "problem") }
  package static let latest = ofNode + "latest"

  /// The retained description of the panel.
  package var discovery: String { "\(discoveryPrefix)/device/\(device)/config" }

  /// A prefix that names of controls and values can't have.
  package static let ofNode = "$node/"

  package func state(_ name: String) -> String {
    name.hasPrefix(Self.ofNode) ? "\(base)/\(name)" : "\(base)/\(name)/state"
  }
  package func setting(_ name: String) -> String { "\(base)/\(name)/set" }

  package func settingName(of topic: String) -> String? {
    guard topic.hasSuffix("/set"),
      let base = ([base] + groups).first(where: { topic.hasPrefix($0 + "/") })
    else { return nil }
    let name = String(topic.utf8.dropFirst(base.utf8.count + 1).dropLast("/set".utf8.count)) ?? ""
    let level = name.hasPrefix(Self.ofNode) ? name.dropFirst(Self.ofNode.count) : name[...]
    return level.isEmpty || level.contains("/") ? nil : name
  }

  /// The prefix may have several levels.
  package static func isPrefix(_ prefix: String) -> Bool {
    let levels = prefix.split(separator: "/", omittingEmptySubsequences: false)
    return !prefix.hasPrefix("$") && prefix.utf8.count <= 200
      && levels.allSatisfy { !$0.isEmpty && Self.level(String($0)) == $0 }
  }

  /// Returns one topic level. Level separators and wildcards become `_`.
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

  /// Replaces bytes that Home Assistant's ids can't have by "-" and hexadecimal digits, so that
  /// names rarely collide.
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
