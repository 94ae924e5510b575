// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Geometry

extension List {
  package static let keys = ControlKeys<List>(
    "list", "Rows that scroll; a tap chooses one.",
    home: .events(["selected"])
  ) { keys, at in
    let size = keys.required("size", .size(8...100_000), "Width and height of its box.")
    let rowHeight = keys.required(
      "row_height", .number(1...10_000, "pixels"), "Height of a row.", at: \List.rowHeight)
    keys.optional(
      "font_size", .fontSize, "Maximum size of the text; by the rows and the theme.",
      at: \List.fontSize)
    keys.optional("color", .color, default: "surface", "Colour of the box.", at: \List.color)
    keys.optional(
      "text_color", .color, "Colour of the text; the theme's, or black or white, by contrast.",
      at: \List.textColor)
    keys.hold(at: \List.hold)
    let iconFont = keys.iconFont()
    keys.required(
      "items",
      Form<List.Item>.listRow.list(atLeast: 0, atMost: List.maximumItems, "texts or maps"),
      "Texts or maps, from top to bottom; none for an empty list.", at: \List.items)
    return { fields in
      fields.target("a row", room: Size(fields[size].width, fields[rowHeight]), at: rowHeight)
      return List(
        center: fields[at], size: fields[size], rowHeight: fields[rowHeight], items: [],
        iconFont: iconFont.font(fields))
    }
  }

  fileprivate static let listRow = Table<List.Item>("list_row", "A row of a list.") {
    keys in
    let id = keys.item(events: EventType.pressing)
    keys.optional("label", .text, default: "", "Its text.", at: \List.Item.label)
    keys.optional(
      "detail", .text, default: "", "At the other end of the row.", at: \List.Item.detail)
    keys.optional("icon", .icon, "Before the label: \(Icon.summary)", at: \List.Item.icon)
    keys.optional(
      "image", .image, "A picture before the label, which fills a square.", at: \List.Item.image)
    keys.optional(
      "section", .text, default: "",
      "The heading above it and its neighbours that have the same one.",
      at: \List.Item.section)
    keys.optional(
      "enabled", .flag, default: true, "A disabled row swallows the touch.",
      at: \List.Item.isEnabled)
    keys.hold(ofItemAt: \List.Item.hold)
    return { fields in List.Item(id: fields[id], label: "") }
  }
}

extension Form where Value == List.Item {
  /// A string or a map.
  fileprivate static var listRow: Form {
    Form<String>.text.map { List.Item(label: $0) }.or(List.listRow.form)
  }
}
