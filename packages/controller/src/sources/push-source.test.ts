import { objectKey } from "@drover/machinery";
import { metricValues, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { pushSource } from "./push-source.ts";
import { watchSource } from "./testing/source-rig.ts";

const [a, b, c] = [objectKey("a"), objectKey("b"), objectKey("c")];

describe("pushSource", () => {
  it("requests a pushed key from every watcher", async () => {
    const runtime = testRuntime();
    const source = pushSource("webhook", { runtime });
    const lives = [watchSource(source, runtime.clock), watchSource(source, runtime.clock)];
    source.push(a, { note: "push to main", priority: 2 });
    for (const life of lives)
      expect([life.requests, life.state.synced]).toEqual([
        [{ key: "a", priority: 2, cause: { type: "external", source: "webhook", note: "push to main" } }],
        1,
      ]);
    await lives[0]?.stop();
    source.push(b);
    expect(lives.map(({ keys }) => keys)).toEqual([["a"], ["a", "b"]]);
  });

  it("keeps events from before the start, the last per key, and delivers them to the first watcher before it has synced", () => {
    const runtime = testRuntime();
    const source = pushSource("webhook", { runtime });
    source.push(a, { note: "first" });
    source.push(b);
    source.push(a, { note: "second" });
    const order: string[] = [];
    void source.run(
      {
        request: (key, { cause }) => {
          order.push(`${key} ${cause.type === "external" ? String(cause.note) : ""}`);
        },
        synced: () => {
          order.push("synced");
        },
        waitingFor: () => undefined,
      },
      new AbortController().signal,
    );
    expect(order).toEqual(["a second", "b undefined", "synced"]);
    expect(watchSource(source, runtime.clock).keys).toEqual([]);
  });

  it("drops events without a watcher, logs once and counts them, and accepts events again for the next watcher", async () => {
    const runtime = testRuntime();
    const source = pushSource("webhook", { runtime });
    const life = watchSource(source, runtime.clock);
    const stopped = life.stop();
    source.push(a);
    source.push(b);
    await stopped;
    source.push(c);
    expect([life.keys, runtime.log.entries.length, metricValues(runtime.metrics, "drover_source_dropped_events_total")]).toEqual([
      [],
      1,
      { webhook: 3 },
    ]);
    expect(runtime.log.entries[0]).toMatchObject({
      level: "warn",
      fields: { source: "webhook", key: "a", why: "no controller watches this source any more" },
    });
    const next = watchSource(source, runtime.clock);
    source.push(c);
    expect(next.keys).toEqual(["c"]);
  });

  it("keeps events for at most keptMax keys", () => {
    const runtime = testRuntime();
    const source = pushSource("webhook", { runtime, keptMax: 2 });
    for (const key of [a, b, c, a]) source.push(key);
    expect([watchSource(source, runtime.clock).keys, runtime.log.entries.map(({ fields }) => fields["why"])]).toEqual([
      ["a", "b"],
      ["no controller watches this source yet, and 2 keys are already kept"],
    ]);
  });
});
