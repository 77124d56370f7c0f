/** Masks values in the output of kubectl that differ in every run. */

const months = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";

/** In this order: values in columns are replaced together with the blanks behind them, whose number depends on their length. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>"],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [+-]\d{4}/g, "<time>"],
  [/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "<time>"],
  [new RegExp(String.raw`\w{3}, \d\d ${months} \d{4} \d\d:\d\d:\d\d [+-]\d{4}`, "g"), "<time>"],
  [/(resourceVersion"?: ?)"\d+"/g, '$1"<version>"'],
  [/(Resource Version: +)\d+/g, "$1<version>"],
  [/(?<=[ \t]|^)(?:\d+[dhms])+(?=\s|$) */gm, "<age> "],
  [/\b10\.0\.0\.\d+\b */g, "<address> "],
  [/\b127\.0\.0\.1:\d+\b/g, "<host>"],
  [/(LIVE|MERGED)-\d+/g, "$1-<number>"],
  [/(storageVersionHash"?: ?)"[^"]+"/g, '$1"<hash>"'],
  [/(Server Version: v1\.36\.3)\S*/g, "$1"],
  // kubectl 1.20 writes fatal errors with klog: time, process, and the stack of every goroutine.
  [/^F\d{4} [\d:.]+ +\d+ (.*)\n(?:goroutine [\s\S]*)?/gm, "F $1\n"],
  // The old form; our server has no build information.
  [/(Server Version: version\.Info\{.*GitVersion:"v1\.36\.3).*/g, "$1"],
];

/** @param home - the folder of the session, which has a random name */
export function maskOutput(line: string, output: string, home: string): string {
  let text = output.replaceAll(home, "<home>");
  for (const [pattern, instead] of masks) text = text.replaceAll(pattern, instead);
  text = sortManagedFields(text.replaceAll(/ +$/gm, ""));
  // A custom kind's own fields are described in its CRD, which both servers have.
  return line.includes("kubectl explain") && !line.includes("kubectl explain gadgets.") ? withoutProse(text) : text;
}

/** Servers order entries by time, in whole seconds, then by manager: the order of two quick writes depends on the second they fall into. */
function sortManagedFields(text: string): string {
  return text.replaceAll(/^( *)managedFields:\n((?:\1(?:- |  ).*\n)+)/gm, (_, indent: string, entries: string) => {
    const each = entries.split(new RegExp(`^(?=${indent}- )`, "m"));
    return `${indent}managedFields:\n${each.toSorted().join("")}`;
  });
}

/** Descriptions are their authors' text: of an explanation only headings, fields, types and allowed values are kept. */
function withoutProse(text: string): string {
  const facts = /^(?:[A-Z]+:|error:|the server)|^\s+[\w$-]+\t<|^\s+enum: /;
  let isEnum = false;
  return text
    .split("\n")
    .filter((line) => {
      isEnum = line.startsWith("ENUM:") || (isEnum && line !== "");
      return isEnum || facts.test(line);
    })
    .join("\n");
}
