import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { probe } from "./probe.ts";
import { runProbes } from "./run-probes.ts";
import type { ProbeTarget } from "./session.ts";

function remembering(): { readonly target: ProbeTarget; readonly asked: string[] } {
  const asked: string[] = [];
  const handle = ({ method, path }: HttpRequest): Promise<HttpResponse> => {
    asked.push(`${method} ${path}`);
    return Promise.resolve({ status: 200, headers: {}, body: "{}" });
  };
  return { target: { handle, compact: () => Promise.resolve() }, asked };
}

describe("runProbes", () => {
  it("creates a namespace for each probe, and deletes it", async () => {
    const { target, asked } = remembering();
    await runProbes([probe("P1 asks", async (s) => void (await s.get(s.in("pods"))))], target);
    expect(asked).toEqual(["POST /api/v1/namespaces", "GET /api/v1/namespaces/p1/pods", "DELETE /api/v1/namespaces/p1"]);
  });

  it("runs those that must be alone first, one after the other", async () => {
    const { target } = remembering();
    const order: string[] = [];
    const named = (name: string, alone: boolean): ReturnType<typeof probe> =>
      probe(
        name,
        async (s) => {
          order.push(`${name} begins`);
          await s.get("/x");
          order.push(`${name} ends`);
        },
        { alone },
      );
    await runProbes([named("P1", false), named("P2", true), named("P3", true)], target);
    expect(order).toEqual(["P2 begins", "P2 ends", "P3 begins", "P3 ends", "P1 begins", "P1 ends"]);
  });

  it("records that a probe failed, and continues with the others", async () => {
    const { target } = remembering();
    const recording = await runProbes(
      [probe("P1 fails", () => Promise.reject(new Error("no answer"))), probe("P2 works", async (s) => void (await s.get("/x")))],
      target,
      { parallel: 1 },
    );
    expect(recording.get("P1 fails")).toEqual([{ fact: "the probe failed", value: "no answer" }]);
    expect(recording.get("P2 works")).toHaveLength(1);
  });
});
