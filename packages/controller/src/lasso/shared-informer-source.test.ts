import { newSharedIndexInformer } from "@drover/cache";
import { ControllerSource } from "@drover/cache/testing";
import type { KubeObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { sharedInformerSource } from "./shared-informer-source.ts";

const pod = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { namespace: "shop", name, uid: `uid-${name}` } });

function stage(onlyChanged = false) {
  const runtime = testRuntime();
  const { clock } = runtime;
  const server = new ControllerSource<KubeObject>();
  const informer = newSharedIndexInformer(server, { runtime, resyncPeriodMs: 10_000 });
  const source = sharedInformerSource(informer, { clock, name: "pods", cluster: "east", onlyChanged });
  const [stop, stopInformer] = [new AbortController(), new AbortController()];
  onTestFinished(() => stopInformer.abort());
  const told: string[] = [];
  const causes: unknown[] = [];
  const run = (): Promise<void> =>
    source.run(
      {
        request: (key, { priority, cause }) => {
          causes.push(cause);
          told.push(
            `${cause.type === "change" ? `${cause.change.type}${cause.change.type === "updated" && cause.change.isResync ? " resync" : ""}` : ""} ${key} ${priority}`,
          );
        },
        synced: () => void told.push("synced"),
        waitingFor: (why) => void told.push(`waiting for ${typeof why === "function" ? why() : why}`),
      },
      stop.signal,
    );
  const start = (): void => void informer.run(stopInformer.signal).catch((error: unknown) => expect.fail(String(error)));
  return { runtime, clock, server, informer, source, stop, stopInformer, told, causes, run, start };
}

describe("the events of a shared informer as a source", () => {
  it("says what it waits for, then asks for every object, and for what happens to them, with the cause", async () => {
    const { clock, server, told, causes, run, start, stop } = stage();
    server.add(pod("a"));
    const over = run();
    await clock.advance(1000);
    expect(told).toEqual(["waiting for its informer has not synced"]);
    start();
    await clock.advance(1000);
    expect(told.splice(0)).toEqual(["waiting for its informer has not synced", "added shop/a -100", "waiting for undefined", "synced"]);
    server.add(pod("b"));
    server.modify(pod("a"));
    server.delete(pod("a"));
    await clock.settle();
    expect(told.splice(0)).toEqual(["added shop/b 0", "updated shop/a 0", "deleted shop/a 0"]);
    expect(causes[2]).toMatchObject({
      type: "change",
      via: "self",
      kind: { group: "", kind: "Pod" },
      cluster: "east",
      change: { uid: "uid-a", before: { metadata: { resourceVersion: "1" } } },
    });
    stop.abort();
    await over;
    server.add(pod("c"));
    await clock.settle();
    expect(told).toEqual([]);
  });

  it("tells of a deletion that was missed, with the last state that was known", async () => {
    const { clock, server, told, causes, run, start } = stage();
    server.add(pod("a"));
    run().catch((error: unknown) => expect.fail(String(error)));
    start();
    await clock.advance(1000);
    server.deleteDropWatch(pod("a"));
    server.resetWatch();
    await clock.advance(5000);
    expect(told.at(-1)).toBe("deleted shop/a 0");
    expect(causes.at(-1)).toMatchObject({ change: { isFinalStateUnknown: true, object: { metadata: { uid: "uid-a" } } } });
  });

  it.each([
    [false, ["updated resync shop/a -100"]],
    [true, []],
  ])("tells of resyncs unless only changes are wanted (%s)", async (onlyChanged, expected) => {
    const { clock, server, told, run, start } = stage(onlyChanged);
    server.add(pod("a"));
    run().catch((error: unknown) => expect.fail(String(error)));
    start();
    await clock.advance(1000);
    told.splice(0);
    await clock.advance(11_000);
    expect(told).toEqual(expected);
  });

  it("rejects when the informer has ended, since nothing would ever come", async () => {
    const { clock, run, start, stopInformer } = stage();
    start();
    await clock.settle();
    stopInformer.abort();
    await clock.settle();
    await expect(run()).rejects.toThrow("it has stopped already");
  });
});
