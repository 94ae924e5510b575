// Expressions in fields: the switch next to a field, and completion.

import { ask } from "./connection.js";
import { element } from "./elements.js";
import { owner } from "./selection.js";

// The fields that the user has switched to expressions.
const switched = new Set();
const nameOf = (key, prefix) => JSON.stringify([owner(), prefix, key.name]);

/** Whether a key takes an expression, according to its documentation. */
export const mayBeExpression = (key) => key.input !== "structure" && (key.about ?? "").includes("`{…}`");

export const isExpression = (key, prefix) => Boolean(key.text?.includes("{")) || switched.has(nameOf(key, prefix));

export function setExpression(key, prefix, isWanted) {
  if (isWanted) switched.add(nameOf(key, prefix));
  else switched.delete(nameOf(key, prefix));
}

/** The completions of one field at a time. */
const list = element("words");
let field = null;
let chosen = -1;

function close() {
  list.hidden = true;
  field?.removeAttribute("aria-controls");
  field?.setAttribute("aria-expanded", "false");
  field = null;
  chosen = -1;
}

/** Completes names in a field's expressions. `ownerOf` is the owner of its key. */
export function completeField(own, key, ownerOf) {
  own.setAttribute("role", "combobox");
  own.setAttribute("aria-expanded", "false");
  own.setAttribute("aria-autocomplete", "list");
  own.setAttribute("autocomplete", "off");
  own.addEventListener("input", () => show(own, key, ownerOf()));
  own.addEventListener("blur", () => setTimeout(() => { if (field === own && own !== document.activeElement) close(); }, 150));
  own.addEventListener("keydown", (event) => {
    if (field !== own) return;
    const items = [...list.children];
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown") pick(Math.min(chosen + 1, items.length - 1));
    else if (event.key === "ArrowUp") pick(Math.max(chosen - 1, 0));
    else if (["Enter", "Tab"].includes(event.key) && chosen >= 0) items[chosen].onmousedown(event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function pick(index) {
  chosen = index;
  [...list.children].forEach((item, number) => item.setAttribute("aria-selected", number === index));
  list.children[index]?.scrollIntoView({ block: "nearest" });
  field.setAttribute("aria-activedescendant", list.children[index]?.id ?? "");
}

async function show(own, key, whose) {
  const end = own.selectionStart;
  const text = own.value.slice(0, end);
  if (!/\{[^}]*$/.test(text)) return close();
  const answer = await ask("completeKey", { owner: whose, key, text });
  if (!answer || own.selectionStart !== end || own !== document.activeElement) return close();
  const typed = text.slice(text.length - answer.typed).toLowerCase();
  const found = answer.items.filter((item) => item.label.toLowerCase().startsWith(typed)).slice(0, 12);
  if (!found.length || (found.length === 1 && found[0].text.toLowerCase() === typed)) return close();
  field = own;
  chosen = -1;
  list.replaceChildren(...found.map((item, index) => {
    const node = document.createElement("li");
    node.id = `word${index}`;
    node.setAttribute("role", "option");
    node.setAttribute("aria-selected", "false");
    const detail = document.createElement("small");
    detail.textContent = item.detail ?? "";
    node.append(item.label, detail);
    node.title = item.about ?? "";
    node.onmousedown = (event) => {
      event.preventDefault();
      own.setRangeText(item.text, end - answer.typed, end, "end");
      close();
    };
    return node;
  }));
  const box = own.getBoundingClientRect();
  list.hidden = false;
  const below = box.bottom + 2 + list.offsetHeight < innerHeight;
  Object.assign(list.style, {
    left: `${Math.min(box.left, innerWidth - list.offsetWidth - 8)}px`, minWidth: `${box.width}px`,
    top: `${below ? box.bottom + 2 : box.top - 2 - list.offsetHeight}px`,
  });
  own.setAttribute("aria-controls", "words");
  own.setAttribute("aria-expanded", "true");
}
