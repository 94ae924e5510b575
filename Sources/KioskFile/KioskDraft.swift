// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelDeclarations
internal import RoundelDrawing
package import RoundelExpressions
internal import RoundelJSON
internal import Kiosk

/// The known names of a kiosk file during editing, even if it has errors.
package final class KioskDraft {
  private let reader: KioskReader
  /// The whole tree, with included files and repeated `for` maps.
  package let root: Node?
  /// Whether all files were found and each `for` was valid.
  package let isComplete: Bool

  /// `compose` parses a file into a tree, and `load` finds included files. No other files are
  /// accessed.
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
  package var overPageNames: [String] { reader.pageNames.filter(reader.isOver) }
  package var valueNames: [String] { reader.valueNames }
  package var textNames: [String] { reader.outline.texts.map(\.key) }
  package var styleNames: [String] { reader.outline.styles.names }
  package var languages: [String] { reader.outline.languages }

  package var themeNames: [String] { reader.outline.themeNames }

  package struct ControlSummary {
    package var id: String
    package var type: String
    package var items: [String]
    package var events: [EventSummary]
  }

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

  package func controlIDs(knowing command: String?) -> [String] {
    reader.controlIDs(knowing: command)
  }

  /// Returns an empty array if the control doesn't exist.
  package func properties(of id: String) -> [String] {
    reader.names(ofControl: id)?.properties() ?? []
  }

  /// Returns a kind such as `a number`, or nil if the value doesn't exist.
  package func kind(ofValue name: String) -> String? {
    reader.values.first { $0.name == name }.map { "\($0.kind)" }
  }

  /// Returns nil if it depends on the running kiosk or doesn't exist.
  package func initialValue(of name: String) -> Value? {
    var budget = WorkBudget(1)
    return try? reader.outline.firstValues.value(of: .value(name), budget: &budget)
  }

  package static var controlTypes: [String] { ControlType.all.map(\.name) }
}
