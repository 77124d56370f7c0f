/**
 * The differential test of whole clusters: plays every scene on ours and on the real parts, and compares what happened
 * (`npm run test:controllers`). trajectory.ts defines what is compared, compare.ts when it counts as equal.
 *
 * `DROVER_CONTROLLERS=self` plays on two real clusters instead; differences between them are random.
 * `DROVER_CONTROLLERS_DUMP` names a file for everything that was recorded.
 */
import { appendFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { printDifference } from "./compare.ts";
import { judge } from "./judge.ts";
import type { Judgement, PlayOnce } from "./judge.ts";
import { explanationOf, knownDifferences } from "./known-differences.ts";
import type { KnownDifference } from "./known-differences.ts";
import { startOurStage } from "./our-stage.ts";
import { namespaceOf, play } from "./play.ts";
import { realStageOptions, startRealStage } from "./real-stage.ts";
import { printReport } from "./report.ts";
import type { Scene } from "./scene.ts";
import { chapters } from "./scenes.ts";
import type { Stage } from "./stage.ts";
import { trajectory } from "./trajectory.ts";
import { realClusterMissing } from "../servers/real-cluster.ts";

const {
  DROVER_CONTROLLERS: mode,
  DROVER_CONTROLLERS_REPORT: report,
  DROVER_CONTROLLERS_DUMP: dump,
  DROVER_CONTROLLERS_PLAYS: plays,
} = process.env;
const missing = realClusterMissing(realStageOptions) ?? (mode === undefined ? "takes minutes: npm run test:controllers" : undefined);
const scenes = chapters.flatMap((chapter) => chapter.scenes);

describe("the scenes of clusters", () => {
  it("are at least forty, each with its own name", () => {
    expect(scenes.length).toBeGreaterThanOrEqual(40);
    expect(new Set(scenes.map((scene) => namespaceOf(scene, ""))).size).toBe(scenes.length);
  });

  it("include all that are known to differ", () => {
    const names = new Set(scenes.map(({ name }) => name));
    expect(knownDifferences.flatMap((entry) => entry.scenes).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe("our cluster and the real parts", () => {
  let stages: readonly Stage[] = [];
  const judged = new Map<Scene, Judgement>();
  beforeAll(async () => {
    if (missing === undefined) stages = await Promise.all([mode === "self" ? startRealStage() : startOurStage(), startRealStage()]);
  }, 180_000);
  afterAll(async () => {
    await Promise.all(stages.map((stage) => stage.stop()));
    if (report !== undefined && judged.size > 0) appendFileSync(report, `\n${printReport(chapters, judged)}\n`);
  }, 120_000);

  describe.concurrent("do the same", () => {
    it.for(scenes)("$name", { timeout: 600_000 }, async (scene, { expect: expectHere, skip }) => {
      const [ours, theirs] = stages;
      if (ours === undefined || theirs === undefined) skip(missing ?? "the clusters did not start");
      else {
        const [playOurs, playTheirs] = [ours, theirs].map(
          (stage) => async (prefix: string) => trajectory(await play(scene, stage, { prefix })),
        ) as [PlayOnce, PlayOnce];
        const judgement = await judge(playOurs, playTheirs, {
          playsMax: Number(plays ?? 10),
          isKnown: (difference) => explanationOf(scene, difference) !== undefined,
        });
        judged.set(scene, judgement);
        if (dump !== undefined) appendFileSync(dump, printed(scene, judgement));
        const unexplained = judgement.differences.filter((difference) => explanationOf(scene, difference) === undefined);
        expectHere(unexplained.map(printDifference).join("\n")).toBe("");
      }
    });
  });

  it("still differ where they are known to", (ctx) => {
    if (missing !== undefined || mode === "self" || judged.size < scenes.length) ctx.skip(missing ?? "not all scenes were played");
    const seen = new Set<KnownDifference | undefined>(
      [...judged].flatMap(([scene, { differences }]) => differences.map((difference) => explanationOf(scene, difference))),
    );
    expect(knownDifferences.filter((entry) => entry.sometimes !== true && !seen.has(entry))).toEqual([]);
  });
});

function printed({ name }: Scene, { facts, chances, plays: count, differences, theirs }: Judgement): string {
  const steps = (theirs[0] ?? []).flatMap((step) => [
    `# ${step.name}`,
    ...[...step.facts].map(([about, value]) => `  ${about}\n      ${value}`),
  ]);
  return [`\n=== ${name} (${facts} facts, ${chances} chances, ${count} plays)`, ...differences.map(printDifference), ...steps, ""].join(
    "\n",
  );
}
