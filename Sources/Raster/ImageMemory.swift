// SPDX-License-Identifier: MIT

/// The memory that images may take, and have taken, in bytes.
final class ImageMemory {
  let limit: Int
  private(set) var taken = 0

  /// The bytes that the images of a kiosk may take, scaled copies and strips included.
  static let maximumBytes = 128 << 20
  /// The least bytes beside the images themselves: enough for a panel of 1920×1080 twice over.
  private static let minimumBytes = 16 << 20

  init(images: some Sequence<ImageFile>) {
    let own = images.reduce(0) { $0 + $1.cost }
    limit = max(Self.maximumBytes - own, Self.minimumBytes)
  }

  /// Memory that is taken for as long as this lives.
  final class Share {
    private let memory: ImageMemory
    private let bytes: Int

    fileprivate init(_ memory: ImageMemory, _ bytes: Int) {
      self.memory = memory
      self.bytes = bytes
      memory.taken += bytes
    }

    deinit { memory.taken -= bytes }
  }

  /// Takes memory; nil where there is none left.
  func take(_ bytes: Int) -> Share? {
    bytes <= limit - taken ? Share(self, bytes) : nil
  }
}
