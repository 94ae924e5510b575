// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelDeclarations
package import RoundelExpressions
package import RoundelGeometry
package import RoundelMotion

package struct KeyChange: Sendable {
  /// The control with all valid values, unless there is a conflict.
  package fileprivate(set) var control: any Control
  package fileprivate(set) var source: Declaration
  package fileprivate(set) var refusals: [(key: String, why: InvalidValueError)] = []
  /// A conflict between the values, which prevents the change, or nil.
  package fileprivate(set) var conflict: InvalidValueError?
}

extension Declaration {
  /// Changes keys of a control, which keeps its state. `present` are the earlier changes.
  package func changing(
    _ values: [String: Value], of control: any Control, where present: [String: Value],
    at now: Instant
  ) -> KeyChange {
    var change = KeyChange(control: control, source: self)
    guard let old = control as? any KeyedControl else { return change }
    var new = self
    var context = DecodingContext(context)
    var stored: [(path: [Node.PathComponent], value: any Sendable)] = []
    // Lists come first, because keys of items refer to the new items.
    for (name, value) in values.sorted(by: {
      ($0.value.kind == .list ? 0 : 1, $0.key) < ($1.value.kind == .list ? 0 : 1, $1.key)
    }) {
      guard let site = new[name] else { continue }
      do throws(InvalidValueError) {
        if let rows = ListChange(of: name, at: site, from: present, to: value, in: self) {
          stored.append((site.path, try rows.decode(&context)))
        } else {
          let key = site.map?.key ?? site.key
          let whole = site.map.map { $0.with(values, value, name, present) } ?? value
          guard let decode = key.decode else { continue }
          stored.append((site.path, try decode(whole, &context)))
        }
      } catch {
        change.refusals.append((name, error))
        context = DecodingContext(self.context)
        continue
      }
      if site.map == nil, site.key.objects != nil, value.kind == .list || site.value?.kind == .list
      {
        new.replace(site, with: value)
      }
    }
    do throws(Conflict) {
      change.control = try old.storing(stored, keys, at: now)
      change.source = new
    } catch {
      change.conflict = InvalidValueError(error)
    }
    return change
  }
}

extension Declaration.Site.Map {
  /// Adds new and earlier values of the map's keys. `name` is the full name of one of them.
  fileprivate func with(
    _ values: [String: Value], _ new: Value, _ name: String, _ present: [String: Value]
  ) -> Value {
    let map = name[..<(name.lastIndex(of: ".") ?? name.endIndex)]
    var fields: [Field] = []
    if case .record(let own)? = values[String(map)] ?? present[String(map)] ?? value {
      fields = own
    }
    for key in keys.names {
      let name = "\(map).\(key)"
      guard let value = values[name] ?? present[name] else { continue }
      fields.removeAll { $0.name == key }
      fields.append(Field(key, value))
    }
    return .record(fields)
  }
}

extension KeyedControl {
  fileprivate func storing(
    _ values: [(path: [Node.PathComponent], value: any Sendable)], _ keys: Keys, at now: Instant
  ) throws(Conflict) -> Self {
    var new = self
    for (path, value) in values { keys.store(value, at: path, in: &new) }
    for (path, _) in values { try keys.check(along: path, in: &new) }
    new.keysChanged(since: self, at: now)
    return new
  }

  package func moved(to center: Point) -> Self {
    var new = self
    new.center = center
    new.keysChanged(since: self, at: .zero)
    return new
  }
}
