// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry

extension Chart {
  package static let keys = ControlKeys<Chart>(
    "chart", "A line of what a number was over time, up to now, or of numbers that are given.",
    home: .measurement("value")
  ) { keys, at in
    let size = keys.required("size", .size(8...100_000), "Width and height, the texts included.")
    let value = keys.optional(
      "value", .measured.as(.state),
      "The number, mostly a template; each time that it is written counts. Nothing where it cannot be told."
    )
    keys.optional(
      "items", Form<Double>.measured.list(atLeast: 0, atMost: maximumColumns, "numbers"),
      "The numbers of the line, from left to right, in place of those of `value` over time.",
      at: \Chart.items)
    let seconds = keys.optional(
      "seconds", .number(1...31_622_400, "seconds").constant, default: 60,
      "How much time is shown.")
    keys.optional(
      "min", .measured, "The number at the bottom; a round one below all that is shown.",
      at: \Chart.minimum)
    keys.optional(
      "max", .measured, "The number at the top; a round one above all that is shown.",
      at: \Chart.maximum)
    keys.optional(
      "gap", .number(0.05...31_622_400, "seconds"),
      "The seconds after which the line ends if no number came; it holds until the next one.",
      at: \Chart.gap)
    let format = keys.optional(
      "format", .numberFormat.as(.fixed),
      "Format of the numbers beside it, as \".1f\"; the shortest.")
    keys.optional("unit", .text, default: "", "What follows them, as \" °C\".", at: \Chart.unit)
    keys.optional(
      "axis", .flag, default: true, "Whether numbers, times and lines are shown.",
      at: \Chart.hasAxis)
    keys.optional("color", .color, default: "accent", "Colour of the line.", at: \Chart.color)
    keys.optional(
      "font_size", .fontSize, "Maximum size of the texts; by the size and the theme.",
      at: \Chart.fontSize)
    keys.optional(
      "text_color", .color, "Colour of the texts; a pale one that can be read.",
      at: \Chart.textColor)
    keys.rule { (chart: Chart) throws(Conflict) in
      if let low = chart.minimum, let high = chart.maximum, low >= high {
        throw Conflict(
          "\"min\" is not below \"max\": \(low.brief) and \(high.brief)", at: "min",
          expected: "less than \(high.brief)")
      }
    }
    return { fields in
      Chart(
        center: fields[at], size: fields[size], value: fields[value], seconds: fields[seconds],
        format: fields[format])
    }
  }
}

extension Form where Value == Double {
  fileprivate static var measured: Form { number(-1e15...1e15) }
}

extension Form where Value == String {
  /// A number format as in a template, without the colon.
  fileprivate static var numberFormat: Form {
    text.compactMap { text, node, reader in
      if let mistake = NumberFormat.mistake(in: text) {
        reader.report(
          "\(reader.subject) is not a format for numbers: \(mistake)", at: node.mark,
          expected: "one as \".1f\", \",d\" or \".0%\"")
        return nil
      }
      return text
    }
  }
}
