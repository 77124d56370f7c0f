/**
 * `npm run docs`: writes the documentation site to docs/site: the Markdown pages of the repository, an API reference from the doc
 * comments of the entry points of `drover`, and a search over both. Fails when a link of the site leads nowhere.
 *
 *     Markdown files → staged pages ─┐
 *     entry points of drover ────────┴→ TypeDoc → docs/site → link check
 *
 * TypeDoc needs the compiler API of TypeScript 5, which the repository has under the name `typescript-ast`.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { register } from "node:module";
import { dirname, join, relative } from "node:path";
import { brokenSiteLinks } from "./broken-links.ts";
import { sitePages } from "./pages.ts";
import type { Page } from "./pages.ts";
import { pageBody, stagedPage } from "./staged-page.ts";

const root = join(import.meta.dirname, "..", "..");
const stage = join(root, "node_modules", ".cache", "drover", "docs");
const site = join(root, "docs", "site");

/** Entry point → source file, as the manifest of `drover` has them: `drover/testing` → packages/drover/src/testing.ts. */
function entryPoints(): ReadonlyMap<string, string> {
  const folder = join(root, "packages", "drover");
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, { readonly "drover-source"?: string }>>;
  };
  return new Map(
    Object.entries(exports).flatMap(([door, { "drover-source": source }]) =>
      source === undefined ? [] : [[`drover${door.slice(1)}`, join(folder, source)] as const],
    ),
  );
}

/** Writes the pages where TypeDoc reads them, and returns their paths: those of the sidebar's first level. */
function stagePages(pages: readonly Page[]): readonly string[] {
  const all = pages.flatMap((page) => [page, ...page.children]);
  const paths = new Set(["README.md", ...all.map(({ path }) => path)]);
  const isOnSite = (path: string): boolean => paths.has(path) || (/\.(?:svg|png)$/.test(path) && existsSync(join(root, path)));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(stage, path)), { recursive: true });
    writeFileSync(join(stage, path), text);
    for (const [, picture = ""] of text.matchAll(/!\[[^\]]*\]\(([^):]+\.(?:svg|png))\)/g)) {
      const source = join(dirname(join(root, path)), picture);
      const copy = join(stage, relative(root, source));
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(source, copy);
    }
  };
  write("README.md", pageBody(readFileSync(join(root, "README.md"), "utf8"), ".", isOnSite));
  for (const { path, children } of all) {
    const text = readFileSync(join(root, path), "utf8");
    write(path, stagedPage({ path, text, children: children.map((child) => child.path), isOnSite }));
  }
  return pages.map(({ path }) => join(stage, path));
}

async function build(): Promise<void> {
  register(`data:text/javascript,${encodeURIComponent(typescriptHook)}`);
  const { Application, Comment, Converter, ReflectionKind } = await import("typedoc");
  rmSync(stage, { recursive: true, force: true });
  const documents = stagePages(sitePages(root));
  const sources = entryPoints();
  // Only what the entry points reach: the project of the repository has four thousand files.
  const tsconfig = join(stage, "tsconfig.json");
  writeFileSync(tsconfig, JSON.stringify({ extends: join(root, "tsconfig.json"), include: [], files: [...sources.values()] }));
  const app = await Application.bootstrap({
    name: "Drover",
    entryPoints: [...sources.values()],
    projectDocuments: [...documents],
    readme: join(stage, "README.md"),
    basePath: root,
    displayBasePath: root,
    tsconfig,
    skipErrorChecking: true,
    customCss: join(import.meta.dirname, "site.css"),
    highlightLanguages: ["typescript", "javascript", "json", "yaml", "bash", "go"],
    ignoredHighlightLanguages: ["text"],
    excludePrivate: true,
    excludeExternals: true,
    excludeInternal: true,
    includeHierarchySummary: false,
    searchInDocuments: true,
    searchInComments: true,
    sort: ["documents-first", "kind", "alphabetical-ignoring-documents"],
    sortEntryPoints: false,
    kindSortOrder: ["Document", "Module", "Function", "Class", "Variable", "Interface", "TypeAlias", "Reference"],
    groupOrder: ["Documents", "Modules", "Functions", "Classes", "Variables", "Interfaces", "Type Aliases", "*"],
    searchGroupBoosts: { Documents: 3, Functions: 2, Classes: 2, Interfaces: 1.5 },
    visibilityFilters: {},
    navigation: { includeCategories: false, includeGroups: false, excludeReferences: true, includeFolders: false },
    headings: { readme: false, document: false },
    hideGenerator: true,
    cleanOutputDir: true,
    validation: { notExported: false, invalidLink: true, invalidPath: true, rewrittenLink: false, notDocumented: false },
  });
  const names = new Map([...sources].map(([name, file]) => [relative(root, file).replace(/(?:\/index)?\.ts$/, ""), name]));
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
      module.name = names.get(module.name) ?? module.name;
      module.comment ??= new Comment([{ kind: "text", text: headerOf(sources.get(module.name)) }]);
    }
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc could not read the entry points");
  await app.generateDocs(project, site);
  if (app.logger.hasErrors()) throw new Error("TypeDoc reported errors");
}

/** The comment at the top of a file, as text. */
function headerOf(file: string | undefined): string {
  const [, header = ""] = /^\/\*\*(.*?)\*\//s.exec(file === undefined ? "" : readFileSync(file, "utf8")) ?? [];
  return header.replace(/^ *\* ?/gm, "").trim();
}

/** Resolves "typescript" to the compiler that has the API TypeDoc calls. */
const typescriptHook = `export const resolve = (specifier, context, next) => next(specifier === "typescript" ? "typescript-ast" : specifier, context);`;

await build();
const broken = brokenSiteLinks(site);
for (const line of broken) process.stdout.write(`${line}\n`);
process.stdout.write(`docs: docs/site/index.html, ${broken.length} broken links\n`);
process.exitCode = broken.length === 0 ? 0 : 1;
