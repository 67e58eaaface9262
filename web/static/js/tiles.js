// Tiles: ivory, a number in its colour, and a shape or letter so that nobody depends on the colour.
import { el, svg } from "./dom.js";
import { t, sentenceParts } from "./texts.js";

const COLOURS = { R: "red", B: "blue", K: "black", O: "orange" };
const root = document.documentElement;

// Each colour has its own shape, told apart at any size: circle, square, triangle, star.
const SHAPES = {
  R: () => svg("circle", { class: "mark", cx: 30, cy: 65, r: 7 }),
  B: () => svg("rect", { class: "mark", x: 23.5, y: 58.5, width: 13, height: 13, rx: 1.5 }),
  K: () => svg("path", { class: "mark", d: "M30 57 L38.5 72 H21.5 Z" }),
  O: () => svg("path", { class: "mark", d: "M30 56 L32.6 62 39 62.7 34.2 67 35.6 73.4 30 70 24.4 73.4 25.8 67 21 62.7 27.4 62Z" }),
};
const SUITS = { B: "♣", R: "♥", O: "♦", K: "♠" };
const RANKS = { 1: "A", 11: "J", 12: "Q", 13: "K" };

/** What a tile text says: {hidden, options: [[colour or "?", number or "?"] or ["J"]], sure}. */
export function parseTile(text) {
  const hidden = text.startsWith("~");
  const options = text.replace("~", "").split("/").map((one) => (one === "J" ? ["J"] : [one[0], one.slice(1)]));
  const sure = options.length === 1 && !text.includes("?");
  return { hidden, options, sure };
}

const cards = () => root.dataset.faces === "cards";

/** Draw numbers from now on, or the faces of cards where `edition` plays with them. */
export const showFaces = (edition) => { root.dataset.faces = edition === "cards" ? "cards" : "numbers"; };

/** A tile's name, short enough to lie on it: its number, or on cards rank and suit. */
export function shortName([colour, number]) {
  if (colour === "J") return cards() ? "☺" : "J";
  return cards() ? `${RANKS[number] || number}${SUITS[colour] || ""}` : number;
}

/** Texts of a row in the notation: "B4 B5 | J" gives [["B4", "B5"], ["J"]]. */
export const parseTable = (text) =>
  text.split("|").map((row) => row.trim().split(/\s+/).filter(Boolean)).filter((row) => row.length);

function oneName([colour, number]) {
  if (colour === "J") return t("joker");
  if (colour === "?" && number === "?") return t("unreadable tile");
  if (cards()) return cardName(colour, number);
  const names = { R: t("red %(number)s"), B: t("blue %(number)s"), K: t("black %(number)s"), O: t("orange %(number)s") };
  const any = t("%(number)s of any colour");
  const shown = number === "?" ? t("any number") : number;
  return (names[colour] || any).replace("%(number)s", shown);
}

function cardName(suit, number) {
  const ranks = { 1: t("ace"), 11: t("jack"), 12: t("queen"), 13: t("king"), "?": t("any number") };
  const names = { R: t("%(rank)s of hearts"), B: t("%(rank)s of clubs"), K: t("%(rank)s of spades"), O: t("%(rank)s of diamonds") };
  return (names[suit] || t("%(rank)s of any suit")).replace("%(rank)s", ranks[number] || number);
}

/** A tile's name for ears: "blue 4", or "jack of clubs". */
export function tileName(text) {
  const { hidden, options } = parseTile(text);
  const name = options.map(oneName).join(t(" or "));
  return hidden ? t("%(tile)s, covered", { tile: name }) : name;
}

function joker() {
  return [
    svg("circle", { class: "line", cx: 30, cy: 43, r: 15 }),
    svg("circle", { class: "mark", cx: 24.5, cy: 40, r: 2.4 }),
    svg("circle", { class: "mark", cx: 35.5, cy: 40, r: 2.4 }),
    svg("path", { class: "line", d: "M22.5 46.5 Q30 55 37.5 46.5" }),
    svg("path", { class: "mark", d: "M15 31 L12 15 L22.5 22 L30 10 L37.5 22 L48 15 L45 31 Q30 22 15 31Z" }),
    svg("circle", { class: "fill-2", cx: 12, cy: 13.5, r: 3.6 }),
    svg("circle", { class: "fill-2", cx: 30, cy: 8.5, r: 3.6 }),
    svg("circle", { class: "fill-2", cx: 48, cy: 13.5, r: 3.6 }),
    svg("path", { class: "line", d: "M20 68 H40" }),
  ];
}

const rank = (number) => (cards() ? RANKS[number] || number : number);

function sign(colour) {
  if (cards()) return svg("text", { x: 30, y: 74, "font-size": 24 }, SUITS[colour]);
  return root.dataset.mark === "letter" ? svg("text", { x: 30, y: 73, "font-size": 21 }, colour) : SHAPES[colour]();
}

