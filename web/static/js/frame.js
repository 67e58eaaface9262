// What every page has: language, theme, and the strip that says when the connection is lost.
import { $ } from "./dom.js";

const root = document.documentElement;
const year = 365 * 24 * 3600;

/** Keep a choice of looks for a year; the server draws the next page with it at once. */
export function keep(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=${year}; samesite=strict`;
}

const language = $("#language");
const changeLanguage = () => $("#language-form").requestSubmit();
language?.addEventListener("change", changeLanguage);
// On a slow line it may have been chosen before this script had come.
if (language && !language.selectedOptions[0].defaultSelected) changeLanguage();
$("#theme")?.addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  $("#dark").media = dark ? "not all" : "all";
  keep("theme", root.dataset.theme);
});
$("#menu")?.addEventListener("click", (event) => {
  const open = $("#pages").classList.toggle("open");
  event.currentTarget.setAttribute("aria-expanded", String(open));
});
