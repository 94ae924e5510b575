// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry

extension ControlType {
  static let slots = ControlType(
    "slots", "A slot machine: reels that spin and stop at random.",
    events: [EventType("started"), EventType("settled", [EventField("values", .record)])]

  ) { keys, at in
    let size = keys.required("size", .size(), "Width and height of all reels together.")
    let rows = keys.optional("rows", .integer(1...99), default: 3, "The number of visible rows.")
    let duration = keys.optional(
      "duration", .number(0.1...3_600, "seconds"), default: 5,
      "Seconds from the start of a spin until the first reel stops.")
    let stagger = keys.optional(
      "stagger", .number(0...3_600, "seconds"), default: 0,
      "Seconds between the stops of a reel and the next one to the right.")
    let sharpen = keys.optional(
      "sharpen", .number(0...3_600, "seconds"), default: 0.3,
      "Seconds before its stop from which a reel is not blurred.")
    let seed = keys.optional(
      "seed", .integer(0...9_007_199_254_740_991), "Determines all results; random.")
    let trigger = keys.optional(
      "trigger",
      Form<Slots.Trigger>.choice(["touch": Slots.Trigger.touch, "shake": .shake]).list(
        atLeast: 0, "triggers"),
      default: ["touch"], "What starts a spin.")
    let reels = keys.required("reels", reel.form.list(atMost: 100, "reels"), "From left to right.")
    return { fields in
      // By turns, where the file does not say.
      let reels = fields[reels].enumerated().map { index, draft in
        Slots.Reel(
          id: draft.id, items: draft.items,
          direction: draft.direction ?? (index % 2 == 0 ? .down : .up))
      }
      return Slots(
        center: fields[at], size: fields[size], rows: fields[rows], duration: fields[duration],
        stagger: fields[stagger], sharpen: fields[sharpen], seed: fields[seed].map(UInt64.init),
        triggers: Set(fields[trigger]), reels: reels)
    }
  }

  private struct ReelDraft: Sendable {
    var id: String
    var items: [Slots.Item]
    var direction: Slots.Direction?
  }

  private static let reel = Table<ReelDraft>("reel", "A reel of a slot machine.") { keys in
    let id = keys.item()
    let items = keys.required(
      "items", Form<String>.text.map { Slots.Item(label: $0) }.or(reelItem.form).list("items"),
      "Texts or maps, from top to bottom.")
    keys.places(in: "items")
    let direction = keys.optional(
      "direction", .choice(["down": Slots.Direction.down, "up": .up]),
      "The direction of its rows; alternately down and up.")
    return { fields in
      guard fields[items].contains(where: { $0.weight > 0 }) else {
        return fields.mistake(
          "all weights of \"items\" are 0", at: items,
          expected: "a weight above 0, or none, for one item at least")
      }
      return ReelDraft(id: fields[id], items: fields[items], direction: fields[direction])
    }
  }

  private static let reelItem = Table<Slots.Item>("reel_item", "An item of a reel.") { keys in
    keys.place()
    let label = keys.optional("label", .text, default: "", "Its text, also in events.")
    let image = keys.optional("image", .image, "An image that is shown instead of the text.")
    let weight = keys.optional(
      "weight", .number(0...1_000_000_000), default: 1,
      "How likely it is, compared with the others of its reel; 0 for never by chance.")
    return { fields in
      Slots.Item(label: fields[label], image: fields[image], weight: fields[weight])
    }
  }
}
