import { createMetrics, prometheusText, sleep } from "@drover/machinery";
import type { Clock, HttpResponse, MetricsRegistry } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { RequestWatch } from "./request-watch.ts";

const ok: HttpResponse = { status: 200, headers: {}, body: "" };
const request = {
  method: "POST",
  path: "/apis/apps/v1/namespaces/default/deployments/web/scale?x=1",
  headers: { "user-agent": "kubectl/v1.36" },
} as const;

interface Scene {
  readonly watch: RequestWatch;
  readonly manual: ManualClock;
  readonly clock: Clock;
  readonly metrics: MetricsRegistry;
  /** Advances the time in one synchronous stretch. */
  readonly block: (ms: number) => void;
  readonly lines: () => readonly object[];
}

function scene(): Scene {
  const manual = new ManualClock();
  let blockedMs = 0;
  const clock: Clock = {
    now: () => manual.now() + blockedMs,
    monotonic: () => manual.monotonic() + blockedMs,
    timer: (delayMs, callback) => manual.timer(delayMs, callback),
  };
  const { log } = testRuntime({ clock: manual });
  const metrics = createMetrics();
  return {
    watch: new RequestWatch({ clock, log, metrics }),
    manual,
    clock,
    metrics,
    block: (ms) => void (blockedMs += ms),
    lines: () => log.entries.map(({ fields }) => fields),
  };
}

const counted = (metrics: MetricsRegistry): string | undefined =>
  /drover_event_loop_blocked_total\{controller="apiserver"\} (\d+)/.exec(prometheusText(metrics))?.[1];

describe("RequestWatch", () => {
  it("names a request that blocks the event loop, before or after it waits", async () => {
    for (const waits of [false, true]) {
      const { watch, manual, clock, block, lines, metrics } = scene();
      const served = watch.serve(async () => {
        if (waits) await sleep(clock, 10);
        block(60);
        return ok;
      }, request);
      await manual.advance(10);
      expect(await served).toBe(ok);
      expect([lines(), counted(metrics)]).toEqual([
        [
          {
            verb: "create",
            resource: "deployments/scale.apps",
            object: "default/web",
            userAgent: "kubectl/v1.36",
            blockedMs: expect.any(Number) as number,
          },
        ],
        "1",
      ]);
      await manual.advance(100);
      expect(manual.pending).toEqual([]);
    }
  });

  it("writes one line a minute, and counts every block", async () => {
    const { watch, manual, block, lines, metrics } = scene();
    for (let n = 0; n < 5; n++) {
      await watch.serve(() => {
        block(60);
        return Promise.resolve(ok);
      }, request);
      await manual.advance(100);
    }
    expect([lines().length, counted(metrics)]).toEqual([1, "5"]);
  });

  it("says nothing of short requests, passes errors on, and names paths that are no resources", async () => {
    const { watch, manual, block, lines } = scene();
    await watch.serve(() => {
      block(20);
      return Promise.resolve(ok);
    }, request);
    await expect(watch.serve(() => Promise.reject(new Error("broken")), request)).rejects.toThrow("broken");
    await manual.advance(100);
    expect([lines(), manual.pending]).toEqual([[], []]);
    await watch.serve(
      () => {
        block(60);
        return Promise.resolve(ok);
      },
      { method: "GET", path: "/openapi/v2", headers: {} },
    );
    expect(lines()).toEqual([{ verb: "get", path: "/openapi/v2", userAgent: "", blockedMs: 60 }]);
  });
});
