// The size of the picture in the page: it fits, or has a fixed scale and is moved by dragging.

import { element, fill } from "./elements.js";
import { changed as kioskChanged } from "./kiosk.js";
import { laidOut } from "./layout.js";
import { picture, resized } from "./picture.js";

const view = element("view");
const field = element("zoom");
const scales = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4];
/** The scale, or null if the picture fits. */
let scale = null;
let isSpaceDown = false;

const named = (value) => `${Math.round(value * 100)} %`;

/** The scale at which all of the picture is visible. */
function fitting() {
  const [width, height] = [view.clientWidth - 32, view.clientHeight - 32];
  return Math.max(Math.min(width / picture.width, height / picture.height, 1), 0.05);
}

function place() {
  const now = scale ?? fitting();
  const width = `${picture.width * now}px`;
  if (picture.style.width !== width) picture.style.width = width;
  const list = scale === null || scales.includes(scale) ? scales : [...scales, scale].sort((a, b) => a - b);
  fill(field, [["Fit", ""], ...list.map((each) => [named(each), String(each)])], scale === null ? "" : String(scale));
}

/** Zooms, and keeps a point of the picture at its place in the window. */
export function zoom(value, x, y) {
  const before = picture.getBoundingClientRect();
  const [px, py] = [x ?? before.left + before.width / 2, y ?? before.top + before.height / 2];
  const [across, down] = [(px - before.left) / before.width, (py - before.top) / before.height];
  scale = value === null ? null : Math.min(Math.max(value, 0.1), 8);
  place();
  const after = picture.getBoundingClientRect();
  view.scrollLeft += after.left + across * after.width - px;
  view.scrollTop += after.top + down * after.height - py;
  resized();
}

/** The next scale in a direction. */
function next(isLarger) {
  const now = scale ?? fitting();
  const found = isLarger ? scales.find((each) => each > now * 1.01) : scales.findLast((each) => each < now / 1.01);
  return found ?? now;
}

field.onchange = () => zoom(field.value === "" ? null : Number(field.value));
element("larger").onclick = () => zoom(next(true));
element("smaller").onclick = () => zoom(next(false));
view.addEventListener("wheel", (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  zoom((scale ?? fitting()) * Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
}, { passive: false });

// The space key or the middle button move the picture.
const isField = (target) => target.closest("input, textarea, select, button, summary, [role=tree], .CodeMirror");
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || isField(event.target) || !view.matches(":hover")) return;
  event.preventDefault();
  isSpaceDown = true;
  view.classList.add("panning");
});
document.addEventListener("keyup", (event) => {
  if (event.key !== " ") return;
  isSpaceDown = false;
  view.classList.remove("panning");
});
view.addEventListener("pointerdown", (event) => {
  if (event.button !== 1 && !(event.button === 0 && isSpaceDown)) return;
  event.preventDefault();
  event.stopPropagation();
  const start = { x: event.clientX + view.scrollLeft, y: event.clientY + view.scrollTop };
  const move = (now) => {
    view.scrollLeft = start.x - now.clientX;
    view.scrollTop = start.y - now.clientY;
  };
  const end = () => {
    document.removeEventListener("pointermove", move);
    document.removeEventListener("pointerup", end);
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", end);
}, { capture: true });

laidOut.listen(() => {
  place();
  resized();
});
resized.listen(place);
kioskChanged.listen((state, old) => { if (!old.panel) laidOut(); });
