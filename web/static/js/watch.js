// For spectators and televisions: a still for each change, the drawn table, the clock; nothing can be pressed.
import { $, el, replace, say } from "./dom.js";
import { follow } from "./api.js";
import { pageClock } from "./clock.js";
import { minus } from "./sheet.js";
import { closeUp } from "./picture.js";
import { drawSets } from "./sets.js";
import { t } from "./texts.js";
import { toldNodes } from "./tiles.js";

const clock = pageClock();
let still = null;

function stillOf(state) {
  const running = state.camera?.source && state.camera.state !== "off";
  const image = $("#still");
  const stamp = running ? `${state.table?.at_s ?? ""}/${state.last_turn?.event ?? ""}` : null;
  $("#still-stage").hidden = !running;
  closeUp($("#still-lens"), (state.table?.sets || []).flatMap((one) => one.tiles), state.settings?.area, `${state.match?.id}/${state.turn?.number}`);
  if (running && stamp !== still) image.src = `/still.jpg?v=${state.version}`;
  still = stamp;
}

$("#still").addEventListener("error", () => { $("#still-stage").hidden = true; });

follow({
  state: (state) => {
    const turn = state.turn;
    clock.set(turn);
    $("#clock").hidden = !turn;
    say($("#watch-title"), state.match?.title || "");
    const over = { ended: t("The game is over"), "match-over": t("The match is over"), "set-up": t("Between two games"), "no-match": t("No game is open") };
    say($("#watch-name"), turn ? state.players[turn.seat].name : over[state.phase] || "");
    replace($("#watch-sets"), JSON.stringify(state.table?.sets), () => drawSets(state.table?.sets));
    $("#watch-sets").hidden = state.match?.mode !== "full";
    replace($("#watch-players"), JSON.stringify(state.players), () => (state.players || []).map((player) => el("li", { class: player.is_turn ? "now" : "" },
      el("span", { class: "seat", "aria-hidden": "true" }, String(player.seat + 1)), el("span", { class: "grow name" }, player.name),
      player.rack != null ? el("span", { class: "badge number on-rack", title: t("Tiles on the rack") }, String(player.rack)) : null,
      el("span", { class: "number points", title: t("Points"), dir: "ltr" }, minus(player.points ?? 0)))));
    stillOf(state);
  },
  beat: (told) => clock.beat(told),
  said: (told) => {
    const news = $("#watch-news");
    news.hidden = false;
    news.className = `told watch-news ${told.code === "verdict-illegal" ? "problem" : told.code === "verdict-ask" ? "question" : ""}`;
    news.replaceChildren(...toldNodes(told).flat(9));
  },
});
