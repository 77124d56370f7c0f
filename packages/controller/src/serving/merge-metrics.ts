/**
 * Joins the metrics of threads with those of the main thread into one page.
 *
 *     prometheusText of each thread → mergeMetrics → /metrics
 */

/**
 * Returns one text in the format of Prometheus: every family once, series of threads with the label `thread`. Equal texts give equal
 * results; families are sorted by name.
 */
export function mergeMetrics(main: string, threads: ReadonlyMap<string, string>): string {
  const families = new Map<string, { readonly header: string; readonly lines: string[] }>();
  addFamilies(families, main, (line) => line);
  for (const [thread, text] of threads) addFamilies(families, text, (line) => labelled(line, thread));
  return [...families]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { header, lines }]) => `${header}${lines.join("")}`)
    .join("");
}

function addFamilies(
  families: Map<string, { readonly header: string; readonly lines: string[] }>,
  text: string,
  print: (line: string) => string,
): void {
  for (const block of text.split(/^(?=# HELP )/mu)) {
    const [help = "", type = "", ...lines] = block.split("\n");
    const [, , name = ""] = help.split(" ");
    if (name === "") continue;
    const family = families.get(name) ?? { header: `${help}\n${type}\n`, lines: [] };
    for (const line of lines) if (line !== "") family.lines.push(`${print(line)}\n`);
    families.set(name, family);
  }
}

/** A line is `name{labels} value` or `name value`. */
function labelled(line: string, thread: string): string {
  const end = line.search(/[{ ]/u);
  const rest = line.slice(end);
  return `${line.slice(0, end)}{thread="${thread}"${rest.startsWith("{") ? `,${rest.slice(1)}` : `}${rest}`}`;
}
