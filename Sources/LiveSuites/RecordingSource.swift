// SPDX-License-Identifier: MIT

package import LinuxIO
internal import RoundelSession
package import SystemPackage

/// A recording that is read while its writer may still append to it.
package struct RecordingSource {
  package let path: String
  package let file: FileDescriptor

  /// `-` is the standard input.
  package init(_ path: String) throws(Failure) {
    self.path = path
    do {
      file = path == "-" ? .standardInput : try .open(FilePath(path), .readOnly)
    } catch {
      throw Failure(
        (error as? Errno) == .permissionDenied ? .permission : .badFile,
        "cannot read the recording \(path): \(error)")
    }
  }

  /// Returns an empty array at the end.
  package func receive() throws(Failure) -> [UInt8] {
    do throws(Errno) {
      return try file.receive(upTo: RecordingStream.maximumChunkBytes)
    } catch {
      throw Failure(.badFile, "cannot read the recording \(path): \(error)")
    }
  }
}
