import { expect, it } from "vitest";
import { ManualClock } from "./manual-clock.ts";
import { recordingLog } from "./recording-log.ts";

it("recordingLog keeps every call with its bound fields, and the line a real log would write", () => {
  const log = recordingLog(new ManualClock());
  const error = new Error("boom");
  log.debug("starting");
  log.with({ controller: "web" }).error("failed", { error });
  expect(log.entries).toEqual([
    { level: "debug", message: "starting", fields: {} },
    { level: "error", message: "failed", fields: { controller: "web", error } },
  ]);
  expect(log.lines[0]).toBe('{"time":"2026-01-01T00:00:00.000Z","level":"debug","msg":"starting"}');
  expect(log.lines[1]).toContain('"controller":"web","error":"boom","errorDetails":{"name":"Error","message":"boom"');
});
