// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry
internal import JSON
internal import Kiosk
internal import Motion

/// A control as a kiosk file describes it; its keys can be changed.
struct FileControl: ControlSource {
  let type: ControlType
  private(set) var sites: KeySites
  private(set) var context: Context

  /// The rest of the file, as far as reading a key takes it.
  struct Context: Sendable {
    /// The paths of the files that it is described in, as marks count them.
    var files: [String]
    var screen: DeclaredScreen
    /// The paths of the images that the file names: no other can be shown.
    var images: Set<String>
    var styles: KioskStyles
  }

  func keys(upTo maximum: Int) -> [String] { sites.names(upTo: maximum) }

  func kind(of key: String) -> Expressions.Value.Kind? { sites[key]?.declaration.valueKind }

  func value(of key: String) -> Expressions.Value? { sites[key]?.value }

  func isVariable(_ key: String) -> Bool { sites[key]?.declaration.role == .variable }

  func isKey(_ key: String, ofItemsIn list: String) -> Bool {
    // A key of an item has the item's name, too.
    guard key.utf8.contains(UInt8(ascii: ".")), let list = sites[list], let site = sites[key] else {
      return false
    }
    return site.way.isInItems(of: list.way)
  }

  func placeholder(of list: String) -> Expressions.Value? {
    sites[list]?.declaration.placeholder.flatMap { Expressions.Value($0) }
  }

  /// The control as the file has it, or nil if it cannot be made.
  func made() -> (any Control)? {
    type.table.form.read(sites.node, DeclarationReader(changing: context))?.control
  }

  func reflected() -> (any Control)? {
    let width = context.screen.screen.size.width
    return moved { Point(width - $0.x, $0.y) }?.made()
  }

  func declares(theSameAs other: any ControlSource) -> Bool {
    guard let other = other as? FileControl else { return false }
    return sites.node.hasSameContent(as: other.sites.node)
      && context.styles.areEqual(to: other.context.styles)
  }

  func following(_ next: any ControlSource) -> any ControlSource {
    guard let next = next as? FileControl else { return next }
    var new = self
    new.context = next.context
    // The marks of its nodes count the files of its own version.
    new.context.files = context.files
    return new
  }

  /// The same control at another place, or nil if its place cannot be read.
  func moved(_ way: (Point) -> Point) -> FileControl? {
    let reader = DeclarationReader(changing: context)
    guard let written = sites.node["at"], let at = Form<Point>.point.read(written, reader) else {
      return nil
    }
    var moved = self
    moved.sites = KeySites(keys: sites.keys, node: sites.node.withPlace(way(at)))
    return moved
  }

  var weight: Int { sites.node.weight }

  func changing(
    _ values: [String: Expressions.Value], of control: any Control,
    where present: [String: Expressions.Value], at now: Instant
  ) -> KeyChange {
    var change = KeyChange(control: control, source: self)
    guard let old = control as? any KeyedControl else { return change }
    var source = self
    var reader = DeclarationReader(changing: context)
    var read: [(way: KeyWay, value: any Sendable)] = []
    // Lists come first: keys of items are those of the new ones.
    for (name, value) in values.sorted(by: {
      ($0.value.kind == .list ? 0 : 1, $0.key) < ($1.value.kind == .list ? 0 : 1, $1.key)
    }) {
      guard let site = source.sites[name] else { continue }
      if let rows = ListChange(of: name, at: site, from: present, to: value, in: self) {
        guard let new = reader.inside(key: site.declaration.name, { rows.read(reader) }),
          !reader.hasError
        else {
          change.refusals.append((name, reader.firstError))
          reader = DeclarationReader(changing: context)
          continue
        }
        read.append((site.way, ItemChange(sources: rows.sources, new: new)))
        source.sites = source.sites.replacing(site, with: rows.node)
        continue
      }
      let mark = site.node?.mark ?? site.map?.node?.mark ?? sites.node.mark
      var node = Node(JSONValue(value), at: mark)
      var key = site.declaration
      if let map = site.map {
        node = map.with(values, name, present, at: mark)
        key = map.declaration
      }
      if let objects = key.objects?(), case .list(let items) = node.content {
        node.content = .list(items.map { context.styles.applied(to: $0, objects) })
      }
      let new = reader.inside(key: key.name) { key.read(node, node, reader) }
      guard let new, !reader.hasError else {
        change.refusals.append((name, reader.firstError))
        reader = DeclarationReader(changing: context)
        continue
      }
      read.append((site.way, new))
      if site.map == nil, key.objects != nil, [site.node?.kind, node.kind].contains(.list) {
        source.sites = source.sites.replacing(site, with: node)
      }
    }
    do throws(Conflict) {
      change.control = try old.storing(read, at: now)
      change.source = source
    } catch {
      change.conflict = "\(error.what) (expected \(error.expected))"
    }
    return change
  }
}

extension Node {
  /// The node of a control at another place.
  fileprivate func withPlace(_ point: Point) -> Node {
    let place: JSONValue = [.number(point.x), .number(point.y)]
    return Node(
      .map(
        pairs.map { pair in
          guard pair.key == "at" else { return pair }
          return Node.Pair(
            key: pair.key, keyMark: pair.keyMark, value: Node(place, at: pair.value.mark))
        }), at: mark)
  }
}

extension KeySites.Site.Map {
  /// The map with the values of its keys that are being set, and of those that were set before. `name` is the
  /// full name of one of its keys.
  fileprivate func with(
    _ values: [String: Expressions.Value], _ name: String,
    _ present: [String: Expressions.Value], at mark: Mark
  ) -> Node {
    let map = name[..<(name.lastIndex(of: ".") ?? name.endIndex)]
    let whole = (values[String(map)] ?? present[String(map)]).map { Node(JSONValue($0), at: mark) }
    var pairs = (whole ?? node)?.pairs ?? []
    for key in keys.names {
      let name = "\(map).\(key)"
      guard let value = values[name] ?? present[name] else { continue }
      pairs.removeAll { $0.key == key }
      pairs.append(.init(key: key, keyMark: mark, value: Node(JSONValue(value), at: mark)))
    }
    return Node(.map(pairs), at: mark)
  }
}

extension KeyedControl {
  /// The control with other values of keys, in the same state.
  fileprivate func storing(
    _ values: [(way: KeyWay, value: any Sendable)], at now: Instant
  ) throws(Conflict) -> Self {
    var new = self
    for (way, value) in values { way.store(value, in: &new) }
    for (way, _) in values { try way.check(&new) }
    new.keysChanged(since: self, at: now)
    return new
  }
}

extension Reader {
  /// The message of the first error.
  fileprivate var firstError: String {
    mistakes.first { $0.severity == .error }?.message ?? "it cannot be read"
  }
}
