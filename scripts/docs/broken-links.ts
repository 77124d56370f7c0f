/** Finds links that lead nowhere, in Markdown files and in the HTML of the built site. Links to other hosts are not followed. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { anchorsOf, linksOf } from "./markdown-links.ts";

const isElsewhere = (target: string): boolean => /^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target);

/** Markdown files below `root` that belong to the repository, relative to it. */
export function markdownFiles(root: string): readonly string[] {
  const skipped = new Set(["node_modules", "dist", "site", ".git", "recorded"]);
  const below = (folder: string): readonly string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : below(path);
      return entry.name.endsWith(".md") ? [path] : [];
    });
  return below("").toSorted();
}

/** One line for each broken link of the given Markdown files: `README.md:12: docs/nowhere.md: no such file`. */
export function brokenMarkdownLinks(root: string, files: readonly string[]): readonly string[] {
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsIn = (file: string): ReadonlySet<string> => {
    const known = anchors.get(file) ?? anchorsOf(readFileSync(file, "utf8"));
    anchors.set(file, known);
    return known;
  };
  return files.flatMap((name) => {
    const file = join(root, name);
    return linksOf(readFileSync(file, "utf8")).flatMap(({ target, line }) => {
      if (isElsewhere(target)) return [];
      const [path = "", anchor] = target.split("#");
      const place = path === "" ? file : join(dirname(file), decodeURIComponent(path));
      if (relative(root, place).startsWith("..")) return [`${name}:${line}: ${target}: outside the repository`];
      if (!existsSync(place)) return [`${name}:${line}: ${target}: no such file`];
      if (anchor === undefined || !place.endsWith(".md") || anchorsIn(place).has(anchor)) return [];
      return [`${name}:${line}: ${target}: no such heading`];
    });
  });
}

/** The same for the HTML files of a built site. */
export function brokenSiteLinks(site: string): readonly string[] {
  const pages = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
  const texts = new Map(pages.map((page) => [page, readFileSync(join(site, page), "utf8")]));
  const ids = new Map<string, ReadonlySet<string>>();
  const idsIn = (page: string): ReadonlySet<string> => {
    const known =
      ids.get(page) ?? new Set([...(texts.get(page) ?? "").matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, id = ""]) => unescaped(id)));
    ids.set(page, known);
    return known;
  };
  return [...texts].flatMap(([page, text]) => {
    const targets = new Set([...text.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, target = ""]) => unescaped(target)));
    return [...targets].flatMap((target) => {
      if (isElsewhere(target)) return [];
      const [path = "", anchor = ""] = target.split("#");
      const place = path === "" ? page : join(dirname(page), decodeURIComponent(path.split("?")[0] ?? ""));
      const file = isFolder(join(site, place)) ? join(place, "index.html") : place;
      if (!existsSync(join(site, file))) return [`${page}: ${target}: no such file`];
      if (anchor === "" || !texts.has(file) || idsIn(file).has(decodeURIComponent(anchor))) return [];
      return [`${page}: ${target}: no such anchor`];
    });
  });
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const unescaped = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
