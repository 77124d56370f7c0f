import { newForbidden, newNotFound, objectKey } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { Expectations } from "@drover/patterns";
import { describe, expect, it } from "vitest";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import { echoServer } from "../testing/echo-server.ts";
import type { EchoServer } from "../testing/echo-server.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { placePods } from "./place-pods.ts";
import type { PlaceOutcome } from "./place-pods.ts";
import type { PodChanges } from "./pod-changes.ts";

const key = objectKey("web", "shop");
const nodes = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `n${index}`);
const forbidden = newForbidden({ group: "", resource: "pods" }, "", "exceeded quota");

async function placed(
  changes: Partial<PodChanges>,
  { refuse, burst = 250 }: { readonly refuse?: (what: string, count: number) => Status | undefined; readonly burst?: number } = {},
): Promise<{
  readonly server: EchoServer;
  readonly outcome: PlaceOutcome;
  readonly expectations: Expectations;
  readonly told: readonly string[];
}> {
  const server = echoServer(refuse);
  const expectations = new Expectations(server);
  const events = recordingEvents();
  const outcome = await placePods(
    daemonSet(),
    { nodes: [], deletions: [], ...changes },
    { control: { client: server.client, events, signal: new AbortController().signal }, expectations, burst, hash: "abc" },
  );
  return { server, outcome, expectations, told: events.told };
}

describe("placePods", () => {
  it("creates pods for their nodes and sets expectations", async () => {
    const { server, outcome, expectations } = await placed({ nodes: ["n1", "n2"], deletions: [daemonPod()] });
    expect(outcome).toEqual({});
    expect(server.requests()).toEqual(["POST pods", "POST pods", "DELETE pods/n1-new"]);
    expect(
      server.asked
        .slice(0, 2)
        .map(({ body }) => JSON.stringify(body).includes('"matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}]')),
    ).toEqual([true, false]);
    expect(server.asked[0]?.body.metadata).toMatchObject({
      generateName: "web-",
      labels: { "controller-revision-hash": "abc" },
      ownerReferences: [{ kind: "DaemonSet", uid: "web-uid", controller: true }],
    });
    expect(expectations.satisfied(key)).toBe(false);
    for (const _ of [1, 2]) expectations.creationObserved(key);
    expect(expectations.satisfied(key)).toBe(false);
    expectations.deletionObserved(key, "shop/n1-new");
    expect(expectations.satisfied(key)).toBe(true);
  });

  it("creates at most one burst", async () => {
    const { server } = await placed({ nodes: nodes(20), deletions: nodes(20).map((on) => daemonPod({ on })) }, { burst: 5 });
    expect(server.requests().filter((what) => what === "POST pods")).toHaveLength(5);
    expect(server.requests().filter((what) => what.startsWith("DELETE"))).toHaveLength(5);
  });

  it("stops after refused creates and lowers the expectations", async () => {
    const { server, outcome, expectations, told } = await placed({ nodes: nodes(20) }, { refuse: () => forbidden });
    expect(server.requests()).toEqual(["POST pods"]);
    expect(outcome).toMatchObject({ error: { message: expect.stringContaining("exceeded quota") as string } });
    expect(expectations.satisfied(key)).toBe(true);
    expect(told).toEqual([expect.stringContaining("Warning FailedCreate Error creating:")]);
  });

  it("deletes pods although creates failed; a pod that is gone is no failure", async () => {
    const { server, outcome, expectations } = await placed(
      { nodes: ["n1"], deletions: [daemonPod()] },
      { refuse: (what) => (what === "POST pods" ? forbidden : newNotFound({ group: "", resource: "pods" }, "n1-new")) },
    );
    expect(server.requests()).toEqual(["POST pods", "DELETE pods/n1-new"]);
    expect("error" in outcome).toBe(true);
    expect(expectations.satisfied(key)).toBe(true);
    expect(
      (await placed({ deletions: [daemonPod()] }, { refuse: () => newNotFound({ group: "", resource: "pods" }, "n1-new") })).outcome,
    ).toEqual({});
  });

  it("leaves expectations alone when there is nothing to do", async () => {
    const server = echoServer();
    const expectations = new Expectations(server);
    expectations.expectCreations(key, 1);
    await placePods(
      daemonSet(),
      { nodes: [], deletions: [] },
      {
        control: { client: server.client, events: recordingEvents(), signal: new AbortController().signal },
        expectations,
        burst: 1,
        hash: "",
      },
    );
    expect(expectations.satisfied(key)).toBe(false);
  });
});
