/** Finds the lines that the packages write to the log, and prints them as a page. */
import type { SourceFile } from "./source-files.ts";

export interface LogLine {
  readonly level: "info" | "warn" | "error";
  /** The constant part of the message; `…` stands for what differs. */
  readonly message: string;
  readonly package: string;
}

/** Lines of level info and above. Messages that are put together elsewhere are not found. */
export function logLines(files: readonly SourceFile[]): readonly LogLine[] {
  const found = files.flatMap(({ path, text }) =>
    [...text.matchAll(/\blog\??\.(info|warn|error)\(/g)].flatMap(({ 1: level = "", index, 0: call }) =>
      messagesIn(firstArgument(text, index + call.length)).map((message) => ({
        level: level as LogLine["level"],
        message,
        package: path.split("/")[1] ?? "",
      })),
    ),
  );
  const unique = new Map(found.map((line) => [`${line.package} ${line.level} ${line.message}`, line]));
  return [...unique.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
}

/** From an opening parenthesis to the comma or parenthesis that ends the first argument; strings are skipped. */
function firstArgument(text: string, start: number): string {
  const token = /"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|[([{]|[)\]}]|,|[^"`()[\]{},]+/gy;
  token.lastIndex = start;
  let depth = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [part] = match;
    if (depth === 0 && /^[,)]$/.test(part)) return text.slice(start, match.index);
    if (/^[([{]$/.test(part)) depth++;
    if (/^[)\]}]$/.test(part)) depth--;
  }
  return "";
}

const messagesIn = (argument: string): readonly string[] =>
  /^\s*(?:"|`|\w+ \?)/.test(argument)
    ? [...argument.matchAll(/"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(([, plain, template]) => plain ?? placeholders(template ?? ""))
    : [];

const placeholders = (template: string): string => template.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…").replaceAll("\\`", "`");

export function logLinesPage(lines: readonly LogLine[]): string {
  const levels = [
    ["error", "Errors", "Something failed and needs a look."],
    ["warn", "Warnings", "Drover goes on, but something is wrong or will be."],
    ["info", "Information", "Normal events of a program's life."],
  ] as const;
  const tables = levels.map(([level, title, meaning]) => {
    const rows = lines.filter((line) => line.level === level).map((line) => `| ${line.message.replaceAll("|", "\\|")} | ${line.package} |`);
    return `## ${title}\n\n${meaning}\n\n| message | package |\n|---|---|\n${rows.join("\n")}\n`;
  });
  return `# Log lines

<!-- Written by scripts/docs/log-lines.test.ts: npx vitest run scripts/docs/log-lines -u -->

The lines that Drover writes to the log at level info and above; \`…\` stands for what differs. Each carries fields beside the message, such as the name of the controller or informer, the key and the
error. \`nodeRuntime({ logLevel, logFormat, write })\` says what is written and where. For symptoms and fixes see [troubleshooting](troubleshooting.md).

${tables.join("\n")}`;
}
