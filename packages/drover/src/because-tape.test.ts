import { createTape } from "@drover/controller";
import { objectKey } from "@drover/machinery";
import { expect, it } from "vitest";
import { tapeBeside } from "./because-tape.ts";
import { nodeRuntime } from "./node-runtime.ts";

const runtime = nodeRuntime({ write: () => undefined });
const beside = { runtime, host: { env: { DROVER_BECAUSE: "1" } } };
const alone = { runtime, host: { env: {} } };
const start = { run: "1", controller: "w", key: objectKey("a"), causes: [], causeCount: 0, attempts: 0, waitedMs: 0 };

it("tapeBeside returns the given tape, or none, unless the environment asks for causes", () => {
  const tape = createTape(runtime);
  expect(tapeBeside(tape, alone)).toBe(tape);
  expect(tapeBeside(undefined, alone)).toBeUndefined();
});

it("tapeBeside returns a tape that sends causes and records on the given one", () => {
  const tape = createTape(runtime);
  const run = tapeBeside(tape, beside)?.begin(start);
  run?.end({ type: "done" });
  expect(tape.runs()).toHaveLength(1);
  expect(Object.keys(run?.headers?.() ?? {})).toEqual(["drover-because"]);
  expect(Object.keys(tapeBeside(undefined, beside)?.begin(start).headers?.() ?? {})).toEqual(["drover-because"]);
});

it("tapeBeside leaves a tape alone that cannot describe causes", () => {
  const own = { begin: () => ({ call: () => undefined, end: () => undefined }), runs: () => [] };
  expect(tapeBeside(own, beside)).toBe(own);
});
