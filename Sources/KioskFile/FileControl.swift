// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry
internal import JSON
internal import Kiosk

/// What a kiosk file says about a control, from which it can be made again with other values.
struct FileControl: ControlSource {
  let type: ControlType
  let controlKeys: ControlKeys
  let context: Context

  /// What making a control takes of the rest of the file.
  struct Context: Sendable {
    /// The paths of the files that it is described in, as marks count them.
    var files: [String]
    var screenSize: Size
    /// The images that the file names: no other can be shown.
    var images: AssetChecks<String>
  }

  var keys: [String] { controlKeys.names }

  func kind(of key: String) -> Expressions.Value.Kind? { controlKeys[key]?.declaration.valueKind }

  func value(of key: String) -> Expressions.Value? { controlKeys[key]?.value }

  func isVariable(_ key: String) -> Bool { controlKeys[key]?.declaration.role == .variable }

  func keys(ofItemsIn list: String) -> [String] { controlKeys.names(ofItemsIn: list) }

  var weight: Int { controlKeys.node.weight }

  func replacing(_ values: [String: Expressions.Value]) -> any ControlSource {
    FileControl(
      type: type,
      controlKeys: ControlKeys(keys: controlKeys.keys, node: controlKeys.node(with: values)),
      context: context)
  }

  func control(
    with values: [String: Expressions.Value]
  ) throws(ControlMistake) -> any Control {
    let node = controlKeys.node(with: values)
    let reader = KioskReader(remaking: node, in: context)
    if let entry = type.table.form.read(node, reader) { return entry.control }
    throw ControlMistake(reader.mistakes.first?.message ?? "it cannot be made")
  }
}

extension KioskReader {
  /// A reader for one control of a file that has been read.
  fileprivate convenience init(remaking node: Node, in context: FileControl.Context) {
    self.init(again: context.files, assets: KnownAssets(context))
    screenSize = context.screenSize
  }
}

/// The images and fonts that were loaded with a file.
private struct KnownAssets: AssetLoader {
  let context: FileControl.Context

  init(_ context: FileControl.Context) { self.context = context }

  func loadImage(at path: String) throws(AssetError) {
    guard context.images.has(path) else { throw .unnamed }
  }

  /// The font of a control remains as it is.
  func loadFont(_ face: FaceName) {}

  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    throw .unnamed
  }

  func findProgram(_ name: String, for kiosk: String) throws(AssetError) { throw .unnamed }
}

extension AssetError {
  fileprivate static let unnamed = AssetError("the kiosk's file does not name it")
}

extension KioskReader {
  /// What a control that has been read is made from.
  func source(of draft: Draft) -> (any ControlSource)? {
    guard let type = draft.type, let keys = draft.keys else { return nil }
    return FileControl(type: type, controlKeys: keys, context: context)
  }
}
