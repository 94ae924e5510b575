// SPDX-License-Identifier: MIT

/// The keys of a keypad.
public struct KeypadLayout: Hashable, Sendable {
  /// The action of a key.
  public enum Action: Hashable, Sendable {
    case type(String)
    /// Removes the last character, repeatedly while held.
    case delete
    case enter
    /// Makes the next letter a capital or, if tapped twice, all letters.
    case shift
    case symbols

    /// Other names type themselves.
    public init(_ name: String) {
      switch name {
      case "delete": self = .delete
      case "enter": self = .enter
      case "shift": self = .shift
      case "space": self = .type(" ")
      default: self = .type(name)
      }
    }

    var shifted: Action {
      guard case .type(let letter) = self else { return self }
      let capital = letter.uppercased()
      // The capital of ß would be two letters.
      return capital.count == letter.count ? .type(capital) : self
    }

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

  /// A key of a keypad.
  public struct Key: Hashable, Sendable {
    /// The key's action.
    public var action: Action
    /// The width relative to a standard key, above 0.
    public var width: Double

    /// Creates a key.
    public init(_ action: Action, width: Double = 1) {
      self.action = action
      self.width = width
    }
  }

  /// The layers of rows from top to bottom: letters, then symbols, if any.
  public let layers: [[[Key]]]
  /// Stored because the layout of each key and frame depends on it.
  let rowCount: Int
  let columns: Double
  /// Whether the typed text is shown as dots, and received only by actions and subscribers.
  public var isSecret = false

  /// Creates a layout with one or two layers.
  public init(layers: [[[Key]]], isSecret: Bool = false) {
    self.layers = layers
    rowCount = layers.map(\.count).max() ?? 1
    columns = layers.joined().map { $0.reduce(0) { $0 + $1.width } }.max() ?? 1
    self.isSecret = isSecret
  }

  /// Creates a layout from names of keys.
  public init(rows: [[String]]) {
    self.init(
      layers: [
        rows.map { row in
          row.map { name in Key(Action(name), width: name == "space" ? 4 : 1) }
        }
      ])
  }

  /// Whether any key types characters.
  public var hasLetters: Bool {
    layers.joined().joined().contains { key in
      if case .type = key.action { true } else { false }
    }
  }

  /// The ten digits, arranged as on a telephone.
  public static let digits = KeypadLayout(
    rows: [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["delete", "0", "enter"]])

  /// The digits, for secret text.
  public static let pin = KeypadLayout(layers: digits.layers, isSecret: true)

  /// An English keyboard, with a second layer for digits and symbols.
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

  private static func keys(_ letters: String) -> [Key] { letters.map { Key(.type(String($0))) } }
}
