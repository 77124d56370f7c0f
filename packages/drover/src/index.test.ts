import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** The names behind a door, as they are written there. */
function namesBehind(...path: readonly string[]): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, ...path), "utf8");
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, list = ""]) => list.split(","))
    .map((name) => name.trim().replace(/^.* as /, ""))
    .filter((name) => name !== "");
}

describe("the facade", () => {
  it("has every name of the client's door, types included, so that nobody needs a second copy of the client", () => {
    const own = new Set(namesBehind("index.ts"));
    expect(namesBehind("..", "..", "client", "src", "index.ts").filter((name) => !own.has(name))).toEqual([]);
  });

  it("has every name of cache and work queue: the house's own at the front, client-go's behind their own door", () => {
    const own = new Set(["index.ts", "client-go.ts"].flatMap((door) => namesBehind(door)));
    // The client has its own under these names; those of queues are called QueueRateLimiter and QueueGetOptions.
    for (const name of ["RateLimiter", "GetOptions"]) own.add(name);
    for (const room of ["cache", "workqueue"])
      expect(namesBehind("..", "..", room, "src", "index.ts").filter((name) => !own.has(name))).toEqual([]);
  });

  it("has every name of the controller: the house's own at the front, Lasso's behind their own door", () => {
    const own = new Set(["index.ts", "lasso.ts"].flatMap((door) => namesBehind(door)));
    expect(namesBehind("..", "..", "controller", "src", "index.ts").filter((name) => !own.has(name))).toEqual([]);
  });

  it("has every name of the patterns: the house's own at the front, Wrangler's behind their own door", () => {
    const own = new Set(["index.ts", "wrangler.ts"].flatMap((door) => namesBehind(door)));
    expect(namesBehind("..", "..", "patterns", "src", "index.ts").filter((name) => !own.has(name))).toEqual([]);
  });

  it("has every name of the testing doors behind its own", () => {
    const own = new Set(namesBehind("testing.ts"));
    for (const room of ["cache", "client", "machinery"])
      expect(namesBehind("..", "..", room, "src", "testing.ts").filter((name) => !own.has(name))).toEqual([]);
  });
});
