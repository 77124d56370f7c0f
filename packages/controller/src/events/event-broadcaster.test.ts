import { newForbidden, newInternalError, newNotFound, newTooManyRequests } from "@drover/machinery";
import { metricValues, testRuntime } from "@drover/machinery/testing";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { eventServer } from "../testing/event-server.ts";
import type { EventServer } from "../testing/event-server.ts";
import { createEventBroadcaster } from "./event-broadcaster.ts";
import type { EventBroadcaster, EventBroadcasterOptions } from "./event-broadcaster.ts";
import type { NewEvent } from "./event-draft.ts";

const minute = 60_000;
const pod = (name: string, resourceVersion = "1"): NewEvent["regarding"] => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "shop", name, uid: `${name}-uid`, resourceVersion },
});
const namespaces = { group: "", resource: "namespaces" };
const resource = { group: "events.k8s.io", resource: "events" };

interface Rig {
  readonly runtime: TestRuntime;
  readonly server: EventServer;
  readonly broadcaster: EventBroadcaster;
  /** Records an event about a pod. */
  readonly tell: (name: string, note?: string, more?: Partial<NewEvent>) => void;
  /** Runs the broadcaster; the returned function stops it and resolves when it has ended. */
  readonly start: () => { readonly stop: () => void; readonly over: Promise<void> };
  readonly outcomes: () => Readonly<Record<string, number>>;
}

function rig(options: Partial<EventBroadcasterOptions> = {}): Rig {
  const runtime = testRuntime();
  const server = eventServer();
  const broadcaster = createEventBroadcaster({ ...runtime, client: server.client(runtime), ...options });
  const recorder = broadcaster.recorder({ controller: "example.com/web", instance: "web-1" });
  return {
    runtime,
    server,
    broadcaster,
    tell: (name, note = "it happened", more = {}) =>
      recorder.eventf({ regarding: pod(name), type: "Normal", reason: "Happened", action: "Happen", note, ...more }),
    start: () => {
      const controller = new AbortController();
      return { stop: () => controller.abort(), over: broadcaster.run(controller.signal) };
    },
    outcomes: () => metricValues(runtime.metrics, "events_outcomes_total"),
  };
}
const counts = (server: EventServer): readonly number[] => [...server.events.values()].map(({ series }) => series?.count ?? 1);
const notes = (server: EventServer): readonly (string | undefined)[] => [...server.events.values()].map(({ note }) => note);

describe("EventBroadcaster option writeShare", () => {
  /** Sends ten events to a server that takes 10 ms each; returns the number of requests after every 100 ms. */
  const slowly = async (options: Partial<EventBroadcasterOptions>): Promise<{ readonly counts: readonly number[]; readonly made: Rig }> => {
    const made = rig({ writersMax: 1, ...options });
    made.server.fault = () => new Promise((resolve) => void made.runtime.clock.timer(10, () => resolve(undefined)));
    made.start();
    for (let index = 0; index < 10; index++) made.tell(`web-${index}`);
    const counted: number[] = [];
    for (let tenth = 0; tenth < 5; tenth++) {
      await made.runtime.clock.advance(100);
      counted.push(made.server.events.size);
    }
    return { counts: counted, made };
  };

  it("uses all of the time by default", async () => {
    expect((await slowly({})).counts).toEqual([10, 10, 10, 10, 10]);
  });

  it("below 1 makes a writer pause after each write, in proportion to its duration", async () => {
    expect((await slowly({ writeShare: 0.2 })).counts).toEqual([2, 4, 6, 8, 10]);
  });

  it("is ignored during flush and shutdown", async () => {
    const {
      made: { runtime, broadcaster, server },
    } = await slowly({ writeShare: 0.01 });
    // A pause is 100 ms at most.
    expect(server.events.size).toBe(5);
    const flushed = broadcaster.flush();
    await runtime.clock.advance(100);
    expect([await flushed, server.events.size]).toEqual([0, 10]);
  });

  it("must be greater than 0 and at most 1", () => {
    for (const writeShare of [0, -1, 1.5, Number.NaN])
      expect(() => rig({ writeShare })).toThrow(`writeShare must be more than 0 and at most 1, not ${writeShare}`);
  });
});

