// Arranging controls in the picture: clicks, frames, drags and arrow keys.

import { element } from "./elements.js";
import { boxOf, placeFrame, putOver, sizeChange } from "./frame.js";
import * as gesture from "./gesture.js";
import { controlKey, selectAtRest } from "./keys.js";
import { changed as kioskChanged, kiosk, showText } from "./kiosk.js";
import { isArranging, picture, pixels, pixelsPerPoint } from "./picture.js";
import {
  choose, chooseAll, chosenControl, chosenControls, chosenIDs, chosenItem, isChosen, toggle,
} from "./selection.js";
import { hideGuides, snappedPlace } from "./snapping.js";
import { isSettled } from "./source.js";

function controlAt({ x, y }) {
  return [...kiosk().controls].reverse().find((control) => {
    const [x0, y0, x1, y1] = control.rect ?? [0, 0, 0, 0];
    return x >= x0 && x <= x1 && y >= y0 && y <= y1;
  });
}

/** The item of a control nearest to a point. */
function itemAt(control, { x, y }) {
  const distance = ({ place }) => Math.hypot(place[0] - x, place[1] - y);
  return control.items.filter((item) => item.place).sort((a, b) => distance(a) - distance(b))[0];
}

/** The rectangle around controls. */
export function boundsOf(controls) {
  const rects = controls.filter((each) => each.rect).map(({ rect }) => rect);
  const side = (index, least) => least(...rects.map((rect) => rect[index]));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}

// MARK: Drags

picture.addEventListener("pointerdown", (event) => {
  if (!isArranging() || event.button !== 0 || element("view").classList.contains("panning")) return;
  const start = pixels(event);
  const control = controlAt(start);
  if (!control) {
    gesture.begin("frame", { start, known: event.shiftKey ? chosenIDs() : [] });
    if (!event.shiftKey) choose(null);
    return;
  }
  if (event.shiftKey) return toggle(control.id);
  const wasChosen = isChosen(control.id);
  // Keep the selected item until this is known to be a drag.
  if (!wasChosen) choose(control.id);
  if (!control.rect) return;
  const all = chosenControls().filter((each) => each.rect);
  const [x0, y0, x1, y1] = boundsOf(all);
  const box = boxOf(control);
  gesture.begin("drag", {
    owner: { control: control.id }, control, wasChosen, start, ...box,
    sides: [x0 - box.x, y0 - box.y, x1 - box.x, y1 - box.y],
    all: all.map((each) => ({ id: each.id, x: boxOf(each).x, y: boxOf(each).y })),
  });
});

picture.addEventListener("pointermove", (event) => {
  const place = pixels(event);
  const frame = gesture.current("frame");
  if (frame) return showBand(frame, place);
  const drag = gesture.current("drag");
  if (!drag?.start) return;
  const [dx, dy] = [place.x - drag.start.x, place.y - drag.start.y];
  // A press without movement isn't a drag.
  drag.hasMoved ||= Math.hypot(dx, dy) > 2 * pixelsPerPoint();
  if (!drag.hasMoved) return;
  const except = drag.all.map(({ id }) => id);
  const value = snappedPlace(event, drag.x + dx, drag.y + dy, drag.sides, except);
  if (drag.all.length === 1) return gesture.follow(drag, { key: "at", value, inPixels: true });
  gesture.follow(drag, { changes: moved(drag.all, value[0] - drag.x, value[1] - drag.y) });
});

/** The changes that move controls by a distance in the picture. */
export const moved = (all, dx, dy) => all.map(({ id, x, y }) => (
  { owner: { control: id }, key: "at", value: [x + dx, y + dy], inPixels: true }));

for (const name of ["pointerup", "pointercancel"]) picture.addEventListener(name, (event) => {
  const frame = gesture.current("frame");
  if (frame) {
    gesture.end("frame");
    element("band").hidden = true;
    return;
  }
  const drag = gesture.current("drag");
  if (!drag?.start) return;
  gesture.end("drag");
  hideGuides();
  if (drag.hasMoved || !drag.wasChosen) return selectAtRest();
  if (drag.all.length > 1) return choose(drag.control.id);
  // Another press selects an item of the control.
  const item = itemAt(drag.control, pixels(event));
  choose(drag.control.id, item && item.id !== chosenItem() ? item.id : null);
});

/** Selects the controls that a frame touches. */
function showBand(frame, place) {
  const { start, known } = frame;
  const [x0, x1] = [start.x, place.x].sort((a, b) => a - b);
  const [y0, y1] = [start.y, place.y].sort((a, b) => a - b);
  element("band").hidden = false;
  putOver(element("band"), [x0, y0, x1, y1]);
  const inside = kiosk().controls.filter(({ rect }) => rect
    && rect[0] < x1 && rect[2] > x0 && rect[1] < y1 && rect[3] > y0).map(({ id }) => id);
  const ids = [...new Set([...known, ...inside])];
  if (JSON.stringify(ids) !== JSON.stringify(chosenIDs())) chooseAll(ids);
}

// MARK: Arrow keys

const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Moves the selected controls, or changes the size of one. Returns false for other keys. */
export function nudge(event) {
  const control = chosenControl();
  if (!steps[event.key] || !control?.rect) return false;
  const isSize = event.ctrlKey || event.metaKey;
  const all = chosenControls().filter((each) => each.rect);
  const known = gesture.current("nudge");
  const ids = all.map(({ id }) => id).join("/");
  if (known?.ids !== ids || known.isSize !== isSize) {
    gesture.begin("nudge", {
      owner: { control: control.id }, ids, isSize, ...boxOf(control), dx: 0, dy: 0,
      all: all.map((each) => ({ id: each.id, x: boxOf(each).x, y: boxOf(each).y })),
    });
  }
  const current = gesture.current("nudge");
  const { scale } = kiosk();
  const step = (event.shiftKey ? 10 : 1) * scale;
  const [dx, dy] = steps[event.key];
  if (!isSize) {
    current.dx += dx * step;
    current.dy += dy * step;
    if (all.length > 1) gesture.follow(current, { changes: moved(current.all, current.dx, current.dy) });
    else gesture.follow(current, { key: "at", value: [current.x + current.dx, current.y + current.dy], inPixels: true });
    return true;
  }
  // Arrows move the lower edge, or change a radius.
  const isRound = Boolean(controlKey("radius"));
  current.width = Math.max(current.width + (isRound ? 2 * (dx + dy) : dx) * step, scale);
  current.height = Math.max(current.height + dy * step, scale);
  const size = sizeChange(current.width, isRound ? current.width : current.height);
  if (size) gesture.follow(current, size);
  return true;
}

// Arrow keys may be faster than the kiosk. A nudge lasts until the kiosk has updated the control.
kioskChanged.listen(() => {
  const known = gesture.current("nudge");
  if (known && !known.isBusy && isSettled()) gesture.end("nudge");
});

element("play").onchange = () => {
  if (isArranging()) showText();
  placeFrame();
};
