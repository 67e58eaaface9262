// The score sheet: cells are edited with their history kept; games without racks are entered by hand.
import { $, ask, el, replace } from "./dom.js";
import { act, follow } from "./api.js";
import { drawSheet, minus } from "./sheet.js";
import { t, when } from "./texts.js";

function edit(game, cell, player) {
  return ask(`${player.name}, ${t("Game %(number)s", { number: game.number + 1 })}`, (close) => {
    const points = el("input", { type: "number", id: "cell-points", value: cell.points ?? "", step: 1 });
    const why = el("input", { type: "text", id: "cell-why", maxlength: 200 });
    const history = cell.history || [];
    return [
      el("form", { method: "dialog", novalidate: true, onsubmit: async (event) => {
        event.preventDefault();
        const answer = await act("cell", { game: game.number, seat: player.seat, points: points.value, why: why.value });
        if (answer.ok) close();
      } },
      el("div", { class: "field" }, el("label", { for: "cell-points" }, t("Points")), points),
      el("div", { class: "field" }, el("label", { for: "cell-why" }, t("Why")), why),
      el("button", { class: "main" }, t("Write down"))),
      history.length ? [el("h3", {}, t("Before")), el("ul", { class: "plain" }, history.map((one) => el("li", { class: "small" }, el("span", { dir: "ltr", class: "number" }, minus(one.points)), one.why ? ` · ${one.why}` : "", one.at ? ` · ${when(one.at)}` : "")))] : null,
    ];
  }, t("Close"));
}

function enterScores(state, can) {
  const inputs = state.players.map((player) => el("input", { type: "number", step: 1, id: `score-${player.seat}`, "data-focus": `score-${player.seat}` }));
  const winner = el("select", { id: "score-winner" }, state.players.map((player) => el("option", { value: player.seat }, player.name)));
  return [
    el("h2", {}, t("Enter a game")),
    el("p", { class: "muted" }, t("One field may stay empty: it is filled so that the scores add up to zero.")),
    el("form", { onsubmit: async (event) => {
      event.preventDefault();
      const answer = await act("game-scores", { scores: inputs.map((input) => (input.value === "" ? null : Number(input.value))), winner: Number(winner.value) });
      if (answer.ok) for (const input of inputs) input.value = "";
    } },
    el("div", { class: "columns" }, state.players.map((player, at) => el("div", { class: "field" }, el("label", { for: `score-${player.seat}` }, player.name), inputs[at])),
      el("div", { class: "field" }, el("label", { for: "score-winner" }, t("Winner")), winner)),
    el("button", { class: "main", disabled: !can }, t("Write down"))),
  ];
}

follow({ state: (state) => {
  const can = new Set(state.can || []);
  drawSheet(state, can.has("cell") ? edit : null);
  $("#no-scores").hidden = Boolean(state.score?.games?.length);
  $("#enter").hidden = !can.has("game-scores");
  replace($("#enter"), JSON.stringify([state.players?.map((player) => player.name), can.has("game-scores"), state.score?.games?.length]), () => (can.has("game-scores") ? enterScores(state, true) : []));
  const level = can.has("agree-winner") && state.score?.leader == null && state.score?.games?.length;
  if (level) replace($("#leader"), `agree${state.version}`, () => [el("span", {}, t("The match is level. Who wins it?")), ...state.players.map((player) => el("button", { type: "button", onclick: () => act("agree-winner", { seat: player.seat }) }, player.name))]);
  const changes = (state.score?.games || []).flatMap((game) => game.cells.filter((cell) => cell.edited).map((cell) => ({ game, cell })));
  $("#score-changes").hidden = !changes.length;
  replace($("#score-change-list"), JSON.stringify(changes), () => changes.map(({ game, cell }) => el("li", { class: "small" },
    `${t("Game %(number)s", { number: game.number + 1 })}, ${state.players[cell.seat].name}: `,
    el("span", { dir: "ltr", class: "number" }, (cell.history || []).map((one) => minus(one.points)).join(" → ")))));
} });
