import { getEventListeners } from "node:events";
import { ConfigMap } from "@drover/api/core/v1";
import { isOutcomeUnknown } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { Client } from "../verbs/client.ts";
import { clusterRig } from "../testing/cluster-rig.ts";
import { configMapServer } from "../testing/config-map-server.ts";
import type { Fault } from "../testing/fault.ts";
import { faultServer } from "../testing/fault-server.ts";
import { memoryHost } from "../testing/memory-host.ts";
import { textResponse } from "../testing/scripted-transport.ts";

const reason = new Error("not interested any more");

type Call = (client: Client, signal: AbortSignal) => Promise<unknown>;

/** Aborts after so many microtasks, and then clock ticks. Reports how the call ended and that nothing is left open. */
async function calledOff(call: Call, turns: number, faults: readonly (Fault | undefined)[]): Promise<"called off" | "done"> {
  const runtime = testRuntime();
  const objects = configMapServer();
  objects.put("a", {});
  const network = faultServer({ clock: runtime.clock, serve: objects.handle, faults });
  const { client, transport } = clusterRig({
    runtime,
    connect: network.connect,
    access: { credentials: { tokenFile: "/token" } },
    deps: { host: memoryHost({ "/token": "t" }), timeoutMs: 300_000, throttle: { qps: 1, burst: 1 } },
  });
  const controller = new AbortController();
  const outcome = call(client, controller.signal).then(
    () => "done" as const,
    (error: unknown) => error,
  );
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  if (turns > 400) await runtime.clock.advance((turns - 400) * 500);
  controller.abort(reason);
  const ended = await outcome;
  await runtime.clock.settle();
  expect(isOutcomeUnknown(ended)).toBe(false);
  if (ended !== "done") expect(ended).toBe(reason);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  expect([runtime.clock.pending, objects.watches()]).toEqual([[], 0]);
  expect(network.open()).toBeLessThanOrEqual(1);
  // The client still works.
  const next = client.get(ConfigMap, "a");
  await runtime.clock.runUntil(() => network.served.length > 0 && runtime.clock.pending.length === 0);
  await next;
  transport.close();
  expect(network.open()).toBe(0);
  return ended === "done" ? "done" : "called off";
}

const slow: Fault = { kind: "slow", bytes: 5, everyMs: 400 };
const busy: Fault = { kind: "answered", response: textResponse("busy", { status: 429, headers: { "retry-after": "2" } }) };

describe("C18: an abort at every point", () => {
  it.each<[string, Call, readonly (Fault | undefined)[]]>([
    ["a read", (client, signal) => client.get(ConfigMap, "a", { signal }), [busy, slow]],
    ["a write", (client, signal) => client.create(ConfigMap, { metadata: { name: "b" } }, { signal }), [busy, slow]],
    [
      "a list, page by page",
      async (client, signal) => {
        for await (const _ of client.listAll(ConfigMap, { signal }));
      },
      [{ kind: "late", byMs: 1500 }, slow],
    ],
    [
      "a watch",
      async (client, signal) => {
        for await (const _ of client.watch(ConfigMap, { resourceVersion: "0", signal }));
      },
      [{ kind: "late", byMs: 1500 }],
    ],
  ])("of %s: rejects with its own reason, leaves no timer, listener or connection, and the client still works", async (_, call, faults) => {
    const endings = new Set<string>();
    // Every third turn in short mode.
    for (let turns = 0; turns < 200; turns += process.env["DROVER_LONG"] === "1" ? 1 : 3) endings.add(await calledOff(call, turns, faults));
    for (let steps = 1; steps <= 40; steps++) endings.add(await calledOff(call, 400 + steps, faults));
    expect(endings).toContain("called off");
  });
});
