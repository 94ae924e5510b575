// SPDX-License-Identifier: MIT

public import Drawing
public import Geometry

public final class FontLibrary {
  public init() {}
  public func mask(for run: TextRun, viewport: Viewport, clip: PixelRect) -> GlyphMask { .empty }
}
