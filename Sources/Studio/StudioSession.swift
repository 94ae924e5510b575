// SPDX-License-Identifier: MIT

internal import Declarations
internal import JSON
package import LinuxIO
internal import Kiosk
internal import Runtime

/// A kiosk file in the studio, and what pages ask of it: its source, the kiosk that lives beside it, and its suites.
package final class StudioSession {
  let pages = StudioPages()
  let kiosk: StudioKiosk
  private let source: StudioSource

  /// Opens the kiosk file at `path`. One with mistakes has no picture until they are mended.
  package init(_ path: String, on loop: EventLoop) throws(Failure) {
    kiosk = StudioKiosk(for: pages, on: loop)
    source = try StudioSource(path, for: pages, on: loop)
    source.onContent = { [kiosk] in kiosk.show($0) }
    source.onChange = { [unowned self] in
      pages.tell(mistakesMessage)
      pages.tell(kiosk.stateMessage)
    }
    source.onReview = { [unowned self] in pages.tell(mistakesMessage) }
    source.read()
  }

  // MARK: Messages

  /// Tells a page that has come what there is.
  func greet(_ reply: StudioPages.Reply) {
    reply(source.fileMessage)
    reply(mistakesMessage)
    reply(kiosk.stateMessage)
  }

  private var mistakesMessage: JSONValue {
    [
      "type": "mistakes", "mistakes": source.mistakesJSON,
      "hasPicture": .bool(kiosk.stage != nil),
    ]
  }

  /// Does what a page asks for.
  func take(_ message: JSONValue, from page: ObjectIdentifier, _ reply: StudioPages.Reply) {
    switch message["type"]?.string {
    case "edit": source.edit(message, from: page, reply)
    case "save": source.save(isForced: message["force"]?.bool ?? false, reply)
    case "complete": source.complete(message, reply)
    case "hover": source.hover(message, reply)
    case "select": source.select(message, reply)
    case "set": source.set(message, on: kiosk, reply)
    case "add": source.add(message, to: kiosk, reply)
    case "remove": source.remove(message, reply)
    case "touch": kiosk.touch(message)
    case "kiosk": reply(kiosk.stateMessage)
    case "pages": reply(kiosk.pagesMessage)
    case "go": kiosk.go(to: message["page"]?.string ?? "")
    case "value": kiosk.setValue(message, reply)
    case "restart": kiosk.restart(reply)
    case "panel": kiosk.stand(on: StudioPanel(message))
    case "theme": kiosk.choose(theme: message["theme"]?.string)
    case "speed": kiosk.setSpeed(message)
    case "clock": kiosk.setClock(message, reply)
    case "record": kiosk.record(reply)
    case "discard": kiosk.endRecording()
    case "seen": reply(kiosk.seenMessage)
    case "expect": if let text = message["text"]?.string { kiosk.expect(text) }
    case "suites": reply(suitesMessage)
    case "run": run(message, reply)
    case "keep": keep(message, reply)
    default: reply(.problem("the page has sent something unknown"))
    }
  }

  // MARK: Suites

  private var suites: StudioSuites {
    StudioSuites(kiosk: source.path, checker: source.checker, service: source.service)
  }

  private var suitesMessage: JSONValue {
    [
      "type": "suites", "suites": .array(suites.paths.map { .string($0) }),
      "own": .array(suites.ownPaths.map { .string($0) }),
    ]
  }

  /// Runs a suite on the kiosk as its text is now.
  private func run(_ message: JSONValue, _ reply: StudioPages.Reply) {
    guard let file = message["path"]?.string else { return }
    guard let content = kiosk.stage?.content else { return reply(.problem(StudioKiosk.lacking)) }
    do throws(StudioSuites.Refusal) {
      reply(try suites.run(file, on: content, accepting: message["accepted"]?.string))
    } catch {
      reply(.problem(error.text))
    }
  }

  /// Writes what was recorded into a suite.
  private func keep(_ message: JSONValue, _ reply: StudioPages.Reply) {
    guard let name = message["name"]?.string, let steps = message["steps"]?.string else { return }
    guard let description = kiosk.stage?.content.description else {
      return reply(.problem(StudioKiosk.lacking))
    }
    do throws(StudioSuites.Refusal) {
      let suite = try suites.keep(name, steps: steps, in: message["path"]?.string, of: description)
      kiosk.endRecording()
      pages.tell(suitesMessage)
      reply(["type": "kept", "path": .string(suite)])
    } catch {
      reply(.problem(error.text))
    }
  }
}
