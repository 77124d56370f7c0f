import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sitePages } from "./pages.ts";
import { stagedPage } from "./staged-page.ts";

describe("stagedPage", () => {
  const isOnSite = (path: string): boolean => ["docs/guide/1.md", "examples/web/README.md", "docs/pictures/a.svg"].includes(path);
  const staged = (text: string): string => stagedPage({ path: "docs/guide/README.md", text, children: ["docs/guide/1.md"], isOnSite });

  it("writes title and children into the front matter", () => {
    expect(staged('# The "`first`" page\n\ntext\n')).toBe(
      '---\ntitle: "The \\"first\\" page"\nchildren:\n  - "1.md"\n---\n# The "`first`" page\n\ntext\n',
    );
  });

  it("keeps links to pages, sends links to folders to their README, and turns other links into text", () => {
    const body =
      "[one](1.md#a) [web](../../examples/web) [code](../../examples/web/web.ts) [`web.ts`](../../examples/web/web.ts) [out](https://example.com)";
    expect(staged(body).split("---\n")[2]).toBe(
      "[one](1.md#a) [web](../../examples/web/README.md) code (`examples/web/web.ts`) `web.ts` [out](https://example.com)",
    );
  });

  it("puts the name of a file above its code block, and leaves code alone", () => {
    expect(staged("```ts site.ts\nconst a = [b](c.md);\n```\n").split("---\n")[2]).toBe("`site.ts`:\n\n```ts\nconst a = [b](c.md);\n```\n");
  });
});

describe("sitePages", () => {
  const pages = sitePages(join(import.meta.dirname, "..", ".."));

  it("begins with the guide, whose pages follow in order", () => {
    expect(pages[0]?.path).toBe("docs/guide/README.md");
    expect(pages[0]?.children.map(({ path }) => path.replace("docs/guide/", "").slice(0, 1))).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
      "8",
      "9",
    ]);
  });

  it("groups the READMEs of packages and the decisions", () => {
    const childrenOf = (path: string): readonly string[] =>
      pages.find((page) => page.path === path)?.children.map((child) => child.path) ?? [];
    expect(childrenOf("docs/packages.md")).toContain("packages/client/README.md");
    expect(childrenOf("docs/decisions/README.md")).toContain("docs/decisions/0004-compare-with-kubernetes-libraries.md");
  });
});
