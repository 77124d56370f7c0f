import { createRandom } from "@drover/machinery";
import type { HttpRequest } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { electionNetwork } from "./election-network.ts";
import type { Weather } from "./election-network.ts";
import { MachineClock } from "./machine-clock.ts";

function rig(weather: Weather) {
  const truth = new ManualClock();
  const machine = new MachineClock(truth, { rate: 1, monotonicMs: 0, wallAheadMs: 0 });
  const seen: string[] = [];
  const handle = (request: HttpRequest) => (seen.push(`${request.method} arrived`), { status: 200, headers: {}, body: "" });
  const transport = electionNetwork({
    truth,
    machine,
    random: createRandom(1),
    weather,
    handle,
    onSent: (request) => void seen.push(`${request.method} sent`),
  });
  const send = (method: string, more: Partial<HttpRequest> = {}): void => {
    transport({ method, path: "/", headers: {}, ...more }).then(
      () => seen.push(`${method} answered`),
      () => seen.push(`${method} failed`),
    );
  };
  return { truth, machine, seen, send };
}

describe("election network", () => {
  it("delivers a request and its response to a machine that is awake", async () => {
    const { truth, machine, seen, send } = rig({ cut: "none", answersLost: 0, delayMaxMs: 100 });
    send("PUT");
    await truth.advance(300);
    expect(seen).toEqual(["PUT sent", "PUT arrived", "PUT answered"]);
    send("GET");
    machine.pause("stopped");
    await truth.advance(300);
    expect(seen).not.toContain("GET answered");
    machine.resume();
    await truth.advance(300);
    expect(seen.at(-1)).toBe("GET answered");
  });

  it("loses requests or responses as configured", async () => {
    const cut = rig({ cut: "writes", answersLost: 0, delayMaxMs: 10 });
    cut.send("PUT");
    cut.send("GET");
    await cut.truth.advance(100);
    expect([cut.seen.includes("PUT arrived"), cut.seen.includes("GET answered")]).toEqual([false, true]);
    const deaf = rig({ cut: "none", answersLost: 1, delayMaxMs: 10 });
    deaf.send("PUT");
    await deaf.truth.advance(100);
    expect([deaf.seen.includes("PUT arrived"), deaf.seen.includes("PUT answered")]).toEqual([true, false]);
  });

  it("delivers what was sent, even if the sender aborted it or is dead", async () => {
    const { truth, machine, seen, send } = rig({ cut: "none", answersLost: 0, delayMaxMs: 100 });
    const controller = new AbortController();
    send("PUT", { signal: controller.signal });
    await truth.runUntil(() => seen.includes("PUT sent"));
    controller.abort();
    machine.kill();
    await truth.advance(300);
    expect(seen).toEqual(["PUT sent", "PUT failed", "PUT arrived"]);
  });

  it("sends nothing of a request that onSent refuses", async () => {
    const { truth, seen, send } = rig({ cut: "none", answersLost: 0, delayMaxMs: 100 });
    send("PUT", {
      onSent: (sent) => {
        if (sent === "maybe") throw new Error("no");
      },
    });
    await truth.advance(300);
    expect(seen).toEqual(["PUT failed"]);
  });
});
