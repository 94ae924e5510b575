// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelRaster

/// A picture and its up-to-date canvas, like a display with one buffer.
package final class Sheet {
  package let painter: Painter
  package let canvas: Canvas
  private var shownFrame: Int?

  package init(_ painter: Painter) {
    self.painter = painter
    canvas = Canvas(size: painter.size)
  }

  /// Shows a list and returns the damage.
  @discardableResult
  package func show(_ list: DisplayList) -> Damage {
    painter.show(list)
    return paintDamage()
  }

  /// Shows the list that `draw` fills, and returns the damage.
  @discardableResult
  package func show(_ draw: (_ list: inout DisplayList) -> Void) -> Damage {
    painter.show(draw)
    return paintDamage()
  }

  private func paintDamage() -> Damage {
    let damage = painter.damage(since: shownFrame)
    painter.paint(damage, onto: canvas)
    shownFrame = painter.frame
    return damage
  }

  package func repaint() { painter.paint(onto: canvas) }
}
