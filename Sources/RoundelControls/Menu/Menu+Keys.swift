// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import RoundelMotion

extension Menu {
  package static let keys = ControlKeys<Menu>(
    "menu", "A disc that opens into a ring of leaves.",
    home: .events(["opened", "selected", "closed"])
  ) { keys, at in
    keys.optional("label", .text, default: "", "The text on the root.", at: \Menu.root.label)
    let icon = keys.icon("The icon above the root's label", at: \Menu.root.icon)
    keys.optional(
      "image", .image,
      "An image that fills the root instead of icon and label. It is cropped to the disc.",
      at: \Menu.root.image)
    let explicitRadius = keys.optional("radius", .length, default: 48, "The radius of the root.")
    let leafRadius = keys.optional("leaf_radius", .length, default: 40, "The radius of a leaf.")
    let distance = keys.optional(
      "distance", .length,
      "The distance between the centres of the root and its leaves. The default is the minimum without overlap."
    )
    keys.optional(
      "start", .direction, default: 0, "The direction of the first leaf.", at: \Menu.start)
    let arc = keys.optional(
      "arc", Form<Double>.number(1...360, "degrees").map { Angle.degrees($0) }, default: 360,
      "The angle from the first leaf to the last.", at: \Menu.arc)
    keys.optional(
      "open", spring("menu_opening", damping: 0.5).form, default: [:], "The opening motion.",
      at: \Menu.opening)
    keys.optional(
      "close", spring("menu_closing", damping: 0.8).form, default: [:], "The closing motion.",
      at: \Menu.closing)
    let marking = keys.optional(
      "marking", .flag, default: false,
      "Whether a single stroke can select through nested rings. Each bend of the stroke selects a leaf.",
      at: \Menu.takesMarks)
    keys.optional(
      "opened", .flag, default: false,
      "Whether the menu opens when its page appears, until its first use.", at: \Menu.opensItself)
    keys.optional("color", .color, default: "surface", "The colour of the root.", at: \Menu.color)
    keys.textColor("the labels", at: \Menu.textColor)
    keys.optional(
      "font_size", .fontSize,
      "The maximum font size of the labels. By default, it is derived from the radius of each disc.",
      at: \Menu.fontSize)
    let items = keys.required(
      "items", menuItem.form.list("items"), "The leaves, clockwise from `start`.",
      at: \Menu.root.items)
    keys.rule { (menu: Menu) throws(Conflict) in
      guard menu.fitsCell else {
        throw Conflict(
          "the open ring of \(menu.root.items.count) leaves does not fit in the cell", at: "cell",
          expected: "a larger cell, or a smaller \"leaf_radius\"")
      }
    }
    return { fields in
      let cell = fields.node["cell"].map { _ in fields[explicitRadius] }
      let radius =
        cell.map { MenuRing.hub(within: $0, leafRadius: fields[leafRadius], fields[distance]) }
        ?? fields[explicitRadius]
      fields.target("the menu", size: .square(2 * radius), at: explicitRadius)
      fields.target("a leaf", size: .square(2 * fields[leafRadius]), at: leafRadius)
      if fields[marking], let most = fields[items].map(\.mostLeaves).max() {
        let most = max(most, fields[items].count)
        if most > Menu.mostMarks {
          fields.reader.report(
            "a ring of \(most) items is too dense for strokes",
            at: fields.mark(of: marking),
            expected: "at most \(Menu.mostMarks) items in each ring of a marking menu",
            severity: .warning)
        }
      }
      var menu = Menu(
        center: fields[at], screen: fields.reader.controlFile.screenSize,
        isScreenRound: fields.reader.controlFile.isScreenRound, radius: radius,
        leafRadius: fields[leafRadius], smallestLeaf: fields.reader.controlFile.fingerSize / 2,
        distance: fields[distance], iconFont: icon.font(fields), items: fields[items])
      menu.cell = cell
      return menu
    }
  }

  /// The limit for strokes made without looking.
  private static let mostMarks = 8

  private static let menuItem: Table<Menu.Item> = Table("menu_item", "A leaf of a menu.") { keys in
    let id = keys.item(events: ["passing", "selected"])
    keys.optional("label", .text, default: "", "The text.", at: \Menu.Item.label)
    keys.optional("icon", .icon, "The icon above the label: \(Icon.summary)", at: \Menu.Item.icon)
    keys.optional(
      "image", .image,
      "An image that fills the leaf instead of icon and label. It is cropped to the disc.",
      at: \Menu.Item.image)
    keys.optional(
      "color", .color, "The colour. The default comes from a palette.", at: \Menu.Item.color)
    keys.optional(
      "enabled", .flag, default: true, "Whether the leaf can be selected.", at: \Menu.Item.isEnabled
    )
    keys.selected("the leaf", at: \Menu.Item.isSelected)
    keys.optional(
      "items", Form.table("a leaf") { menuItem }.list("items"), "The leaves of a nested ring.",
      at: \Menu.Item.ownItems)
    return { fields in Menu.Item(id: fields[id]) }
  }

  private static func spring(_ name: String, damping: Double) -> Table<Spring.Tuning> {
    Table(name, "The spring motion of a ring.") { keys in
      keys.allowTemplates()
      let damping = keys.optional(
        "damping", .number(0.05...20), default: .number(damping),
        "The damping ratio. Below 1, the motion overshoots. Above 1, it is slow.")
      let duration = keys.optional(
        "duration", .number(0.01...10, "seconds"), default: 0.4, "The duration in seconds.")
      return { fields in Spring.Tuning(damping: fields[damping], duration: fields[duration]) }
    }
  }
}

extension Menu.Item {
  fileprivate var mostLeaves: Int { items.reduce(items.count) { max($0, $1.mostLeaves) } }
}