describe("EventBroadcaster on a recorded event", () => {
  it("writes it with all fields that the API requires", async () => {
    const { runtime, server, tell, start } = rig();
    start();
    tell("web-0", "pulled", { related: pod("web-1"), annotations: { a: "b" } });
    await runtime.clock.settle();
    const [[key, event] = []] = [...server.events];
    expect(key).toMatch(/^shop\/web-0\.[0-9a-f]{16}$/);
    expect(event).toMatchObject({
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { namespace: "shop", annotations: { a: "b" } },
      eventTime: "2026-01-01T00:00:00.000000Z",
      type: "Normal",
      reason: "Happened",
      action: "Happen",
      note: "pulled",
      reportingController: "example.com/web",
      reportingInstance: "web-1",
      regarding: { apiVersion: "v1", kind: "Pod", namespace: "shop", name: "web-0", uid: "web-0-uid", resourceVersion: "1" },
      related: { name: "web-1" },
    });
  });

  it("keeps it until run if it was recorded before", async () => {
    const { runtime, server, tell, start } = rig();
    tell("web");
    await runtime.clock.advance(minute);
    expect(server.requests).toEqual([]);
    start();
    await runtime.clock.settle();
    expect(server.events.size).toBe(1);
  });

  it("writes it to namespace default if its object has no namespace", async () => {
    const { runtime, server, tell, start } = rig();
    start();
    tell("", "", { regarding: { apiVersion: "v1", kind: "Node", metadata: { name: "node-1" } } });
    await runtime.clock.settle();
    expect(server.requests).toEqual(["POST default"]);
  });

  it("logs and counts an invalid event, and never throws", () => {
    const { runtime, tell, outcomes } = rig();
    tell("web", "x", { reason: "" });
    tell("web", "x", { regarding: {} });
    expect(outcomes()).toEqual({ invalid: 2 });
    expect(runtime.log.entries.filter(({ level }) => level === "error").map(({ fields }) => fields["problem"])).toEqual([
      "reason must not be empty",
      "regarding needs apiVersion, kind and a name",
    ]);
  });

  it("rejects a controller name that the server would reject, when the recorder is created", () => {
    expect(() => rig().broadcaster.recorder({ controller: "my controller", instance: "x" })).toThrow("needs a controller name");
  });
});

describe("EventBroadcaster on a repeated event", () => {
  it("starts a series at the second occurrence, counts further ones, and writes the last count when it ends (§9.27)", async () => {
    const { runtime, server, tell, start, outcomes } = rig();
    start();
    for (let times = 0; times < 5; times++) {
      tell("web");
      await runtime.clock.advance(minute);
    }
    expect([server.requests.map((request) => request.split(" ")[0]), counts(server)]).toEqual([["POST", "PATCH"], [2]]);
    await runtime.clock.advance(5 * minute);
    expect([...server.events.values()][0]?.series).toEqual({ count: 5, lastObservedTime: "2026-01-01T00:04:00.000000Z" });
    tell("web");
    await runtime.clock.settle();
    expect([counts(server), outcomes()]).toEqual([[5, 1], { written: 6 }]);
  });

  it("treats it as the same event although its object was written in between", async () => {
    const { runtime, server, tell, start } = rig();
    start();
    tell("web");
    tell("web", "it happened", { regarding: pod("web", "2") });
    await runtime.clock.settle();
    expect(counts(server)).toEqual([2]);
  });

  it("refreshes it every thirty minutes while it continues", async () => {
    const { runtime, server, tell, start } = rig();
    start();
    for (let at = 0; at < 65; at++) {
      tell("web");
      await runtime.clock.advance(minute);
    }
    expect(server.requests.map((request) => request.split(" ")[0])).toEqual(["POST", "PATCH", "PATCH", "PATCH"]);
  });

  it("creates it again if it has expired on the server", async () => {
    const { runtime, server, tell, start } = rig();
    start();
    tell("web");
    await runtime.clock.settle();
    server.events.clear();
    tell("web");
    await runtime.clock.settle();
    expect(counts(server)).toEqual([2]);
  });

  it("sends one write if it occurred twice before the first write: no race between create and patch", async () => {
    const { runtime, server, tell, start } = rig();
    for (let times = 0; times < 7; times++) tell("web");
    start();
    await runtime.clock.settle();
    expect([server.requests, counts(server)]).toEqual([["POST shop"], [7]]);
  });

  it("writes each note on its own, and one combined event from the tenth note", async () => {
    const { runtime, server, tell, start } = rig();
    start();
    for (let index = 1; index <= 14; index++) {
      tell("web", `attempt ${index}`);
      await runtime.clock.settle();
    }
    expect(notes(server)).toEqual([
      ...Array.from({ length: 9 }, (_, index) => `attempt ${index + 1}`),
      "(combined from similar events): attempt 10",
    ]);
    await runtime.clock.advance(6 * minute);
    expect(counts(server)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 5]);
  });

  it("drops it as spam after 25 events of one reporter about one object (§9.27)", async () => {
    const { runtime, server, tell, start, outcomes } = rig();
    start();
    for (let index = 0; index < 40; index++) tell("web", "x", { reason: `Reason${index}` });
    tell("other");
    await runtime.clock.settle();
    expect([server.events.size, outcomes()]).toEqual([26, { spam: 15, written: 26 }]);
    await runtime.clock.advance(5 * minute);
    for (const reason of ["A", "B"]) tell("web", "x", { reason });
    await runtime.clock.settle();
    expect(server.events.size).toBe(27);
  });
});

