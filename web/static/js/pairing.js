// Pairing codes: make new ones, so that lost phones are shut out.
import { $, ask, el } from "./dom.js";
import { act } from "./api.js";
import { t } from "./texts.js";

$("#new-codes")?.addEventListener("click", async () => {
  const sure = await ask(t("New codes?"), (close) => [
    el("p", {}, t("Every phone has to join again.")),
    el("div", { class: "row" }, el("button", { type: "button", class: "main", onclick: () => close(true) }, t("Make new codes")), el("button", { type: "button", onclick: () => close(false) }, t("Keep them"))),
  ], t("Close"));
  if (sure && (await act("new-codes")).ok) location.reload();
});
