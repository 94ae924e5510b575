// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import JSON
import JSONRPC
import KioskHost
import KioskProtocol
import LinuxIO
import SystemPackage

struct Source: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "source",
    abstract: "Give and take the running kiosk's file by the standard output and input.",
    discussion: """
      What roundel studio --host starts on the other side.

      Example:
        ssh lobby roundel source
      """,
    shouldDisplay: false)

  @OptionGroup var options: RelayedKioskOptions

  func run() throws {
    _ = signal(SIGPIPE, SIG_IGN)
    let address = KioskAddress(socket: options.socket)
    let status = try KioskConnection(to: address, version: Roundel.version).call(StatusRequest())
    guard let file = status.file else {
      throw Failure(.unavailable, "the kiosk was not read from a file, or its roundel is too old")
    }
    let lines = JSONLines(
      reading: OwnedDescriptor(adopting: 0), writing: OwnedDescriptor(adopting: 1))
    do throws(Errno) {
      let loop = try EventLoop()
      try lines.send(KioskConnection.greeting.json)
      let source = KioskSource(file)
      let watch = try FileWatch(source.paths, on: loop) {
        try? lines.send(SourceRequest.change.json)
      }
      let token = try loop.watch(lines.descriptor) { _ in
        guard lines.receive() else { return loop.stop() }
        do {
          while let json = try lines.next() {
            guard let answer = Self.answer(json, source) else { continue }
            // The file may name others by now.
            watch.watch(source.paths)
            try lines.send(answer.json)
          }
        } catch {
          loop.stop()
        }
      }
      try withExtendedLifetime((watch, token)) { () throws(Errno) in try loop.run() }
    } catch {
      throw Failure(.unavailable, "cannot wait for the studio: \(error)")
    }
  }

  /// The answer to a line; nil where it asks nothing.
  private static func answer(_ json: JSONValue, _ source: KioskSource) -> Response? {
    do throws(RemoteError) {
      let request = try Request(json)
      guard let id = request.id else { return nil }
      do throws(RemoteError) {
        return Response(id, .success(try result(of: request, source)))
      } catch {
        return Response(id, .failure(error))
      }
    } catch {
      return Response(.null, .failure(error))
    }
  }

  private static func result(
    of request: Request, _ source: KioskSource
  ) throws(RemoteError) -> JSONValue {
    do {
      switch request.method {
      case VersionRequest.method.name:
        return VersionAnswer { $0.version = Roundel.version }.json
      case SourceRequest.method.name:
        let files = try source.files()
        return SourceAnswer {
          $0.path = source.path
          $0.files = files.map { file in
            SourceAnswer.File {
              $0.path = file.path
              $0.bytes = file.bytes
            }
          }
        }.json
      case SaveRequest.method.name:
        guard let save = request.parameters.flatMap({ SaveRequest($0) }) else {
          throw RemoteError(.invalidParameters, "save takes bytes, old and files")
        }
        let isSaved = try source.save(
          save.bytes, over: save.old,
          with: save.files.map { .init($0.name, $0.bytes, over: $0.old) })
        return SaveAnswer { $0.isSaved = isSaved }.json
      default: throw RemoteError(.unknownMethod, "there is no method \(request.method)")
      }
    } catch let failure as Failure {
      guard failure.code == .permission else { throw RemoteError(.failed, failure.message) }
      throw RemoteError(
        .denied, "\(failure.message) (log in as a user who may, such as --host root@HOST)")
    } catch {
      throw error as? RemoteError ?? RemoteError(.internalError, "\(error)")
    }
  }
}
