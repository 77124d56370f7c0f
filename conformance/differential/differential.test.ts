/**
 * The differential suite: compares the answers of our server to every probe with those recorded from the real
 * kube-apiserver. `npm run test:differential` also runs the probes on the real server, if it is built, so that
 * recordings stay true; `npm run test:differential -- --record` records them again.
 */
import { appendFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chapters } from "./chapters.ts";
import { printDifference } from "./compare.ts";
import { explanationOf, knownDifferences } from "./known-differences.ts";
import { ourTarget } from "./our-server.ts";
import { durableStores } from "./our-stores.ts";
import { probeId } from "./probe.ts";
import type { Probe } from "./probe.ts";
import { startRealTarget } from "./real-target.ts";
import { readRecording, writeRecording } from "./recording.ts";
import type { Recording } from "./recording.ts";
import { runProbes } from "./run-probes.ts";
import { differencesOf, printScores, scoreOf } from "./score.ts";
import { realServerMissing } from "../servers/real-server.ts";

const probes = chapters.flatMap((chapter) => chapter.probes);
const isTheSubject = process.env["DROVER_DIFFERENTIAL"] !== undefined;
const records = process.env["DROVER_DIFFERENTIAL"] === "record";
const runTimeoutMs = 600_000;
const recorded = new Map(chapters.map((chapter) => [chapter.name, readRecording(chapter)]));
const recordingOf = (chapter: string): Recording => recorded.get(chapter) ?? new Map();

async function askTheRealServer(): Promise<Recording> {
  const target = await startRealTarget();
  try {
    return await runProbes(probes, target);
  } finally {
    await target.stop();
  }
}

/** Passes a table to the command, which prints it last. */
function say(title: string, actual: Recording): void {
  const file = process.env["DROVER_DIFFERENTIAL_TABLES"];
  if (file !== undefined)
    appendFileSync(file, `\n${title}\n${printScores(chapters.map((chapter) => scoreOf(chapter, recordingOf(chapter.name), actual)))}\n`);
}

/** Instead of the tests, in a run with `--record`. */
function recording(): void {
  it(
    "sends every probe to the real server and records its answers",
    async () => {
      expect(realServerMissing).toBe(undefined);
      const answers = await askTheRealServer();
      for (const chapter of chapters) writeRecording(chapter, answers);
      for (const probe of probes)
        expect(
          answers.get(probe.name)?.filter((exchange) => "fact" in exchange && exchange.fact === "the probe failed"),
          probe.name,
        ).toEqual([]);
    },
    runTimeoutMs,
  );
}

function theProbes(): void {
  describe("the probes", () => {
    it("have unique names, and a recording each", () => {
      expect(new Set(probes.map(probeId)).size).toBe(probes.length);
      for (const chapter of chapters)
        expect([...recordingOf(chapter.name).keys()], `npm run test:differential -- --record`).toEqual(
          chapter.probes.map(({ name }) => name),
        );
    });
  });
}

/** Prints the differences to the real server that have no known reason; empty if there are none. */
function unexplained(chapter: string, some: readonly Probe[], ours: Recording): string {
  return some
    .flatMap(({ name }) =>
      differencesOf(name, recordingOf(chapter), ours)
        .filter((difference) => explanationOf(name, difference) === undefined)
        .map((difference) => `${name}\n${printDifference(difference)}`),
    )
    .join("\n");
}

function ourServer(): void {
  describe("our server", () => {
    let ours: Recording = new Map();
    beforeAll(async () => {
      ours = await runProbes(probes, ourTarget(), { parallel: 16 });
    }, runTimeoutMs);
    afterAll(() => say("our server, compared with the recording of the real one", ours));

    for (const chapter of chapters) {
      describe(chapter.name, () => {
        it.for(chapter.probes)("$name", (probe) => {
          expect(unexplained(chapter.name, [probe], ours)).toBe("");
        });
      });
    }

    it("still differs where it is known to", () => {
      const all = chapters.flatMap((chapter) =>
        chapter.probes.flatMap(({ name }) =>
          differencesOf(name, recordingOf(chapter.name), ours).map((difference) => explanationOf(name, difference)),
        ),
      );
      expect(knownDifferences.filter((entry) => !all.includes(entry))).toEqual([]);
    });
  });
}

/** The same answers from stores that outlive the process. */
function ourServerOnOtherStores(): void {
  describe.each(durableStores)("our server on $name", (store) => {
    const missing = store.missing ?? (isTheSubject ? undefined : "takes half a minute: npm run test:differential");
    let ours: Recording = new Map();
    beforeAll(async () => {
      if (missing !== undefined) return;
      const target = ourTarget(store);
      try {
        ours = await runProbes(probes, target, { parallel: 16 });
      } finally {
        await target.end();
      }
    }, runTimeoutMs);
    afterAll(() => {
      if (missing === undefined) say(`our server on ${store.name}, compared with the recording of the real one`, ours);
    });

    it.for(chapters)("answers as the real one: $name", (chapter, { skip }) => {
      if (missing !== undefined) skip(missing);
      expect(unexplained(chapter.name, chapter.probes, ours)).toBe("");
    });
  });
}

function theRealServer(): void {
  describe("the real server", () => {
    const missing = realServerMissing ?? (isTheSubject ? undefined : "takes a minute: npm run test:differential");
    let real: Recording = new Map();
    beforeAll(async () => {
      if (missing === undefined) real = await askTheRealServer();
    }, runTimeoutMs);
    afterAll(() => {
      if (missing === undefined) say("the real server, compared with its own recording", real);
    });

    it.for(chapters)("answers as recorded: $name", (chapter, { skip }) => {
      if (missing !== undefined) skip(missing);
      const differences = chapter.probes.flatMap(({ name }) =>
        differencesOf(name, recordingOf(chapter.name), real).map((difference) => `${name}\n${printDifference(difference)}`),
      );
      expect(differences.join("\n")).toBe("");
    });
  });
}

for (const part of records ? [recording] : [theProbes, ourServer, ourServerOnOtherStores, theRealServer]) part();
