// SPDX-License-Identifier: MIT

package struct FunctionSummary: Sendable {
  /// A call such as `clamp(x, low, high)`.
  package let signature: String
  package let summary: String

  package static let operations =
    UnaryOperation.allCases.compactMap(\.function) + BinaryOperation.allCases.compactMap(\.function)
    + TernaryOperation.allCases.compactMap(\.function)

  package static let all =
    operations + [
      FunctionSummary(
        "format(x, \".2f\")", "The value as a string in a format, as after a colon in a template.")
    ]

  /// A name such as `clamp` or `getHours`.
  package var name: String {
    String(signature.prefix { $0 != "(" }.split(separator: ".").last ?? "")
  }

  package var isMethod: Bool { signature.prefix { $0 != "(" }.contains(".") }

  fileprivate init(_ signature: String, _ summary: String) {
    self.signature = signature
    self.summary = summary
  }
}

extension UnaryOperation {
  var function: FunctionSummary? {
    switch self {
    case .not, .negate: nil
    case .abs: FunctionSummary("abs(x)", "The number without its sign.")
    case .round:
      FunctionSummary("round(x)", "The nearest whole number. Halves are rounded away from zero.")
    case .floor: FunctionSummary("floor(x)", "The largest whole number at or below x.")
    case .ceil: FunctionSummary("ceil(x)", "The smallest whole number at or above x.")
    case .size:
      FunctionSummary("size(x)", "The number of characters of a string, or of items of a list.")
    case .string:
      FunctionSummary(
        "string(x)",
        "The value as a string, as it is displayed. A number has at most 15 digits, so string(0.1 + 0.2) is 0.3."
      )
    case .number: FunctionSummary("number(x)", "The number in a string.")
    case .getFullYear: FunctionSummary("now.getFullYear()", "The year.")
    case .getMonth: FunctionSummary("now.getMonth()", "The month, 0 to 11.")
    case .getDate: FunctionSummary("now.getDate()", "The day of the month, 1 to 31.")
    case .getDayOfWeek: FunctionSummary("now.getDayOfWeek()", "The day of the week, 0 for Sunday.")
    case .getHours: FunctionSummary("now.getHours()", "The hour of the wall clock, 0 to 23.")
    case .getMinutes: FunctionSummary("now.getMinutes()", "The minute, 0 to 59.")
    case .getSeconds: FunctionSummary("now.getSeconds()", "The second, 0 to 59.")
    }
  }
}

extension BinaryOperation {
  var function: FunctionSummary? {
    switch self {
    case .min: FunctionSummary("min(x, y)", "The smaller number.")
    case .max: FunctionSummary("max(x, y)", "The larger number.")
    case .contains: FunctionSummary("text.contains(x)", "Whether the string contains x.")
    case .startsWith: FunctionSummary("text.startsWith(x)", "Whether the string starts with x.")
    case .endsWith: FunctionSummary("text.endsWith(x)", "Whether the string ends with x.")
    default: nil
    }
  }
}

extension TernaryOperation {
  var function: FunctionSummary? {
    switch self {
    case .choice: nil
    case .clamp:
      FunctionSummary("clamp(x, low, high)", "The number, limited to the range from low to high.")
    }
  }
}
