// The texts of this page's language: messages by their English, sentences of the referee by code.
const catalogue = JSON.parse(document.getElementById("texts")?.textContent || "{}");

export const language = catalogue.language || "en";
const forms = catalogue.forms || ["one", "other"];
const rules = new Intl.PluralRules(language);

const put = (text, args) => text.replace(/%\((\w+)\)[sd]/g, (all, name) => (name in args ? String(args[name]) : all));

/** Which of a language's listed forms goes with a number. */
function form(number) {
  const at = forms.indexOf(rules.select(number));
  return at < 0 ? forms.length - 1 : at;
}

/** A message, translated; `args` fill its %(names)s. */
export function t(message, args = {}) {
  return put(catalogue.messages?.[message] || message, args);
}

/** A message with a number: `args.num` is set to it. */
export function tn(one, many, number, args = {}) {
  const found = catalogue.messages?.[one] || [one, many];
  return put(found[Math.min(form(number), found.length - 1)], { num: number, ...args });
}

/** The parts of a sentence: strings, and {name, value} for each argument. */
export function sentenceParts(code, args = {}) {
  const template = catalogue.sentences?.[code];
  if (template === undefined) return null;
  const parts = [];
  let end = 0;
  for (const found of template.matchAll(/\{(\w+)((?:\|[^{}|]*)*)\}/g)) {
    parts.push(template.slice(end, found.index));
    end = found.index + found[0].length;
    const [, name, words] = found;
    if (words) {
      const all = words.slice(1).split("|");
      parts.push(all[Math.min(form(Number(args[name])), all.length - 1)]);
    } else {
      // Some arguments are words of the referee, such as the kind of a set.
      // What the watching says comes as a code beside its English words.
      const word = catalogue.sentences[name === "why" && args.notice ? `notice-${args.notice}` : `${name}-${args[name]}`];
      parts.push(word === undefined ? { name, value: args[name] } : word);
    }
  }
  parts.push(template.slice(end));
  return parts;
}

/** A number as this language writes it. */
export const number = (value) => new Intl.NumberFormat(language).format(value);

/** Minutes and seconds, the same in every language. */
export function clockText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Date and time of epoch seconds. */
export const when = (seconds) =>
  new Date(seconds * 1000).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
