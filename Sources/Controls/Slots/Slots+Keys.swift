// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry

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
      "Seconds between the stops of a reel and the next one to the right.", at: \Slots.stagger)
    keys.optional(
      "sharpen", .number(0...3_600, "seconds"), default: 0.3,
      "Seconds before its stop from which a reel is not blurred.", at: \Slots.sharpen)
    keys.optional(
      "color", .color, "Colour of the reels; by the background, with a hint of a palette.",
      at: \Slots.color)
    keys.optional(
      "font_size", .fontSize, "Maximum size of the texts; by the rows.", at: \Slots.fontSize)
    keys.optional(
      "seed", .integer(0...9_007_199_254_740_991), "Determines all results; random.",
      at: \Slots.seedNumber)
    keys.optional(
      "trigger",
      Form<Slots.Trigger>.choice(["touch": Slots.Trigger.touch, "shake": .shake]).list(
        atLeast: 0, "triggers"),
      default: ["touch"], "What starts a spin.", at: \Slots.triggerList)
    let reels = keys.required(
      "reels", reel.form.list(atMost: 100, "reels"), "From left to right.", at: \Slots.reels)
    return { fields in
      Slots(center: fields[at], size: fields[size], reels: fields[reels])
    }
  }

  private static let reel = Table<Slots.Reel>("reel", "A reel of a slot machine.") { keys in
    let id = keys.item()
    keys.required(
      "items", Form<String>.text.map { Slots.Item(label: $0) }.or(reelItem.form).list("items"),
      "Texts or maps, from top to bottom.", at: \Slots.Reel.items)
    keys.places(in: "items")
    keys.optional(
      "direction", .choice(["down": Slots.Direction.down, "up": .up]),
      "The direction of its rows; alternately down and up.", at: \Slots.Reel.ownDirection)
    keys.rule { (reel: Slots.Reel) throws(Conflict) in
      guard reel.items.contains(where: { $0.weight > 0 }) else {
        throw Conflict(
          "all weights of \"items\" are 0", at: "items",
          expected: "a weight above 0, or none, for one item at least")
      }
    }
    return { fields in Slots.Reel(unchecked: fields[id]) }
  }

  private static let reelItem = Table<Slots.Item>("reel_item", "An item of a reel.") {
    keys in
    keys.place()
    keys.optional("label", .text, default: "", "Its text, also in events.", at: \Slots.Item.label)
    keys.optional(
      "image", .image, "An image that is shown instead of the text.", at: \Slots.Item.image)
    keys.optional(
      "fit", .imageFit, default: "contain", ImageFit.rowSummary, at: \Slots.Item.fit)
    keys.optional(
      "weight", .number(0...1_000_000_000), default: 1,
      "How likely it is, compared with the others of its reel; 0 for never by chance.",
      at: \Slots.Item.weight)
    return { _ in Slots.Item(label: "") }
  }
}
