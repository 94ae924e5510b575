// The map of pages: thumbnails with arrows for links.

import { ask } from "./connection.js";
import { button, element, image, svg } from "./elements.js";
import { changed as kioskChanged, kiosk } from "./kiosk.js";
import { resized } from "./picture.js";

let asking;
let isNew = false;

// Thumbnails are expensive, so wait until the user pauses.
function refresh() {
  clearTimeout(asking);
  if (!element("pages").open) return;
  asking = setTimeout(async () => {
    const answer = await ask("pages");
    if (answer) show(answer);
  }, 200);
}
element("pages").ontoggle = () => {
  isNew = true;
  refresh();
};
kioskChanged.listen(refresh);
resized.listen(refresh);

/** The columns of pages, by their distance from the first page. */
function columns(pages, links) {
  const names = pages.map((page) => page.name);
  const found = [];
  let next = names.slice(0, 1);
  const rest = new Set(names.slice(1));
  while (next.length) {
    found.push(next);
    next = links.filter(({ from, to }) => rest.has(to) && (from === null || next.includes(from))).map(({ to }) => to);
    next = names.filter((name) => next.includes(name));
    next.forEach((name) => rest.delete(name));
  }
  if (rest.size) found.push([...rest]);
  const rows = Math.max(4, Math.ceil(Math.sqrt(names.length)));
  return found.flatMap((column) => {
    const parts = Math.ceil(column.length / rows);
    const count = Math.ceil(column.length / parts);
    return [...Array(parts).keys()].map((part) => column.slice(part * count, (part + 1) * count));
  });
}

/** The point where the line from a box to another one leaves the box. */
function border(box, from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const ends = [
    dx && ((dx > 0 ? box.x + box.w : box.x) - from.x) / dx, dy && ((dy > 0 ? box.y + box.h : box.y) - from.y) / dy,
  ].filter((end) => end > 0);
  const end = Math.min(...ends, 1);
  return { x: from.x + dx * end, y: from.y + dy * end };
}

// Arrows are offset from the centre, so that links in both directions are separate lines. Longer arrows bend more, to
// go around the boxes in between.
function arrow(a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [-dy / length * 8, dx / length * 8];
  const middle = (box) => ({ x: box.x + box.w / 2 + nx, y: box.y + box.h / 2 + ny });
  const [start, end] = [border(a, middle(a), middle(b)), border(b, middle(b), middle(a))];
  const bend = 2 + Math.max(length - 2 * a.w, 0) / 30;
  return `M${start.x} ${start.y} Q${(start.x + end.x) / 2 + bend * nx} ${(start.y + end.y) / 2 + bend * ny} ${end.x} ${end.y}`;
}

let shown;
function show(message) {
  const { pages, links, width, height } = message;
  // Don't replace an unchanged map while the user may be clicking on it.
  const state = JSON.stringify([message, kiosk().page, element("left").clientWidth]);
  if (state === shown) return;
  shown = state;
  const all = columns(pages, links);
  const room = element("left").clientWidth - 36;
  const gap = 44;
  const w = Math.max(Math.min((room - gap * (all.length - 1)) / all.length, width), 84);
  const h = Math.round(w * height / width) + 22;
  const rows = Math.max(...all.map((column) => column.length));
  const boxes = new Map(all.flatMap((column, x) => column.map((name, y) => [name, {
    x: x * (w + gap) + 1, y: (y + (rows - column.length) / 2) * (h + gap / 2) + 1, w, h,
  }])));
  const causes = new Map();
  for (const { from, to, cause } of links.filter((link) => link.from !== null)) {
    const key = JSON.stringify([from, to]);
    causes.set(key, [...causes.get(key) ?? [], cause]);
  }
  const head = (id) => svg("marker", {
    id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, orient: "auto",
    markerUnits: "userSpaceOnUse",
  }, svg("path", { d: "M0 0 8 4 0 8Z" }));
  const lines = [...causes].map(([key, words]) => {
    const [from, to] = JSON.parse(key);
    const kind = from === kiosk().page ? "head-own" : "head";
    const title = svg("title", {}, `${from} → ${to}\n${words.join("\n")}`);
    return svg("path", {
      d: arrow(boxes.get(from), boxes.get(to)), "marker-end": `url(#${kind})`,
      class: kind === "head-own" ? "own" : "",
    }, title);
  });
  lines.sort((a, b) => (a.getAttribute("class") === "own") - (b.getAttribute("class") === "own"));
  const size = { width: all.length * (w + gap) - gap + 2, height: rows * (h + gap / 2) - gap / 2 + 2 };
  const buttons = pages.map(({ name, picture: source }) => {
    const node = button(name, () => ask("go", { page: name }));
    const ways = links.filter((link) => link.to === name)
      .map(({ from, cause }) => `${from === null ? "Everywhere" : from}, ${cause}`);
    node.title = ways.length || name === pages[0].name ? ways.join("\n") : "No page links here.";
    if (name === kiosk().page) node.setAttribute("aria-current", "page");
    if (source) node.prepend(image(source, ""));
    const box = boxes.get(name);
    Object.assign(node.style, {
      left: `${box.x}px`, top: `${box.y}px`, width: `${box.w}px`, height: `${box.h}px`,
    });
    return node;
  });
  element("map").replaceChildren(svg("svg", size, svg("defs", {}, head("head"), head("head-own")), ...lines), ...buttons);
  if (isNew) element("pages").scrollIntoView({ block: "nearest" });
  isNew = false;
}
