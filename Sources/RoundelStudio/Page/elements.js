// Helpers for HTML elements.

export const element = (id) => document.getElementById(id);

export function button(text, onclick) {
  const node = document.createElement("button");
  node.type = "button";
  node.textContent = text;
  node.onclick = onclick;
  return node;
}

export function image(source, alt) {
  const node = document.createElement("img");
  node.src = source;
  node.alt = alt;
  return node;
}

export function svg(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** Fills a select element. The choices are strings, or pairs of a label and a value. */
export function fill(select, choices, value) {
  const pairs = choices.map((choice) => [choice].flat()).map(([text, meaning]) => [text, meaning ?? text]);
  const known = [...select.options].map((option) => option.value);
  if (known.length !== pairs.length || pairs.some(([, meaning], index) => meaning !== known[index])) {
    select.replaceChildren(...pairs.map((pair) => new Option(...pair)));
  }
  if (value !== undefined) select.value = value;
}

/** Downloads text as a file. */
export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/yaml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export const fileName = (path) => path.split("/").pop();
