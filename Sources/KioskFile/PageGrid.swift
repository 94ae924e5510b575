// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk

/// A page's grid of cells of equal size.
struct PageGrid: Sendable {
  var columns = 1
  var rows = 1
  /// The gap between adjacent cells, in both directions.
  var gap = 0.0
  /// The margin between the outer cells and the edges of the design.
  var margin = 0.0

  /// The change of an automatic layout for a panel of the other orientation.
  enum Turn: Sendable {
    /// Cells without spans keep their order, row by row.
    case reflow
    /// Columns become rows, so that cells which span others keep their neighbours.
    case transpose
  }

  private(set) var turn: Turn?

  /// Returns the grid for a panel of the other orientation.
  func turned(_ turn: Turn) -> PageGrid {
    var grid = self
    (grid.columns, grid.rows, grid.turn) = (rows, columns, turn)
    return grid
  }

  /// Whether an automatic layout turns the grid on a screen.
  func isTurned(on screen: Size) -> Bool {
    screen.width < screen.height && columns > rows || screen.width > screen.height && columns < rows
  }

  /// A rectangle of cells. Columns and rows count from 0.
  struct Cell: Sendable {
    var column: Int
    var row: Int
    var columns = 1
    var rows = 1
  }

  func cellSize(on screen: Size) -> Size {
    func side(_ length: Double, _ count: Int) -> Double {
      (length - 2 * margin - Double(count - 1) * gap) / Double(count)
    }
    return Size(side(screen.width, columns), side(screen.height, rows))
  }

  /// Returns a rectangle that includes the gaps between cells.
  func frame(of cell: Cell, on screen: Size) -> Rect {
    let one = cellSize(on: screen)
    func edges(_ first: Int, _ count: Int, _ side: Double) -> (Double, Double) {
      let begin = margin + Double(first) * (side + gap)
      return (begin, begin + Double(count) * side + Double(count - 1) * gap)
    }
    let (x0, x1) = edges(cell.column, cell.columns, one.width)
    let (y0, y1) = edges(cell.row, cell.rows, one.height)
    return Rect(x0: x0, y0: y0, x1: x1, y1: y1)
  }

  /// The numbers of columns and rows in the file.
  var written: (columns: Int, rows: Int) { turn == nil ? (columns, rows) : (rows, columns) }

  /// Whether a cell of the file is inside the grid of the file.
  func contains(_ cell: Cell) -> Bool {
    cell.column + cell.columns <= written.columns && cell.row + cell.rows <= written.rows
  }

  /// Returns the place of a cell of the file.
  func placed(_ cell: Cell) -> Cell {
    switch turn {
    case nil: return cell
    case .transpose:
      return Cell(
        column: cell.row, row: cell.column, columns: cell.rows, rows: cell.columns)
    case .reflow:
      let index = cell.row * written.columns + cell.column
      return Cell(column: index % columns, row: index / columns)
    }
  }
}

extension Table where Value == PageGrid {
  static let grid = Table("grid", "The cells of a page, all of one size.") { keys in
    let count = Form<Int>.integer(1...1_000).constant
    let length = Form<Double>.number(0...100_000, "pixels").constant
    let columns = keys.optional("columns", count, default: 1, "The number of columns.")
    let rows = keys.optional("rows", count, default: 1, "The number of rows.")
    let gap = keys.optional("gap", length, default: 0, "Pixels between two cells.")
    let margin = keys.optional(
      "margin", length, default: 0, "Pixels between the outer cells and the edges of the design.")
    return { fields in
      let grid = PageGrid(
        columns: fields[columns], rows: fields[rows], gap: fields[gap], margin: fields[margin])
      let cell = grid.cellSize(on: fields.reader.declaring.screenSize)
      guard min(cell.width, cell.height) >= 1 else {
        return fields.error(
          "the grid leaves no space for its cells", at: fields[margin] > 0 ? margin : gap,
          expected: "a smaller margin, a smaller gap or fewer cells")
      }
      return grid
    }
  }
}

