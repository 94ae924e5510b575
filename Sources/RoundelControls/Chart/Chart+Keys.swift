// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry

extension Chart {
  package static let keys = ControlKeys<Chart>(
    "chart", "A line chart of a number over time, up to now, or of a list of numbers.",
    home: .measurement("value")
  ) { keys, at in
    let size = keys.required("size", .size(8...100_000), "Width and height, including the text.")
    let value = keys.optional(
      "value", .measured.as(.state),
      "The number, usually a template. Each assignment is recorded. The line is interrupted while the value is undefined."
    )
    keys.optional(
      "items", Form<Double>.measured.list(atLeast: 0, atMost: maximumColumns, "numbers"),
      "The numbers of the line, from left to right, instead of the history of `value`.",
      at: \Chart.items)
    let seconds = keys.optional(
      "seconds", .number(1...31_622_400, "seconds").constant, default: 60,
      "The time span of the chart, in seconds.")
    keys.optional(
      "min", .measured, "The number at the bottom. The default is a round number below the line.",
      at: \Chart.minimum)
    keys.optional(
      "max", .measured, "The number at the top. The default is a round number above the line.",
      at: \Chart.maximum)
    keys.optional(
      "gap", .number(0.05...31_622_400, "seconds"),
      "The seconds without a number after which the line is interrupted. By default, each number applies until the next one.",
      at: \Chart.gap)
    let format = keys.optional(
      "format", .numberFormat.as(.fixed),
      "The format of the numbers on the axis, such as \".1f\". The default is the shortest notation."
    )
    keys.optional(
      "unit", .text, default: "", "The unit after the numbers, such as \" °C\".", at: \Chart.unit)
    keys.optional(
      "axis", .flag, default: true, "Whether the chart has numbers, times and grid lines.",
      at: \Chart.hasAxis)
    keys.optional("color", .color, default: "accent", "The colour of the line.", at: \Chart.color)
    keys.optional(
      "font_size", .fontSize,
      "The maximum font size. The default depends on the size and the theme.", at: \Chart.fontSize)
    keys.optional(
      "text_color", .color, "The colour of the text. The default is a muted text colour.",
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
  fileprivate static var numberFormat: Form {
    text.compactMap { text, node, reader in
      if let diagnostic = NumberFormat.problem(in: text) {
        reader.report(
          "\(reader.subject) is not a format for numbers: \(diagnostic)", at: node.mark,
          expected: "a format such as \".1f\", \",d\" or \".0%\"")
        return nil
      }
      return text
    }
  }
}
