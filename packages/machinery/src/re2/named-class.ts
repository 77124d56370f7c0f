/** Named character classes: `\d`, `[:alpha:]` and the Unicode properties of `\p{…}`. */
import type { Folding, Ranges } from "./char-class.ts";

const digit: Ranges = [0x30, 0x39];
const upper: Ranges = [0x41, 0x5a];
const lower: Ranges = [0x61, 0x7a];
const word: Ranges = [...digit, ...upper, 0x5f, 0x5f, ...lower];

/** `\d`, `\s` and `\w`, by letter. */
export const perlClasses: ReadonlyMap<string, Ranges> = new Map([
  ["d", digit],
  ["s", [0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x20]],
  ["w", word],
]);

/** `[:alpha:]` and the like, by name. */
export const posixClasses: ReadonlyMap<string, Ranges> = new Map([
  ["alnum", [...digit, ...upper, ...lower]],
  ["alpha", [...upper, ...lower]],
  ["ascii", [0x00, 0x7f]],
  ["blank", [0x09, 0x09, 0x20, 0x20]],
  ["cntrl", [0x00, 0x1f, 0x7f, 0x7f]],
  ["digit", digit],
  ["graph", [0x21, 0x7e]],
  ["lower", lower],
  ["print", [0x20, 0x7e]],
  ["punct", [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e]],
  ["space", [0x09, 0x0d, 0x20, 0x20]],
  ["upper", upper],
  ["word", word],
  ["xdigit", [...digit, 0x41, 0x46, 0x61, 0x66]],
]);

const categories: ReadonlySet<string> = new Set(
  "C Cc Cf Cn Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs".split(" "),
);

const categoryAliases: ReadonlyMap<string, string> = new Map(
  (
    "Casedletter=LC Closepunctuation=Pe Combiningmark=M Connectorpunctuation=Pc Control=Cc Currencysymbol=Sc Dashpunctuation=Pd " +
    "Decimalnumber=Nd Enclosingmark=Me Finalpunctuation=Pf Format=Cf Initialpunctuation=Pi Lc=LC Letter=L Letternumber=Nl Lineseparator=Zl " +
    "Lowercaseletter=Ll Mark=M Mathsymbol=Sm Modifierletter=Lm Modifiersymbol=Sk Nonspacingmark=Mn Number=N Openpunctuation=Ps Other=C " +
    "Otherletter=Lo Othernumber=No Otherpunctuation=Po Othersymbol=So Paragraphseparator=Zp Privateuse=Co Punctuation=P Separator=Z " +
    "Spaceseparator=Zs Spacingmark=Mc Surrogate=Cs Symbol=S Titlecaseletter=Lt Unassigned=Cn Uppercaseletter=Lu Cntrl=Cc Digit=Nd Punct=P"
  )
    .split(" ")
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
);

// Go strips underscores from the requested name but not from its own names, so two-word scripts are not among these.
const scripts: ReadonlySet<string> = new Set(
  (
    "Adlam Ahom Arabic Armenian Avestan Balinese Bamum Batak Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Carian Chakma Cham " +
    "Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari Dogra Duployan Elbasan Elymaic Ethiopic Georgian " +
    "Glagolitic Gothic Grantha Greek Gujarati Gurmukhi Han Hangul Hanunoo Hatran Hebrew Hiragana Inherited Javanese Kaithi Kannada Katakana " +
    "Kawi Kharoshthi Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen " +
    "Medefaidrin Miao Modi Mongolian Mro Multani Myanmar Nabataean Nandinagari Newa Nko Nushu Ogham Oriya Osage Osmanya Palmyrene Phoenician " +
    "Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham Sinhala Sogdian Soyombo Sundanese Syriac Tagalog Tagbanwa Takri Tamil Tangsa " +
    "Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Yezidi Yi"
  ).split(" "),
);

/** Returns a test for one code point, or undefined for an unknown property. Ignores case, spaces, hyphens and underscores in names. */
export function unicodeClass(name: string, folding: Folding): RegExp | undefined {
  const property = hostProperty(canonicalName(name));
  return property === undefined ? undefined : new RegExp(`^${property}$`, folding === "exact" ? "u" : "iu");
}

function hostProperty(name: string): string | undefined {
  if (name === "Any") return "[^]";
  if (name === "Assigned") return "\\P{Cn}";
  if (name === "Ascii") return "[\\0-\\x7f]";
  if (scripts.has(name)) return `\\p{Script=${name}}`;
  const category = categories.has(name) ? name : categoryAliases.get(name);
  return category === undefined ? undefined : `\\p{${category}}`;
}

function canonicalName(name: string): string {
  const bare = name.replaceAll(/[-_ ]/g, "");
  return (
    bare.slice(0, 1).replace(/[a-z]/, (letter) => letter.toUpperCase()) +
    bare.slice(1).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  );
}
