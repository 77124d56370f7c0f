/** YAML: aliases, tags, merges, documents and block scalars, as bodies and as apply patches. */
import { readCorpus } from "./corpus-texts.ts";
import type { Draw } from "./draw.ts";
import { bytesOf, names } from "./hostile-request.ts";
import type { FramedRequest } from "./hostile-request.ts";
import { objectText } from "./json-bodies.ts";
import { subjects } from "./objects.ts";
import { queryText } from "./request-paths.ts";

const tokens: readonly string[] = [
  [
    "---",
    "...",
    "- ",
    "? ",
    ": ",
    "|",
    "|-",
    ">",
    ">-",
    "|9",
    "&a ",
    "*a",
    "*b",
    "<<: ",
    "<<: *a",
    "!!str ",
    "!!int ",
    "!!binary ",
    "!!float ",
    "!!set ",
    "!!js/function ",
    "! ",
  ],
  [
    "%YAML 1.1\n",
    "%TAG ! tag:a,2000:\n",
    "# c",
    "  ",
    "\t",
    "yes",
    "~",
    ".inf",
    ".nan",
    "0o7",
    "0x1F",
    "1_0",
    "12:30:45",
    '"\\x41"',
    "{a: b}",
    "[a, b]",
    "\u0085",
    "\u2028",
  ],
].flat();
const corpus = readCorpus("yaml");

export function yamlRequest(draw: Draw): FramedRequest {
  const subject = draw.of(subjects.filter(({ isReview }) => isReview !== true));
  const name = draw.of(names);
  const text = draw.rule<string>([
    () => yamlText(draw, JSON.parse(plain(draw, subject, name)) as unknown),
    () => yamlText(draw, JSON.parse(plain(draw, subject, name)) as unknown),
    () => objectText(draw, subject, name),
    () => head(subject.apiVersion, subject.kind, name) + hostileLines(draw),
    () => Buffer.from(draw.of(corpus)).toString("utf8"),
  ]);
  const bytes = draw.oneIn(2) ? draw.mutated(bytesOf(text), tokens, draw.of(corpus)) : bytesOf(text);
  const query = draw.oneIn(2) ? `?fieldManager=h&force=${draw.of(["true", "false"])}` : queryText(draw);
  return draw.oneIn(2)
    ? {
        wire: "framed",
        method: "PATCH",
        path: `${subject.path}/${name}${query}`,
        headers: [["Content-Type", "application/apply-patch+yaml"]],
        body: bytes,
      }
    : {
        wire: "framed",
        method: draw.of(["POST", "POST", "PUT"]),
        path: subject.path + (draw.oneIn(3) ? `/${name}` : "") + query,
        headers: [["Content-Type", draw.of(["application/yaml", "application/yaml; charset=utf-8", "application/x-yaml"])]],
        body: bytes,
      };
}

const plain = (draw: Draw, { apiVersion, kind, body }: (typeof subjects)[number], name: string): string =>
  JSON.stringify({ apiVersion, kind, metadata: { name, labels: { app: draw.of(["hostile", "yes", "1e3", "0x10", "~"]) } }, ...body });

const head = (apiVersion: string, kind: string, name: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n`;

/** Block style, with anchors, aliases and tags here and there. */
function yamlText(draw: Draw, value: unknown, indent: string = ""): string {
  const mark = draw.oneIn(12) ? draw.of(["&a ", "&b ", "!!str ", "!!int ", "!!map ", "!!seq ", "!x ", "!!binary "]) : "";
  if (draw.oneIn(25)) return ` ${draw.of(["*a", "*b", "*missing", "~", "|\n", ">-\n", "!!null ", "{<<: *a}"])}\n`;
  if (Array.isArray(value))
    return value.length === 0 ? " []\n" : ` ${mark}\n${value.map((each) => `${indent}-${yamlText(draw, each, `${indent}  `)}`).join("")}`;
  if (typeof value === "object" && value !== null)
    return ` ${mark}\n${Object.entries(value)
      .map(([key, each]) => `${indent}${draw.oneIn(30) ? "? " : ""}${key}:${yamlText(draw, each, `${indent}  `)}`)
      .join("")}`;
  const text = String(value);
  return ` ${mark}${draw.rule([() => JSON.stringify(text), () => text, () => `'${text}'`, () => `|\n${indent}  ${text}`])}\n`;
}

/** Anchors that expand, keys that repeat, lists without end. */
function hostileLines(draw: Draw): string {
  const levels = 1 + draw.int(draw.oneIn(4) ? 40 : 8);
  const width = 1 + draw.int(10);
  return draw.rule<string>([
    () =>
      `data:\n  a0: &a0 [x, x]\n${Array.from({ length: levels }, (_, level) => `  a${level + 1}: &a${level + 1} [${Array(width).fill(`*a${level}`).join(", ")}]`).join("\n")}\n`,
    () =>
      `m0: &m0 {a: b}\n${Array.from({ length: levels }, (_, level) => `m${level + 1}: &m${level + 1}\n  <<: [${Array(width).fill(`*m${level}`).join(", ")}]`).join("\n")}\n`,
    () => `data: &loop\n  self: *loop\n`,
    () => `data:\n${"  k: v\n".repeat(1 + draw.int(2000))}`,
    () => `data:\n  k: ${"[".repeat(1 + draw.int(3000))}\n`,
    () => `data:\n${Array.from({ length: 1 + draw.int(300) }, (_, level) => `${" ".repeat(level + 2)}k:`).join("\n")} v\n`,
    () => "---\na: b\n".repeat(1 + draw.int(500)),
    () => `data: {${"? [a] : b, ".repeat(1 + draw.int(200))}}\n`,
    () => `data:\n  k: ${draw.of(["|", ">"])}${draw.of(["9", "-", "+", "0", "99"])}\n${" ".repeat(draw.int(200))}x\n`,
    () => `data: "${"\\x41".repeat(1 + draw.int(3000))}"\n`,
    () => `# ${"c".repeat(1 + draw.int(20_000))}\ndata: {}\n`,
  ]);
}
