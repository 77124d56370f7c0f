import { createTape } from "@drover/controller";
import type { Cause } from "@drover/controller";
import type { ObjectKey } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { tracedTape } from "./traced-tape.ts";
import type { TraceApi, TraceSpan, TraceSpanOptions } from "./traced-tape.ts";

interface Sent {
  readonly id: string;
  readonly name: string;
  readonly parent: string | undefined;
  readonly options: TraceSpanOptions;
  endTime?: number | undefined;
  status?: string | undefined;
}

function rig(breaks = false) {
  const sent: Sent[] = [];
  const startSpan = (name: string, options: TraceSpanOptions = {}, context?: unknown): TraceSpan => {
    if (breaks) throw new Error("exporter is down");
    const span: Sent = { id: String(sent.length), name, options, parent: (context as { parent?: string } | undefined)?.parent };
    sent.push(span);
    return {
      spanContext: () => ({ traceId: "t", spanId: span.id, traceFlags: 1 }),
      setAttribute: () => undefined,
      setStatus: ({ message }) => void (span.status = message),
      end: (at) => void (span.endTime = at),
    };
  };
  const api: TraceApi = {
    trace: {
      getTracer: () => ({ startSpan }),
      setSpan: (_context, span: TraceSpan) => ({ parent: span.spanContext().spanId }),
    },
    context: { active: () => ({}) },
  };
  const clock = new ManualClock();
  const tape = tracedTape(createTape(testRuntime({ clock })), api);
  let runs = 0;
  const begin = (...causes: readonly Cause[]) =>
    tape.begin({
      run: `r${++runs}`,
      controller: "web",
      key: "shop/a" as ObjectKey,
      causes,
      causeCount: causes.length,
      attempts: 0,
      waitedMs: 0,
    });
  return { sent, clock, tape, begin };
}

const linksOf = ({ options: { links = [] } }: Sent): readonly string[] => links.map(({ context }) => context.spanId);
const seen = (uid: string, resourceVersion: string): Cause =>
  ({
    type: "change",
    via: "self",
    kind: { group: "", kind: "Pod" },
    cluster: "",
    change: { type: "updated", uid, resourceVersion, key: "shop/a" },
  }) as unknown as Cause;

describe("tracedTape", () => {
  it("sends a span for a run and a child for each request, with their times, and records both", async () => {
    const { sent, clock, tape, begin } = rig();
    const startedAt = clock.now();
    const run = begin();
    run.call({ method: "PATCH", path: "/api/v1/pods/a", atMs: 5, tookMs: 10, status: 409, error: "changed" });
    await clock.advance(20);
    run.end({ type: "done" });
    expect(sent).toMatchObject([
      {
        name: "reconcile web",
        parent: undefined,
        endTime: startedAt + 20,
        options: { startTime: startedAt, attributes: { "drover.key": "shop/a" } },
      },
      {
        name: "PATCH",
        parent: "0",
        endTime: startedAt + 15,
        status: "changed",
        options: { startTime: startedAt + 5, attributes: { "http.response.status_code": 409 } },
      },
    ]);
    expect(tape.runs()).toHaveLength(1);
  });

  it("links a run to the runs that it retries, that enqueued it, and whose writes it reacts to", () => {
    const { sent, begin } = rig();
    const first = begin();
    first.call({ method: "PUT", path: "/x", atMs: 0, tookMs: 1, status: 200, wrote: { uid: "u", resourceVersion: "7" } });
    first.end({ type: "retry", error: "no", isConflict: false });
    begin({ type: "retry", attempt: 1, error: "no", run: "r1", isConflict: false }, seen("u", "7"), seen("u", "8"));
    begin({ type: "enqueue", parent: { controller: "web", key: "shop/a" as ObjectKey, run: "r2" } });
    begin({ type: "after", afterMs: 5, run: "unknown" });
    expect([sent[0]?.status, ...sent.filter(({ name }) => name === "reconcile web").map(linksOf)]).toEqual(["no", [], ["0"], ["2"], []]);
  });

  it("forgets the oldest spans, and so keeps at most 10,000", () => {
    const { sent, begin } = rig();
    for (let index = 0; index < 10_001; index++) begin();
    begin({ type: "after", afterMs: 1, run: "r1" }, { type: "after", afterMs: 1, run: "r10001" });
    expect(linksOf(sent.at(-1) as Sent)).toEqual(["10000"]);
  });

  it("records runs although the exporter fails", () => {
    const { tape, begin } = rig(true);
    begin().end({ type: "done" });
    expect(tape.runs()).toHaveLength(1);
  });
});
