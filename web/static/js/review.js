// Recordings: send one, or name one beside the program; then watch the progress of each.
import { $, el, replace } from "./dom.js";
import { block, post, toast, whyNot } from "./api.js";
import { sentenceParts, t } from "./texts.js";

const EDITIONS = ["ru", "ua", "en", "he", "cards", "pressman", "xp", "pressman2009", "american", "international"];
let reviews = block("reviews") || [];
$("#review-edition").replaceChildren(...EDITIONS.map((code) => el("option", { value: code }, sentenceParts(`edition-${code}`)?.join("") || code)));

export const STATES = () => ({ waiting: t("waiting"), running: t("being watched"), done: t("done"), stopped: t("stopped"), failed: t("failed") });

function card(one) {
  const busy = one.state === "running" || one.state === "waiting";
  return el("article", { class: "card game-row" },
    el("div", {}, el("h2", {}, el("a", { href: `/review/${one.id}` }, one.name)),
      el("p", { class: "small muted" }, STATES()[one.state] || one.state, one.turns?.length ? [" · ", t("turns: %(count)s", { count: one.turns.length })] : ""),
      busy ? el("progress", { max: 1, value: one.progress || 0, "aria-label": t("Progress") }) : null),
    el("div", { class: "row" },
      busy ? el("button", { type: "button", class: "small", onclick: () => again(`/review/${one.id}/stop`) }, t("Stop")) : null,
      el("button", { type: "button", class: "small danger", onclick: () => again(`/review/${one.id}/delete`, one.id) }, t("Delete"))));
}
async function again(path, gone) {
  const answer = await post(path);
  if (answer.ok && gone) reviews = reviews.filter((one) => one.id !== gone);
  draw();
}
function draw() {
  $("#no-reviews").hidden = reviews.length > 0;
  replace($("#review-list"), JSON.stringify(reviews), () => reviews.map(card));
}
setInterval(async () => {
  const busy = reviews.filter((one) => one.state === "running" || one.state === "waiting");
  for (const one of busy) {
    const response = await fetch(`/review/${one.id}.json`).catch(() => null);
    if (response?.ok) Object.assign(one, await response.json());
  }
  if (busy.length) draw();
}, 2000);

$("#review-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const players = $("#names").value.split(",").map((name) => name.trim()).filter(Boolean);
  const game = { edition: $("#review-edition").value, from: $("#from").value, to: $("#to").value };
  const [file] = $("#recording").files;
  const finish = (answer) => {
    if (answer.ok) location.assign(`/review/${answer.review?.id ?? answer.id}`);
    else toast(whyNot(answer));
  };
  if (!file) {
    const name = $("#name").value;
    if (!name) return toast(t("Choose a recording first."));
    return post("/review", { name, players, ...game }).then((answer) => answer.ok && finish(answer));
  }
  // XMLHttpRequest tells how much has been sent; fetch does not.
  const form = new FormData();
  form.append("recording", file);
  form.append("players", players.join(","));
  for (const [key, value] of Object.entries(game)) form.append(key, value);
  const request = new XMLHttpRequest();
  const bar = $("#sending");
  bar.hidden = false;
  request.upload.addEventListener("progress", (sent) => { bar.value = sent.total ? sent.loaded / sent.total : 0; });
  request.addEventListener("loadend", () => {
    bar.hidden = true;
    let answer = { ok: false };
    try { answer = JSON.parse(request.responseText); } catch { /* no answer came, or none of ours */ }
    finish({ ...answer, status: request.status });
  });
  request.open("POST", "/review");
  request.setRequestHeader("X-CSRF-Token", $('meta[name="csrf"]').content);
  request.setRequestHeader("Accept", "application/json");
  request.send(form);
});
draw();
