// Talking to the server: actions by POST, state by one stream of events.
import { $, el } from "./dom.js";
import { t } from "./texts.js";
import { showFaces, toldText } from "./tiles.js";

/** The JSON of a data block of the page; null where there is none. */
export function block(id) {
  const found = document.getElementById(id);
  return found ? JSON.parse(found.textContent) : null;
}

const token = () => $('meta[name="csrf"]')?.content || "";

/** A short message at the foot of the page, or in the dialog that stands before it; also heard. */
export function toast(message) {
  const dialog = $("dialog[open]");
  const shown = dialog ? el("p", { class: "told problem", role: "alert" }, message) : el("div", {}, message);
  if (dialog) dialog.firstElementChild.after(shown);
  else $("#toasts")?.append(shown);
  setTimeout(() => shown.remove(), 6000);
}

async function send(path, options) {
  let answer;
  try {
    const response = await fetch(path, { ...options, headers: { Accept: "application/json", "X-CSRF-Token": token(), ...options.headers } });
    answer = await response.json().catch(() => ({ ok: response.ok }));
    answer.status = response.status;
  } catch {
    answer = { ok: false, error: null, status: 0 };
  }
  if (!answer.ok) toast(whyNot(answer));
  return answer;
}

/** What to say of a request that failed; `status` 0: no answer came at all. */
export function whyNot({ error, status }) {
  if (error) return toldText(error);
  return status === 0 ? t("The referee's computer does not answer. Nothing was sent.") : t("That did not work.");
}

/** Do an action; a failure is shown, and the answer says `ok: false`. */
export const act = (action, body = {}) => post(`/do/${action}`, body);

/** POST JSON to a path. */
export const post = (path, body = {}) =>
  send(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });

/** POST a form with files. */
export const upload = (path, form) => send(path, { method: "POST", body: form });

/**
 * Follow the state: `on.state(snapshot)`, `on.said(told)`, `on.beat({now_s, left_s, running})`.
 * The browser reconnects by itself and gets what it missed.
 */
export function follow(on) {
  const take = (state) => { showFaces(state.match?.edition); on.state?.(state); };
  const first = block("state");
  if (first) take(first);
  const offline = $("#offline");
  const source = new EventSource("/events");
  const alive = () => { if (offline) offline.hidden = true; };
  source.addEventListener("open", alive);
  source.addEventListener("error", () => { if (offline) offline.hidden = false; });
  source.addEventListener("state", (event) => {
    alive();
    take(JSON.parse(event.data));
  });
  source.addEventListener("said", (event) => on.said?.(JSON.parse(event.data)));
  source.addEventListener("beat", (event) => { alive(); on.beat?.(JSON.parse(event.data)); });
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  return source;
}
