// Small helpers to build and find elements.
export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element with attributes, listeners (`onclick`) and children. */
export const el = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/** An SVG element. */
export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

/** Replace what is in `root`, but only where `key` says that it changed; the keyboard's place is kept. */
export function replace(root, key, make) {
  if (!root || root.dataset.key === key) return;
  root.dataset.key = key;
  const place = root.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  root.replaceChildren(...[make()].flat(9).filter(Boolean));
  if (place) root.querySelector(`[data-focus="${CSS.escape(place)}"]`)?.focus({ preventScroll: true });
}

/** Set text only where it differs, so that live regions speak once. */
export function say(root, text) {
  if (root && root.textContent !== text) root.textContent = text;
}

/** A dialog that closes by key, by button and by a press beside it; resolves to what `close(value)` was given. */
export function ask(title, build, closeLabel) {
  return new Promise((resolve) => {
    let value = null;
    const close = (given = null) => { value = given; dialog.close(); };
    const dialog = el("dialog", { "aria-label": title, onclose: () => { dialog.remove(); resolve(value); } });
    // The second tap of two is the one that opened it.
    dialog.addEventListener("click", (event) => { if (event.target === dialog && event.detail < 2) close(); });
    dialog.append(
      el("div", { class: "row apart" }, el("h2", {}, title),
        el("button", { type: "button", class: "quiet small", onclick: () => close(), "aria-label": closeLabel }, "✕")),
      ...[build(close)].flat(9).filter(Boolean),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
