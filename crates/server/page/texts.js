/** The words of the page in the reader's language. The English text is the key of its translations. */

/** @typedef {Record<string, string | number>} Values */

const KEY = "puabi.language";

/** The languages, each by its own name. @type {[string, string][]} */
export const LANGUAGES = [["system", "as the system"], ["en", "English"], ["de", "Deutsch"], ["ar", "العربية"]];

/** What was chosen: a language, or `system`. */
export function chosenLanguage() {
  try {
    const found = localStorage.getItem(KEY);
    return LANGUAGES.some(([code]) => code === found) ? String(found) : "system";
  } catch {
    return "system";
  }
}

/** Chooses a language, and loads the page anew in it. @param {string} code */
export function chooseLanguage(code) {
  try {
    localStorage.setItem(KEY, code);
  } catch {
    // A browser that keeps nothing stays with the language of the system.
  }
  location.reload();
}

/** The first of the reader's languages that the page has. */
function known() {
  const chosen = chosenLanguage();
  const wanted = chosen === "system" ? navigator.languages ?? [navigator.language] : [chosen];
  const codes = wanted.map((tag) => tag.split("-")[0]);
  return codes.find((code) => LANGUAGES.some(([one]) => one === code)) ?? "en";
}

/** The language of the page. */
export const language = known();

/** The translations. @type {Record<string, string>} */
const words = language === "en" ? {} : (await import(`./texts/${language}.js`)).default;

document.documentElement.lang = language;
document.documentElement.dir = language === "ar" ? "rtl" : "ltr";

/** Puts values into the places of a text: `{name}`. @param {string} text @param {Values} values */
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

/** A text of the page. @param {string} text in English @param {Values} [values] */
export const t = (text, values = {}) => filled(words[text] ?? text, values);

/** A mark that keeps a sign before its number: among words from right to left the sign would stray behind it. */
export const BEFORE = language === "ar" ? "\u200e" : "";

/** A number with this many digits after the point. @param {number} number @param {number} digits */
export function decimal(number, digits) {
  const size = Math.abs(number).toFixed(digits);
  const isBelow = number < 0 && Number(size) !== 0;
  return (isBelow ? `${BEFORE}−` : "") + (language === "de" ? size.replace(".", ",") : size);
}

/** A small number, such as 3.3e-16. @param {number} number */
export function scientific(number) {
  const [digits, power] = number.toExponential(1).split("e");
  return `${decimal(Number(digits), 1)}e${power}`;
}

/** The fewest letters beside its places that a text needs to be recognised by them. */
const TELLING = 5;

/** The texts with places, as patterns that find their values; those with more words of their own first. @type {[RegExp, string, string[]][] | null} */
let patterns = null;

/** @returns {[RegExp, string, string[]][]} */
function findPatterns() {
  /** @param {string} text */
  const own = (text) => text.replace(/\{\w+\}/g, "").length;
  const texts = Object.keys(words).filter((text) => text.includes("{") && own(text) >= TELLING);
  return texts.sort((one, other) => own(other) - own(one)).map((text) => {
    const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const source = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.+?)");
    return [new RegExp(`^${source}$`), text, names];
  });
}

/** The places of sentences that hold other sentences. */
const HOLDING = ["message", "found", "expected"];

/**
 * Translates a sentence that the server said in English, and its parts. An unknown sentence stays English, and with it the one that
 * holds it: half of either would be harder to read.
 *
 * @param {string} sentence
 * @returns {string}
 */
export function translate(sentence) {
  if (Object.hasOwn(words, sentence)) return words[sentence];
  if (language === "en") return sentence;
  patterns ??= findPatterns();
  for (const [pattern, text, names] of patterns) {
    const found = pattern.exec(sentence);
    if (!found) continue;
    // Text in backquotes was typed by a person.
    const part = (/** @type {string} */ name, /** @type {number} */ at) => (text.includes(`\`{${name}}\``) ? found[at + 1] : translate(found[at + 1]));
    const parts = names.map(part);
    const isUnknown = (/** @type {string} */ name, /** @type {number} */ at) => HOLDING.includes(name) && parts[at] === found[at + 1] && /[a-z] [a-z]/i.test(parts[at].replace(/`[^`]*`/g, ""));
    if (names.some(isUnknown)) continue;
    return t(text, Object.fromEntries(names.map((name, at) => [name, parts[at]])));
  }
  return language === "de" && /^[-+]?\d+\.\d+$/.test(sentence) ? sentence.replace(".", ",") : sentence;
}
