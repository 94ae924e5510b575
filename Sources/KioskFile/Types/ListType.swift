// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing
internal import Geometry

extension ControlType {
  static let list = ControlType(
    "list", "Rows that scroll; a tap chooses one.",
    events: [EventType("selected", [.item, .index, .label])]
  ) { keys, at in
    let size = keys.required("size", .size(8...100_000), "Width and height of its box.")
    let rowHeight = keys.required(
      "row_height", .number(8...10_000, "pixels").as(.fixed), "Height of a row.")
    let fontSize = keys.optional(
      "font_size", .fontSize, "Maximum size of the text; by the rows and the theme.")
    let color = keys.optional("color", .color, default: "surface", "Colour of the box.")
    let textColor = keys.optional(
      "text_color", .color, "Colour of the text; the theme's, or black or white, by contrast.")
    let iconFont = keys.iconFont()
    let items = keys.required(
      "items",
      Form<List.Item>.listRow.list(atLeast: 0, atMost: List.maximumItems, "texts or maps"),
      "Texts or maps, from top to bottom; none for an empty list.")
    return { fields in
      fields.target("a row", room: Size(fields[size].width, fields[rowHeight]), at: rowHeight)
      return List(
        center: fields[at], size: fields[size], rowHeight: fields[rowHeight],
        items: fields[items], color: fields[color], textColor: fields[textColor],
        fontSize: fields[fontSize], iconFont: iconFont.font(fields))
    }
  }

  fileprivate static let listRow = Table<List.Item>("list_row", "A row of a list.") { keys in
    let id = keys.item(events: ["selected"])
    let label = keys.optional("label", .text, default: "", "Its text.")
    let detail = keys.optional("detail", .text, default: "", "Muted, on the other side.")
    let icon = keys.optional("icon", .icon, "Before the label: \(Icon.summary)")
    let image = keys.optional("image", .image, "A picture before the label, which fills a square.")
    let section = keys.optional(
      "section", .text, default: "", "A heading, which it shares with its neighbours of the same.")
    let enabled = keys.optional(
      "enabled", .flag, default: true, "A disabled row swallows the touch.")
    return { fields in
      List.Item(
        id: fields[id], label: fields[label], detail: fields[detail], icon: fields[icon],
        image: fields[image], section: fields[section], isEnabled: fields[enabled])
    }
  }
}

extension Form where Value == List.Item {
  /// A text, or a map.
  fileprivate static var listRow: Form {
    Form<String>.text.map { List.Item(label: $0) }.or(ControlType.listRow.form)
  }
}