describe("EventBroadcaster on a failing server", () => {
  it("never blocks a reconcile: drops the oldest events, counts them and logs once", async () => {
    const { runtime, server, tell, start, outcomes } = rig({ queueMax: 10 });
    server.fault = () => new Promise(() => undefined);
    start();
    for (let index = 0; index < 1000; index++) tell(`web-${index}`);
    await runtime.clock.settle();
    expect([outcomes(), server.requests.length]).toEqual([{ dropped: 990 }, 4]);
    expect(runtime.log.entries.filter(({ level }) => level === "warn")).toHaveLength(1);
  });

  it("forgets the event that has been quiet longest when there are too many, and counts what is lost", async () => {
    const { runtime, server, tell, start, outcomes } = rig({ series: { entriesMax: 1 } });
    for (const name of ["a", "a", "a", "b"]) tell(name);
    start();
    await runtime.clock.settle();
    expect([counts(server), outcomes()]).toEqual([[1], { dropped: 3, written: 1 }]);
  });

  it("logs again when the server had caught up and falls behind once more", async () => {
    const { runtime, tell, start } = rig({ queueMax: 10 });
    start();
    for (const round of [1, 2]) {
      for (let index = 0; index < 20; index++) tell(`web-${round}-${index}`);
      await runtime.clock.settle();
      expect(runtime.log.entries.filter(({ level }) => level === "warn")).toHaveLength(round);
    }
  });

  it("tries an event twelve times with growing delays, then gives it up", async () => {
    const { runtime, server, tell, start, outcomes } = rig();
    const at: number[] = [];
    server.fault = () => {
      at.push(runtime.clock.monotonic());
      return { lost: "before" };
    };
    start();
    tell("web");
    await runtime.clock.advance(60 * minute);
    const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect([at.length, outcomes()]).toEqual([12, { failed: 1 }]);
    for (const [index, pause] of pauses.entries()) {
      const least = Math.min(1000 * 2 ** index, 20_000);
      expect([pause >= least, pause <= least * 1.25 + 1]).toEqual([true, true]);
    }
  });

  it("does not delay other events because of one that fails", async () => {
    const { runtime, server, tell, start } = rig({ writersMax: 1 });
    server.fault = ({ body }) => (body.includes("bad-uid") ? { lost: "before" } : undefined);
    start();
    tell("bad");
    tell("good");
    await runtime.clock.advance(100);
    expect([...server.events.values()].map(({ regarding }) => regarding?.name)).toEqual(["good"]);
  });

  it("does not retry a rejected event", async () => {
    const { runtime, server, tell, start, outcomes } = rig();
    server.fault = () => ({ answer: statusResponse(newForbidden(resource, "", "no role")) });
    start();
    tell("web");
    await runtime.clock.advance(60 * minute);
    expect([server.requests, outcomes()]).toEqual([["POST shop"], { failed: 1 }]);
    expect(runtime.log.entries.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
      "writing an event failed, giving up",
    ]);
  });

  it("logs an event for a deleted namespace only at debug level", async () => {
    for (const status of [
      newNotFound(namespaces, "shop"),
      { ...newForbidden(resource, "web", "it ends"), details: { causes: [{ reason: "NamespaceTerminating" }] } },
    ]) {
      const { runtime, server, tell, start, outcomes } = rig();
      server.fault = () => ({ answer: statusResponse(status) });
      start();
      tell("web");
      await runtime.clock.advance(minute);
      expect([server.requests, outcomes()]).toEqual([["POST shop"], { failed: 1 }]);
      expect(runtime.log.entries.filter(({ level }) => level !== "debug")).toEqual([]);
    }
  });

  it("drops the events that wait for the same deleted namespace, and writes those of others", async () => {
    const { runtime, server, tell, start, outcomes } = rig({ writersMax: 1 });
    server.fault = ({ pathname }) =>
      pathname.includes("/shop/") ? { answer: statusResponse(newNotFound(namespaces, "shop")) } : undefined;
    for (let index = 0; index < 10; index++) tell(`web-${index}`);
    tell("other", "kept", { regarding: { apiVersion: "v1", kind: "Pod", namespace: "kept", name: "other" } });
    start();
    await runtime.clock.advance(minute);
    expect([server.requests, outcomes()]).toEqual([["POST shop", "POST kept"], { failed: 10, written: 1 }]);
  });

  it("pauses after a rejected event too", async () => {
    const { runtime, server, tell, start } = rig({ writersMax: 1, writeShare: 0.2 });
    server.fault = () =>
      new Promise((resolve) => void runtime.clock.timer(10, () => resolve({ answer: statusResponse(newForbidden(resource, "", "no")) })));
    for (let index = 0; index < 10; index++) tell(`web-${index}`);
    start();
    await runtime.clock.advance(99);
    expect(server.requests).toHaveLength(2);
  });

  it("warns about a server without the events API", async () => {
    const { runtime, server, tell, start } = rig();
    server.fault = () => ({ answer: statusResponse(newNotFound(resource, "")) });
    start();
    tell("web");
    await runtime.clock.advance(minute);
    expect(runtime.log.entries.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
      "writing an event failed, giving up",
    ]);
  });

  it("retries after a server error, not before the time the server asks for", async () => {
    for (const [status, waitMs] of [
      [newInternalError("x"), 1000],
      [newTooManyRequests("x", 30), 30_000],
    ] as const) {
      const { runtime, server, tell, start } = rig();
      server.fault = () => (server.requests.length === 1 ? { answer: statusResponse(status) } : undefined);
      start();
      tell("web");
      await runtime.clock.advance(waitMs - 1);
      expect(server.requests).toHaveLength(1);
      await runtime.clock.advance(waitMs / 4 + 1);
      expect(counts(server)).toEqual([1]);
    }
  });

  it("does not create an event twice when the response was lost", async () => {
    const { runtime, server, tell, start, outcomes } = rig();
    server.fault = () => (server.requests.length === 1 ? { lost: "after" } : undefined);
    start();
    tell("web");
    await runtime.clock.settle();
    tell("web");
    await runtime.clock.advance(minute);
    expect([counts(server), outcomes()]).toEqual([[2], { written: 2 }]);
  });

  it("limits a request by writeTimeoutMs", async () => {
    const { runtime, server, tell, start } = rig({ writeTimeoutMs: 500 });
    server.fault = () => (server.requests.length === 1 ? new Promise(() => undefined) : undefined);
    start();
    tell("web");
    await runtime.clock.advance(3000);
    expect(counts(server)).toEqual([1]);
  });

  it("retries after an invalid response, and finds the event on the server", async () => {
    const { runtime, server, tell, start } = rig();
    server.fault = () => (server.requests.length === 1 ? { answer: jsonResponse([], { status: 502 }) } : undefined);
    start();
    tell("web");
    await runtime.clock.advance(minute);
    expect(counts(server)).toEqual([1]);
  });
});