extension Form where Value == PageGrid.Cell {
  /// `[column, row]`, or `[column, row, columns, rows]`.
  static var cell: Form {
    let expected = "a cell [column, row] or [column, row, columns, rows], from 0"
    let numbers = Form<Int>.integer(0...1_000).constant.list(atLeast: 2, expected)
    return Form(
      expected, from: [.list], as: .list,
      schema: { definitions in
        let one = Form<Int>.integer(0...1_000).constant.schema(&definitions)
        return [
          "anyOf": .array(
            [2, 4].map { ["type": "array", "minItems": $0, "maxItems": $0, "items": one] })
        ]
      },
      read: { node, reader in
        guard [2, 4].contains(node.items.count) else {
          reader.report(
            "\(reader.subject) has \(node.items.count) items", at: node.mark, expected: expected)
          return nil
        }
        guard let whole = numbers.read(node, reader) else { return nil }
        let cell = PageGrid.Cell(
          column: whole[0], row: whole[1], columns: whole.count > 2 ? whole[2] : 1,
          rows: whole.count > 2 ? whole[3] : 1)
        guard cell.columns > 0, cell.rows > 0 else {
          reader.report(
            "\(reader.subject) spans no columns or no rows", at: node.mark,
            expected: "at least one of each")
          return nil
        }
        return cell
      }
    ).as(.fixed).geometric
  }
}

extension DeclarationReader {
  /// The keys that a cell replaces.
  static let placeKeys = ["at", "size", "radius"]

  /// Adds the position and size of a control's cell.
  func placed(_ node: Node, _ type: ControlType) -> Node {
    let names = type.table.keys.names
    guard names.contains("cell"), let written = node["cell"] else { return node }
    let own = node.pairs.filter { Self.placeKeys.contains($0.key) && names.contains($0.key) }
    for pair in own {
      report(
        "\(pair.key.quoted) cannot be used with \"cell\", which determines it", at: pair.keyMark,
        expected: "only one of them")
    }
    let frame = grid.frame(of: cell(written), on: screenSize)
    func list(_ numbers: Double...) -> Node {
      Node(JSONValue.array(numbers.map { .number($0) }), at: written.mark)
    }
    let places = [
      "at": list(frame.center.x, frame.center.y), "size": list(frame.width, frame.height),
      "radius": Node(JSONValue.number(min(frame.width, frame.height) / 2), at: written.mark),
    ]
    let given = Self.placeKeys.filter(names.contains).compactMap { key in
      places[key].map { Node.Pair(key: key, keyMark: written.mark, value: $0) }
    }
    return Node(
      .map(
        node.pairs.filter { !Self.placeKeys.contains($0.key) || !names.contains($0.key) } + given),
      at: node.mark)
  }

  /// Returns the first cell after an error.
  private func cell(_ node: Node) -> PageGrid.Cell {
    let first = PageGrid.Cell(column: 0, row: 0)
    return inside(key: "cell") {
      guard let cell = Form<PageGrid.Cell>.cell.read(node, self) else { return first }
      guard grid.contains(cell) else {
        let (columns, rows) = grid.written
        report(
          "\(subject) is outside its grid of \(columns) by \(rows)", at: node.mark,
          expected: "columns from 0 to \(columns - 1), rows from 0 to \(rows - 1)")
        return first
      }
      return grid.placed(cell)
    }
  }

  /// Returns a page's grid on the screen of an automatic layout.
  func turned(_ grid: PageGrid, of page: Node) -> PageGrid {
    let screen = outline.screen.screen
    guard screen.hasPanelShape, grid.isTurned(on: screen.size) else { return grid }
    let hasSpans = (page["controls"]?.items ?? []).contains { ($0["cell"]?.items.count ?? 0) > 2 }
    return grid.turned(hasSpans ? .transpose : .reflow)
  }
}
