/** Replays the corpus of every fuzz target, and some hundred inputs mutated from it with a fixed seed. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { readCorpus } from "./corpus.ts";
import { Fuzzer } from "./fuzzer.ts";
import { targets } from "./targets.ts";

/** Fewer where an input is expensive: each one of `frames` is a connection. */
const mutations: ReadonlyMap<string, number> = new Map(Object.entries({ frames: 20, yaml: 80, cel: 80, apply: 80 }));
const mutationsOf = (name: string): number => mutations.get(name) ?? 200;
/** Tests share the machine with others; `npm run fuzz` holds the real limit. */
const limitMs = 2000;

describe.each([...targets])("fuzz target %s", (name, load) => {
  it("holds its invariants for the corpus and mutated inputs", async () => {
    const target = await load();
    const failures: string[] = [];
    const seeds = readCorpus(name).map(({ bytes }) => bytes);
    const fuzzer = new Fuzzer({
      target,
      seeds,
      limitMs,
      random: createRandom(17).stream(name),
      onFailure: ({ text }, input) => failures.push(`${text}\ninput: ${JSON.stringify(new TextDecoder().decode(input))}`),
    });
    await fuzzer.runSeeds();
    await fuzzer.runBatch(mutationsOf(name));
    await target.close?.();
    expect(failures).toEqual([]);
    expect(fuzzer.executions).toBe(seeds.length + mutationsOf(name));
  });

  it("has a corpus of small files", () => {
    const seeds = readCorpus(name);
    expect(seeds.length).toBeGreaterThan(0);
    expect(seeds.length).toBeLessThanOrEqual(40);
    expect(seeds.filter(({ bytes }) => bytes.length > 4096).map(({ name: file }) => file)).toEqual([]);
  });
});

describe("fuzz targets", () => {
  it("have one file and one corpus each", () => {
    const names = [...targets.keys()].toSorted();
    expect(readdirSync(join(import.meta.dirname, "targets")).toSorted()).toEqual(names.map((name) => `${name}.ts`));
    expect(readdirSync(join(import.meta.dirname, "corpus")).toSorted()).toEqual(names);
  });
});
