// SPDX-License-Identifier: MIT

internal import CALSA
internal import Glibc
internal import LinuxIO

/// The sound outputs of this machine, for people.
package struct SoundCards: Sendable {
  /// A device of a card that plays.
  package struct Output: Hashable, Sendable {
    /// Its device file.
    package let path: String
    /// The name of its card; nil where it cannot be asked.
    package let name: String?
    package let isWritable: Bool
  }

  package let outputs: [Output]
  /// Why the device that ALSA has for programs cannot be opened; nil where it can be.
  package let problem: String?

  /// Looks at the devices in a folder, the kernel's, and opens and closes the one for programs.
  package init(in folder: String = "/dev/snd") {
    roundel_silence_alsa()
    // As in pcmC0D3p: the card, the device, and that it plays.
    let names = Folder.names(in: folder).filter { $0.hasPrefix("pcmC") && $0.hasSuffix("p") }
    outputs = names.sorted().map { name in
      let path = "\(folder)/\(name)"
      return Output(
        path: path, name: CInt(name.dropFirst(4).prefix { $0 != "D" }).flatMap(Self.name(ofCard:)),
        isWritable: Files.isReadable(path) && Files.isWritable(path))
    }
    do throws(PCMError) {
      _ = try PCMStream()
      problem = nil
    } catch {
      problem = "ALSA's device \"\(PCMStream.device)\" cannot be opened: \(error)"
    }
  }

  private static func name(ofCard card: CInt) -> String? {
    var name: UnsafeMutablePointer<CChar>?
    // Allocates the name, which is copied and given back here.
    guard unsafe snd_card_get_name(card, &name) == 0, let text = unsafe name else { return nil }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}
