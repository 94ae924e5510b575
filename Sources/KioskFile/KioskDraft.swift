// SPDX-License-Identifier: MIT

internal import Controls
package import Declarations
internal import Drawing
internal import Expressions
internal import JSON
internal import Kiosk

/// A kiosk file as far as it can be understood while it is written: the names in it, also where it has mistakes.
package final class KioskDraft {
  private let reader: KioskReader
  /// The whole tree: the file with the files that it includes, and each `for` repeated.
  package let root: Node?
  /// Whether nothing is missing: all files were there, and each `for` made sense.
  package let isComplete: Bool

  /// Reads the file at `path`, whose content is `text`. `compose` makes the tree of a file, and `load` finds those
  /// that are included; no other file is looked at.
  package init(
    _ text: [UInt8], path: String, limit: TimeLimit = .none, compose: @escaping Assembly.Compose,
    load: @escaping Assembly.Load
  ) {
    reader = KioskReader(file: path, end: Mark(endOf: text), limit: limit, assets: AnyAssets())
    let assembly = Assembly(
      reader, kind: "kiosk", example: "", expressionKeys: ["when"], constantsKey: "screen",
      learnConstants: reader.learnConstants, compose: compose, load: load)
    root = assembly.tree(of: text)
    isComplete = assembly.isComplete
    _ = root.flatMap { Table<Description>.kiosk.form.read($0, reader) }
  }

  /// The paths of the file and of those that it includes, as marks count them.
  package var filePaths: [String] { reader.filePaths }

  package var pageNames: [String] { reader.pageNames }
  package var valueNames: [String] { reader.values.map(\.name) }
  package var textNames: [String] { reader.textPairs.map(\.key) }
  package var styleNames: [String] { reader.styles.names }
  package var languages: [String] { reader.languages }

  /// The names of all themes, built-in ones included.
  package var themeNames: [String] { reader.allThemeNames }

  /// A control: its id, its type and the ids of its items.
  package struct ControlSummary {
    package var id: String
    /// Empty where it is of no known type.
    package var type: String
    package var items: [String]
    package var events: [EventSummary]
  }

  /// An event of a control, and the names of its fields.
  package struct EventSummary {
    package var name: String
    package var fields: [String]

    package init(name: String, fields: [String]) {
      self.name = name
      self.fields = fields
    }
  }

  /// In the order of the file.
  package lazy var controls: [ControlSummary] = reader.drafts.map { draft in
    ControlSummary(
      id: draft.id, type: draft.type?.name ?? "", items: draft.items.map(\.id),
      events: draft.events.map { .init(name: $0.name, fields: $0.all.map(\.name)) })
  }

  /// The ids of the controls that know a command; of all where nil.
  package func controlIDs(knowing command: String?) -> [String] {
    reader.controlIDs(knowing: command)
  }

  /// The properties of a control; none where there is no such control.
  package func properties(of id: String) -> [String] {
    reader.names(ofControl: id)?.properties() ?? []
  }

  /// The kind of a value, as `a number`; nil where there is none of that name.
  package func kind(ofValue name: String) -> String? {
    reader.values.first { $0.name == name }.map { "\($0.kind)" }
  }

  /// The names of all types of controls.
  package static var controlTypes: [String] { ControlType.all.map(\.name) }
}

/// Accepts every asset that a file names.
private struct AnyAssets: AssetLoader {
  func loadImage(at path: String) {}
  func loadFont(_ face: FaceName) {}
  func findProgram(_ name: String, for kiosk: String) {}

  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    throw AssetError("no such file")
  }
}
