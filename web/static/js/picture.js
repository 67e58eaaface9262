// Outlines and names of tiles, drawn over a picture in its own proportions.
import { svg } from "./dom.js";
import { parseTile, shortName } from "./tiles.js";

const INK = { R: "red", B: "blue", K: "black", O: "orange" };

function label(text) {
  const { options, sure } = parseTile(text);
  return { text: shortName(options[0]) + (sure ? "" : "?"), ink: INK[options[0][0]] || "black" };
}

function outline(lying, ratio, look) {
  const points = lying.corners.map(([x, y]) => [x * 1000, y * 1000 * ratio]);
  const classes = ["outline", look.ghost ? "ghost" : lying.faulty ? "faulty" : lying.new ? "new" : "",
    lying.hidden ? "covered" : "", parseTile(lying.text).sure ? "" : "doubtful"];
  const shape = svg("polygon", { class: classes.join(" "), points: points.map((p) => p.map((v) => v.toFixed(1)).join(",")).join(" ") });
  const [a, b] = points;
  const width = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const size = Math.max(13, Math.min(26, width * 0.55));
  const x = points.reduce((sum, p) => sum + p[0], 0) / 4;
  // The name lies on the tile's lower half, where no number is printed.
  const low = points.slice(2).reduce((sum, p) => sum + p[1], 0) / 2;
  const middle = points.reduce((sum, p) => sum + p[1], 0) / 4;
  const y = middle + (low - middle) * 0.9;
  const named = label(lying.text);
  const wide = size * (0.55 + 0.55 * named.text.length);
  return [
    shape,
    svg("rect", { class: "pill", x: x - wide / 2, y: y - size * 0.6, width: wide, height: size * 1.2, rx: size * 0.3 }),
    svg("text", { class: named.ink, x, y: y + size * 0.36, "font-size": size }, named.text),
    lying.faulty && !look.ghost ? svg("text", { class: "cross", x: points[1][0], y: points[1][1] + 4, "font-size": size * 1.2 }, "✕") : null,
  ];
}

/** Draw the outlines of `sets` over `image` into the SVG `root`; a set with `ghost` is one that lay there. */
export function drawOutlines(root, image, sets) {
  const wide = image.naturalWidth || 1280;
  const high = image.naturalHeight || 720;
  root.setAttribute("viewBox", `0 0 1000 ${(1000 * high) / wide}`);
  root.replaceChildren(...(sets || []).flatMap((one) => one.tiles.filter((lying) => lying.corners)
    .flatMap((lying) => outline(lying, high / wide, one))).filter(Boolean));
}

const CLOSEST = 2.4;
let seen = { turn: "", box: null };

/**
 * Bring the table's part of a picture nearer: `lens` holds picture and outlines. Within a turn the part only grows, so
 * that the picture does not jump; without tiles and area the whole picture is shown.
 */
export function closeUp(lens, tiles, area, turn) {
  const corners = area?.length ? area : tiles.filter((one) => one.corners).flatMap((one) => one.corners);
  if (!corners.length) { seen = { turn: "", box: null }; lens.style.transform = ""; return; }
  const pad = area?.length ? 0.01 : 0.06;
  const edges = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
  let box = [Math.min(...edges[0]) - pad, Math.min(...edges[1]) - pad, Math.max(...edges[0]) + pad, Math.max(...edges[1]) + pad];
  if (seen.turn === turn && seen.box) box = [Math.min(box[0], seen.box[0]), Math.min(box[1], seen.box[1]), Math.max(box[2], seen.box[2]), Math.max(box[3], seen.box[3])];
  seen = { turn, box };
  const share = Math.min(1, Math.max(1 / CLOSEST, box[2] - box[0], box[3] - box[1]));
  const [x, y] = [0, 1].map((axis) => Math.min(1 - share, Math.max(0, (box[axis] + box[axis + 2]) / 2 - share / 2)));
  lens.style.transform = share > 0.95 ? "" : `scale(${(1 / share).toFixed(4)}) translate(${(-100 * x).toFixed(3)}%, ${(-100 * y).toFixed(3)}%)`;
}

/** Show a live picture, null for none; one that does not come yet is asked for again. */
export function showLive(image, url) {
  if (image.dataset.live === (url || "")) return;
  image.dataset.live = url || "";
  clearTimeout(Number(image.dataset.retry));
  if (!url) return image.removeAttribute("src");
  let tries = 0;
  image.onerror = () => {
    if (image.dataset.live !== url) return;
    tries += 1;
    image.dataset.retry = setTimeout(() => { image.src = `${url}?again=${tries}`; }, Math.min(5000, 500 * tries));
  };
  image.src = url;
}
