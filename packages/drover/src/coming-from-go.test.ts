import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Every name that an entry point lists, types included. */
const listed = (path: string): ReadonlySet<string> =>
  new Set(
    [...read(path).matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
      .flatMap(([, list = ""]) => list.split(","))
      .map((name) => name.trim().replace(/^.* as /, "")),
  );

describe("docs/coming-from-go.md", () => {
  const page = read("docs/coming-from-go.md");
  const rows = [...page.matchAll(/^\| `[^|]*` \| ([^|]*) \| [^|]*\|$/gm)].map(([, names = ""]) => names);

  it("names only what drover/client-go exports", () => {
    const exported = listed("packages/client-go/src/index.ts");
    const named = rows.flatMap((names) => [...names.matchAll(/`([A-Za-z]+)`/g)].map(([, name = ""]) => name));
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter((name) => !exported.has(name))).toEqual([]);
  });

  it("names every function and class that drover/client-go exports", () => {
    const values = [...read("packages/client-go/src/index.ts").matchAll(/^export \{([^}]*)\}/gm)]
      .flatMap(([, list = ""]) => list.split(","))
      .map((name) => name.trim().replace(/^.* as /, ""))
      .filter((name) => name !== "");
    const text = rows.join();
    // Parts of a construct that has a row.
    const parts = new Set([
      "clusterIndexInformer",
      "ErrRequeue",
      "ExplicitKey",
      "FifoClosedError",
      "isErrRequeue",
      "isFifoClosedError",
      "isKeyError",
      "isRequestError",
      "indexFuncToKeyFuncAdapter",
      "KeyError",
      "metaNamespaceIndexFunc",
      "newGenericLister",
      "newIndexerInformer",
      "newInformer",
      "pageSource",
      "RequestError",
      "ttlPolicy",
      "verb",
    ]);
    expect(values.filter((name) => !parts.has(name) && !text.includes(`\`${name}\``))).toEqual([]);
  });
});
