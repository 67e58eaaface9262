// The transparent strip for streaming programs: whose turn, clock, points, the last words.
import { $, el, replace, say } from "./dom.js";
import { follow } from "./api.js";
import { pageClock } from "./clock.js";
import { toldNodes } from "./tiles.js";

const wanted = new URLSearchParams(location.search).get("position");
document.body.dataset.position = ["top-left", "top-right", "bottom-left", "bottom-right"].includes(wanted) ? wanted : "bottom-left";
const clock = pageClock();
let news = null;

follow({
  state: (state) => {
    $("#strip").hidden = !state.match;
    if (!state.match) return;
    clock.set(state.turn);
    $("#clock").hidden = !state.turn;
    say($("#strip-name"), state.turn ? state.players[state.turn.seat].name : state.match.title);
    replace($("#strip-scores"), JSON.stringify(state.players), () => state.players.map((player) =>
      el("span", { class: player.is_turn ? "now" : "" }, `${player.name} `, el("b", { dir: "ltr" }, String(player.points ?? 0)), player.rack != null ? el("small", {}, ` (${player.rack})`) : "")));
  },
  beat: (told) => clock.beat(told),
  said: (told) => {
    $("#strip-news").replaceChildren(...toldNodes(told).flat(9));
    clearTimeout(news);
    news = setTimeout(() => $("#strip-news").replaceChildren(), 9000);
  },
});
