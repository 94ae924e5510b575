// The current kiosk: its state, and its machine.

import { ask, receive } from "./connection.js";
import { element, fill } from "./elements.js";
import { signal } from "./signal.js";
import { settled } from "./source.js";

let state = { controls: [] };
// The other machine that runs the kiosk, if any, and whether its panel is shown.
let host = { name: null, shown: false };
let receivedAt = 0;
let asking;

/** The last reported state of the kiosk. */
export const kiosk = () => state;
/** Reports a new state, with the previous one. */
export const changed = signal();

export const isTurned = () => state.panel.rotation % 180 !== 0;

/** The milliseconds of the kiosk's clock since the last report. */
export const passed = () => state.speed * (performance.now() - receivedAt);

function show(message) {
  const old = state;
  state = message;
  receivedAt = performance.now();
  element("name").textContent = state.name;
  fill(element("page"), state.pages, state.page);
  element("picture").setAttribute("aria-label", spoken());
  changed(state, old);
  showFields(element("values"), state.values);
}
receive("kiosk", show);

/** The page and its controls in words. */
function spoken() {
  const all = state.controls.filter((each) => each.rect).map(({ id, kind }) => `${kind} ${id}`);
  return `The kiosk's page ${state.page}: ${all.slice(0, 50).join(", ") || "no controls"}`;
}

/** Shows a page, once the program has the current text. */
export async function goTo(page) {
  await settled();
  ask("go", { page });
}

receive("event", ({ event }) => {
  const item = document.createElement("li");
  item.textContent = Object.entries(event).map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(" ");
  element("events").prepend(item);
  while (element("events").children.length > 50) element("events").lastChild.remove();
  asking ??= setTimeout(async () => {
    asking = undefined;
    const answer = await ask("kiosk");
    if (answer?.state) show(answer.state);
  }, 200);
});

/** Shows fields for the kiosk's settable values by name. */
export function showFields(form, values) {
  if (form.contains(document.activeElement)) return;
  const shown = JSON.stringify(values);
  if (form.dataset.state === shown) return;
  form.dataset.state = shown;
  form.replaceChildren(...Object.entries(values).flatMap(([name, value]) => {
    const label = document.createElement("label");
    label.textContent = name;
    label.title = name;
    label.htmlFor = `value-${name}`;
    const input = document.createElement("input");
    input.id = `value-${name}`;
    input.value = typeof value === "object" ? JSON.stringify(value) : value;
    input.onchange = () => {
      ask("value", { name, text: input.value });
      form.dataset.state = "";
      input.blur();
    };
    return [label, input];
  }));
}

// MARK: The machine

receive("host", (message) => {
  host = message;
  element("hosts").hidden = !host.name;
  fill(element("shown"), [[`the panel of ${host.name}`, "panel"], ["the source", "text"]], host.shown ? "panel" : "text");
  element("away").hidden = !host.problem;
  element("away").textContent = `${host.problem}\nReconnecting. The picture may be out of date.`;
  element("stage").classList.toggle("old", host.shown && Boolean(host.problem));
  // The studio can't change the settings of a real panel.
  element("panel").classList.toggle("remote", host.shown);
  if (host.shown) element("play").checked = true;
  element("play").disabled = host.shown;
});

/** Shows the remote panel, or the kiosk of the text. */
function showPanel(isWanted) {
  if (host.name && host.shown !== isWanted) ask("show", { remote: isWanted });
}

/** Shows the kiosk of the text, because a remote panel can't be arranged. */
export const showText = () => showPanel(false);

element("shown").onchange = () => showPanel(element("shown").value === "panel");
element("page").onchange = () => ask("go", { page: element("page").value });
element("restart").onclick = () => ask("restart");
