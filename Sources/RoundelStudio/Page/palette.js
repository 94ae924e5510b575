// Thumbnails of the kinds of controls, which can be clicked, or dragged onto the kiosk.

import { ask } from "./connection.js";
import { element, image } from "./elements.js";
import { placeFrame } from "./frame.js";
import { changed as kioskChanged, isTurned, kiosk, showText } from "./kiosk.js";
import { picture, pixels, pixelsPerPoint } from "./picture.js";
import { hideGuides, snappedPlace } from "./snapping.js";
import { change } from "./source.js";

/** The distance before a drag begins, in CSS pixels. */
const reach = 6;

const isOpen = () => element("add").getAttribute("aria-expanded") === "true";

function open(isWanted) {
  element("add").setAttribute("aria-expanded", isWanted);
  element("palette").hidden = !isWanted;
  refresh();
  placeFrame();
}
element("add").onclick = () => open(!isOpen());
element("palette").addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  open(false);
  element("add").focus();
});
kioskChanged.listen((state, old) => { if (state.theme !== old.theme) refresh(); });

async function refresh() {
  const answer = isOpen() ? await ask("palette") : undefined;
  if (answer) show(answer.kinds);
}

function add(kind, at) {
  showText();
  change("add", { kind, at });
}

/** The position of a dragged kind in pixels of the picture, and its appearance in the page. */
function held(kind, event) {
  const { screen, scale } = kiosk();
  const box = picture.getBoundingClientRect();
  const { x, y } = pixels(event);
  const isOver = x >= 0 && y >= 0 && x < picture.width && y < picture.height && !element("stage").hidden;
  const size = kind.size ?? [80, 50];
  const turned = isTurned() ? [...size].reverse() : size;
  const [x0, y0, x1, y1] = screen ?? [0, 0, picture.width, picture.height];
  const share = Math.min(1, 0.9 * (x1 - x0) / scale / turned[0], 0.9 * (y1 - y0) / scale / turned[1]);
  const [w, h] = turned.map((side) => side * share * scale);
  const within = (value, low, high, side) => Math.min(Math.max(value, low + side / 2), high - side / 2);
  const inside = [within(x, x0, x1, w), within(y, y0, y1, h)];
  const at = isOver ? snappedPlace(event, ...inside, [-w / 2, -h / 2, w / 2, h / 2], []) : [x, y];
  if (!isOver) hideGuides();
  const points = 1 / pixelsPerPoint();
  return {
    at, isOver,
    shown: { x: box.left + at[0] * points, y: box.top + at[1] * points, width: w * points, height: h * points },
  };
}

function show(kinds) {
  const list = element("kinds");
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.kind : null;
  list.replaceChildren(...kinds.map((kind) => {
    const item = document.createElement("li");
    const node = document.createElement("button");
    node.type = "button";
    node.dataset.kind = kind.name;
    node.title = kind.about ?? "";
    const shown = image(kind.picture, "");
    shown.draggable = false;
    node.append(shown, kind.name);
    item.append(node);
    letDrag(node, shown, kind);
    return item;
  }));
  if (focused) list.querySelector(`[data-kind="${focused}"]`)?.focus();
}

function letDrag(node, shown, kind) {
  let start = null;
  let ghost = null;
  let wasDragged = false;
  const end = () => {
    ghost?.remove();
    start = null;
    ghost = null;
    hideGuides();
  };
  node.addEventListener("pointerdown", (event) => {
    wasDragged = false;
    if (event.button !== 0) return;
    start = { x: event.clientX, y: event.clientY };
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => {
    if (!start) return;
    if (!ghost) {
      if (Math.hypot(event.clientX - start.x, event.clientY - start.y) < reach) return;
      ghost = shown.cloneNode();
      ghost.id = "ghost";
      document.body.append(ghost);
      wasDragged = true;
    }
    const { x, y, width, height } = held(kind, event).shown;
    Object.assign(ghost.style, {
      left: `${x - width / 2}px`, top: `${y - height / 2}px`, width: `${width}px`, height: `${height}px`,
    });
  });
  node.addEventListener("pointerup", (event) => {
    const place = ghost ? held(kind, event) : null;
    if (place?.isOver) add(kind.name, place.at);
    end();
  });
  node.addEventListener("pointercancel", end);
  node.addEventListener("click", () => { if (!wasDragged) add(kind.name); wasDragged = false; });
}
