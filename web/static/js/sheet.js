// The score sheet as a table.
import { $, el, replace, say } from "./dom.js";
import { t } from "./texts.js";
import { toldList } from "./verdict.js";

/** Points with a real minus sign. */
export const minus = (points) => (points == null ? "" : String(points).replace("-", "−"));

/** Draw the sheet of a snapshot; `edit(game, cell, player)` makes its cells buttons. */
export function drawSheet(state, edit = null) {
  const { score, players } = state;
  const table = $("#sheet");
  const games = score?.games || [];
  const leader = score?.leader;
  say($("#leader"), leader == null ? "" : score.match_over
    ? t("%(player)s wins the match.", { player: players[leader].name }) : t("%(player)s is ahead.", { player: players[leader].name }));
  replace($("#score-told"), JSON.stringify([score?.told, games.map((one) => one.check)]), () => toldList([...(score?.told || []), ...games.map((one) => one.check).filter((one) => one && one.kind === "problem")]));
  table.hidden = !players?.length;
  replace(table, JSON.stringify([score, players, Boolean(edit)]), () => {
    let round = null;
    const rows = games.flatMap((game) => {
      const head = game.round !== round && score.games_in_round > 1 ? [el("tr", { class: "round" }, el("th", { colspan: players.length + 1, scope: "rowgroup" }, t("Round %(number)s", { number: game.round + 1 })))] : [];
      round = game.round;
      return [...head, el("tr", {}, el("th", { scope: "row" }, t("Game %(number)s", { number: game.number + 1 })),
        players.map((player) => {
          const cell = game.cells.find((one) => one.seat === player.seat) || { points: null };
          const inner = edit
            ? el("button", { type: "button", class: cell.edited ? "edited" : "", "data-focus": `${game.number}-${player.seat}`, "aria-label": `${player.name}, ${t("Game %(number)s", { number: game.number + 1 })}: ${minus(cell.points)}`, onclick: () => edit(game, cell, player) }, minus(cell.points))
            : el("span", { class: cell.edited ? "edited" : "", dir: "ltr" }, minus(cell.points));
          return el("td", { class: game.winner === player.seat ? "won" : "" }, game.winner === player.seat ? el("span", { "aria-hidden": "true" }, "★ ") : null, inner);
        }))];
    });
    return [table.querySelector("caption") || "",
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, el("span", { class: "only-read" }, t("Game"))), players.map((player) => el("th", { scope: "col" }, player.name)))),
      el("tbody", {}, rows),
      el("tfoot", {},
        el("tr", {}, el("th", { scope: "row" }, t("Points")), (score?.totals || []).map((points) => el("td", {}, el("span", { dir: "ltr" }, minus(points))))),
        el("tr", {}, el("th", { scope: "row" }, t("Games won")), (score?.games_won || []).map((won) => el("td", {}, won))))];
  });
}