describe("EventBroadcaster shutdown", () => {
  it("writes what is left, including the last counts of series", async () => {
    const { runtime, server, tell, start, outcomes } = rig();
    const run = start();
    for (let times = 0; times < 10; times++) {
      tell("web");
      await runtime.clock.settle();
    }
    tell("late");
    run.stop();
    await runtime.clock.settle();
    await run.over;
    expect([counts(server), outcomes(), runtime.clock.pending]).toEqual([[10, 1], { written: 11 }, []]);
  });

  it("ends at flushTimeoutMs, and counts what is lost", async () => {
    const { runtime, server, tell, start, outcomes } = rig({ flushTimeoutMs: 2000 });
    server.fault = () => new Promise(() => undefined);
    const run = start();
    for (const name of ["a", "b", "c", "d", "e", "e", "e"]) tell(name);
    run.stop();
    let isOver = false;
    const over = run.over.then(() => (isOver = true));
    await runtime.clock.advance(1999);
    expect(isOver).toBe(false);
    await runtime.clock.advance(1);
    await over;
    expect([outcomes(), runtime.clock.pending]).toEqual([{ dropped: 7 }, []]);
    expect(runtime.log.entries.at(-1)).toMatchObject({ level: "warn", fields: { count: 7 } });
  });

  it("retries waiting events immediately, and only once", async () => {
    const { runtime, server, tell, start, outcomes } = rig();
    server.fault = () => ({ lost: "before" });
    const run = start();
    tell("web");
    await runtime.clock.settle();
    run.stop();
    await run.over;
    expect([server.requests.length, outcomes(), runtime.clock.pending]).toEqual([2, { failed: 1 }, []]);
  });

  it("ends as soon as nothing is left, before the timeout", async () => {
    const { runtime, server, broadcaster, tell, start } = rig();
    const answers: (() => void)[] = [];
    server.fault = () => new Promise((resolve) => answers.push(() => resolve(undefined)));
    const run = start();
    tell("web");
    await runtime.clock.settle();
    const flushed = broadcaster.flush();
    run.stop();
    await runtime.clock.settle();
    for (const answer of answers) answer();
    await runtime.clock.settle();
    expect([runtime.clock.pending, await flushed]).toEqual([[], 0]);
    await run.over;
  });

  it("drops events recorded afterwards, and counts them", async () => {
    const { tell, start, outcomes, server } = rig();
    const run = start();
    run.stop();
    await run.over;
    tell("web");
    expect([outcomes(), server.requests]).toEqual([{ dropped: 1 }, []]);
  });

  it("is final: run rejects a second call", async () => {
    const { broadcaster, start } = rig();
    const run = start();
    await expect(broadcaster.run(new AbortController().signal)).rejects.toThrow("can run only once");
    run.stop();
    await run.over;
  });
});

