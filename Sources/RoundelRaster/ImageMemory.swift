// SPDX-License-Identifier: MIT

/// The memory budget of a kiosk's images, in bytes.
final class ImageMemory {
  let limit: Int
  private(set) var taken = 0

  /// For all images of a kiosk, including scaled copies and strips.
  static let maximumBytes = 128 << 20
  /// The minimum for scaled copies and strips: two panels of 1920×1080.
  private static let minimumBytes = 16 << 20

  init(images: some Sequence<ImageFile>) {
    let own = images.reduce(0) { $0 + $1.cost }
    limit = max(Self.maximumBytes - own, Self.minimumBytes)
  }

  final class Reservation {
    private let memory: ImageMemory
    private let bytes: Int

    fileprivate init(_ memory: ImageMemory, _ bytes: Int) {
      self.memory = memory
      self.bytes = bytes
      memory.taken += bytes
    }

    deinit { memory.taken -= bytes }
  }

  /// Returns nil if the limit would be exceeded.
  func take(_ bytes: Int) -> Reservation? {
    bytes <= limit - taken ? Reservation(self, bytes) : nil
  }
}
