// SPDX-License-Identifier: MIT

package import Kiosk
package import LinuxIO
package import RoundelMotion
package import RoundelPresentation
package import JSONRPC
package import RoundelRuntime
internal import RoundelSession

/// Serves clients over a socket, and the `logic` program over pipes.
///
/// Call `report` for each event of the cycle, and `turn` after each of the cycle's updates.
package final class KioskServer {
  private let context: ServerContext
  private let subscribers: Subscribers
  private let conditions: Conditions
  private let bridges: Bridges
  /// The components in the order of their updates.
  private let components: [any KioskComponent]
  private let server: Server

  package let logic: LogicProgram

  /// `clock` is the clock of the cycle and the loop, CLOCK_MONOTONIC. `log` gets messages about the
  /// `logic` program.
  package init(
    for cycle: FrameCycle, on display: any Display, host: HostAccess,
    version: String, loop: EventLoop, limits: Limits = Limits(),
    log: @escaping (_ message: String, _ isWarning: Bool) -> Void = { _, _ in },
    clock: @escaping () -> Timestamp
  ) throws(ServerError) {
    context = try ServerContext(
      cycle, on: display, host: host, loop: loop, limits: limits, clock: clock)
    subscribers = Subscribers(context)
    conditions = Conditions(context)
    let screenshots = Screenshots(context)
    let state = State(context, version: version)
    bridges = Bridges(context)
    subscribers.sendsMessages = { [unowned bridges] in bridges.sendsMessages($0) }
    state.isBridged = { [unowned bridges] in bridges.isConnected(to: .mqtt) }
    components = [
      screenshots, Viewers(context), conditions, subscribers, Touches(context, screenshots),
      Commands(context), Calibrations(context), state, Trees(context), bridges,
    ]
    server = Server(
      // A cast of the array would search all conformances of the program for each component.
      components: components.map { $0 as any ServerComponent }, limits: limits,
      clients: context.clients, work: context.work,
      budget: context.budget, worker: context.reader, on: loop)
    logic = LogicProgram(context, server, subscribers, log: log)
    server.onDisconnect = { [logic] client in logic.clientDidDisconnect(client) }
    state.logic = { [unowned logic] in logic.status }
    // Watching clients get a value's final state before a restart resets it.
    cycle.onFinish = { [conditions] in conditions.evaluateWatches() }
    cycle.onTouch = { [subscribers] in subscribers.record($0.json, at: $1) }
    cycle.onCommand = { [subscribers] in subscribers.record($0.json, at: $1) }
  }

  package func listen(at path: String) throws(ServerError) { try server.listen(at: path) }

  deinit {
    logic.end(by: context.clock())
    context.cycle.onFinish = {}
    context.cycle.onTouch = { _, _ in }
    context.cycle.onCommand = { _, _ in }
    context.cycle.overlay = []
  }

  package func report(_ event: Event) {
    subscribers.report(event)
    bridges.report(event)
  }

  /// Sends due answers and unread output until `deadline`. Only this sends the last answers before
  /// the process ends.
  package func finish(until deadline: Timestamp) {
    context.answers.turn()
    server.finish(until: deadline)
  }

  /// Sends the last update's answers, evaluates conditions, and does clients' work.
  package func turn() {
    let cycle = context.cycle
    context.work.measure {
      context.answers.turn()
      // Without a panel, this frame may never be shown.
      let isShown = cycle.isShown || context.display.state != .showing
      for component in components { component.turn(isShown: isShown) }
      let revision = cycle.engine.revision
      context.work.run()
      // Another iteration shows the clients' changes, such as the lifted fingers of a disconnected
      // client.
      if cycle.engine.hasNews || cycle.engine.revision != revision || !context.answers.isEmpty {
        context.loop.wakeUp()
      }
    }
  }
}

extension RemoteError {
  static func invalid(_ what: String) -> RemoteError { RemoteError(.invalidParameters, what) }
  static func failed(_ what: String) -> RemoteError { RemoteError(.failed, what) }
}
