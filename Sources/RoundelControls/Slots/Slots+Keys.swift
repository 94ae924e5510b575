// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry

extension Slots {
  package static let keys = ControlKeys<Slots>(
    "slots", "A slot machine: reels that spin and stop at random.",
    home: .events(["started", "settled"], command: "spin")
  ) { keys, at in
    let size = keys.required("size", .size(), "Width and height of all reels together.")
    keys.optional(
      "rows", .integer(1...Slots.maximumRows), default: 3, "The number of visible rows.",
      at: \Slots.rows)
    keys.optional(
      "duration", .number(0.1...3_600, "seconds"), default: 5,
      "Seconds from the start of a spin until the first reel stops.", at: \Slots.duration)
    keys.optional(
      "stagger", .number(0...3_600, "seconds"), default: 0,
      "Seconds between the stops of two neighbouring reels, from left to right.", at: \Slots.stagger
    )
    keys.optional(
      "sharpen", .number(0...3_600, "seconds"), default: 0.3,
      "Seconds before a reel's stop during which it isn't blurred.", at: \Slots.sharpen)
    keys.optional(
      "color", .color,
      "The colour of the reels. The default is derived from the background, with a tint from a palette.",
      at: \Slots.color)
    keys.optional(
      "font_size", .fontSize, "The maximum font size. By default, it is derived from the rows.",
      at: \Slots.fontSize)
    keys.empty("reels without items", at: \Slots.emptyText)
    keys.optional(
      "seed", .integer(0...9_007_199_254_740_991),
      "The seed that determines all results. By default, it is random.", at: \Slots.seedNumber)
    keys.optional(
      "trigger",
      Form<Slots.Trigger>.choice(["touch": Slots.Trigger.touch, "shake": .shake]).list(
        atLeast: 0, "triggers"),
      default: ["touch"], "The triggers that start a spin.", at: \Slots.triggerList)
    let reels = keys.required(
      "reels", reel.form.list(atMost: 100, "reels"), "The reels, from left to right.",
      at: \Slots.reels)
    return { fields in Slots(center: fields[at], size: fields[size], reels: fields[reels]) }
  }

  private static let reel = Table<Slots.Reel>("reel", "A reel of a slot machine.") { keys in
    let id = keys.item()
    keys.required(
      "items",
      Form<String>.text.map { Slots.Item(label: $0) }.or(reelItem.form)
        .list(atLeast: 0, "items"),
      "The items, from top to bottom, each a string or a map. The list may be empty.",
      at: \Slots.Reel.items)
    keys.places(in: "items")
    keys.optional(
      "direction", .choice(["down": Slots.Direction.down, "up": .up]),
      "The direction of the rows. By default, reels alternate between down and up.",
      at: \Slots.Reel.explicitDirection)
    keys.rule { (reel: Slots.Reel) throws(Conflict) in
      guard reel.items.isEmpty || reel.items.contains(where: { $0.weight > 0 }) else {
        throw Conflict(
          "all weights of \"items\" are 0", at: "items",
          expected: "a weight above 0, or no weight, for at least one item")
      }
    }
    return { fields in Slots.Reel(unchecked: fields[id]) }
  }

  private static let reelItem = Table<Slots.Item>("reel_item", "An item of a reel.") { keys in
    keys.place()
    keys.optional("label", .text, default: "", "The text, also in events.", at: \Slots.Item.label)
    keys.optional("image", .image, "An image instead of the text.", at: \Slots.Item.image)
    keys.optional("fit", .imageFit, default: "contain", ImageFit.rowSummary, at: \Slots.Item.fit)
    keys.optional(
      "weight", .number(0...1_000_000_000), default: 1,
      "The relative probability within the reel. 0 excludes the item from random results.",
      at: \Slots.Item.weight)
    return { _ in Slots.Item(label: "") }
  }
}
