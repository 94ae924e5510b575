// The frame around the selected control, with its resize handles.

import { element } from "./elements.js";
import * as gesture from "./gesture.js";
import { changed as kioskChanged, isTurned, kiosk } from "./kiosk.js";
import { controlKey, numberOf, received, selectAtRest } from "./keys.js";
import { isArranging, pixels, pixelsPerPoint, resized } from "./picture.js";
import { changed as chosenChanged, chosenControl, chosenControls, chosenItem } from "./selection.js";
import { hideGuides, placeGrid, snappedPlace } from "./snapping.js";

/** The position of a control's key `at`, and the control's size, in pixels of the picture. */
export function boxOf({ rect, at }) {
  const [x0, y0, x1, y1] = rect;
  const [x, y] = at ?? [(x0 + x1) / 2, (y0 + y1) / 2];
  // The edges, relative to the position.
  return { x, y, width: x1 - x0, height: y1 - y0, sides: [x0 - x, y0 - y, x1 - x, y1 - y] };
}

/** The key that determines the size of a control, or null if there isn't one. */
function sizeKey() {
  if ((controlKey("cell")?.written ?? null) !== null) return null;
  const size = controlKey("size");
  if (size && (size.written !== null || size.required)) return "size";
  if (controlKey("radius")) return "radius";
  return controlKey("font_size") && controlKey("text") ? "font_size" : null;
}

/** The change for a new size of the selected control in pixels of the picture. */
export function sizeChange(width, height) {
  const sides = [width, height].map((side) => Math.max(Math.round(side / kiosk().scale), 1));
  const [w, h] = isTurned() ? sides.reverse() : sides;
  switch (sizeKey()) {
    case "size": return { key: "size", value: [w, h] };
    case "radius": return { key: "radius", value: Math.max(Math.round(Math.max(w, h) / 2), 1) };
    default: return null;
  }
}

// The lower right corner changes both sides, a radius or the font size. An edge changes one side. Another handle
// changes the inner radius of a ring or a wheel.
for (const [id, kind] of [["handle", "both"], ["handle-x", "width"], ["handle-y", "height"], ["handle-inner", "inner"]]) {
  const handle = element(id);
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const control = chosenControl();
    const box = boxOf(control);
    gesture.begin("drag", {
      owner: { control: control.id }, control, kind, ...box,
      fontSize: numberOf(controlKey("font_size")) ?? box.height / kiosk().scale / 1.25,
    });
  });
  handle.addEventListener("pointermove", (event) => {
    const drag = gesture.current("drag");
    if (drag?.kind) move(drag, event, pixels(event));
  });
  for (const name of ["pointerup", "pointercancel"]) handle.addEventListener(name, () => {
    gesture.end("drag");
    hideGuides();
    selectAtRest();
  });
}

function move(drag, event, place) {
  const { control, kind, x, y, width, height, fontSize } = drag;
  const { scale } = kiosk();
  const [px, py] = kind === "inner" ? [place.x, place.y] : snappedPlace(event, place.x, place.y, [0, 0, 0, 0], [control.id]);
  const [across, down] = [px - x, py - y].map((way) => Math.max(2 * way, scale * 2));
  if (kind === "inner") return gesture.follow(drag, innerChange(Math.abs(place.x - x) / scale));
  if (sizeKey() === "font_size") {
    const grown = Math.max(2 * (py - y), 4) / height;
    return gesture.follow(drag, { key: "font_size", value: Math.max(Math.round(fontSize * grown), 1) });
  }
  const change = sizeChange(kind === "height" ? width : across, kind === "width" ? height : down);
  if (change) gesture.follow(drag, change);
}

/** The keys for inner radii, with conversions to a radius and back. */
const innerKeys = [
  { name: "hole", radius: (value, outer) => value ?? outer / 4, value: (radius) => radius },
  { name: "thickness", radius: (value, outer) => outer - (value ?? 0.14 * outer), value: (radius, outer) => outer - radius },
];

function innerKey() {
  const found = innerKeys.find(({ name }) => controlKey(name) && controlKey("radius"));
  const outer = numberOf(controlKey("radius"));
  return found && outer ? { ...found, outer } : null;
}

function innerChange(radius) {
  const { name, outer, value } = innerKey();
  const inner = Math.min(Math.max(radius, 0), outer - 1);
  return { key: name, value: Math.max(Math.round(value(inner, outer)), name === "hole" ? 0 : 1) };
}

/** Positions an element over a rectangle of the picture. */
export function putOver(node, [x0, y0, x1, y1]) {
  const scale = 1 / pixelsPerPoint();
  Object.assign(node.style, {
    left: `${x0 * scale}px`, top: `${y0 * scale}px`, width: `${(x1 - x0) * scale}px`, height: `${(y1 - y0) * scale}px`,
  });
}

/** Positions the frame, its handles and the grid over the picture. */
export function placeFrame() {
  const control = chosenControl();
  const scale = 1 / pixelsPerPoint();
  const all = chosenControls();
  const isOpen = isArranging() && all.length === 1 && Boolean(control?.rect);
  const key = isOpen ? sizeKey() : null;
  element("handle").hidden = !key;
  for (const id of ["handle-x", "handle-y"]) element(id).hidden = key !== "size";
  const inner = key === "radius" ? innerKey() : null;
  element("handle-inner").hidden = !inner;
  placeGrid();
  // The marker of the selected item.
  const item = control?.items.find((each) => each.id === chosenItem());
  element("spot").hidden = !item?.place;
  if (item?.place) {
    Object.assign(element("spot").style, { left: `${item.place[0] * scale}px`, top: `${item.place[1] * scale}px` });
  }
  element("frames").replaceChildren(...all.filter((each) => each !== control && each.rect).map(({ rect }) => {
    const other = document.createElement("div");
    other.className = "frame";
    putOver(other, rect);
    return other;
  }));
  const frame = element("frame");
  frame.hidden = !control?.rect;
  if (!control?.rect) return;
  const { width } = boxOf(control);
  putOver(frame, control.rect);
  if (inner) {
    const radius = inner.radius(numberOf(controlKey(inner.name)), inner.outer) * kiosk().scale * scale;
    element("handle-inner").style.left = `${width * scale / 2 + radius - 9}px`;
  }
}
for (const report of [kioskChanged, chosenChanged, received, resized]) report.listen(() => placeFrame());
element("step").onchange = placeFrame;
