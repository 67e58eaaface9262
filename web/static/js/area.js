// The table's area: four corners to drag over the live picture, by pointer or arrow keys.
import { el, svg } from "./dom.js";
import { t } from "./texts.js";

const NAMES = () => [t("Upper left corner"), t("Upper right corner"), t("Lower right corner"), t("Lower left corner")];
const WHOLE = [[0, 0], [1, 0], [1, 1], [0, 1]];
const within = (value) => Math.min(1, Math.max(0, value));

/** Corners over `stage`; `area()` gives four [x, y] shares, or null for the whole picture. */
export function areaPicker(stage, frame, first, changed = () => {}) {
  let corners = (first || WHOLE).map((corner) => [...corner]);
  const handles = NAMES().map((name, at) => el("button", { type: "button", class: "corner", "aria-label": name, title: name, dataset: { corner: at } }));
  stage.append(...handles);
  frame.setAttribute("viewBox", "0 0 1 1");
  frame.setAttribute("preserveAspectRatio", "none");

  function draw() {
    handles.forEach((handle, at) => {
      handle.style.left = `${corners[at][0] * 100}%`;
      handle.style.top = `${corners[at][1] * 100}%`;
    });
    const path = corners.map(([x, y]) => `${x} ${y}`).join("L");
    frame.replaceChildren(
      svg("path", { class: "shade", d: `M0 0H1V1H0ZM${path}Z` }),
      svg("path", { class: "frame", d: `M${path}Z`, "vector-effect": "non-scaling-stroke" }));
  }
  function move(at, x, y) {
    corners[at] = [within(x), within(y)];
    draw();
  }
  handles.forEach((handle, at) => {
    handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = stage.getBoundingClientRect();
      move(at, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    });
    handle.addEventListener("pointerup", () => changed(area()));
    handle.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const by = event.shiftKey ? 0.05 : 0.01;
      move(at, corners[at][0] + step[0] * by, corners[at][1] + step[1] * by);
      changed(area());
    });
  });
  const area = () => {
    const whole = corners.every(([x, y], at) => Math.abs(x - WHOLE[at][0]) + Math.abs(y - WHOLE[at][1]) < 0.02);
    return whole ? null : corners.map(([x, y]) => [Number(x.toFixed(4)), Number(y.toFixed(4))]);
  };
  draw();
  return { area, reset() { corners = WHOLE.map((corner) => [...corner]); draw(); changed(area()); } };
}
