// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry

extension List {
  package static let keys = ControlKeys<List>(
    "list", "A list of rows that scrolls. A tap selects a row.", home: .events(["selected"])
  ) { keys, at in
    let size = keys.required("size", .size(8...100_000), "Width and height of the box.")
    let rowHeight = keys.required(
      "row_height", .number(1...10_000, "pixels"), "The height of a row.", at: \List.rowHeight)
    keys.optional(
      "font_size", .fontSize,
      "The maximum font size. The default depends on the row height and the theme.",
      at: \List.fontSize)
    keys.optional("color", .color, default: "surface", "The colour of the box.", at: \List.color)
    keys.textColor("the text", at: \List.textColor)
    keys.empty("the list without rows", at: \List.emptyText)
    keys.hold(at: \List.hold)
    let iconFont = keys.iconFont()
    keys.required(
      "items",
      Form<List.Item>.listRow.list(atLeast: 0, atMost: List.maximumItems, "strings or maps"),
      "The rows, from top to bottom, each a string or a map. The list may be empty.",
      at: \List.items)
    return { fields in
      fields.target("a row", size: Size(fields[size].width, fields[rowHeight]), at: rowHeight)
      return List(
        center: fields[at], size: fields[size], rowHeight: fields[rowHeight], items: [],
        iconFont: iconFont.font(fields))
    }
  }

  fileprivate static let listRow = Table<List.Item>("list_row", "A row of a list.") { keys in
    let id = keys.item(events: EventType.pressing)
    keys.optional("label", .text, default: "", "The text.", at: \List.Item.label)
    keys.optional(
      "detail", .text, default: "", "A second text, at the other end of the row.",
      at: \List.Item.detail)
    keys.optional("icon", .icon, "The icon before the label: \(Icon.summary)", at: \List.Item.icon)
    keys.optional(
      "image", .image, "An image before the label, cropped to a square.", at: \List.Item.image)
    keys.optional(
      "section", .text, default: "",
      "The heading above this row and its neighbours with the same heading.",
      at: \List.Item.section)
    keys.optional(
      "enabled", .flag, default: true,
      "Whether the row can be selected. A disabled row absorbs touches.", at: \List.Item.isEnabled)
    keys.hold(ofItemAt: \List.Item.hold)
    return { fields in List.Item(id: fields[id], label: "") }
  }
}

extension Form where Value == List.Item {
  fileprivate static var listRow: Form {
    Form<String>.text.map { List.Item(label: $0) }.or(List.listRow.form)
  }
}
