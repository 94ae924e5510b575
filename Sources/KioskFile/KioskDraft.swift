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

  /// The paths of the file and of those that it includes, as marks count them.
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
  package lazy var controls: [ControlSummary] = reader.pages.controls.map { control in
    ControlSummary(
      id: control.id, type: control.type?.name ?? "", items: control.items.map(\.id),
      events: control.events.map { .init(name: $0.name, fields: $0.all.map(\.name)) })
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
