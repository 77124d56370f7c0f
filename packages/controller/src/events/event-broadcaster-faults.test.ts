import { newForbidden, newInternalError, newNotFound } from "@drover/machinery";
import { metricValues, testRuntime } from "@drover/machinery/testing";
import { statusResponse } from "@drover/client/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventServer } from "../testing/event-server.ts";
import type { EventFault } from "../testing/event-server.ts";
import { createEventBroadcaster } from "./event-broadcaster.ts";

const refused = statusResponse(newForbidden({ group: "events.k8s.io", resource: "events" }, "", "no"));
const faults: Readonly<Record<string, EventFault | undefined>> = {
  none: undefined,
  before: { lost: "before" },
  after: { lost: "after" },
  refused: { answer: refused },
  gone: { answer: statusResponse(newNotFound({ group: "", resource: "namespaces" }, "shop")) },
  broken: { answer: statusResponse(newInternalError("x")) },
};

const step = fc.record({
  name: fc.constantFrom("a", "b", "c"),
  reason: fc.constantFrom("R", "S"),
  note: fc.constantFrom("1", "2", "3", "4"),
  times: fc.integer({ min: 0, max: 4 }),
  waitMs: fc.constantFrom(0, 0, 10, 3000, 61_000, 400_000),
  fault: fc.constantFrom("none", "none", "before", "after", "refused", "gone", "broken"),
  forgets: fc.boolean(),
});

describe("EventBroadcaster on a faulty server", () => {
  it("counts every event under exactly one outcome, and never writes more occurrences than there were", async () => {
    const numRuns = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 25) + 20;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 6 }), async (steps, queueMax) => {
        const runtime = testRuntime();
        const server = eventServer();
        const broadcaster = createEventBroadcaster({
          ...runtime,
          client: server.client(runtime),
          queueMax,
          writersMax: 2,
          triesMax: 3,
          series: { entriesMax: 3 },
          aggregation: { similarMax: 3 },
          spam: { burst: 6, refillMs: 60_000 },
        });
        const recorder = broadcaster.recorder({ controller: "web", instance: "web-1" });
        const controller = new AbortController();
        const over = broadcaster.run(controller.signal);
        let told = 0;
        let lostAnswers = 0;
        for (const { name, reason, note, times, waitMs, fault, forgets } of steps) {
          server.fault = () => {
            if (fault === "after") lostAnswers++;
            return faults[fault];
          };
          if (forgets) server.events.clear();
          for (let time = 0; time < times; time++, told++) {
            recorder.eventf({
              regarding: { apiVersion: "v1", kind: "Pod", namespace: "shop", name },
              type: "Normal",
              reason,
              action: "A",
              note,
            });
          }
          await runtime.clock.advance(waitMs);
        }
        controller.abort();
        await runtime.clock.advance(5000);
        await over;
        const outcomes = metricValues(runtime.metrics, "events_outcomes_total");
        const total = Object.values(outcomes).reduce((sum, value) => sum + value, 0);
        expect([
          metricValues(runtime.metrics, "events_recorded_total")[""] ?? 0,
          total,
          metricValues(runtime.metrics, "events_queue_depth"),
          runtime.clock.pending,
        ]).toEqual([told, told, {}, []]);
        if (lostAnswers === 0 && !steps.some(({ forgets }) => forgets)) {
          expect(server.occurrences()).toBe(outcomes["written"] ?? 0);
        }
        expect(server.occurrences()).toBeLessThanOrEqual(told);
      }),
      { numRuns },
    );
  });
});
