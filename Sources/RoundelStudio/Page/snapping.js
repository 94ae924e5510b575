// Snapping of dragged controls to other controls, the screen and the grid.

import { element, fill } from "./elements.js";
import { ended } from "./gesture.js";
import { kiosk } from "./kiosk.js";
import { isArranging, pixelsPerPoint } from "./picture.js";

/** The maximum distance for snapping to a line, in CSS pixels. */
const reach = 6;

/** The margin of the screen, which controls snap to, in pixels of the picture: a thirtieth of the shorter side. */
function margin() {
  const [x0, y0, x1, y1] = kiosk().screen;
  return Math.round(Math.min(x1 - x0, y1 - y0) / 30);
}

/** The grid's step in pixels of the picture, or 0 without a grid. */
const gridStep = () => Number(element("step").value) * (kiosk().scale ?? 1);

/**
 * Snaps a value along an axis to the centre and edges of the screen and of other controls, otherwise to the grid.
 * `sides` are the edges, relative to `value`. Controls called `except` are ignored.
 */
function snapped(value, sides, axis, except) {
  const { controls, screen } = kiosk();
  const others = controls.filter((each) => !except.includes(each.id) && each.rect).map(({ rect }) => rect);
  // Without a grid, controls keep a distance from the edges of the screen.
  const inside = screen && !gridStep() && [screen[0] + margin(), screen[1] + margin(), screen[2] - margin(), screen[3] - margin()];
  const all = [screen, inside, ...others].filter(Boolean).map((rect) => [rect[axis], (rect[axis] + rect[axis + 2]) / 2, rect[axis + 2]]);
  const [low, high] = [sides[axis], sides[axis + 2]];
  const found = all.flatMap(([first, middle, last]) => [
    { line: middle, moved: middle - (low + high) / 2 },
    ...[first, last].flatMap((line) => [{ line, moved: line - low }, { line, moved: line - high }]),
  ]).map((each) => ({ ...each, way: Math.abs(each.moved - value) })).sort((a, b) => a.way - b.way)[0];
  if (found && found.way <= reach * pixelsPerPoint()) return { value: found.moved, line: found.line };
  return { value: onGrid(value, axis), line: null };
}

function onGrid(value, axis) {
  const step = gridStep();
  const start = kiosk().origin?.[axis] ?? 0;
  return step ? start + Math.round((value - start) / step) * step : value;
}

/** Returns a point in the picture, snapped unless Alt is held, and shows the lines that it snaps to. */
export function snappedPlace(event, x, y, sides, except) {
  if (event.altKey) {
    hideGuides();
    return [x, y];
  }
  const places = [snapped(x, sides, 0, except), snapped(y, sides, 1, except)];
  showGuides(places[0].line, places[1].line);
  return places.map((each) => each.value);
}

function showGuides(x, y) {
  for (const [id, line, side] of [["guide-x", x, "left"], ["guide-y", y, "top"]]) {
    element(id).hidden = line === null;
    if (line !== null) element(id).style[side] = `${line / pixelsPerPoint()}px`;
  }
}

export const hideGuides = () => showGuides(null, null);
ended.listen(hideGuides);

export function placeGrid() {
  const scale = 1 / pixelsPerPoint();
  const step = gridStep() * scale;
  const { screen, origin } = kiosk();
  const grid = element("grid");
  // Closer lines would look like a filled area.
  grid.hidden = !isArranging() || !screen || step < 4;
  if (grid.hidden) return;
  const [x0, y0, x1, y1] = screen.map((each) => each * scale);
  const [x, y] = origin.map((each) => each * scale);
  Object.assign(grid.style, {
    left: `${x0}px`, top: `${y0}px`, width: `${x1 - x0}px`, height: `${y1 - y0}px`,
    backgroundSize: `${step}px ${step}px`, backgroundPosition: `${(x - x0) % step}px ${(y - y0) % step}px`,
  });
}
fill(element("step"), [["none", "0"], "4", "8", "10", "16", "20", "40"], "0");
