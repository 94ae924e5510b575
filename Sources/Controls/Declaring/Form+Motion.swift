// SPDX-License-Identifier: MIT

package import Declarations
package import Motion

extension Table where Value == Blink.Pattern {
  package static let blink = Table("blink", "How a choice blinks.") { keys in
    keys.takeTemplates()
    let count = keys.optional("count", .integer(0...100), default: 2, "The number of lights.")
    let on = keys.optional("on", .number(0.01...60, "seconds"), default: 0.2, "Seconds lit.")
    let off = keys.optional(
      "off", .number(0...60, "seconds"), default: 0.15, "Seconds of darkness between two lights.")
    return { fields in
      Blink.Pattern(count: fields[count], on: fields[on], off: fields[off])
    }
  }
}

extension Form where Value == Wheel.Inertia {
  /// The inertia of a turning control.
  package static var inertia: Form {
    choice(["normal": Wheel.Inertia.normal, "fast": .fast, "none": Wheel.Inertia.none])
  }
}
