// SPDX-License-Identifier: MIT

internal import Declarations
internal import Expressions
internal import Kiosk

extension Form where Value == Double {
  /// How bright the panel is, or a template of that. It is read when all names are known.
  static var brightness: Form {
    Form(
      "a number from 0 to 1, or a template of one", as: .any,
      schema: { _ in
        ["anyOf": [["type": "number", "minimum": 0, "maximum": 1], ["type": "string"]]]
      },
      read: { node, reader in
        if let template = Template.read(node, reader), template.literal == nil { return 1 }
        return Form<Double>.number(0...1).read(node, reader)
      })
  }
}

extension KioskReader {
  /// Finds the template by which the panel is dimmed.
  func chooseBrightness(_ root: Node, of kiosk: inout Description?) {
    guard let node = root["screen"]?["brightness"] else { return }
    inside(key: "brightness") {
      guard let template = Template.read(node, self), template.literal == nil,
        let resolved = resolve(template, at: node.mark)
      else { return }
      guard Self.suits(resolved.kind, .number) else {
        report(
          "\"brightness\" follows \(resolved.kind)", at: node.mark,
          expected: "a number from 0 to 1")
        return
      }
      kiosk?.dimming = resolved
    }
  }
}
