// SPDX-License-Identifier: MIT

internal import Glibc
internal import JSONRPC
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import SystemPackage

/// Runs scripts on another machine through ssh, one at a time, without blocking.
final class RemoteShell {
  typealias Outcome = Result<(status: Int, output: [UInt8]), KioskError>

  private let host: String
  private let loop: EventLoop
  private var waiting: [(script: String, input: [UInt8], whenDone: (Outcome) -> Void)] = []
  private var current: RemoteScript?

  init(on host: String, _ loop: EventLoop) {
    self.host = host
    self.loop = loop
  }

  /// Runs a script after all earlier ones.
  func run(_ script: [UInt8], _ input: [UInt8], whenDone: @escaping (Outcome) -> Void) {
    waiting.append((String(decoding: script, as: UTF8.self), input, whenDone))
    startNext()
  }

  private func startNext() {
    guard current == nil, !waiting.isEmpty else { return }
    let next = waiting.removeFirst()
    do throws(KioskError) {
      let process = try KioskConnection.start(script: next.script, on: host)
      current = try RemoteScript(process, next.input, on: host, loop) { [unowned self] outcome in
        let old = current.take()
        next.whenDone(outcome)
        startNext()
        // The script is on the call stack.
        loop.perform(at: loop.now) { _ = old }
      }
    } catch {
      next.whenDone(.failure(error))
      startNext()
    }
  }
}

private final class RemoteScript {
  private let process: PipedProcess
  private let host: String
  private let loop: EventLoop
  private let whenDone: (RemoteShell.Outcome) -> Void
  // The watches must end before their descriptors are closed.
  private var inputWatch: EventLoop.Token?
  private var outputWatch: EventLoop.Token?
  private var endWatch: PipedProcess.EndWatch?
  private var deadline: EventLoop.Token?
  /// The script's input, or nil after it was sent and closed.
  private var input: OwnedDescriptor?
  private let output: OwnedDescriptor
  private let bytes: [UInt8]
  private var sent = 0
  private var printed: [UInt8] = []

  /// Seconds without progress.
  private static let timeout = 120.0
  private static let maximumChunkBytes = 1 << 16
  /// The longest output is 64 MiB in base64.
  private static let maximumOutputBytes = 96 << 20

  init(
    _ process: PipedProcess, _ bytes: [UInt8], on host: String, _ loop: EventLoop,
    whenDone: @escaping (RemoteShell.Outcome) -> Void
  ) throws(KioskError) {
    self.process = process
    self.host = host
    self.loop = loop
    self.bytes = bytes
    self.whenDone = whenDone
    input = OwnedDescriptor(adopting: process.input)
    output = OwnedDescriptor(adopting: process.output)
    _ = fcntl(process.input, F_SETFL, O_NONBLOCK)
    do throws(Errno) {
      inputWatch = try loop.watch(process.input, for: .writable) { [unowned self] _ in send() }
      outputWatch = try loop.watch(output.rawValue) { [unowned self] _ in receive() }
    } catch {
      process.terminate()
      throw KioskError(.unavailable, "cannot wait for \(host): \(error)")
    }
    postponeEnd()
  }

  deinit { process.terminate() }

  private func postponeEnd() {
    deadline = loop.schedule(at: loop.now + Self.timeout) { [unowned self] in
      end(.failure(KioskError(.timedOut(seconds: Self.timeout))))
    }
  }

  private func send() {
    let chunk = bytes[sent...].prefix(Self.maximumChunkBytes)
    do {
      // The slice lives until the call returns.
      sent += try unsafe chunk.withUnsafeBytes {
        try unsafe FileDescriptor(rawValue: process.input).write($0)
      }
      postponeEnd()
    } catch Errno.wouldBlock {
      return
    } catch {
      // The end of the output reports the reason.
      sent = bytes.count
    }
    guard sent == bytes.count else { return }
    inputWatch = nil
    input = nil
  }

  private func receive() {
    if let chunk = try? output.receive(upTo: Self.maximumChunkBytes), !chunk.isEmpty {
      printed += chunk
      postponeEnd()
      if printed.count > Self.maximumOutputBytes {
        end(.failure(KioskError(.unavailable, "\(host) sent too much data for a kiosk")))
      }
      return
    }
    outputWatch = nil
    do throws(Errno) {
      endWatch = try process.watchEnd(on: loop) { [unowned self] in report() }
    } catch {
      end(.failure(KioskConnection.error(ofSSH: host, nil)))
    }
  }

  private func report() {
    let exit = try? process.poll()
    guard case .status(let status)? = exit, ![126, 127, 255].contains(status) else {
      return end(.failure(KioskConnection.error(ofSSH: host, exit)))
    }
    end(.success((status, printed)))
  }

  private func end(_ outcome: RemoteShell.Outcome) {
    (inputWatch, outputWatch, endWatch, deadline) = (nil, nil, nil, nil)
    whenDone(outcome)
  }
}
