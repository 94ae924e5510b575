// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import JSONRPC
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import RoundelRuntime

/// Answers `tree` on a worker from a copy, so that large kiosks delay neither frames nor other
/// requests.
final class Trees: KioskComponent {
  private struct QueuedRequest {
    var request: TreeRequest
    var reply: Reply<TreeAnswer>
  }

  private let context: ServerContext
  /// The worker, created for the first request.
  private var worker: Worker?
  /// The clients are in round-robin order.
  private var queues: [ClientID: [QueuedRequest]] = [:]
  private var clients: [ClientID] = []
  private var isWorking = false

  init(_ context: ServerContext) { self.context = context }

  func forget(_ client: ClientID) {
    queues[client] = nil
    clients.removeAll { $0 == client }
  }

  func isBusy(for client: ClientID) -> Bool { queues[client] != nil }

  var methods: [ServedMethod] {
    [
      ServedMethod(TreeRequest.self) { [unowned self] request, reply in
        try start()
        if queues[reply.client] == nil { clients.append(reply.client) }
        queues[reply.client, default: []].append(QueuedRequest(request: request, reply: reply))
        proceed()
        return .later
      }
    ]
  }

  private func start() throws(RemoteError) {
    guard worker == nil else { return }
    do {
      worker = try Worker(on: context.loop)
    } catch {
      throw RemoteError(.failed, "cannot start a thread for the tree: \(error); try again later")
    }
  }

  private func proceed() {
    guard let worker, !isWorking, let client = clients.first,
      let next = queues[client]?.removeFirst()
    else { return }
    clients.removeFirst()
    if queues[client]?.isEmpty == true { queues[client] = nil } else { clients.append(client) }
    isWorking = true
    // Advances the kiosk to the current time.
    let engine = context.cycle.perform { $0 }
    worker.run { [request = next.request, limits = context.limits] in
      let tree = Self.tree(of: engine, allProperties: request.properties, limits)
      return Array(tree.json.text.utf8)
    } whenDone: { [weak self] answer in
      guard let self else { return }
      isWorking = false
      context.work.measure { next.reply.give(encoded: answer) }
      proceed()
    }
  }

  private static func tree(
    of engine: Engine, allProperties: Bool, _ limits: Limits
  ) -> TreeAnswer {
    let shown = engine.pages[engine.shownPage].name
    // Negative after the limit was exceeded.
    var left = limits.maximumAnswerBytes
    return TreeAnswer {
      $0.page = shown
      let over = engine.overlayName
      $0.over = over.isEmpty ? nil : over
      $0.language = engine.language.isEmpty ? nil : engine.language
      $0.values = engine.description.values.map { declaration in
        let value = engine.publicValue(of: .value(declaration.name))
        return .init(declaration.name, value.map { JSONValue($0) } ?? .null)
      }
      if allProperties {
        let languages = engine.description.languages
        $0.languages = languages.isEmpty ? nil : languages
        $0.ranges = engine.description.values.compactMap {
          $0.range(isPrivate: engine.isPrivate(.value($0.name)))
        }
        $0.bound = engine.boundProperties.map {
          .init($0.property, $0.value.map { .string($0) } ?? .null)
        }
      }
      $0.size = engine.screen.size
      // The built-in page for messages exists only while it is shown.
      let isWhole = engine.overlay.map { $0 >= engine.declaredPages.count } ?? false
      $0.pages = (isWhole ? engine.pages[...] : engine.declaredPages).map { page in
        TreeAnswer.Page {
          $0.name = page.name
          $0.isShown = page.name == shown || page.name == over
          $0.isOver = page.isOver
          $0.controls = page.controls.map { entry in
            control(
              entry,
              allProperties
                ? properties(of: entry, engine, &left)
                : entry.control.properties.map { property($0, of: entry, engine) },
              isWhole: allProperties, isPrivate: engine.isPrivate(control: entry.id),
              at: engine.now)
          }
        }
      }
      $0.isIncomplete = left < 0
    }
  }

  private static func property(_ name: String, of entry: PlacedControl, _ engine: Engine)
    -> JSONValue.Member
  {
    let path = PropertyPath(control: entry.id, property: name)
    guard !engine.isPrivate(.property(path)) else { return .init(name, .null) }
    return .init(name, engine.value(of: name, of: entry.id).map { JSONValue($0) } ?? .null)
  }

  /// `left` becomes negative if some properties don't fit.
  private static func properties(
    of entry: PlacedControl, _ engine: Engine, _ left: inout Int
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    guard left > 0 else { return [] }
    // Each property takes more than 32 bytes.
    for name in entry.propertyKinds.names(upTo: left / 32 + 1) {
      let member = property(name, of: entry, engine)
      guard let bytes = JSONValue.object([member]).memoryBytes(upTo: left) else {
        left = -1
        break
      }
      left -= bytes
      members.append(member)
    }
    return members
  }

  private static func control(
    _ entry: PlacedControl, _ properties: [JSONValue.Member], isWhole: Bool, isPrivate: Bool,
    at now: Instant
  ) -> TreeAnswer.Control {
    TreeAnswer.Control {
      $0.id = entry.id
      $0.kind = entry.kind
      $0.place = entry.control.place(of: nil, at: now)
      $0.isEnabled = entry.isEnabled
      $0.isVisible = entry.isVisible
      $0.isMoving = entry.control.isMoving(at: now)
      $0.properties = properties
      $0.commands = entry.control.commands
      // The ids of a list's rows may be its content.
      $0.items = (isPrivate ? [] : entry.control.items(at: now)).map { item in
        TreeAnswer.Item {
          $0.id = item.id
          $0.place = item.place
          $0.isEnabled = item.isEnabled
        }
      }
      if isWhole, !isPrivate { $0.home = (entry.control as? any KeyedControl)?.home }
    }
  }
}

extension ValueDeclaration {
  /// The declaration, or nil if the file contains only the initial value.
  fileprivate func range(isPrivate: Bool) -> JSONValue.Member? {
    let range = ValueRange {
      if template != nil || staleAfter != nil || source != nil || target != nil,
        ValueRange.kinds.contains(where: { $0.value == kind })
      {
        $0.kind = kind
      }
      ($0.minimum, $0.maximum, $0.step) = (minimum, maximum, step)
      ($0.staleAfter, $0.unit, $0.options) = (staleAfter, unit, options)
      ($0.source, $0.target, $0.gone) = (source, target, gone)
      ($0.echoSeconds, $0.isImage, $0.isPrivate) = (echoSeconds, isImage, isPrivate)
    }
    return range.jsonMembers.isEmpty ? nil : .init(name, range.json)
  }
}
