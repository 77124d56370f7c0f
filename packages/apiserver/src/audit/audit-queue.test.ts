import { createMetrics, prometheusText } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuditRecord, AuditSink } from "./audit-event.ts";
import { AuditQueue, auditBytes, auditEvents } from "./audit-queue.ts";

const record = (line: string): AuditRecord => ({ line, event: () => expect.fail("not parsed") });

function queueTo(sink: AuditSink): { readonly queue: AuditQueue; readonly counted: (metric: string) => string | undefined } {
  const metrics = createMetrics();
  const { log } = testRuntime();
  const counted = (metric: string): string | undefined =>
    prometheusText(metrics)
      .split("\n")
      .find((line) => line.startsWith(metric))
      ?.slice(metric.length + 1);
  return { queue: new AuditQueue({ sink, log, metrics }), counted };
}

/** A sink whose calls end when the test says so. */
function slowSink(): { readonly sink: AuditSink; readonly calls: string[][]; readonly end: (error?: Error) => void } {
  const calls: string[][] = [];
  let ends: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  const sink: AuditSink = {
    write: (records) => {
      if (ends !== undefined) expect.fail("called twice at a time");
      calls.push(records.map(({ line }) => line));
      return new Promise((resolve, reject) => {
        ends = { resolve, reject };
      });
    },
  };
  const end = (error?: Error): void => {
    const { resolve, reject } = ends ?? expect.fail("no call");
    ends = undefined;
    if (error === undefined) resolve();
    else reject(error);
  };
  return { sink, calls, end };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("AuditQueue", () => {
  it("hands over what has gathered while the sink was busy, in order", async () => {
    const { sink, calls, end } = slowSink();
    const { queue } = queueTo(sink);
    queue.push(record("a"));
    await turn();
    queue.push(record("b"));
    queue.push(record("c"));
    await turn();
    expect(calls).toEqual([["a"]]);
    end();
    await turn();
    expect(calls).toEqual([["a"], ["b", "c"]]);
    end();
    await queue.flush();
  });

  it("drops events beyond its limit of items, counts them, and goes on when the sink does", async () => {
    const { sink, calls, end } = slowSink();
    const { queue, counted } = queueTo(sink);
    queue.push(record("first"));
    await turn();
    for (let index = 0; index < auditEvents.limit + 3; index++) queue.push(record(String(index)));
    expect(counted("apiserver_audit_event_total")).toBe(String(auditEvents.limit + 4));
    expect(counted('apiserver_audit_error_total{plugin="buffered"}')).toBe("3");
    expect(counted('drover_budget_exceeded_total{budget="apiserver/audit-events"}')).toBe("3");
    for (const flushed = queue.flush().then(() => true); ;) {
      end();
      if ((await Promise.race([flushed, turn()])) === true) break;
    }
    expect(calls.flat()).toHaveLength(auditEvents.limit + 1);
    expect(Math.max(...calls.map((call) => call.length))).toBe(400);
  });

  it("drops events beyond its limit of bytes", async () => {
    const { sink, end } = slowSink();
    const { queue, counted } = queueTo(sink);
    const line = "x".repeat(auditBytes.limit / 2);
    for (let index = 0; index < 3; index++) queue.push(record(line));
    expect(counted('apiserver_audit_error_total{plugin="buffered"}')).toBe("1");
    await turn();
    end();
    await queue.flush();
    queue.push(record(line));
    expect(counted('apiserver_audit_error_total{plugin="buffered"}')).toBe("1");
  });

  it("counts the events of a failing sink as lost, and calls it again", async () => {
    const lines: string[] = [];
    let isBroken = true;
    const { queue, counted } = queueTo({
      write: (records) => {
        if (isBroken) throw new Error("disk full");
        lines.push(...records.map(({ line }) => line));
      },
    });
    queue.push(record("a"));
    queue.push(record("b"));
    await queue.flush();
    isBroken = false;
    queue.push(record("c"));
    await queue.flush();
    expect([lines, counted('apiserver_audit_error_total{plugin="log"}')]).toEqual([["c"], "2"]);
  });

  it("loses nothing and keeps the order however pushes and calls interleave", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 40 }), async (steps) => {
        const lines: string[] = [];
        const { queue } = queueTo({
          write: async (records) => {
            for (let wait = 0; wait < records.length % 3; wait++) await Promise.resolve();
            lines.push(...records.map(({ line }) => line));
          },
        });
        let pushed = 0;
        for (const step of steps) {
          if (step === 0) await Promise.resolve();
          else for (let count = 0; count < step; count++) queue.push(record(String(pushed++)));
        }
        await queue.flush();
        expect(lines).toEqual(Array.from({ length: pushed }, (_, index) => String(index)));
      }),
    );
  });
});
