// SPDX-License-Identifier: MIT

@_exported public import struct RoundelGeometry.Point
@_exported public import struct RoundelGeometry.Size
