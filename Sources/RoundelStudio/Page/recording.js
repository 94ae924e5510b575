// Recording a test by touching the kiosk.

import { ask, receive } from "./connection.js";
import { button, element, fileName } from "./elements.js";
import { changed as kioskChanged } from "./kiosk.js";
import { areCopies, run } from "./suites.js";

kioskChanged.listen(({ records }) => {
  element("recorder").hidden = !records;
  element("record").hidden = records;
});

receive("recording", ({ steps }) => {
  if (steps === null) return;
  element("steps").value = steps;
  if (!steps) expect(false);
});
receive("steps", ({ text }) => {
  const field = element("steps");
  field.value += text;
  field.scrollTop = field.scrollHeight;
  if (!element("seen").hidden) showSeen();
});

/** Lists expectations that currently hold. */
async function showSeen() {
  const answer = await ask("seen");
  if (!answer) return;
  const name = element("test").value.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "picture";
  const count = element("steps").value.split("picture:").length;
  // The picture's file would be removed along with the suite when the program ends.
  const shots = areCopies() ? [] : [`{picture: ${count > 1 ? `${name}-${count}` : name}}`];
  element("seen").replaceChildren(...[...shots, ...answer.all].map((text) => {
    const item = document.createElement("li");
    item.append(button(text, () => ask("expect", { text })));
    return item;
  }));
}

function expect(isOpen) {
  element("seen").hidden = !isOpen;
  element("expect").setAttribute("aria-expanded", isOpen);
  if (isOpen) showSeen();
}

async function keep() {
  const path = element("suite").value || undefined;
  const name = element("test").value.trim();
  const answer = await ask("keep", { name, steps: element("steps").value, path });
  if (!answer) return;
  offer(answer);
  // The recorded pictures are the expected ones.
  run(answer.path, answer.text === null ? name : undefined);
}

/** Offers a temporary suite as a download. */
function offer({ path, text }) {
  element("handout").hidden = !text;
  if (!text) return;
  const link = element("download");
  URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([text], { type: "text/yaml" }));
  link.download = fileName(path);
  link.textContent = `Save ${fileName(path)} on this machine`;
}

element("record").onclick = () => ask("record");
element("discard").onclick = () => ask("discard");
element("steps").oninput = () => ask("steps", { steps: element("steps").value });
element("expect").onclick = () => expect(element("seen").hidden);
element("test").onchange = () => expect(!element("seen").hidden);
element("keep").onclick = keep;
