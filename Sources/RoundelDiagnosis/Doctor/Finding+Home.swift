// SPDX-License-Identifier: MIT

internal import Kiosk
internal import KioskFile
internal import KioskHost
internal import LinuxIO
internal import RoundelExpressions
internal import RoundelJSON

/// The program that checks names in Home Assistant, with its options.
package struct HomeCheck {
  package var program: String
  package var options: [String]
  /// Home Assistant's address.
  package var url: String

  package init(_ program: String, _ options: [String], url: String) {
    self.program = program
    self.options = options
    self.url = url
  }
}

extension Finding {
  /// Reports whether the machine reaches Home Assistant, and names that it doesn't have. Returns nil
  /// if neither the files nor `check` concern Home Assistant.
  static func home(of kiosks: [String], _ check: HomeCheck?) -> Finding? {
    var finding = Finding("home assistant")
    var names = HomeReferences()
    for kiosk in kiosks {
      // The errors are reported with the file's images.
      guard let reading = try? ParsedKiosk(kioskFile: kiosk, assets: Assets()),
        let description = reading.description
      else { continue }
      names.add(description)
    }
    guard let check else {
      guard !names.isEmpty else { return nil }
      finding.lines.append("not checked: give --url and --token-file, as for roundel home")
      finding.json = finding.object(["url": .null])
      return finding
    }
    do throws(Failure) {
      let (isConnected, problems) = try names.problems(by: check)
      if isConnected { finding.lines.append("reaches \(check.url)") }
      finding.lines.append(
        "\(names.entities.count) entities and \(names.services.count) services are named")
      finding.problems = problems
    } catch {
      finding.problems.append(error.message)
    }
    finding.json = finding.object(["url": .string(check.url)])
    return finding
  }
}

/// The names in Home Assistant that kiosk files use, unless they are computed.
private struct HomeReferences {
  private(set) var entities: [String: Set<String>] = [:]
  private(set) var services: [String: Set<String>] = [:]

  var isEmpty: Bool { entities.isEmpty && services.isEmpty }

  /// Fields of `data` that choose entities.
  private static let targets: Set<String> = ["entity_id", "device_id", "area_id", "label_id"]
  private static let maximumBytes = 1 << 20

  mutating func add(_ kiosk: Description) {
    for value in kiosk.values {
      if let source = value.source, source.service == .home {
        entities[source.name, default: []].formUnion(source.attribute.map { [$0] } ?? [])
      }
      guard let target = value.target, target.service == .home else { continue }
      services[target.name, default: []].formUnion(target.field.map { [$0] } ?? [])
      if let entity = target.entity { entities[entity, default: []].formUnion([]) }
    }
    for action in kiosk.allActions where action.kind == CommandKind.call { add(action) }
  }

  private mutating func add(_ call: Action) {
    guard call.arguments.count == 3 else { return }
    if case .text(let entity)? = call.arguments[1].literal, !entity.isEmpty {
      entities[entity, default: []].formUnion([])
    }
    guard case .text(let service)? = call.arguments[0].literal else { return }
    let fields =
      switch call.arguments[2] {
      case .record(let members): members.map(\.name)
      case .value(.record(let fields)): fields.map(\.name)
      default: [String]()
      }
    services[service, default: []].formUnion(Set(fields).subtracting(Self.targets))
  }

  private var json: JSONValue {
    func object(_ names: [String: Set<String>]) -> JSONValue {
      .object(
        names.sorted { $0.key < $1.key }.map { name, parts in
          .init(name, .array(parts.sorted().map { .string($0) }))
        })
    }
    return .object([.init("entities", object(entities)), .init("services", object(services))])
  }

  func problems(by check: HomeCheck) throws(Failure) -> (isConnected: Bool, [String]) {
    let outcome = try SystemProgram([check.program] + check.options + ["--examine"])
      .run(input: Array(json.text.utf8), maximumBytes: Self.maximumBytes)
    guard let answer = try? JSONValue(parsing: outcome.bytes),
      case .array(let problems)? = answer["problems"]
    else { throw Failure(.unavailable, "cannot check \(check.url): \(outcome.lastWords)") }
    return (answer["connected"]?.bool ?? false, problems.compactMap(\.string))
  }
}
