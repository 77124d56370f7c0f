import type { ObjectKey } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { updated } from "../testing/changes.ts";
import { explain } from "./explain.ts";
import type { CallRecord, CauseRecord, ResultRecord, RunRecord, Writer } from "./run-record.ts";
import { TapeFormatError } from "./tape-format-error.ts";
import { exportTape, readTape } from "./tape-lines.ts";
import { seen, shop, shopKey, tapeScene, wrote } from "./testing/tape-scene.ts";
import { why } from "./why.ts";

const header = '{"format":"drover-tape","version":1}';

// Arbitrary runs.
const text = fc.oneof(fc.constantFrom("", "web", "7f#1", "4711", "a\nb", "__proto__"), fc.string({ unit: "binary", maxLength: 6 }));
const amount = fc.oneof(
  fc.nat(),
  fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => value + 0),
);
const key = text.map((value) => value as ObjectKey);
const kind = fc.record({ group: text, kind: text });
const runName = fc.record({ controller: text, key, run: text });
const constant = <T extends string>(type: T): fc.Arbitrary<T> => fc.constant(type);

const writer: fc.Arbitrary<Writer> = fc.oneof(
  runName.map((name) => ({ type: "self" as const, ...name })),
  fc.record(
    { type: constant("manager"), manager: text, operation: text, subresource: text, time: text },
    { requiredKeys: ["type", "manager", "operation"] },
  ),
  fc.record({ type: constant("unknown") }),
);
const field = fc.record({ path: text, before: text, after: text }, { requiredKeys: ["path"] });
const change = fc.record(
  {
    type: constant("change"),
    event: fc.constantFrom("added", "updated", "deleted", "resync", "initial"),
    via: fc.constantFrom("self", "owner", "mapped"),
    kind,
    cluster: text,
    key,
    uid: text,
    resourceVersion: text,
    resourceVersionBefore: text,
    fields: fc.array(field, { maxLength: 3 }),
    fieldCount: fc.nat(),
    writers: fc.array(writer, { maxLength: 3 }),
  },
  { requiredKeys: ["type", "event", "via", "kind", "cluster", "key", "uid", "resourceVersion", "writers"] },
);
const cause: fc.Arbitrary<CauseRecord> = fc.oneof(
  change,
  fc.record({ type: constant("timer"), source: text }),
  fc.record({ type: constant("external"), source: text, note: text }, { requiredKeys: ["type", "source"] }),
  fc.record({ type: constant("after"), afterMs: amount, run: text }),
  fc.record({ type: constant("retry"), attempt: fc.nat(), error: text, run: text, isConflict: fc.boolean() }),
  fc.record({ type: constant("enqueue"), note: text, parent: runName }, { requiredKeys: ["type"] }),
);
const wroteRecord = fc.record({ uid: text, resourceVersion: text, manager: text }, { requiredKeys: ["uid", "resourceVersion"] });
const call: fc.Arbitrary<CallRecord> = fc.record(
  { method: text, path: text, atMs: amount, tookMs: amount, status: fc.nat(), error: text, wrote: wroteRecord },
  { requiredKeys: ["method", "path", "atMs", "tookMs"] },
);
const result: fc.Arbitrary<ResultRecord> = fc.oneof(
  fc.record({ type: constant("done") }),
  fc.record({ type: constant("after"), afterMs: amount }),
  fc.record(
    { type: constant("retry"), error: text, isConflict: fc.boolean(), retryInMs: amount, parked: fc.constant(true as const) },
    { requiredKeys: ["type", "error", "isConflict"] },
  ),
  fc.record({ type: fc.constantFrom("stop", "abandoned"), reason: text }),
);

/** A run with all fields, or without the optional ones. */
const runRecord: fc.Arbitrary<RunRecord> = fc.record(
  {
    run: text,
    controller: text,
    key,
    startedAt: fc.nat(),
    waitedMs: amount,
    tookMs: amount,
    attempts: fc.nat(),
    causes: fc.array(cause, { maxLength: 3 }),
    causeCount: fc.nat(),
    calls: fc.array(call, { maxLength: 3 }),
    callCount: fc.nat(),
    result,
  },
  {
    requiredKeys: ["run", "controller", "key", "startedAt", "waitedMs", "attempts", "causes", "causeCount", "calls", "callCount"],
    noNullPrototype: true,
  },
);

