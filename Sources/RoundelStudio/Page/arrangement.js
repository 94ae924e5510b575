// Arranging controls: drags and arrow keys in the picture, their order, and their copies.

import { element } from "./elements.js";
import { boxOf, placeFrame, sizeChange } from "./frame.js";
import * as gesture from "./gesture.js";
import { controlKey, selectAtRest } from "./keys.js";
import { changed as kioskChanged, kiosk, showText } from "./kiosk.js";
import { isArranging, picture, pixels, pixelsPerPoint } from "./picture.js";
import { choose, chosenControl, chosenItem, isControl, owner } from "./selection.js";
import { hideGuides, snappedPlace } from "./snapping.js";
import { change, isSettled } from "./source.js";

/** Moves, copies or removes the selection. */
const arrange = (method, more = {}) => change(method, { owner: owner(), ...more });

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

// MARK: Drags

picture.addEventListener("pointerdown", (event) => {
  if (!isArranging()) return;
  const start = pixels(event);
  const control = controlAt(start);
  const wasChosen = Boolean(control) && control.id === chosenControl()?.id;
  // Keep the selected item until this is known to be a drag.
  if (!wasChosen) choose(control?.id ?? null);
  if (!control?.rect) return;
  gesture.begin("drag", { owner: { control: control.id }, control, wasChosen, start, ...boxOf(control) });
});

picture.addEventListener("pointermove", (event) => {
  const drag = gesture.current("drag");
  if (!drag?.start) return;
  const place = pixels(event);
  const [dx, dy] = [place.x - drag.start.x, place.y - drag.start.y];
  // A press without movement isn't a drag.
  drag.hasMoved ||= Math.hypot(dx, dy) > 2 * pixelsPerPoint();
  if (!drag.hasMoved) return;
  const value = snappedPlace(event, drag.x + dx, drag.y + dy, drag.sides, drag.control.id);
  gesture.follow(drag, { key: "at", value, inPixels: true });
});

for (const name of ["pointerup", "pointercancel"]) picture.addEventListener(name, (event) => {
  const drag = gesture.current("drag");
  if (!drag?.start) return;
  gesture.end("drag");
  hideGuides();
  if (drag.hasMoved || !drag.wasChosen) return selectAtRest();
  // Another press selects an item of the control.
  const item = itemAt(drag.control, pixels(event));
  choose(drag.control.id, item && item.id !== chosenItem() ? item.id : null);
});

// MARK: Arrow keys

picture.addEventListener("keydown", (event) => {
  if (event.key === "Delete" && isArranging() && isControl()) return arrange("remove");
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const control = chosenControl();
  if (!isArranging() || !steps[event.key] || !control?.rect) return;
  event.preventDefault();
  const isSize = event.ctrlKey || event.metaKey;
  const known = gesture.current("nudge");
  if (known?.owner.control !== control.id || known.isSize !== isSize) {
    gesture.begin("nudge", { owner: { control: control.id }, isSize, ...boxOf(control) });
  }
  const nudge = gesture.current("nudge");
  const { scale } = kiosk();
  const step = (event.shiftKey ? 10 : 1) * scale;
  const [dx, dy] = steps[event.key];
  if (!isSize) {
    nudge.x += dx * step;
    nudge.y += dy * step;
    return gesture.follow(nudge, { key: "at", value: [nudge.x, nudge.y], inPixels: true });
  }
  // Arrows move the lower edge, or change a radius.
  const isRound = Boolean(controlKey("radius"));
  nudge.width = Math.max(nudge.width + (isRound ? 2 * (dx + dy) : dx) * step, scale);
  nudge.height = Math.max(nudge.height + dy * step, scale);
  const size = sizeChange(nudge.width, isRound ? nudge.width : nudge.height);
  if (size) gesture.follow(nudge, size);
});

// Arrow keys may be faster than the kiosk. A nudge lasts until the kiosk has updated the control.
kioskChanged.listen(() => {
  const nudge = gesture.current("nudge");
  if (nudge && !nudge.isBusy && isSettled()) gesture.end("nudge");
});

// MARK: Order

element("remove").onclick = () => arrange("remove");
element("duplicate").onclick = () => arrange("duplicate");
element("earlier").onclick = () => arrange("move", { forward: false });
element("later").onclick = () => arrange("move", { forward: true });
element("additem").onclick = () => arrange("addItem");
element("reaction").onchange = () => {
  const command = element("reaction").value;
  element("reaction").value = "";
  if (command) arrange("addReaction", { command });
};
element("arrange").onchange = () => {
  if (isArranging()) showText();
  placeFrame();
};
element("newpage").onclick = () => {
  showText();
  change("addPage");
};
