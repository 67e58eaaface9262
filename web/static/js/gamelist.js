// Past games: open one again, or delete it with its pictures.
import { $$, ask, el } from "./dom.js";
import { act } from "./api.js";
import { t, when } from "./texts.js";

for (const time of $$("[data-when]")) {
  const seconds = Number(time.dataset.when);
  time.textContent = Number.isFinite(seconds) && seconds > 0 ? when(seconds) : time.dataset.when;
}

for (const button of $$("[data-open]")) {
  button.addEventListener("click", async () => {
    const answer = await act("open-match", { id: button.dataset.open });
    if (answer.ok) location.assign("/table");
  });
}

for (const button of $$("[data-delete]")) {
  button.addEventListener("click", async () => {
    const id = button.dataset.delete;
    const sure = await ask(t("Delete this match?"), (close) => [
      el("p", {}, button.dataset.title),
      el("p", {}, t("Its log, scores and pictures are removed from this computer for good.")),
      el("div", { class: "row" },
        el("button", { type: "button", class: "danger", onclick: () => close(true) }, t("Delete for good")),
        el("button", { type: "button", onclick: () => close(false) }, t("Keep it"))),
    ], t("Close"));
    if (!sure) return;
    const answer = await act("delete-match", { id, confirm: id });
    if (answer.ok) button.closest("[data-game]").remove();
  });
}