describe("exportTape and readTape", () => {
  it("restore every run, and export the same lines again", async () => {
    const numRuns = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 40) + 60;
    await fc.assert(
      fc.asyncProperty(fc.array(runRecord, { maxLength: 4 }), async (runs) => {
        const lines = [...exportTape(runs)];
        const read = await readTape(lines);
        expect(read).toEqual(runs);
        expect([...exportTape(read)]).toEqual(lines);
        expect(lines).toHaveLength(runs.length + 1);
        expect(lines.some((line) => line.includes("\n"))).toBe(false);
        for (const run of runs) explain(why(read, { key: run.key, runsMax: 100 }));
      }),
      { numRuns },
    );
  });

  it("read or reject lines with a changed field, and nothing else", async () => {
    const numRuns = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 20) + 60;
    await fc.assert(
      fc.asyncProperty(runRecord, fc.nat(), fc.jsonValue({ maxDepth: 1 }), async (record, place, value) => {
        const names = Object.keys(record);
        const changed = { ...record, [names[place % names.length] ?? ""]: value };
        const read = await readTape([header, JSON.stringify(changed)]).catch((error: unknown) => error);
        if (read instanceof Error) expect(read).toBeInstanceOf(TapeFormatError);
        // An object may match with only some of its fields.
        else if (typeof value !== "object") expect(read).toEqual([JSON.parse(JSON.stringify(changed))]);
      }),
      { numRuns },
    );
  });

  it("write a header and one run per line, with keys sorted by their bytes", async () => {
    const { tape, run } = tapeScene();
    await run({ causes: [seen(updated(shop(1), shop(2, { replicas: 3 })))], calls: [wrote(shop(3))] });
    expect([...exportTape(tape)]).toEqual([
      header,
      '{"attempts":0,"callCount":1,"calls":[{"atMs":0,"method":"PUT","path":"/apis/apps/v1/namespaces/web/deployments/shop","status":200,"tookMs":3,"wrote":{"resourceVersion":"3","uid":"shop-uid"}}],' +
        '"causeCount":1,"causes":[{"cluster":"","event":"updated","fieldCount":1,"fields":[{"after":"3","before":"1","path":"spec.replicas"}],"key":"web/shop","kind":{"group":"apps","kind":"Deployment"},' +
        '"resourceVersion":"2","resourceVersionBefore":"1","type":"change","uid":"shop-uid","via":"self","writers":[{"type":"unknown"}]}],"controller":"web","key":"web/shop","result":{"type":"done"},' +
        '"run":"7f#1","startedAt":1767276180000,"tookMs":3,"waitedMs":0}',
    ]);
  });

  it("handle a selection of runs, and a stream", async () => {
    const { tape, run } = tapeScene();
    await run();
    await run({ controller: "other" });
    async function* stream(): AsyncGenerator<string> {
      for (const line of exportTape(tape, { controller: "other" })) {
        yield line;
        yield "";
      }
    }
    const read = await readTape(stream());
    expect(read).toEqual(tape.runs({ controller: "other" }));
    expect([...exportTape(read, { key: shopKey, last: 0 })]).toEqual([header]);
  });

  it("throw with the number of an invalid line", async () => {
    await expect(readTape([])).rejects.toThrow("the tape is empty; a header is expected");
    await expect(readTape(["{}"])).rejects.toThrow(/^line 1 is not a tape header/);
    await expect(readTape(["null"])).rejects.toThrow(/^line 1 is not a tape header/);
    await expect(readTape(['{"format":"drover-tape","version":2}'])).rejects.toThrow(
      "line 1: unsupported format version 2; supported is 1",
    );
    await expect(readTape([header, "", '{"run":'])).rejects.toThrow("line 3 is not JSON");
    await expect(readTape([header, '{"run":7}'])).rejects.toThrow("line 2: run must be a string, not 7");
  });
});
