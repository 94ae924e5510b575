// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk

extension Form where Value == [Keysym: [Action]] {
  /// `{KEY: [ACTION, …]}`.
  static var keys: Form {
    Form(
      "a map from keys to actions", from: [.map],
      schema: { definitions in
        ["type": "object", "additionalProperties": definitions.reference("actions")]
      },
      read: { node, reader in
        var actions: Value = [:]
        var marks: [Keysym: Mark] = [:]
        for pair in node.pairs {
          guard let symbol = Keysym(named: pair.key) else {
            let keystroke = Keystroke(rawValue: pair.key.lowercased())
            reader.report(
              "unknown key \(pair.key.quoted)", at: pair.keyMark,
              expected: "the xkb name of a key, such as F1, Return or \"1\"",
              suggestion: keystroke?.symbol.name
                ?? Keysym.allNames.nearest(to: pair.key, by: reader))
            continue
          }
          if let first = marks[symbol] {
            reader.report(duplicate: "key", pair.key, first: first, at: pair.keyMark)
            continue
          }
          marks[symbol] = pair.keyMark
          let lists = reader.inside(key: pair.key) {
            reader.kiosk.inside(event: .keyPressed) {
              Form<[Action]>.action.list("actions").read(pair.value, reader)
            }
          }
          actions[symbol] = lists?.flatMap(\.self)
        }
        return actions
      }
    ).as(.fixed)
  }
}

extension Form where Value == String {
  /// The id of a control of the same page.
  static var controlID: Form { word("the id of a control of the page").as(.fixed) }
}

extension Table where Value == Scanner {
  static let scanner = Table("scanner", "A device that types lines.") { keys in
    let device = keys.required(
      "device", .word("the name of a device"),
      "The device's name, as `roundel doctor` prints it. `*` is any text, and `?` any character.")
    let prefix = keys.optional(
      "prefix", .text, default: "",
      "The beginning of each line, which isn't part of `text`. Other lines of the device are dropped."
    )
    let end = keys.optional(
      "end", .choice(["enter": Scanner.End.enter, "tab": .tab]), default: "enter",
      "The key that ends a line: enter or tab.")
    let isPrivate = keys.optional(
      "private", .flag, default: false,
      "Whether only actions and `logic` get the line: other receivers get null. Values that the actions of `scanned` set are private, too."
    )
    return { fields in
      Scanner(
        device: fields[device], prefix: fields[prefix], end: fields[end],
        isPrivate: fields[isPrivate])
    }
  }
}
