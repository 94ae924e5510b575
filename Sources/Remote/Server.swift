// SPDX-License-Identifier: MIT

internal import Glibc
internal import JSON
package import LinuxIO
internal import Motion
internal import SystemPackage

/// Serves methods to clients on a Unix socket, on an event loop that has more important things to do.
///
///     line ──► Connection ──► Method ──► Reply ──► Connection ──► line
///
/// Nothing here waits. Requests are served as `ClientWork`: one from each client in turn, for some
/// time of each turn of the loop. Who sends faster than that is read slower.
package final class Server {
  package let path: String

  private let rooms: [any Room]
  package let clients: Clients
  private let work: ClientWork
  private let budget: ByteBudget
  private let listener: OwnedDescriptor
  private let inode: UInt64
  private let group: UInt32?
  private let methods: MethodTable
  private let limits: Limits
  private let loop: EventLoop
  private let worker: Worker
  /// Those of whom something came, or to whom something is to be sent, since they were last looked
  /// at. The others cost nothing.
  private var active: Set<ClientID> = []
  private var lastClient: UInt64 = 0
  private var listenerToken: EventLoop.Token?

  /// Listens at `path`, for this user, root, and the members of `group` if there is such a group. A
  /// socket that is there already is replaced if no server answers on it. `clients`, `work` and
  /// `budget` are those that the rooms share; `worker` reads long messages.
  package init(
    at path: String, group: String? = "roundel", rooms: [any Room], limits: Limits,
    clients: Clients, work: ClientWork, budget: ByteBudget, worker: Worker, on loop: EventLoop
  ) throws(ServerError) {
    self.path = path
    self.rooms = rooms
    methods = MethodTable(rooms.flatMap(\.methods))
    self.clients = clients
    self.limits = limits
    self.loop = loop
    self.worker = worker
    self.work = work
    self.budget = budget
    self.group = group.flatMap { UserGroup.number(of: $0) }
    do throws(Errno) {
      try Self.clearAway(path)
      listener = try LocalSocket.listen(at: path, group: self.group)
      inode = Self.socketInode(path) ?? 0
      listenerToken = try loop.watch(listener.rawValue) { [unowned self] _ in accept() }
    } catch {
      throw ServerError(path, error)
    }
    self.work.onPause = { [unowned self] in settle() }
  }

  deinit {
    work.onPause = {}
    clients.entries = [:]
    listenerToken = nil
    // Another server may have put its own there meanwhile.
    if Self.socketInode(path) == inode { _ = unsafe unlink(path) }
  }

  // MARK: Clients

  private static func socketInode(_ path: String) -> UInt64? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
    return UInt64(status.st_ino)
  }

  private static func clearAway(_ path: String) throws(Errno) {
    guard socketInode(path) != nil else {
      var status = stat()
      if unsafe lstat(path, &status) == 0 { throw .fileExists }
      return
    }
    do throws(Errno) {
      _ = try LocalSocket.connect(to: path, patience: 0.2)
    } catch .connectionRefused {
      try retryingOnInterrupt { unsafe unlink(path) }
      return
    } catch .resourceTemporarilyUnavailable {
      // A server listens and is busy.
    }
    throw .addressInUse
  }

  private func accept() {
    work.measure {
      do throws(Errno) {
        // Those beyond come in the next turn.
        for _ in 0..<16 {
          guard let socket = try LocalSocket.accept(from: listener.rawValue) else { return }
          try add(socket)
        }
      } catch {
        // Out of descriptors or memory: clients wait until there may be some again.
        pauseListening()
      }
    }
  }

  private func pauseListening() {
    if let listenerToken { loop.cancel(listenerToken) }
    listenerToken = loop.schedule(at: MonotonicClock.now + 1) { [unowned self] in
      listenerToken = try? loop.watch(listener.rawValue) { [unowned self] _ in accept() }
    }
  }

  private func add(_ socket: consuming OwnedDescriptor) throws(Errno) {
    lastClient += 1
    let id = ClientID(number: lastClient)
    let number = socket.rawValue
    let refusal = refusal(of: number)
    let connection = Connection(id, socket, limits: limits, budget: budget, methods: methods) {
      [limits, worker, work] text, whenDone in
      let read: @Sendable () -> sending Connection.Parsed = { Self.parse(text, limits) }
      if text.count <= limits.maximumPromptBytes {
        whenDone(read())
      } else {
        worker.run(read) { parsed in work.measure { whenDone(parsed) } }
      }
    }
    if let refusal {
      connection.leave(refusal)
      // One line finds room in a new socket; if it does not, the client learns nothing.
      _ = connection.flush()
      return
    }
    // Work that is still done for a client keeps its connection, which may so outlive the server.
    connection.onOutput = { [weak self] in self?.activate(id) }
    connection.isSubscribed = { [weak self] in self?.isSubscribed(id) ?? false }
    let token = try loop.watch(number) { [unowned self] readiness in
      handle(id, readiness)
    }
    clients.entries[id] = Clients.Entry(connection: connection, token: token, readiness: .readable)
  }

  /// Why a new client is not served; nil where it is.
  private func refusal(of socket: CInt) -> RemoteError? {
    guard let peer = try? LocalSocket.peer(of: socket), isAllowed(peer) else {
      return RemoteError(
        .denied, "only this kiosk's user, root and the group roundel may use \(path)")
    }
    guard clients.count < limits.maximumClients || dismissUnused() else {
      return RemoteError(
        exceeding: "maximumClients", limits.maximumClients,
        "\(limits.maximumClients) clients are connected already, and something is done for each; "
          + "try again later")
    }
    return nil
  }

  /// Makes room for a client: of those that nothing is done for, the one that has been silent longest
  /// goes. False where there is none.
  private func dismissUnused() -> Bool {
    let unused = clients.entries.filter { id, client in
      client.connection.isUnused && !rooms.contains { $0.isBusy(for: id) }
    }
    guard
      let (id, client) = unused.min(by: {
        ($0.value.connection.lastHeard, $0.key) < ($1.value.connection.lastHeard, $1.key)
      })
    else { return false }
    client.connection.leave(
      RemoteError(
        exceeding: "maximumClients", limits.maximumClients,
        "this client was silent longest of \(limits.maximumClients) and gives way to another"))
    _ = client.connection.flush()
    remove(id)
    return true
  }

  private static func parse(_ text: [UInt8], _ limits: Limits) -> Connection.Parsed {
    do throws(JSONValue.SyntaxError) {
      return .success(try JSONValue(parsing: text, maximumValues: limits.maximumMessageValues))
    } catch {
      return .failure(
        error.exceedsMaximum
          ? RemoteError(
            exceeding: "maximumMessageValues", limits.maximumMessageValues, error.description,
            code: .invalidRequest)
          : RemoteError(.parseError, error.description))
    }
  }

  private func isSubscribed(_ client: ClientID) -> Bool {
    rooms.contains { $0.isSubscribed(client) }
  }

  private func isAllowed(_ peer: LocalSocket.Peer) -> Bool {
    Self.isAllowed(peer, owner: geteuid(), group: group)
  }

  /// Who may use a kiosk of the user `owner`.
  static func isAllowed(_ peer: LocalSocket.Peer, owner: UInt32, group: UInt32?) -> Bool {
    peer.user == 0 || peer.user == owner || group.map(peer.groups.contains) ?? false
  }

  private func remove(_ id: ClientID) {
    guard let client = clients.entries.removeValue(forKey: id) else { return }
    loop.cancel(client.token)
    work.remove(id)
    for room in rooms { room.forget(id) }
  }

  // MARK: Turns

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

  /// Sends to all who were served or sent something in this turn.
  private func settle() {
    let served = active.sorted()
    active = []
    for id in served { settle(id) }
    dropLargest()
    // One that has read what it was sent can be served again.
    for id in served {
      if let connection = clients.entries[id]?.connection, connection.isServable {
        work.add(connection)
      }
    }
  }

  /// Drops those for whom most bytes wait, where too many wait for all together.
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

  /// Sends what there is, and waits for what comes next.
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
    guard readiness != client.readiness else { return }
    do throws(Errno) {
      try loop.change(client.token, to: readiness)
      clients.entries[id]?.readiness = readiness
    } catch {
      remove(id)
    }
  }
}

/// Why there is no server.
package struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  package var isPermission: Bool
  /// What went wrong, where, and what to do.
  package var description: String

  package init(_ description: String) {
    isPermission = false
    self.description = description
  }

  fileprivate init(_ path: String, _ error: Errno) {
    isPermission = error == .permissionDenied
    description =
      switch error {
      case .addressInUse:
        "another kiosk answers at \(path); stop it, or choose another --socket"
      case .fileExists: "\(path) is no socket; remove it, or choose another --socket"
      case .noSuchFileOrDirectory:
        "cannot make the socket \(path): its folder does not exist"
      case .fileNameTooLong: "the socket's path is too long (at most 107 bytes): \(path)"
      default: "cannot make the socket \(path): \(error)"
      }
  }
}
