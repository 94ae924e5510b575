// SPDX-License-Identifier: MIT

internal import CRoundelALSA
internal import Glibc
internal import LinuxIO

package struct SoundCards: Sendable {
  package struct Output: Hashable, Sendable {
    package let path: String
    /// The card's name, or nil if it can't be read.
    package let name: String?
    package let isWritable: Bool
  }

  package let outputs: [Output]
  /// An explanation, or nil if ALSA's default device can be opened.
  package let problem: String?

  /// Opens and closes the default device.
  package init(in folder: String = "/dev/snd") {
    roundel_silence_alsa()
    // Such as pcmC0D3p: the card, the device, and p for playback.
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
      problem = "cannot open ALSA's device \"\(PCMStream.device)\": \(error)"
    }
  }

  private static func name(ofCard card: CInt) -> String? {
    var name: UnsafeMutablePointer<CChar>?
    // Allocated, and copied and freed here.
    guard unsafe snd_card_get_name(card, &name) == 0, let text = unsafe name else { return nil }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}
