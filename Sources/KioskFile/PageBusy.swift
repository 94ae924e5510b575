// SPDX-License-Identifier: MIT

internal import Declarations
internal import Expressions
internal import JSON
internal import Kiosk

extension Form where Value == Node {
  /// True, false or a template of that. It is read when all names are known.
  static var busy: Form {
    Form(
      "true, false or a template of that", as: .any,
      schema: { _ in ["type": ["boolean", "string"]] }, read: { node, _ in node })
  }
}

extension KioskReader {
  /// Whether a page must not be disturbed; nil where it may be.
  func busy(_ node: Node?) -> TextTemplate? {
    guard let node else { return nil }
    return inside(key: "busy") {
      guard let template = Template.read(node, self) else { return nil }
      guard template.literal == nil else {
        return Form<Bool>.flag.read(node, self) == true
          ? condition(node).map { TextTemplate($0) } : nil
      }
      guard let resolved = resolve(template, at: node.mark) else { return nil }
      guard Self.suits(resolved.kind, .flag) else {
        report(
          "\"busy\" follows \(resolved.kind)", at: node.mark, expected: "true or false")
        return nil
      }
      return resolved
    }
  }
}
