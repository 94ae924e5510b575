// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
internal import RoundelJSON
package import LinuxIO
package import RoundelMotion
package import SystemPackage

/// Serves methods to clients on a socket and to programs of the server's owner.
///
///     line ──► Connection ──► Method ──► Reply ──► Connection ──► line
///
/// Written here to limit each client's memory and time without Foundation.
///
/// Nothing blocks. Requests are `ClientWork`, in turn. Faster clients are read more slowly.
package final class Server {
  private let components: [any ServerComponent]
  package let clients: Clients
  private let work: ClientWork
  private let budget: ByteBudget
  private let methods: MethodTable
  private let limits: Limits
  private let loop: EventLoop
  private let reader: MessageReader
  /// The clients with input or output since the last `settle`. Others cost nothing.
  private var active: Set<ClientID> = []
  private var lastClient: UInt64 = 0
  private var listener: Listener?
  package var onDisconnect: (ClientID) -> Void = { _ in }

  /// The components share `clients`, `work` and `budget`. `worker` parses long messages.
  package init(
    components: [any ServerComponent], limits: Limits, clients: Clients, work: ClientWork,
    budget: ByteBudget,
    worker: Worker, on loop: EventLoop
  ) {
    self.components = components
    methods = MethodTable(components.flatMap(\.methods))
    self.clients = clients
    self.limits = limits
    self.loop = loop
    reader = MessageReader(limits, worker, work)
    self.work = work
    self.budget = budget
    self.work.onPause = { [unowned self] in settle() }
  }

  deinit {
    work.onPause = {}
    clients.entries = [:]
  }

  // MARK: Clients

  /// Listens for this user, root and the members of `group`, if it exists; see `Listener`.
  package func listen(at path: String, group: String? = "roundel") throws(ServerError) {
    listener = try Listener(at: path, group: group, for: work, on: loop) {
      [unowned self] socket throws(Errno) in
      let refusal = refusal(of: socket.rawValue)
      _ = try add(Channel(socket), .requests, refusal: refusal)
    }
  }

  /// Serves a client even if the maximum number is connected.
  package func serve(
    _ channel: consuming Channel, notices: NoticeForm = .requests,
    onRefusal: @escaping (RemoteError) -> Void = { _ in }
  ) throws(Errno) -> ClientID {
    let id = try add(channel, notices, refusal: nil)
    clients.entries[id]?.connection.onRefusal = onRefusal
    return id
  }

  private func add(
    _ channel: consuming Channel, _ notices: NoticeForm, refusal: RemoteError?
  ) throws(Errno) -> ClientID {
    lastClient += 1
    let id = ClientID(number: lastClient)
    let connection = Connection(
      id, channel, notices: notices, limits: limits, budget: budget, methods: methods,
      reader: reader)
    if let refusal {
      connection.leave(refusal)
      // A new socket usually has room for the reason.
      _ = connection.flush()
      return id
    }
    // Pending work retains the connection, which may outlive the server.
    connection.onOutput = { [weak self] in self?.activate(id) }
    connection.isSubscribed = { [weak self] in self?.isSubscribed(id) ?? false }
    let watch = try connection.watch(on: loop) { [unowned self] readiness in
      handle(id, readiness)
    }
    clients.entries[id] = Clients.Entry(watch: watch, connection: connection)
    return id
  }

  /// Returns nil if the client is accepted.
  private func refusal(of socket: CInt) -> RemoteError? {
    guard let listener, listener.admits(socket) else {
      return RemoteError(
        .denied,
        "only this kiosk's user, root and the group roundel may use \(listener?.path ?? "it")")
    }
    guard clients.count < limits.maximumClients || dismissUnused() else {
      return RemoteError(
        exceeding: "maximumClients", limits.maximumClients,
        "too many clients (at most \(limits.maximumClients)), and all are active; try again later")
    }
    return nil
  }

  /// Disconnects the unused client with the longest silence. Returns false if there isn't one.
  private func dismissUnused() -> Bool {
    let unused = clients.entries.filter { id, client in
      client.connection.isUnused && !components.contains { $0.isBusy(for: id) }
    }
    guard
      let (id, client) = unused.min(by: {
        ($0.value.connection.lastHeard, $0.key) < ($1.value.connection.lastHeard, $1.key)
      })
    else { return false }
    client.connection.leave(
      RemoteError(
        exceeding: "maximumClients", limits.maximumClients,
        "disconnected for a new client: this client was idle the longest of \(limits.maximumClients)"
      ))
    _ = client.connection.flush()
    remove(id)
    return true
  }

  private func isSubscribed(_ client: ClientID) -> Bool {
    components.contains { $0.isSubscribed(client) }
  }

  package func remove(_ id: ClientID) {
    guard let client = clients.entries.removeValue(forKey: id) else { return }
    client.watch.end()
    work.remove(id)
    for component in components { component.forget(id) }
    onDisconnect(id)
  }

  // MARK: Iterations

  private func handle(_ id: ClientID, _ readiness: EventLoop.Readiness) {
    guard let connection = clients.entries[id]?.connection else { return }
    work.measure {
      if readiness.contains(.readable), connection.wantsInput {
        guard connection.receive() else {
          remove(id)
          return
        }
      } else if !readiness.isDisjoint(with: [.hungUp, .failed]), connection.isIdle {
        remove(id)
        return
      }
      activate(id)
    }
  }

  private func activate(_ id: ClientID) {
    guard let connection = clients.entries[id]?.connection else { return }
    active.insert(id)
    if connection.isServable { work.add(connection) } else { work.schedule() }
  }

  private func settle() {
    let served = active.sorted()
    active = []
    for id in served { settle(id) }
    dropLargest()
    for id in served {
      if let connection = clients.entries[id]?.connection, connection.isServable {
        work.add(connection)
      }
    }
  }

  /// Sends the remaining output until `deadline`.
  package func finish(until deadline: Timestamp) {
    while true {
      for (id, client) in clients.entries where !client.connection.flush() { remove(id) }
      let unread = clients.entries.values.map(\.connection).filter(\.wantsOutput)
      let left = deadline - MonotonicClock.now
      guard !unread.isEmpty, left > 0 else { return }
      var entries = unread.map {
        pollfd(fd: $0.outputDescriptor, events: Int16(POLLOUT), revents: 0)
      }
      // The array's count.
      _ = unsafe poll(&entries, nfds_t(entries.count), CInt((left * 1000).rounded(.up)))
    }
  }

  /// Disconnects clients with the most unread output.
  private func dropLargest() {
    var total = clients.entries.values.reduce(0) { $0 + $1.connection.unreadBytes }
    while total > limits.maximumTotalUnreadBytes,
      let (id, largest) = clients.entries.max(by: {
        $0.value.connection.unreadBytes < $1.value.connection.unreadBytes
      })
    {
      total -= largest.connection.unreadBytes
      remove(id)
    }
  }

  /// Sends output, and waits for input or for room in its buffer.
  private func settle(_ id: ClientID) {
    guard let client = clients.entries[id] else { return }
    let connection = client.connection
    guard connection.flush(), !connection.isDone else {
      remove(id)
      return
    }
    var readiness: EventLoop.Readiness = []
    if connection.wantsInput { readiness.insert(.readable) }
    if connection.wantsOutput { readiness.insert(.writable) }
    do throws(Errno) {
      try client.watch.wait(for: readiness)
    } catch {
      remove(id)
    }
  }
}

package struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  package var isPermission: Bool
  package var description: String

  package init(_ description: String) {
    isPermission = false
    self.description = description
  }

  init(_ path: String, _ error: Errno) {
    isPermission = error == .permissionDenied
    description =
      switch error {
      case .addressInUse:
        "another kiosk uses \(path); stop it, or choose another --socket"
      case .fileExists:
        "cannot create the socket \(path): another file is there; remove it, or choose another --socket"
      case .noSuchFileOrDirectory:
        "cannot create the socket \(path): its folder does not exist"
      case .fileNameTooLong: "cannot create the socket \(path): the path is longer than 107 bytes"
      default: "cannot create the socket \(path): \(error)"
      }
  }
}
