import { describe, expect, it } from "vitest";
import { chunkNames, loadedWith } from "./chunk-names.mjs";
import type { PlannedChunk } from "./chunk-names.mjs";

const options = { doors: ["cache", "client", "index"], rare: [], isApart: (id: string): boolean => id.startsWith("server") };

/** A chunk with one module of the same name. */
function chunk(name: string, { imports = [], bytes = 100_000, later = false }: Partial<Sketch> = {}): PlannedChunk {
  return {
    fileName: `${name}.js`,
    name,
    isDynamicEntry: later,
    moduleIds: [name],
    imports: imports.map((other) => `${other}.js`),
    code: "x".repeat(bytes),
  };
}
interface Sketch {
  readonly imports: readonly string[];
  readonly bytes: number;
  readonly later: boolean;
}

describe("chunkNames", () => {
  it("names a module after the entry points that load it, and leaves a module with one loader to the bundler", () => {
    const name = chunkNames(
      [
        chunk("cache", { imports: ["store"] }),
        chunk("client", { imports: ["http"] }),
        chunk("index", { imports: ["store", "operator"] }),
        chunk("store", { imports: ["json"] }),
        chunk("http", { imports: ["json"] }),
        chunk("json"),
        chunk("operator"),
      ],
      options,
    );
    expect(["store", "json", "http", "operator"].map(name)).toEqual(["cache-index", "cache-client-index", null, null]);
  });

  it("keeps what is imported later out of the files of the start, and what is apart in its own chunk", () => {
    const name = chunkNames(
      [
        chunk("cache"),
        chunk("client", { imports: ["http", "json"] }),
        chunk("index", { imports: ["json"] }),
        chunk("open", { imports: ["http", "json"], later: true }),
        chunk("server", { imports: ["json"], later: true }),
        chunk("http"),
        chunk("json"),
      ],
      options,
    );
    expect(["http", "json", "server"].map(name)).toEqual(["client-open", "client-index", null]);
  });

  it("joins a small chunk with one that costs its loaders little", () => {
    const name = chunkNames(
      [
        chunk("cache", { imports: ["store"] }),
        chunk("client", { imports: ["store", "words"] }),
        chunk("index", { imports: ["store", "words"] }),
        chunk("store"),
        chunk("words", { bytes: 1000 }),
      ],
      options,
    );
    expect(name("words")).toBe("cache-client-index");
  });

  it("does not join a small chunk whose imports another entry point would load in vain", () => {
    const name = chunkNames(
      [
        chunk("cache", { imports: ["store"] }),
        chunk("client", { imports: ["store", "words"] }),
        chunk("index", { imports: ["store", "words"] }),
        chunk("store"),
        chunk("words", { bytes: 1000, imports: ["schemas"] }),
        chunk("schemas"),
      ],
      options,
    );
    expect(["words", "schemas", "store"].map(name)).toEqual(["client-index", "client-index", "cache-client-index"]);
  });
});

describe("loadedWith", () => {
  it("follows imports and ignores files outside the bundle", () => {
    const chunks = [chunk("index", { imports: ["store", "ws"] }), chunk("store", { imports: ["json"] }), chunk("json"), chunk("client")];
    expect(loadedWith(chunks, "index.js").map(({ name }) => name)).toEqual(["index", "store", "json"]);
  });
});
