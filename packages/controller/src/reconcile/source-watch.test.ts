import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { SourceSink } from "../sources/source.ts";
import { SourceWatch } from "./source-watch.ts";
import { keyOf } from "./testing/controller-rig.ts";
import { handSource } from "./testing/hand-source.ts";
import type { HandSource } from "./testing/hand-source.ts";

const never = new AbortController().signal;

function stage(options: Parameters<typeof handSource>[1] = {}): {
  readonly runtime: TestRuntime;
  readonly source: HandSource;
  readonly watch: SourceWatch;
  readonly keys: string[];
  readonly failures: unknown[];
  readonly stopped: () => number;
} {
  const runtime = testRuntime();
  const source = handSource("by hand", options);
  const keys: string[] = [];
  const failures: unknown[] = [];
  let stops = 0;
  const watch = new SourceWatch({
    source,
    log: runtime.log,
    request: (key) => void keys.push(key),
    onFailure: (error) => void failures.push(error),
    onStop: () => {
      stops++;
    },
  });
  return { runtime, source, watch, keys, failures, stopped: () => stops };
}

describe("SourceWatch", () => {
  it("runs its source once at a time, however often it is started", () => {
    const { source, watch } = stage();
    watch.start();
    watch.start();
    expect([source.starts, watch.isSynced, watch.name]).toEqual([1, true, "by hand"]);
  });

  it("can be started again after it ended, and has to sync again", async () => {
    const { source, watch, runtime } = stage({ synced: false });
    watch.start();
    source.synced();
    source.waitingFor("a new leader");
    expect([watch.isSynced, watch.waitingFor]).toEqual([true, "a new leader"]);
    await watch.end("enough");
    expect([watch.isSynced, watch.waitingFor, source.running]).toEqual([false, undefined, 0]);
    watch.start();
    expect([source.starts, watch.isSynced]).toEqual([2, false]);
    await runtime.clock.settle();
  });

  it("calls a waitingFor function on every read", async () => {
    const { source, watch } = stage({ synced: false });
    let left = 2;
    watch.start();
    source.waitingFor(() => (left > 0 ? `${left} more` : undefined));
    const said = [watch.waitingFor];
    left = 0;
    said.push(watch.waitingFor);
    left = 1;
    await watch.end("enough");
    expect([...said, watch.waitingFor]).toEqual(["2 more", undefined, undefined]);
  });

  it("starts again after it has ended, if it was started while ending", async () => {
    const { source, watch } = stage();
    watch.start();
    const ending = watch.end("enough");
    watch.start();
    expect(source.starts).toBe(1);
    await ending;
    expect([source.starts, source.running]).toEqual([2, 1]);
  });

  it("stays stopped after stop, and rejects pending waits", async () => {
    const { source, watch, stopped } = stage({ synced: false });
    watch.start();
    const waiting = watch.synced(never);
    await Promise.all([expect(waiting).rejects.toThrow("the watch of by hand was stopped before it had synced"), watch.stop()]);
    watch.start();
    await watch.stop();
    expect([source.starts, source.running, stopped()]).toEqual([1, 0, 2]);
  });

  it("ignores a source that was told to end", async () => {
    let sink: SourceSink | undefined;
    const keys: string[] = [];
    const { runtime } = stage();
    const watch = new SourceWatch({
      source: {
        name: "slow to end",
        run: async (given, signal) => {
          sink = given;
          await new Promise<void>((resolve) => {
            signal.addEventListener("abort", () => resolve());
          });
        },
      },
      log: runtime.log,
      request: (key) => void keys.push(key),
      onFailure: () => undefined,
      onStop: () => undefined,
    });
    watch.start();
    await watch.stop();
    sink?.request(keyOf("shop/web"), { cause: { type: "external", source: "x" } });
    sink?.synced();
    sink?.waitingFor("nobody");
    expect([keys, watch.isSynced, watch.waitingFor]).toEqual([[], false, undefined]);
  });

  it("reports a failure of the source, but not one while it ends", async () => {
    const { source, watch, failures, runtime } = stage({ deaf: true });
    watch.start();
    source.fail(new Error("gone"));
    await runtime.clock.settle();
    expect(failures).toEqual([new Error("gone")]);

    const ending = stage({ deaf: true });
    ending.watch.start();
    const over = ending.watch.end("enough");
    ending.source.fail(new Error("half closed"));
    await over;
    expect([ending.failures, ending.runtime.log.entries.map(({ level }) => level)]).toEqual([[], ["debug"]]);
  });
});
