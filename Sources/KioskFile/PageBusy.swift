// SPDX-License-Identifier: MIT

internal import Declarations
internal import Expressions
internal import JSON
internal import Kiosk

extension Form where Value == TextTemplate? {
  /// Whether a page must not be disturbed, or nil if it may always be disturbed.
  static var busy: Form {
    Form(
      "true, false or a template of it", as: .any,
      schema: { _ in ["type": ["boolean", "string"]] },
      read: { node, reader in
        guard let template = Template.read(node, reader) else { return nil }
        guard template.literal == nil else {
          return Form<Bool>.flag.read(node, reader).map { isBusy in
            isBusy ? reader.kiosk.condition(node).map { TextTemplate($0) } : nil
          }
        }
        return reader.kiosk.template(node, of: .flag, expected: "true or false")
      })
  }
}
