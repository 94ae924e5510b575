// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON

extension Resistor {
  package static let keys = ControlKeys<Resistor>(
    "resistor", "A calculator for the colour code of resistors.",
    home: .measurement("ohms", unit: "Ω", isTurned: true)
  ) { keys, at in
    let size = keys.required("size", .size(64...100_000), "Width and height, including the wheels.")
    keys.optional(
      "bands", .choice(["3": 3, "4": 4, "5": 5, "6": 6]), default: 4, "The number of bands.",
      at: \Resistor.bandCount)
    keys.optional(
      "edition", .choice(["2016": ResistorColor.Edition.year2016, "2005": .year2005]),
      default: 2016, "The edition of IEC 60062 that defines the tolerance bands.",
      at: \Resistor.edition)
    keys.optional(
      "value", Form<ResistorColor>.band.list("colours").as(.fixed),
      "The initial bands. The default is the code of 1 kΩ. The property `bands` holds the current bands.",
      at: \Resistor.firstBands)
    keys.optional(
      "mute", .number(0...1), default: 0.6,
      "The opacity of `mute_color` over unselected rows.", at: \Resistor.mute)
    keys.optional(
      "mute_color", Form<ThemeColor>.color.map(Optional.some), default: "background",
      "The colour over unselected rows.", at: \Resistor.muteColor)
    keys.rule { (resistor: Resistor) throws(Conflict) in
      guard let colors = resistor.firstBands else { return }
      let (count, edition) = (resistor.bandCount, resistor.edition)
      guard colors.count == count else {
        throw Conflict(
          "\"value\" has \(colors.count) colours", at: "value", expected: "\(count), one per band")
      }
      guard ResistorCode(colors, edition: edition) != nil else {
        throw Conflict(
          "\"value\" is not a colour code: \(colors.map(\.rawValue).joined(separator: " "))",
          at: "value",
          expected: "valid colours for the bands: "
            + choices(bands: count, edition: edition))
      }
    }
    return { fields in
      Resistor.standard(bands: 4).map { Resistor(center: fields[at], size: fields[size], code: $0) }
    }
  }

  private static func choices(bands count: Int, edition: ResistorColor.Edition) -> String {
    var parts: [String] = []
    for role in ResistorCode.roles(of: count) ?? [] {
      let colors = ResistorColor.choices(for: role, in: edition).map(\.rawValue)
      let text = "\(role) \(colors.joined(separator: " "))"
      if !parts.contains(text) { parts.append(text) }
    }
    return parts.joined(separator: "; ")
  }
}

extension Form where Value == ResistorColor {
  fileprivate static var band: Form {
    let names = ResistorColor.allCases.map(\.rawValue)
    return Form(
      names.alternatives, notation: .text,
      schema: { _ in ["enum": .array(names.map(JSONValue.string))] },
      decode: { (value, _) throws(InvalidValueError) in
        let text = value.scalarText
        guard let color = ResistorColor(rawValue: text) else {
          throw InvalidValueError(value, names.alternatives, meaning: text, among: names) {
            "\($1) is not the colour of a band"
          }
        }
        return color
      })
  }
}
