// Between games: who starts, the deal, the end of a game with its racks, and the end of the match.
import { el, replace } from "./dom.js";
import { act } from "./api.js";
import { askTile } from "./editor.js";
import { t } from "./texts.js";
import { tile } from "./tiles.js";

const drawn = new Map();

function whoStarts(root, state, may, redraw) {
  const due = state.drawing?.length ? state.drawing : state.players.map((player) => player.seat);
  const rounds = state.drawing?.length > 0 && state.drawing.length < state.players.length;
  const all = due.every((seat) => drawn.has(seat));
  return [
    el("h2", {}, state.score?.games?.length ? t("The next game") : t("Who starts?")),
    rounds ? el("p", {}, t("The highest tiles are equal: these players draw again.")) : el("p", { class: "muted" }, t("Everyone draws a tile; the highest starts. Or simply choose.")),
    el("ul", { class: "plain starters" }, due.map((seat) => {
      const name = state.players[seat].name;
      const has = drawn.get(seat);
      const pick = async () => {
        const chosen = await askTile({ text: "??", likely: [] });
        if (chosen) { drawn.set(seat, chosen); redraw(); }
      };
      return el("li", { class: "row apart" },
        el("strong", {}, name),
        el("span", { class: "row" },
          may.has("draw-for-start") && state.match.mode === "full" ? (has ? tile(has, { press: pick }) : el("button", { type: "button", class: "small", "data-focus": `pick-${seat}`, onclick: pick }, t("Tile drawn …"))) : null,
          may.has("deal") ? el("button", { type: "button", class: state.starter === seat ? "main" : "", dataset: { starter: seat }, "data-focus": `deal-${seat}`, onclick: () => { drawn.clear(); act("deal", { starter: seat }); } },
            t("%(player)s starts", { player: name })) : null));
    })),
    may.has("draw-for-start") && all && state.starter == null ? el("button", { type: "button", class: "main", onclick: async () => {
      const tiles = due.map((seat) => drawn.get(seat));
      drawn.clear();
      await act("draw-for-start", { tiles, seats: due });
    } }, t("Compare the tiles")) : null,
  ];
}

function gameOver(state, may) {
  const out = state.players.find((player) => player.out);
  return [
    el("h2", {}, t("The game is over")),
    el("p", {}, out ? t("%(player)s is out.", { player: out.name }) : t("Nobody can go on.")),
    may.has("rack") || may.has("racks") ? [
      el("p", { class: "muted" }, t("Each player photographs the rack, or lays its tiles by hand. The scores follow when all are accepted.")),
      el("ul", { class: "plain starters" }, state.players.map((player) => {
        const rack = (state.racks || []).find((one) => one.seat === player.seat);
        return el("li", { class: "row apart" }, el("strong", {}, player.name),
          rack?.accepted ? el("span", { class: "badge good" }, `✓ ${t("accepted")}`)
            : el("a", { class: "button", href: `/rack/${player.seat}` }, rack?.given ? t("Check the rack") : t("Photograph the rack")));
      }))] : null,
    el("p", {}, el("a", { class: "button", href: "/scores" }, t("Scores"))),
  ];
}

function matchOver(state) {
  const leader = state.score?.leader;
  return [
    el("h2", {}, t("The match is over")),
    el("p", { class: "winner" }, leader != null ? t("%(player)s wins the match.", { player: state.players[leader].name }) : t("The match is level.")),
    el("p", { class: "row" }, el("a", { class: "button main", href: "/scores" }, t("Scores")), el("a", { class: "button", href: "/setup" }, t("New match"))),
  ];
}

/** Fill the panel for what lies between games; hidden while one is played. */
export function startPanel(root, state, may) {
  const shown = ["set-up", "ended", "match-over"].includes(state.phase);
  root.hidden = !shown;
  if (!shown) return;
  const draw = () => startPanel(root, state, may);
  const key = JSON.stringify([state.phase, state.players, state.drawing, state.starter, state.racks, [...drawn], [...may], state.score?.leader]);
  replace(root, key, () => {
    if (state.phase === "set-up") return whoStarts(root, state, may, draw);
    return state.phase === "ended" ? gameOver(state, may) : matchOver(state);
  });
}