describe("EventBroadcaster.flush", () => {
  it("writes everything, including the counts of running series, while run continues", async () => {
    const { runtime, server, broadcaster, tell, start } = rig();
    start();
    for (let times = 0; times < 10; times++) {
      tell("web");
      await runtime.clock.settle();
    }
    expect([counts(server), await broadcaster.flush(), counts(server), await broadcaster.flush()]).toEqual([[2], 0, [10], 0]);
  });

  it("resolves with the number of unwritten events at the timeout", async () => {
    const { runtime, server, broadcaster, tell, start } = rig();
    server.fault = () => ({ lost: "before" });
    start();
    for (const name of ["a", "b", "c"]) tell(name);
    const flushed = broadcaster.flush({ timeoutMs: 1500 });
    await runtime.clock.advance(1500);
    expect(await flushed).toBe(3);
  });

  it("waits for run without busy looping", async () => {
    const { runtime, broadcaster, tell } = rig();
    tell("a");
    const flushed = broadcaster.flush();
    expect(runtime.clock.pending).toHaveLength(1);
    await runtime.clock.advance(5000);
    expect(await flushed).toBe(1);
  });

  it("rejects when its signal aborts", async () => {
    const { broadcaster, tell, runtime } = rig();
    tell("a");
    const controller = new AbortController();
    const flushed = broadcaster.flush({ signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(flushed).rejects.toThrow("enough");
    expect(runtime.clock.pending).toEqual([]);
  });
});
