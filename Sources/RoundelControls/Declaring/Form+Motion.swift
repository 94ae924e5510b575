// SPDX-License-Identifier: MIT

package import RoundelDeclarations
package import RoundelMotion

extension Table where Value == Blink.Pattern {
  package static let blink = Table("blink", "The blinking after a selection.") { keys in
    keys.allowTemplates()
    let count = keys.optional("count", .integer(0...100), default: 2, "The number of flashes.")
    let on = keys.optional(
      "on", .number(0.01...60, "seconds"), default: 0.2, "The duration of a flash, in seconds.")
    let off = keys.optional(
      "off", .number(0...60, "seconds"), default: 0.15, "The pause between two flashes, in seconds."
    )
    return { fields in Blink.Pattern(count: fields[count], on: fields[on], off: fields[off]) }
  }
}

extension Form where Value == Wheel.Inertia {
  package static var inertia: Form {
    choice(["normal": Wheel.Inertia.normal, "fast": .fast, "none": Wheel.Inertia.none])
  }
}
