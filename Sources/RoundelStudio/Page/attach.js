// Files for the kiosk's folder, chosen or dropped. Large pictures are scaled down on demand.

import { element } from "./elements.js";
import { addFile } from "./history.js";
import { kiosk } from "./kiosk.js";
import { report } from "./state.js";

/** The maximum size of a message, which contains the file in base64. */
const maximum = 5 << 20;
const isPicture = (file) => /\.(png|jpe?g)$/i.test(file.name);

/** The design's size in pixels. */
function design() {
  const { screen, scale } = kiosk();
  return screen ? [(screen[2] - screen[0]) / scale, (screen[3] - screen[1]) / scale].map(Math.round) : [1920, 1080];
}

async function encoded(blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let start = 0; start < bytes.length; start += 32768) {
    text += String.fromCharCode(...bytes.subarray(start, start + 32768));
  }
  return btoa(text);
}

/** Scales a picture to cover the design, and keeps its type. */
async function scaled(file, bitmap, [width, height]) {
  const share = Math.max(width / bitmap.width, height / bitmap.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * share);
  canvas.height = Math.round(bitmap.height * share);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const type = /png$/i.test(file.name) ? "image/png" : "image/jpeg";
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.9));
}

/** Asks once for all files whether to scale pictures down. */
function question(names, [width, height]) {
  const dialog = element("scaling");
  element("oversized").textContent = `${names.join(", ")} ${names.length > 1 ? "are" : "is"} larger than the design `
    + `(${width}×${height} pixels), and would need more memory on the panel.`;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }));
}

async function add(files) {
  const size = design();
  const bitmaps = new Map();
  for (const file of files.filter(isPicture)) {
    const bitmap = await createImageBitmap(file).catch(() => null);
    if (!bitmap) report(`Cannot read ${file.name}: it isn't a PNG or JPEG file.`);
    else if (bitmap.width > size[0] * 1.2 && bitmap.height > size[1] * 1.2) bitmaps.set(file, bitmap);
    else bitmap.close();
  }
  const answer = bitmaps.size ? await question([...bitmaps.keys()].map(({ name }) => name), size) : "";
  if (bitmaps.size && answer === "") return;
  const added = [];
  for (const file of files) {
    const bitmap = bitmaps.get(file);
    const blob = bitmap && answer === "scale" ? await scaled(file, bitmap, size) : file;
    bitmap?.close();
    if (!blob || blob.size > maximum) {
      report(`Cannot add ${file.name}: it exceeds 5 MiB. Scale it down, or copy it to the kiosk's folder.`);
    } else if (await addFile(file.name, await encoded(blob))) {
      added.push(file.name);
    }
  }
  if (added.length === files.length) report(`Added ${added.join(", ")} to the kiosk's folder.`, false);
}

element("newfile").onclick = () => element("file").click();
element("file").onchange = async () => {
  await add([...element("file").files]);
  element("file").value = "";
};
for (const node of element("scaling").querySelectorAll("button")) {
  node.onclick = () => element("scaling").close(node.value);
}

document.addEventListener("dragover", (event) => {
  if (![...event.dataTransfer.items].some(({ kind }) => kind === "file")) return;
  event.preventDefault();
  document.body.classList.add("dropping");
});
for (const name of ["dragleave", "drop"]) {
  document.addEventListener(name, () => document.body.classList.remove("dropping"));
}
document.addEventListener("drop", (event) => {
  const files = [...event.dataTransfer.files];
  if (!files.length) return;
  event.preventDefault();
  add(files);
});
document.addEventListener("paste", (event) => {
  const files = [...event.clipboardData?.files ?? []];
  if (files.length && !event.target.closest("input, textarea")) add(files);
});
