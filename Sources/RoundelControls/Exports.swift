// SPDX-License-Identifier: MIT

// The types that controls of other programs need.
@_exported public import RoundelDrawing
@_exported public import RoundelExpressions
@_exported public import RoundelGeometry
@_exported public import RoundelMotion
