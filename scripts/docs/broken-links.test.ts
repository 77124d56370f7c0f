import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brokenMarkdownLinks, brokenSiteLinks, markdownFiles } from "./broken-links.ts";
import { anchorsOf, linksOf } from "./markdown-links.ts";

const repository = join(import.meta.dirname, "..", "..");

describe("the Markdown files of the repository", () => {
  it("contain no link that leads nowhere", () => {
    const files = markdownFiles(repository);
    expect(files).toContain("README.md");
    expect(files).toContain(join("docs", "guide", "README.md"));
    expect(brokenMarkdownLinks(repository, files)).toEqual([]);
  });
});

describe("linksOf", () => {
  const targets = (markdown: string): readonly string[] => linksOf(markdown).map(({ target }) => target);

  it("finds inline links, images, images inside of links, definitions and HTML, with their lines", () => {
    expect(linksOf('see [a](a.md) and [b](b.md#x "title")\n\n![c](c.svg)')).toEqual([
      { target: "a.md", line: 1 },
      { target: "b.md#x", line: 1 },
      { target: "c.svg", line: 3 },
    ]);
    expect(targets("[![d](d.svg)](d.md)")).toEqual(["d.svg", "d.md"]);
    expect(targets('[e]: e.md\n<a href="f.md"><img src="f.svg"></a>')).toEqual(["e.md", "f.md", "f.svg"]);
  });

  it("skips code blocks, code spans and comments", () => {
    expect(targets("```\n[a](a.md)\n```\n`[b](b.md)` <!-- [c](c.md) -->\n[d](d.md)")).toEqual(["d.md"]);
  });
});

describe("anchorsOf", () => {
  it("spells headings as GitHub does, and numbers repeated ones", () => {
    expect([...anchorsOf("# The `drover` command\n## What's new?\n## a, b & c\n## What's new?\n<a id=\"own\"></a>")]).toEqual([
      "the-drover-command",
      "whats-new",
      "a-b--c",
      "whats-new-1",
      "own",
    ]);
  });
});

describe("broken links", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "drover-links-"));
    mkdirSync(join(folder, "docs"));
    writeFileSync(
      join(folder, "README.md"),
      "# Top\n[ok](docs/page.md#part) [gone](docs/gone.md) [part](docs/page.md#other) [here](#top) [up](../x.md)",
    );
    writeFileSync(join(folder, "docs", "page.md"), "## Part\n[back](../README.md) [web](https://example.com/x)");
    writeFileSync(
      join(folder, "index.html"),
      '<h1 id="top"></h1><a href="docs/page.html#part"></a><a href="docs/page.html#other"></a><img src="gone.png"><a href="#top">',
    );
    writeFileSync(join(folder, "docs", "page.html"), '<h2 id="part"></h2><a href="../index.html">');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("are reported for Markdown with file, line and reason", () => {
    expect(brokenMarkdownLinks(folder, markdownFiles(folder))).toEqual([
      "README.md:2: docs/gone.md: no such file",
      "README.md:2: docs/page.md#other: no such heading",
      "README.md:2: ../x.md: outside the repository",
    ]);
  });

  it("are reported for a site", () => {
    expect(brokenSiteLinks(folder)).toEqual(["index.html: docs/page.html#other: no such anchor", "index.html: gone.png: no such file"]);
  });
});
