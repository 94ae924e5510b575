// SPDX-License-Identifier: MIT

internal import Controls
package import Declarations
internal import Drawing
internal import Expressions
internal import JSON
internal import Kiosk

/// The known names of a kiosk file during editing, even if it has errors.
package final class KioskDraft {
  private let reader: KioskReader
  /// The whole tree, with included files and repeated `for` maps.
  package let root: Node?
  /// Whether all files were found and each `for` was valid.
  package let isComplete: Bool

  /// Reads the file at `path`, whose content is `text`. `compose` parses a file into a tree, and `load` finds
  /// included files. No other files are accessed.
  package init(
    _ text: [UInt8], path: String, limit: TimeLimit = .none, compose: @escaping Assembly.Compose,
    load: @escaping Assembly.Load
  ) {
    let pass = KioskPass(file: path, end: Mark(endOf: text), limit: limit)
    let assembly = Assembly(
      pass, kind: "kiosk", example: "", expressionKeys: ["when"], compose: compose, load: load)
    let file = assembly.parsed(text).map { pass.assembled($0, by: assembly, for: nil) }
    let declared = file.map { pass.declared(pass.outlined($0)) }
    root = file?.root
    isComplete = assembly.isComplete
    reader = KioskReader(
      declared?.outline ?? Outline(), declared?.pages ?? DeclaredPages(), after: pass)
  }

  /// The paths of the file and its included files, in the order of `Mark.file`.
  package var filePaths: [String] { reader.filePaths }

  package var pageNames: [String] { reader.pageNames }
  package var valueNames: [String] { reader.valueNames }
  package var textNames: [String] { reader.outline.texts.map(\.key) }
  package var styleNames: [String] { reader.outline.styles.names }
  package var languages: [String] { reader.outline.languages }

  /// The names of all themes, built-in ones included.
  package var themeNames: [String] { reader.outline.themeNames }

  /// A control: its id, its type and the ids of its items.
  package struct ControlSummary {
    package var id: String
    /// The type, or empty if it is unknown.
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

  /// The controls in file order.
  package lazy var controls: [ControlSummary] = reader.pages.controls.map { control in
    ControlSummary(
      id: control.id, type: control.type?.name ?? "", items: control.items.map(\.id),
      events: control.events.map { .init(name: $0.name, fields: $0.all.map(\.name)) })
  }

  /// Returns the ids of controls that accept a command, or of all controls if `command` is nil.
  package func controlIDs(knowing command: String?) -> [String] {
    reader.controlIDs(knowing: command)
  }

  /// Returns the properties of a control, or an empty array if it doesn't exist.
  package func properties(of id: String) -> [String] {
    reader.names(ofControl: id)?.properties() ?? []
  }

  /// Returns the kind of a value, such as `a number`, or nil if the value doesn't exist.
  package func kind(ofValue name: String) -> String? {
    reader.values.first { $0.name == name }.map { "\($0.kind)" }
  }

  /// The names of all control types.
  package static var controlTypes: [String] { ControlType.all.map(\.name) }
}
