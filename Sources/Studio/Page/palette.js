// The kinds of controls as small pictures, which are clicked, or dragged onto the kiosk.

/** How far a hand goes before it drags, in pixels of the page. */
const reach = 6;

/**
 * Fills a list with pictures of kinds. `add` is called with the name of one that is clicked; `hold` with a kind that is
 * dragged over something and the event, for the size that it is to have there, and `drop` where it is let go.
 */
export function showPalette(list, kinds, { add, hold, drop }) {
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.kind : null;
  list.replaceChildren(...kinds.map((kind) => {
    const item = document.createElement("li");
    const node = document.createElement("button");
    node.type = "button";
    node.dataset.kind = kind.name;
    node.title = kind.about ?? "";
    const image = document.createElement("img");
    image.src = kind.picture;
    image.alt = "";
    image.draggable = false;
    node.append(image, kind.name);
    item.append(node);
    letDrag(node, image, kind, { add, hold, drop });
    return item;
  }));
  if (focused) list.querySelector(`[data-kind="${focused}"]`)?.focus();
}

function letDrag(node, image, kind, { add, hold, drop }) {
  let start = null;
  let ghost = null;
  let wasDragged = false;
  const end = () => {
    ghost?.remove();
    start = null;
    ghost = null;
    hold(kind, null);
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
      ghost = image.cloneNode();
      ghost.id = "ghost";
      document.body.append(ghost);
      wasDragged = true;
    }
    const { x, y, width, height } = hold(kind, event);
    Object.assign(ghost.style, {
      left: `${x - width / 2}px`, top: `${y - height / 2}px`, width: `${width}px`, height: `${height}px`,
    });
  });
  node.addEventListener("pointerup", (event) => {
    if (ghost) drop(kind, event);
    end();
  });
  node.addEventListener("pointercancel", end);
  node.addEventListener("click", () => { if (!wasDragged) add(kind.name); wasDragged = false; });
}