function face({ options }) {
  const [[colour, number]] = options;
  if (options.length > 1) {
    const shown = options.slice(0, 2).map(([c, n]) => (c === "J" ? "☺" : rank(n)));
    const same = options.every(([c]) => c === options[0][0]);
    return [
      svg("text", { x: 30, y: 42, "font-size": 23 }, shown[0] === shown[1] ? shown[0] : shown.join("/")),
      same && SHAPES[colour] ? sign(colour) : svg("text", { x: 30, y: 73, "font-size": 22 }, "?"),
    ];
  }
  if (colour === "J") return joker();
  const shown = String(rank(number));
  return [
    svg("text", { x: 29.5, y: 45, "font-size": shown.length > 1 ? 38 : 43 }, shown),
    svg("circle", { class: "well", cx: 30, cy: 65, r: 12.5 }),
    SHAPES[colour] ? sign(colour) : svg("text", { x: 30, y: 73, "font-size": 22 }, "?"),
  ];
}

/**
 * Draw the tile that `text` names. `look`: {new, faulty, ghost, lifted} states; `press`: a listener makes it a button;
 * `focus`: a key by which the keyboard finds it again; `quiet`: nothing for screen readers.
 */
export function tile(text, look = {}) {
  const read = parseTile(text);
  const [[colour]] = read.options;
  const same = read.options.every(([c]) => c === colour);
  const classes = ["tile", same ? COLOURS[colour] || (colour === "J" ? "joker" : "") : ""];
  if (!read.sure) classes.push("doubtful");
  if (read.hidden || look.hidden) classes.push("hidden-now");
  for (const state of ["new", "faulty", "ghost", "lifted"]) if (look[state]) classes.push(state);
  const states = [look.faulty && t("at fault"), look.new && t("new"), !read.sure && t("in doubt")].filter(Boolean);
  const name = [tileName(text), ...states].join(", ");
  const drawn = svg("svg", { viewBox: "0 0 60 82", "aria-hidden": "true", focusable: "false" },
    svg("rect", { class: "edge", x: 1, y: 4, width: 58, height: 78, rx: 9 }),
    svg("rect", { class: "body", x: 1, y: 1, width: 58, height: 77, rx: 9 }),
    face(read));
  const attributes = { class: classes.filter(Boolean).join(" "), dataset: { tile: text } };
  if (look.press) {
    return el("button", { type: "button", ...attributes, "aria-label": name, title: name, onclick: look.press,
      "data-focus": look.focus }, drawn);
  }
  if (look.quiet) return el("span", { ...attributes, "aria-hidden": "true" }, drawn);
  return el("span", { ...attributes, role: "img", "aria-label": name, title: name }, drawn);
}

/** A row of tiles. */
export function tileRow(texts, look = {}) {
  return el("span", { class: look.inline ? "tiles inline" : "tiles", dir: "ltr" }, texts.map((text) => tile(text, look)));
}

const TILE_TEXT = /^~?(?:[RBKO?](?:\d{1,2}|\?)|J)(?:\/(?:[RBKO?](?:\d{1,2}|\?)|J))*$/;

/** Draw what is written in the notation inside a text: tiles become pictures, the rest stays. */
export function withTiles(value) {
  const text = String(value ?? "");
  const words = text.split(/[\s,]+/);
  if (!text || !words.every((word) => TILE_TEXT.test(word) || word === "/" || word === "|")) return text;
  return words.map((word) => (TILE_TEXT.test(word) ? tileRow([word], { inline: true }) : ` ${word} `));
}

// Null for a sentence whose arguments did not come along: then its own text is better than one with holes.
function wholeParts(told) {
  const parts = sentenceParts(told.code, told.args || {});
  return parts?.some((part) => part.name && part.name !== "tiles" && part.value === undefined) ? null : parts;
}

/** What the referee says, as nodes: the sentence in this page's language with its tiles drawn. */
export function toldNodes(told) {
  if (typeof told === "string") return [told];
  const parts = wholeParts(told);
  if (!parts) return [told.text || told.code];
  return parts.map((part) => {
    if (typeof part === "string") return part;
    if (part.name === "tiles") return tileRow(told.tiles || [], { inline: true });
    return withTiles(part.value);
  });
}

/** The same for ears and titles. */
export function toldText(told) {
  if (typeof told === "string") return told;
  const parts = wholeParts(told);
  if (!parts) return told.text || told.code;
  return parts.map((part) => {
    if (typeof part === "string") return part;
    if (part.name === "tiles") return (told.tiles || []).map(tileName).join(", ");
    const words = String(part.value ?? "").split(/[\s,]+/);
    return words.every((word) => TILE_TEXT.test(word)) && words[0] ? words.map(tileName).join(", ") : String(part.value ?? "");
  }).join("");
}
