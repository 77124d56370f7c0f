/**
 * Pages of problems, for terminals and for the documentation.
 *
 *     Problem → problemText → lines of 80 columns;   problemMarkdown → docs/errors/DRV0204.md
 */
import { wrapped } from "../ask/text-table.ts";
import type { Problem, ProblemArea } from "./problem.ts";

/** Returns the page in lines of at most 80 characters. */
export function problemText(problem: Problem): readonly string[] {
  const { code, title, means } = problem;
  return [
    ...wrapped(`${code}  ${title}`),
    "",
    ...paragraph(means),
    ...sections(problem).flatMap(([heading, items]) => ["", `${heading}:`, ...items.flatMap((item) => wrapped(`  -  ${item}`))]),
  ];
}

/** Returns one line per problem, below the title of its area. */
export function listText(areas: readonly ProblemArea[]): readonly string[] {
  return areas.flatMap(({ title, problems }, index) => [
    ...(index === 0 ? [] : [""]),
    title,
    ...problems.flatMap((problem) => wrapped(`  ${problem.code}  ${problem.title}`)),
  ]);
}

export function problemMarkdown(problem: Problem): string {
  const { code, title, means } = problem;
  const parts = sections(problem).map(([heading, items]) => `## ${heading}\n\n${items.map((item) => `- ${item}`).join("\n")}\n`);
  return `# ${code}: ${title}\n\n${means}\n\n${parts.join("\n")}`;
}

/** Returns the page that lists all others. */
export function listMarkdown(areas: readonly ProblemArea[]): string {
  const tables = areas.map(({ title, problems }) => {
    const rows = problems.map((problem) => `| [${problem.code}](${problem.code}.md) | ${problem.title} |`);
    return `## ${title}\n\n| code | problem |\n|---|---|\n${rows.join("\n")}\n`;
  });
  return `# Codes of problems

<!-- Written from packages/cli/src/explain/problems by scripts/docs/errors.test.ts: npx vitest run scripts/docs/errors -u -->

Messages of errors and lines of the log end with a code, such as \`[DRV0310]\`, where one sentence is not enough. \`drover explain DRV0310\` prints its page, also offline. In JSON logs the code is the
field \`code\`; in programs it is \`problemCode\` of the error. A code is never given to another problem. Reasons that programs can rely on are on [another page](../reasons.md).

${tables.join("\n")}`;
}

const sections = ({ causes, find, fixes }: Problem): readonly (readonly [heading: string, items: readonly string[]])[] => [
  ["How it comes about", causes],
  ["How to find the cause", find],
  ["What to do", fixes],
];

const paragraph = (text: string): readonly string[] => {
  const [first = "", ...rest] = wrapped(text);
  return [first, ...rest.map((line) => line.trimStart())];
};
