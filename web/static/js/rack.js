// One rack at the end of a game: photograph, tiles, sum, corrections by tapping, accepting.
import { $, $$, ask, el, replace, say } from "./dom.js";
import { act, block, follow, upload } from "./api.js";
import { askTile, editor } from "./editor.js";
import { t, tn } from "./texts.js";
import { tile } from "./tiles.js";
import { toldList } from "./verdict.js";

let rack = block("rack-data");
const seat = rack?.seat ?? Number(location.pathname.split("/").at(-1));
let state = null;

function sumText() {
  const points = rack?.points;
  if (!rack?.given || !points) return "–";
  return points.least === points.most ? String(points.least) : `${points.least}–${points.most}`;
}

async function correct(lying, at) {
  if (state?.phase !== "ended") return;
  const chosen = await askTile(lying, { removable: true });
  if (chosen === null) return;
  await act("rack-tile", { seat, at, tile: chosen || null });
}

/** What to say of a rack that counts: where the points are, and where they can still be put right. */
function scored() {
  const racks = state.history?.find((one) => one.kind === "racks" && ["counts", "changed"].includes(one.state));
  const correctable = racks && state.can?.includes("correct");
  return [
    el("div", { class: "told good row apart" }, el("span", {}, `✓ ${t("This rack was accepted, and the game is scored.")}`),
      el("span", { class: "row" }, el("a", { class: "button", href: "/scores" }, t("Scores")),
        correctable ? el("a", { class: "button", href: `/correct/${racks.number}` }, t("Correct the racks")) : null)),
    correctable ? null : el("p", { class: "muted" }, t("The referee can still correct it."))];
}

function draw() {
  const player = state?.players?.[seat];
  const over = Boolean(state) && state.phase !== "ended";
  if (player) say($("#rack-title"), t("The rack of %(player)s", { player: player.name }));
  const tiles = rack?.tiles || [];
  replace($("#rack"), JSON.stringify([rack, over]), () => (tiles.length
    ? el("span", { class: "tiles", dir: "ltr" }, tiles.map((lying, at) => tile(lying.text, { press: over ? null : () => correct(lying, at), focus: `r${at}` })))
    : el("p", { class: "empty" }, rack?.given ? t("The rack is empty.") : t("No tiles yet."))));
  say($("#sum"), sumText());
  const told = Array.isArray(rack?.told) ? rack.told : rack?.told ? [rack.told] : [];
  const counted = rack?.given ? tn("%(num)s tile", "%(num)s tiles", tiles.length) : "";
  replace($("#rack-told"), JSON.stringify([told, counted, rack?.accepted, over, state?.history?.[0]?.number]), () => [
    over && rack?.given ? scored() : null,
    over && !rack?.given ? el("p", { class: "told" }, t("Racks are counted when a game is over.")) : null,
    !over && rack?.accepted ? el("p", { class: "told good" }, `✓ ${t("This rack is accepted.")}`) : null, toldList(told), counted ? el("p", { class: "muted" }, counted) : null]);
  for (const part of $$(".file-button, #by-hand, #rack-how")) part.hidden = over;
  const accept = $("#accept");
  accept.hidden = over;
  accept.disabled = !rack?.given;
  accept.textContent = rack?.accepted ? t("Take back the acceptance") : t("Accept");
  $("#add-tile").hidden = over || !rack?.given;
  $("#photo-shown").hidden = !rack?.picture;
  if (rack?.picture) $("#photo-image").src = rack.picture;
}

async function send(input) {
  const [file] = input.files;
  if (!file) return;
  $("#busy").hidden = false;
  const form = new FormData();
  form.append("photo", file);
  const answer = await upload(`/rack/${seat}/photo`, form);
  $("#busy").hidden = true;
  input.value = "";
  if (answer.rack) { rack = answer.rack; draw(); }
}
for (const input of [$("#photo"), $("#photo-file")]) input.addEventListener("change", () => send(input));
$("#by-hand").addEventListener("click", () => ask(t("Lay tiles by hand"), (close) => {
  const box = editor([(rack?.tiles || []).map((lying) => lying.text)], { single: true });
  return [box, el("button", { type: "button", class: "main", onclick: async () => {
    const answer = await act("rack", { seat, tiles: box.notation() });
    if (answer.ok) close();
  } }, t("These are all"))];
}, t("Close")));
$("#add-tile").addEventListener("click", async () => {
  const chosen = await askTile({ text: "??", likely: [] });
  if (chosen) act("rack", { seat, tiles: [...(rack?.tiles || []).map((lying) => lying.text), chosen].join(" ") });
});
$("#accept").addEventListener("click", () => act("rack-accept", { seat, accepted: !rack?.accepted }));

follow({ state: (next) => {
  state = next;
  const found = (next.racks || []).find((one) => one.seat === seat);
  if (found) rack = found;
  else if (next.phase === "playing") rack = null;
  draw();
} });
