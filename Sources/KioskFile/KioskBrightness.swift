// SPDX-License-Identifier: MIT

internal import Declarations
internal import Expressions
internal import Kiosk

extension Form where Value == Double {
  /// The panel's brightness, or a template with an initial brightness of 1.
  static var brightness: Form {
    let follows = Form<TextTemplate>(
      "a template", schema: { _ in true },
      read: { node, reader in
        reader.kiosk.template(node, of: .number, expected: "a number from 0 to 1")
      })
    return Form(
      "a number from 0 to 1, or a template of it", as: .any,
      schema: { _ in
        ["anyOf": [["type": "number", "minimum": 0, "maximum": 1], ["type": "string"]]]
      },
      read: { node, reader in
        if let template = Template.read(node, reader), template.literal == nil {
          reader.pass.link(node, follows) { (kiosk: inout Description, template) in
            kiosk.dimming = template
          }
          return 1
        }
        return Form<Double>.number(0...1).read(node, reader)
      })
  }
}
