/**
 * Protobuf, late decoding, field limits, HTTP/2 and snapshots must not be visible: random scripts give the same views, events, reconciles
 * and answers with and without them. With `DROVER_LONG=1` 10,000 scripts are played in every configuration, else a few, each in one.
 */
import { createRandom } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { baseline, configurations } from "./configuration.ts";
import type { Configuration } from "./configuration.ts";
import { decodingWrong, losingDeletions } from "./planted-difference.ts";
import { playScript } from "./play-script.ts";
import type { SourceChange } from "./program.ts";
import { randomScript } from "./random-script.ts";
import { differenceOf, limited } from "./record.ts";
import type { Line } from "./record.ts";
import { Stage } from "./stage.ts";

const isLong = process.env["DROVER_LONG"] === "1";
/** A script plays as much as ten cases of a property. */
const scripts = isLong ? Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 100_000) / 10) : 30;
/** Another seed plays other scripts. */
const firstSeed = Number(process.env["DROVER_SEED"] ?? 1);

describe("protobuf, late decoding, field limits, HTTP/2 and snapshots", () => {
  const stages = new Map<Configuration, Stage>();
  beforeAll(async () => {
    for (const each of [baseline, ...configurations]) stages.set(each, await Stage.start(each));
  }, 60_000);
  afterAll(async () => {
    for (const stage of stages.values()) await stage.stop();
  });

  const stageOf = (configuration: Configuration): Stage => stages.get(configuration) ?? expect.fail("no stage");

  /** Returns the first difference from the lines of the baseline. */
  const differs = async (seed: number, plain: readonly Line[], configuration: Configuration, change?: SourceChange) => {
    const seen = await playScript(randomScript(seed), stageOf(configuration), configuration, change);
    return differenceOf(configuration.hasFields ? limited(plain) : plain, seen);
  };

  it(`are invisible in ${scripts} random scripts`, { timeout: isLong ? 8 * 3_600_000 : 300_000 }, async () => {
    for (let seed = firstSeed; seed < firstSeed + scripts; seed++) {
      const plain = await playScript(randomScript(seed), stageOf(baseline), baseline);
      const tried = isLong ? configurations : configurations.slice(seed % configurations.length).slice(0, 1);
      for (const each of tried) {
        const difference = await differs(seed, plain, each);
        if (difference !== undefined) expect.fail(`DROVER_SEED=${seed}: with ${each.name}, ${difference}`);
      }
    }
    // The features were really on, and the scripts really met what they are meant to meet.
    for (const [configuration, { counts }] of stages) {
      expect([configuration.name, counts.protobuf > 0]).toEqual([configuration.name, configuration.format === "protobuf"]);
      if (isLong || configuration === baseline) expect([configuration.name, counts.expired > 0]).toEqual([configuration.name, true]);
    }
  });

  it("start a program with snapshots without a stream of all objects", { timeout: 120_000 }, async () => {
    const snapshots = configurations.find(({ name }) => name === "snapshots") ?? expect.fail("no such configuration");
    const streams = async (configuration: Configuration): Promise<number> => {
      const { counts } = stageOf(configuration);
      const before = counts.streams;
      for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const { steps } = randomScript(seed);
        const writes = steps.flatMap((step) => (step.type === "writes" ? [step] : []));
        const restart = { type: "restart", writes: [], compacts: false, ending: "stop" } as const;
        await playScript({ watchList: true, steps: [...writes, restart, restart] }, stageOf(configuration), configuration);
      }
      return counts.streams - before;
    };
    expect(await streams(snapshots)).toBeLessThan(await streams(baseline));
  });

  const plants: readonly (readonly [string, SourceChange])[] = [
    ["a decoder that drops a field", (source) => decodingWrong(source, withoutDuration)],
    ["a decoder that rounds large integers", (source) => decodingWrong(source, rounded)],
    ["a watch that loses deletions", losingDeletions],
  ];
  it.each(plants)("differ from %s", { timeout: 120_000 }, async (_, change) => {
    const random = createRandom("plants");
    for (let script = 0; script < 200; script++) {
      const seed = random.int(2 ** 31);
      const plain = await playScript(randomScript(seed), stageOf(baseline), baseline);
      const difference = await differs(seed, plain, baseline, change).catch((error: unknown) => String(error));
      if (difference !== undefined) return;
    }
    expect.fail("no script has found it");
  });
});

const withoutDuration = (object: JsonObject): JsonObject => {
  const { spec } = object as { readonly spec?: JsonObject };
  if (spec === undefined || !("leaseDurationSeconds" in spec)) return object;
  const { leaseDurationSeconds: _, ...rest } = spec;
  return { ...object, spec: rest };
};

const rounded = (object: JsonObject): JsonObject => ("revision" in object ? { ...object, revision: Number(object["revision"]) } : object);
