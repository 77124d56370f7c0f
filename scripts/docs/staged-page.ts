/**
 * Turns a Markdown file of the repository into one that the site generator takes: title and children in the front matter, the file
 * name above each code block that is a file, and no links to files that the repository has and the site does not.
 */
import { posix } from "node:path";

export interface StagedPage {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
  readonly children: readonly string[];
  /** Whether the site has the file at this path, relative to the repository. */
  readonly isOnSite: (path: string) => boolean;
}

export function stagedPage({ path, text, children, isOnSite }: StagedPage): string {
  const [, title = path] = /^# (.+)$/m.exec(text) ?? [];
  const folder = posix.dirname(path);
  const matter = [`title: ${JSON.stringify(title.replaceAll("`", ""))}`];
  if (children.length > 0) matter.push("children:", ...children.map((child) => `  - ${JSON.stringify(posix.relative(folder, child))}`));
  return `---\n${matter.join("\n")}\n---\n${pageBody(text, folder, isOnSite)}`;
}

/** The same without front matter, for the front page. */
export function pageBody(text: string, folder: string, isOnSite: (path: string) => boolean): string {
  return text
    .split(/^(```[^\n]*\n.*?^```$)/gms)
    .map((part) => (part.startsWith("```") ? namedBlock(part) : withoutDeadLinks(part, folder, isOnSite)))
    .join("");
}

/** "```ts site.ts" is a file of the guide: its name goes above the block. */
const namedBlock = (block: string): string => block.replace(/^```(\w+) (\S+)\n/, "`$2`:\n\n```$1\n");

function withoutDeadLinks(text: string, folder: string, isOnSite: (path: string) => boolean): string {
  return text.replace(/(!?)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g, (whole, image: string, label: string, target: string) => {
    const [path = "", anchor] = target.split("#");
    if (/^[a-z]+:/.test(target) || path === "") return whole;
    const place = posix.join(folder, path).replace(/\/$/, "");
    if (isOnSite(place)) return whole;
    const readme = posix.join(place, "README.md");
    if (isOnSite(readme)) return `${image}[${label}](${posix.join(path, "README.md")}${anchor === undefined ? "" : `#${anchor}`})`;
    return label.includes("`") || label === path ? label : `${label} (\`${place}\`)`;
  });
}
