// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelJSON
internal import Kiosk

extension ControlType {
  /// Returns a valid control with these items, to check references to a control with errors.
  func placeholder(items ids: [String]) -> (any Control)? {
    let ids = ids.isEmpty ? ["item"] : ids
    let plain = JSONValue.array(ids.map { ["id": .string($0)] })
    let filled = JSONValue.array(ids.map { ["id": .string($0), "items": ["item"]] })
    let members: [JSONValue.Member] = [
      .init(name, "control"), .init("at", [0, 0]), .init("radius", 99), .init("size", [99, 99]),
      .init("max", 9), .init("text", "text"), .init("file", "file"), .init("wedges", plain),
      .init("items", plain), .init("every", 1), .init("row_height", 9), .init("reels", filled),
      .init("wheels", filled),
    ]
    // Items are always present. A dial needs labels or numbers.
    let wanted = table.keys.all.filter { $0.isRequired || $0.name == "items" && $0.objects != nil }
    let needed = Set(wanted.map(\.name) + ["max"])
    let node = Node(
      .object(members.filter { needed.contains($0.name) && table.keys.names.contains($0.name) }),
      at: .start)
    let reader = DeclarationReader(Outline(), after: KioskPass(file: "", end: .start))
    return table.form.read(node, reader)?.control
  }
}
