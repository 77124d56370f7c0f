/**
 * Reads the links and the anchors of a Markdown text, as GitHub renders it: inline links and images, reference definitions, `href` and
 * `src` of HTML; anchors from headings and from `id` and `name`. Code is skipped.
 */

export interface MarkdownLink {
  readonly target: string;
  /** Counted from 1. */
  readonly line: number;
}

const patterns: readonly RegExp[] = [
  /!?\[(?:[^\]\\]|\\.)*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g,
  /^\s{0,3}\[[^\]]+\]:\s+<?([^\s>]+)>?/g,
  /\b(?:href|src)="([^"]+)"/g,
];

export function linksOf(markdown: string): readonly MarkdownLink[] {
  return withoutCode(markdown).flatMap((text, index) =>
    patterns.flatMap((pattern) => linkTargets(text, pattern).map((target) => ({ target, line: index + 1 }))),
  );
}

/** An image may be the text of a link: `[![alt](image)](target)`. What stands inside is found first, then replaced by its alt text. */
function linkTargets(text: string, pattern: RegExp): readonly string[] {
  const inner = text.replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1");
  const images = inner === text ? [] : [...text.matchAll(/!\[[^\]]*\]\(\s*<?([^)\s>]+)/g)].map(([, target = ""]) => target);
  const found = [...inner.matchAll(pattern)].map(([, target = ""]) => target);
  return pattern === patterns[0] ? [...images, ...found] : found;
}

export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const text of withoutCode(markdown, { keepInline: true })) {
    const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(text)?.[1];
    if (heading !== undefined) anchors.add(unique(slug(heading), anchors));
    for (const [, name = ""] of text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(name);
  }
  return anchors;
}

/** GitHub's rule: lower case, spaces to hyphens, and of everything else only letters, digits, hyphens and underscores stay. */
function slug(heading: string): string {
  const words = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  return words.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "").replace(/\s/g, "-");
}

function unique(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let count = 1;
  while (taken.has(`${name}-${count}`)) count++;
  return `${name}-${count}`;
}

/** The lines of the text, with fenced blocks, HTML comments and, unless kept, code spans emptied. */
function withoutCode(markdown: string, { keepInline = false }: { readonly keepInline?: boolean } = {}): readonly string[] {
  const visible = markdown.replace(/<!--.*?-->/gs, (comment) => comment.replace(/[^\n]/g, ""));
  let fence = "";
  return visible.split("\n").map((text) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1] ?? "";
    if (fence !== "") {
      if (mark.startsWith(fence)) fence = "";
      return "";
    }
    if (mark !== "") {
      fence = mark;
      return "";
    }
    return keepInline ? text : text.replace(/(`+)(?:(?!\1).)+\1/g, "");
  });
}
