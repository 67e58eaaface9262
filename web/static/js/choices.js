// Choices of this screen alone, kept in the browser.
const read = (name) => { try { return localStorage.getItem(`tileref.${name}`); } catch { return null; } };

/** A switch of this screen; `fallback` until someone chose. */
export function choice(name, fallback) {
  const value = read(name);
  return value === null ? fallback : value === "1";
}

/** Keep a switch. */
export function choose(name, value) {
  try { localStorage.setItem(`tileref.${name}`, value ? "1" : "0"); } catch { /* private windows keep nothing */ }
}

/** Bind a checkbox to a switch; `changed(value)` at once and on every change. */
export function bind(box, name, fallback, changed) {
  if (!box) return;
  box.checked = choice(name, fallback);
  changed?.(box.checked);
  box.addEventListener("change", () => { choose(name, box.checked); changed?.(box.checked); });
}
