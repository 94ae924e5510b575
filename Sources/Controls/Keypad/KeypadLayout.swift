// SPDX-License-Identifier: MIT

/// The keys of a keypad.
public struct KeypadLayout: Hashable, Sendable {
  /// The action of a key.
  public enum Action: Hashable, Sendable {
    /// Adds letters, usually one.
    case type(String)
    /// Removes the last letter, again and again while it is held.
    case delete
    /// Reports the text.
    case enter
    /// Turns letters into capitals: the next one, or, tapped twice, all.
    case shift
    /// Goes to the signs, or back to the letters.
    case symbols

    /// A key by its name, or one that types its name.
    public init(_ name: String) {
      switch name {
      case "delete": self = .delete
      case "enter": self = .enter
      case "shift": self = .shift
      case "space": self = .type(" ")
      default: self = .type(name)
      }
    }

    /// The same with a capital letter.
    var shifted: Action {
      guard case .type(let letter) = self else { return self }
      let capital = letter.uppercased()
      // ß has no capital of one letter.
      return capital.count == letter.count ? .type(capital) : self
    }

    /// The name of the key as an item.
    package var name: String {
      switch self {
      case .type(" "): "space"
      case .type(let text): text
      case .delete: "delete"
      case .enter: "enter"
      case .shift: "shift"
      case .symbols: "symbols"
      }
    }
  }

  /// A key.
  public struct Key: Hashable, Sendable {
    /// Its action.
    public var action: Action
    /// Its width in its row, in keys.
    public var width: Double

    /// A key of a width, above 0.
    public init(_ action: Action, width: Double = 1) {
      self.action = action
      self.width = width
    }
  }

  /// The keys of the letters, then those of the signs, if there are any: rows from top to bottom.
  public let layers: [[[Key]]]
  /// The most rows of a layer. All places follow from it and from `columns`, for each key of each frame.
  let rowCount: Int
  /// The width of the widest row, in keys.
  let columns: Double
  /// Whether the typed text is secret: it is shown as dots, and only actions and subscribers receive it.
  public var isSecret = false

  /// Keys of one or two layers.
  public init(layers: [[[Key]]], isSecret: Bool = false) {
    self.layers = layers
    rowCount = layers.map(\.count).max() ?? 1
    columns = layers.joined().map { $0.reduce(0) { $0 + $1.width } }.max() ?? 1
    self.isSecret = isSecret
  }

  /// Keys by their names: `delete`, `enter`, `shift` and `space` do what they say; others type their names.
  public init(rows: [[String]]) {
    self.init(
      layers: [
        rows.map { row in
          row.map { name in Key(Action(name), width: name == "space" ? 4 : 1) }
        }
      ])
  }

  /// Whether a key types something.
  public var hasLetters: Bool {
    layers.joined().joined().contains { key in
      if case .type = key.action { true } else { false }
    }
  }

  /// The ten digits, as a telephone has them.
  public static let digits = KeypadLayout(
    rows: [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["delete", "0", "enter"]])

  /// The same for a text that only actions and subscribers may know.
  public static let pin = KeypadLayout(layers: digits.layers, isSecret: true)

  /// Letters as on an English keyboard, with a second layer of digits and signs.
  public static let text = KeypadLayout(
    layers: [
      [
        keys("qwertyuiop"), keys("asdfghjkl"),
        [Key(.shift, width: 1.5)] + keys("zxcvbnm") + [Key(.delete, width: 1.5)], lastRow,
      ],
      [
        keys("1234567890"), keys("-/:;()€&@"),
        keys("_.?!'\"+=") + [Key(.delete, width: 1.5)], lastRow,
      ],
    ])

  private static let lastRow =
    [Key(.symbols, width: 1.5)] + keys(",") + [Key(.type(" "), width: 5)] + keys(".")
    + [Key(.enter, width: 1.5)]

  private static func keys(_ letters: String) -> [Key] {
    letters.map { Key(.type(String($0))) }
  }
}
