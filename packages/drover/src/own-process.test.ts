import { recordingLog } from "@drover/machinery/testing";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { ownProcess } from "./own-process.ts";
import type { EndingProcess, UncaughtListener } from "./own-process.ts";

function stage(others = 0): {
  readonly log: ReturnType<typeof recordingLog>;
  readonly host: EndingProcess;
  readonly listeners: UncaughtListener[];
  readonly codes: number[];
} {
  const listeners: UncaughtListener[] = [];
  const codes: number[] = [];
  return {
    log: recordingLog(new ManualClock()),
    listeners,
    codes,
    host: {
      on: (_event, listener) => listeners.push(listener),
      off: (_event, listener) => listeners.splice(listeners.indexOf(listener), 1),
      listenerCount: () => others,
      exit: (code) => codes.push(code),
    },
  };
}

const call = { controller: "widget", key: "default/w", run: "7f#1" };
const marked = Object.defineProperty(new Error('configmaps "none" not found'), Symbol.for("drover.failedCall"), { value: call });

describe("ownProcess", () => {
  it("names controller, object and run of a call that no code awaited, and exits with code 1", async () => {
    const { log, host, listeners, codes } = stage();
    await ownProcess(() => Promise.resolve(listeners[0]?.(marked, "unhandledRejection")), { log, host });
    expect(log.entries.map(({ message, fields }) => [message, fields])).toEqual([
      ["a call of a reconcile failed, and no code awaited it; the process ends", expect.objectContaining({ ...call, error: marked })],
    ]);
    expect(codes).toEqual([1]);
    expect(listeners).toEqual([]);
  });

  it("logs the error with which the operator ended, and rejects with it", async () => {
    const { log, host, listeners, codes } = stage();
    const error = new Error("cannot reach the server");
    await expect(ownProcess(() => Promise.reject(error), { log, host })).rejects.toBe(error);
    listeners[0]?.(error, "uncaughtException");
    expect(log.entries.map(({ message, fields }) => [message, fields])).toEqual([["operator ended", { error }]]);
    expect(codes).toEqual([1]);
  });

  it("logs other errors with the places of the program", async () => {
    const { log, host, listeners } = stage();
    await ownProcess(() => Promise.resolve(listeners[0]?.(new Error("mine"), "unhandledRejection")), { log, host });
    await ownProcess(() => Promise.resolve(listeners[0]?.("text", "uncaughtException")), { log, host });
    expect(log.entries.map(({ message }) => message)).toEqual([
      "a promise was rejected, and no code awaited it; the process ends",
      "uncaught error; the process ends",
    ]);
    expect(log.entries[0]?.fields["stack"]).toContain("own-process.test.ts");
  });

  it("leaves a process alone that handles uncaught errors itself", async () => {
    const { log, host, listeners } = stage(1);
    await ownProcess(() => Promise.resolve(), { log, host });
    await expect(ownProcess(() => Promise.reject(new Error("no")), { log, host })).rejects.toThrow("no");
    expect(listeners).toEqual([]);
  });
});
