import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as cache from "./cache.ts";
import * as client from "./client.ts";
import * as clientGo from "./client-go.ts";
import * as controller from "./controller.ts";
import * as root from "./index.ts";
import * as lasso from "./lasso.ts";
import * as machinery from "./machinery.ts";
import * as wrangler from "./wrangler.ts";

const read = (...path: readonly string[]): string => readFileSync(join(import.meta.dirname, ...path), "utf8");

/** The names that a file exports one by one, types included. */
const listed = (text: string): readonly string[] =>
  [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, list = ""]) => list.split(","))
    .map((name) => name.trim().replace(/^.* as /, ""))
    .filter((name) => name !== "");

/** The packages that an entry point exports as a whole. */
const whole = (text: string): readonly string[] => [...text.matchAll(/^export \* from "@drover\/([^"]+)";/gm)].map(([, name = ""]) => name);

describe("drover", () => {
  it("exports what an operator author needs, and no more than about 150 names", () => {
    expect(listed(read("index.ts")).length).toBeLessThanOrEqual(170);
    expect(Object.keys(root)).toEqual(expect.arrayContaining(["connect", "operator", "defineResource", "isNotFound"]));
  });

  it("exports every package behind its own entry point", () => {
    const entries = { cache, client, controller, machinery, "client-go": clientGo, lasso, wrangler };
    for (const [name, entry] of Object.entries(entries)) {
      expect(whole(read(`${name}.ts`)), name).toContain(name);
      expect(Object.keys(entry).length, name).toBeGreaterThan(10);
    }
    expect(whole(read("controller.ts"))).toEqual(["controller", "patterns", "workqueue"]);
  });

  it("loses no name to another package behind the same entry point", () => {
    const names = whole(read("controller.ts")).flatMap((name) => listed(read("..", "..", name, "src", "index.ts")));
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });

  it("exports the same value under the same name from every entry point", () => {
    const parts: Readonly<Record<string, unknown>> = { ...machinery, ...client, ...cache, ...controller };
    const own = new Set(["connect", "operator", "nodeHost", "snapshotFolder", "nodeManager", "nodeRuntime", "stopSignal"]);
    for (const [name, value] of Object.entries(root)) if (!own.has(name)) expect(parts[name], name).toBe(value);
  });

  it("exports every name of the testing entry points from drover/testing", () => {
    const own = new Set(listed(read("testing.ts")));
    for (const name of ["cache", "client", "machinery"])
      expect(listed(read("..", "..", name, "src", "testing.ts")).filter((one) => !own.has(one))).toEqual([]);
  });
});
