/**
 * The pages of the documentation site and their order in the sidebar. A folder is a section whose first page is its README. Pages of
 * docs/ that are not named here follow the named ones, so that none is lost.
 */
import { markdownFiles } from "./broken-links.ts";

export interface Page {
  /** Relative to the repository. */
  readonly path: string;
  readonly children: readonly Page[];
}

/** First pages of sections that do not have a README of their own. */
const firstPages: ReadonlyMap<string, string> = new Map([["packages", "docs/packages.md"]]);

/** In the order in which a reader needs them. "docs/" stands for the pages that are not named. */
const order: readonly string[] = [
  "docs/guide/",
  "examples/",
  "docs/coming-from-go.md",
  "docs/migrating-from-wrangler.md",
  "docs/options.md",
  "docs/metrics.md",
  "docs/budgets.md",
  "docs/reasons.md",
  "docs/errors/",
  "docs/log-lines.md",
  "docs/troubleshooting.md",
  "docs/versions.md",
  "docs/benchmarks.md",
  "docs/reliability.md",
  "docs/",
  "ARCHITECTURE.md",
  "docs/packages.md",
  "packages/",
  "docs/decisions/",
  "CONTRIBUTING.md",
  "docs/testing.md",
  "conformance/",
  "AGENTS.md",
  "CHANGELOG.md",
];

/** All pages but the README of the repository, which is the site's front page. */
export function sitePages(root: string): readonly Page[] {
  const files = markdownFiles(root)
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file !== "README.md" && !file.startsWith(".") && !/^packages\/[^/]+\/[^/]+\//.test(file));
  const rank = (file: string): number => {
    const place = order.findIndex((entry) => entry === file || (entry !== "docs/" && entry.endsWith("/") && file.startsWith(entry)));
    return place === -1 ? order.indexOf("docs/") : place;
  };
  const sections = new Map<string, string[]>();
  for (const file of files.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))) {
    const folder = /^(docs\/[^/]+|examples|packages|conformance)\/.*\.md$/.exec(file)?.[1];
    const section = folder ?? [...firstPages].find(([, first]) => first === file)?.[0] ?? file;
    sections.set(section, [...(sections.get(section) ?? []), file]);
  }
  return [...sections].flatMap(([section, paths]) => {
    const first = paths.find((path) => path === (firstPages.get(section) ?? `${section}/README.md`));
    const leaf = (path: string): Page => ({ path, children: [] });
    if (first === undefined) return paths.map(leaf);
    return [{ path: first, children: paths.filter((path) => path !== first).map(leaf) }];
  });
}
