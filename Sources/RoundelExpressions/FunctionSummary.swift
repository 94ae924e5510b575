// SPDX-License-Identifier: MIT

package struct FunctionSummary: Sendable {
  /// A call such as `clamp(x, low, high)`.
  package let signature: String
  package let summary: String

  private static let others: [FunctionSummary] = [
    .init(
      "format(x, \".2f\")", "The value as a string in a format, as after a colon in a template."),
    .init("has(x)", "Whether a name, a member or an item is defined."),
  ]

  /// Other names of functions.
  package static let aliases = [
    "math.abs": "abs", "math.round": "round", "math.floor": "floor", "math.ceil": "ceil",
    "double": "number",
  ]

  package static let all =
    UnaryOperation.allCases.compactMap(\.function) + BinaryOperation.allCases.compactMap(\.function)
    + TernaryOperation.allCases.compactMap(\.function) + others
    + Method.allCases.map(\.function) + Macro.allCases.map(\.function)

  /// Values cannot have these names. Others belong to functions only before a parenthesis.
  package static let reservedNames = [
    "abs", "round", "floor", "ceil", "size", "string", "number", "min", "max", "clamp",
  ]

  package static let macroNames = Set(Macro.allCases.map(\.rawValue))

  /// A name such as `clamp`, `math.trunc` or `getHours`.
  package var name: String {
    let call = signature.prefix { $0 != "(" }
    return String(isMethod ? call.drop { $0 != "." }.dropFirst() : call)
  }

  /// The operand in front of a method: `now`, `text` or `list`. Nil for a function.
  package var receiver: String? {
    let parts = signature.prefix { $0 != "(" }.split(separator: ".")
    return parts.count == 2 && !["math", "lists"].contains(parts[0]) ? String(parts[0]) : nil
  }

  package var isMethod: Bool { receiver != nil }

  fileprivate init(_ signature: String, _ summary: String) {
    self.signature = signature
    self.summary = summary
  }
}

extension UnaryOperation {
  var function: FunctionSummary? {
    switch self {
    case .not, .negate: nil
    case .abs: .init("abs(x)", "The number without its sign. Also written math.abs(x).")
    case .round: .init("round(x)", "The nearest whole number. Halves are rounded away from zero.")
    case .floor: .init("floor(x)", "The largest whole number at or below x.")
    case .ceil: .init("ceil(x)", "The smallest whole number at or above x.")
    case .size:
      .init("size(x)", "The number of characters of a string, items of a list or members of a map.")
    case .string:
      .init(
        "string(x)",
        "The value as a string, as it is displayed. A number has at most 15 digits, so string(0.1 + 0.2) is 0.3."
      )
    case .number: .init("number(x)", "The number in a string. Also written double(x).")
    case .int: .init("int(x)", "The number without its fraction, or the whole number in a string.")
    case .bool: .init("bool(x)", "The flag in a string such as \"true\" or \"0\".")
    case .dyn: .init("dyn(x)", "The value, whose kind isn't checked before it is used.")
    case .trunc: .init("math.trunc(x)", "The number without its fraction.")
    case .sign: .init("math.sign(x)", "-1, 0 or 1.")
    case .greatest: .init("math.greatest(x, …)", "The largest of several numbers, or of a list.")
    case .least: .init("math.least(x, …)", "The smallest of several numbers, or of a list.")
    case .range: .init("lists.range(n)", "The list of the numbers from 0 to n - 1, at most 100000.")
    case .sum: .init("sum(list)", "The sum of the numbers of a list.")
    case .getFullYear: .init("now.getFullYear()", "The year.")
    case .getMonth: .init("now.getMonth()", "The month, 0 to 11.")
    case .getDate: .init("now.getDate()", "The day of the month, 1 to 31.")
    case .getDayOfWeek: .init("now.getDayOfWeek()", "The day of the week, 0 for Sunday.")
    case .getHours: .init("now.getHours()", "The hour of the wall clock, 0 to 23.")
    case .getMinutes: .init("now.getMinutes()", "The minute, 0 to 59.")
    case .getSeconds: .init("now.getSeconds()", "The second, 0 to 59.")
    case .lowerAscii: .init("text.lowerAscii()", "The string with small letters a to z.")
    case .upperAscii: .init("text.upperAscii()", "The string with capital letters A to Z.")
    case .icon:
      .init("icon(name)", "A string that shows the symbol of the icon font with this name.")
    case .trim: .init("text.trim()", "The string without white space at both ends.")
    case .reverse: .init("text.reverse()", "The string, or a list, in reverse order.")
    case .sort: .init("list.sort()", "The numbers, strings, flags or times of a list in order.")
    case .distinct: .init("list.distinct()", "The list without items that repeat others.")
    case .first: .init("list.first()", "The first item.")
    case .last: .init("list.last()", "The last item.")
    }
  }
}

extension BinaryOperation {
  var function: FunctionSummary? {
    switch self {
    case .min: .init("min(x, y)", "The smaller number.")
    case .max: .init("max(x, y)", "The larger number.")
    case .contains: .init("text.contains(x)", "Whether the string contains x.")
    case .startsWith: .init("text.startsWith(x)", "Whether the string starts with x.")
    case .endsWith: .init("text.endsWith(x)", "Whether the string ends with x.")
    default: nil
    }
  }
}

extension TernaryOperation {
  var function: FunctionSummary? {
    switch self {
    case .choice: nil
    case .clamp: .init("clamp(x, low, high)", "The number, limited to the range from low to high.")
    }
  }
}

extension Method {
  var function: FunctionSummary {
    switch self {
    case .charAt: .init("text.charAt(i)", "The character at a place, from 0.")
    case .indexOf:
      .init("text.indexOf(x, from)", "The first place of x, at from or after it, or -1.")
    case .lastIndexOf:
      .init("text.lastIndexOf(x, to)", "The last place of x, at to or before it, or -1.")
    case .replace:
      .init("text.replace(x, y, n)", "The string with y instead of each x, or of the first n.")
    case .split: .init("text.split(x, n)", "The list of the parts between each x. At most n parts.")
    case .substring:
      .init("text.substring(from, to)", "The characters from a place to another, or to the end.")
    case .join: .init("list.join(x)", "The strings of a list, with x between them.")
    case .slice: .init("list.slice(from, to)", "The items from a place up to another one.")
    }
  }
}

extension Macro {
  var function: FunctionSummary {
    switch self {
    case .all: .init("list.all(x, condition)", "Whether the condition holds for each item.")
    case .exists: .init("list.exists(x, condition)", "Whether the condition holds for an item.")
    case .existsOne:
      .init("list.exists_one(x, condition)", "Whether the condition holds for exactly one item.")
    case .filter:
      .init("list.filter(x, condition)", "The list of the items that meet the condition.")
    case .map:
      .init("list.map(x, value)", "The values for each item. A condition before the value selects.")
    }
  }
}
