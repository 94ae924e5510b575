// SPDX-License-Identifier: MIT

package import RoundelJSON

/// A value encoded as a JSON object, such as a method's parameters or answer. Both sides use its
/// complete table of members.
package protocol JSONRecord: JSONConvertible {
  init()
  static var members: [Member<Self>] { get }
}

extension JSONRecord {
  package init(_ fill: (inout Self) -> Void) {
    self.init()
    fill(&self)
  }

  /// Decodes an answer. Unknown members are ignored, because the other side may be newer.
  package init?(_ json: JSONValue) {
    guard case .object = json else { return nil }
    self.init()
    for member in Self.members {
      if let value = json[member.name], value != .null || member.accepts(.null) {
        guard member.read(value, &self) else { return nil }
      } else if member.isRequired {
        return nil
      }
    }
  }

  /// The members in the table's order, without default values.
  package var jsonMembers: [JSONValue.Member] { jsonMembers(by: Self.members) }

  func jsonMembers(by members: [Member<Self>]) -> [JSONValue.Member] {
    members.compactMap { member in member.write(self).map { .init(member.name, $0) } }
  }

  package var json: JSONValue { .object(jsonMembers) }

  /// The JSON Schema of a record. Readers ignore unknown members, so members can be added later.
  package static var schema: JSONValue {
    .schema(
      "object", .init("properties", .object(members.map { .init($0.name, $0.schema) })),
      .init("required", .array(members.filter(\.isRequired).map { .string($0.name) })))
  }
}

package struct Member<Record: JSONRecord>: Sendable {
  let name: String
  let typeName: String
  let isRequired: Bool
  let defaultValue: JSONValue?
  let about: String
  private let isNullable: Bool
  private let typeSchema: @Sendable () -> JSONValue
  let accepts: @Sendable (JSONValue) -> Bool
  /// Returns false if the value has a different type.
  let read: @Sendable (JSONValue, inout Record) -> Bool
  /// Returns nil to omit the value.
  let write: @Sendable (Record) -> JSONValue?

  var schema: JSONValue {
    let schema = isNullable ? typeSchema().orNull : typeSchema()
    guard !about.isEmpty, case .object(let members) = schema else { return schema }
    return .object([.init("description", .string(about))] + members)
  }

  package typealias Path<Value> = WritableKeyPath<Record, Value> & Sendable

  private init<Value>(
    _ name: String, _ type: JSONType<Value>, isRequired: Bool, default value: JSONValue? = nil,
    isNullable: Bool = false, _ about: String,
    put: @escaping @Sendable (Value, inout Record) -> Void,
    write: @escaping @Sendable (Record) -> JSONValue?
  ) {
    self.name = name
    self.isNullable = isNullable
    typeSchema = { type.schema }
    typeName = type.name
    self.isRequired = isRequired
    defaultValue = value
    self.about = about
    accepts = { type.read($0) != nil }
    read = { json, record in
      guard let value = type.read(json) else { return false }
      put(value, &record)
      return true
    }
    self.write = write
  }

  package static func required<Value>(
    _ name: String, _ path: Path<Value>, _ type: JSONType<Value>, _ about: String = ""
  ) -> Self {
    Self(name, type, isRequired: true, about) {
      $1[keyPath: path] = $0
    } write: {
      type.write($0[keyPath: path])
    }
  }

  /// An optional member, omitted if nil.
  package static func optional<Value>(
    _ name: String, _ path: Path<Value?>, _ type: JSONType<Value>, _ about: String = ""
  ) -> Self {
    Self(name, type, isRequired: false, about) {
      $1[keyPath: path] = $0
    } write: {
      $0[keyPath: path].map(type.write)
    }
  }

  /// An optional member. The default is the value in an empty record.
  package static func optional<Value>(
    _ name: String, _ path: Path<Value>, _ type: JSONType<Value>, _ about: String = ""
  ) -> Self {
    let standard = type.write(Record()[keyPath: path])
    return Self(name, type, isRequired: false, default: standard, about) {
      $1[keyPath: path] = $0
    } write: {
      let json = type.write($0[keyPath: path])
      return json == standard ? nil : json
    }
  }

  package static func required<Value>(
    _ name: String, at path: Path<JSONValue?>, _ type: JSONType<Value>, _ about: String
  ) -> Self {
    Self(name, kept: type, at: path, isRequired: true, nil, about)
  }

  package static func optional<Value>(
    _ name: String, at path: Path<JSONValue?>, _ type: JSONType<Value>,
    default standard: JSONValue? = nil, _ about: String
  ) -> Self {
    Self(name, kept: type, at: path, isRequired: false, standard, about)
  }

  private init<Value>(
    _ name: String, kept type: JSONType<Value>, at path: Path<JSONValue?>, isRequired: Bool,
    _ standard: JSONValue?, _ about: String
  ) {
    self.init(name, type, isRequired: isRequired, default: standard, about) {
      $1[keyPath: path] = type.write($0)
    } write: {
      $0[keyPath: path].flatMap { $0 == standard ? nil : $0 }
    }
  }

  /// A member that is null if nil.
  package static func nullable<Value>(
    _ name: String, _ path: Path<Value?>, _ type: JSONType<Value>, _ about: String = ""
  ) -> Self {
    Self(name, type, isRequired: false, isNullable: true, about) {
      $1[keyPath: path] = $0
    } write: {
      $0[keyPath: path].map(type.write) ?? .null
    }
  }
}

extension JSONRecord {
  /// Decodes parameters by name from an object, or by index from an array.
  init(parameters given: JSONValue?, by members: [Member<Self>]) throws(RemoteError) {
    func invalid(_ what: String) -> RemoteError { RemoteError(.invalidParameters, what) }
    var values: [JSONValue?] = members.map { _ in nil }
    switch given {
    case .array(let list)?:
      guard list.count <= members.count else {
        throw invalid("\(list.count) parameters (expected \(members.count) at most)")
      }
      for (index, value) in list.enumerated() { values[index] = value }
    case .object(let all)?:
      for one in all {
        guard let index = members.firstIndex(where: { $0.name == one.name }) else {
          let known = members.map { "\"\($0.name)\"" }.joined(separator: ", ")
          throw invalid(
            "unknown parameter \"\(one.name)\" "
              + (known.isEmpty ? "(expected none)" : "(expected \(known))"))
        }
        values[index] = one.value
      }
    default: break
    }
    self.init()
    for (member, value) in zip(members, values) {
      switch value {
      case .some(.null) where !member.isRequired && !member.accepts(.null): break
      case .some(let value):
        guard member.read(value, &self) else {
          throw invalid("\"\(member.name)\" must be \(member.typeName)")
        }
      case nil:
        if member.isRequired {
          throw invalid("\"\(member.name)\" is missing (expected \(member.typeName))")
        }
      }
    }
  }
}
