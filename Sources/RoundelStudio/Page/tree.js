// The tree of pages, controls and items. Elements are dragged to another place.

import { ask } from "./connection.js";
import { element } from "./elements.js";
import { changed as kioskChanged, kiosk, showText } from "./kiosk.js";
import { changed as chosenChanged, chosenIDs, chosenItem, isChosen, reveal, toggle } from "./selection.js";
import { change, taken } from "./source.js";

const tree = element("tree");
let pages = [];
let asking;
let dragged = null;

/** Asks for the outline once for several changes. */
function refresh() {
  clearTimeout(asking);
  asking = setTimeout(async () => {
    const answer = await ask("outline");
    if (!answer) return;
    pages = answer.pages;
    tree.hidden = !pages.length;
    show();
  }, 60);
}
taken.listen(refresh);
kioskChanged.listen((state, old) => {
  if (state.page !== old.page || !pages.length || state.pages.join() !== pages.map(({ name }) => name).join()) refresh();
  else mark();
});
chosenChanged.listen(() => mark());

function show() {
  const focused = tree.contains(document.activeElement) ? document.activeElement.dataset.name : null;
  tree.replaceChildren(...pages.map((page) => entry(1, page.name, "page", { page: page.name }, page.controls.map((control) =>
    entry(2, control.id, control.kind, { page: page.name, control: control.id }, control.items.map((item) =>
      entry(3, item, "", { page: page.name, control: control.id, item })))))));
  mark();
  if (focused) tree.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus();
}

function entry(level, name, kind, target, children = []) {
  const node = document.createElement("li");
  node.setAttribute("role", "treeitem");
  node.setAttribute("aria-level", level);
  node.tabIndex = -1;
  node.dataset.name = JSON.stringify(target);
  const line = document.createElement("span");
  line.className = "entry";
  const small = document.createElement("small");
  small.textContent = kind;
  line.append(name, small);
  node.append(line);
  if (children.length) {
    const group = document.createElement("ul");
    group.setAttribute("role", "group");
    group.append(...children);
    node.append(group);
    node.setAttribute("aria-expanded", "true");
  }
  line.onclick = (event) => select(target, event.shiftKey);
  if (level < 3) letDrag(line, target);
  return node;
}

function select({ page, control, item }, isMore) {
  if (isMore && control && page === kiosk().page) return toggle(control);
  showText();
  return reveal(page, control ?? null, item ?? null);
}

/** Marks the selection, and opens the current page. */
function mark() {
  for (const node of tree.querySelectorAll("[role=treeitem]")) {
    const { page, control, item } = JSON.parse(node.dataset.name);
    const isHere = page === kiosk().page;
    const isOwn = control
      ? isHere && isChosen(control) && (item ?? null) === (item ? chosenItem() : null)
      : isHere && !chosenIDs().length;
    node.setAttribute("aria-selected", isOwn);
    if (!control) node.setAttribute("aria-current", isHere ? "page" : "false");
  }
  const first = tree.querySelector("[aria-selected=true]") ?? tree.querySelector("[role=treeitem]");
  for (const node of tree.querySelectorAll("[tabindex='0']")) node.tabIndex = -1;
  if (first) first.tabIndex = 0;
}

tree.addEventListener("keydown", (event) => {
  const all = [...tree.querySelectorAll("[role=treeitem]")];
  const index = all.indexOf(document.activeElement);
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: all.length - 1 }[event.key];
  if (["Enter", " "].includes(event.key)) select(JSON.parse(all[index].dataset.name), event.shiftKey);
  else if (next === undefined || !all[next]) return;
  else all[next].focus();
  event.preventDefault();
  event.stopPropagation();
});

// MARK: Drags

function letDrag(line, target) {
  line.draggable = true;
  line.addEventListener("dragstart", (event) => {
    dragged = target;
    event.dataTransfer.setData("text/plain", target.control ?? target.page);
    event.dataTransfer.effectAllowed = "move";
  });
  line.addEventListener("dragover", (event) => {
    if (!dragged || !goal(dragged, target)) return;
    event.preventDefault();
    line.classList.add("goal");
  });
  for (const name of ["dragleave", "drop", "dragend"]) {
    line.addEventListener(name, () => line.classList.remove("goal"));
  }
  line.addEventListener("drop", (event) => {
    const parameters = dragged && goal(dragged, target);
    if (!parameters) return;
    event.preventDefault();
    change("place", parameters);
  });
  line.addEventListener("dragend", () => { dragged = null; });
}

/** The parameters for a drop: before a control or a page, or to the end of a page. */
function goal(from, to) {
  if (!from.control) return to.control || from.page === to.page ? null : { owner: { page: from.page }, before: { page: to.page } };
  if (from.control === to.control) return null;
  const owner = { control: from.control };
  return to.control ? { owner, before: { control: to.control }, page: to.page } : { owner, page: to.page };
}
