import { newForbidden, newNotFound } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { echoServer } from "../testing/echo-server.ts";
import type { EchoServer } from "../testing/echo-server.ts";
import { job, jobPod } from "./testing/running-job.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { deletePods, freePod } from "./delete-pods.ts";
import type { DeletedPods } from "./delete-pods.ts";
import { uidOf } from "./job-picture.ts";
import { trackingFinalizer } from "./job-view.ts";

const pods = { group: "", resource: "pods" };
const both = [jobPod({ name: "a", isReady: true }), jobPod({ name: "b" })];

async function deleted(
  areCounted: boolean,
  refuse?: (what: string) => Status | undefined,
): Promise<DeletedPods & { readonly server: EchoServer }> {
  const server = echoServer(refuse);
  return {
    server,
    ...(await deletePods(
      job(),
      both,
      { client: server.client, events: recordingEvents(), signal: new AbortController().signal },
      areCounted,
    )),
  };
}

describe("deletePods", () => {
  it("keeps the finalizer of pods that are to be counted", async () => {
    const { server, ...result } = await deleted(true);
    expect([server.requests(), result]).toEqual([["DELETE pods/a", "DELETE pods/b"], { count: 2, ready: 1, unseen: [] }]);
  });

  it("J011: removes the finalizer first from pods that are not", async () => {
    const { server } = await deleted(false);
    expect(server.requests().toSorted()).toEqual(["DELETE pods/a", "DELETE pods/b", "PATCH pods/a", "PATCH pods/b"]);
    expect(server.requests().indexOf("PATCH pods/a")).toBeLessThan(server.requests().indexOf("DELETE pods/a"));
  });

  it("counts pods that are gone as deleted, and keeps those that the server refuses to delete", async () => {
    const gone = await deleted(false, (what) => (what.endsWith("/a") ? newNotFound(pods, "a") : undefined));
    expect([gone.count, gone.ready, gone.unseen.map(uidOf), "error" in gone]).toEqual([2, 1, ["a"], false]);
    const refused = await deleted(true, (what) => (what.endsWith("/a") ? newForbidden(pods, "a", "no") : undefined));
    expect([refused.count, refused.ready, refused.unseen.map(uidOf)]).toEqual([1, 0, ["a"]]);
    expect(refused.error).toMatchObject({ message: expect.stringContaining("no") as string });
  });
});

describe("freePod", () => {
  it("removes the finalizer from the very pod, and with onlyAsSeen only from the observed version", async () => {
    const server = echoServer();
    await freePod(jobPod({ name: "a" }), server.client);
    await freePod(jobPod({ name: "a" }), server.client, { onlyAsSeen: true });
    const base = { uid: "a", "$deleteFromPrimitiveList/finalizers": [trackingFinalizer] };
    expect(server.asked.map(({ body }) => body.metadata)).toEqual([base, { ...base, resourceVersion: "1" }]);
  });
});
