import { newConflict } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { echoServer } from "../testing/echo-server.ts";
import { replicaSet } from "../testing/workload-objects.ts";
import { writeReplicaSetStatus } from "./write-replica-set-status.ts";

const status = { replicas: 2, observedGeneration: 1 };
const conflict = newConflict({ group: "apps", resource: "replicasets" }, "web", "changed");

describe("writeReplicaSetStatus", () => {
  it("writes nothing without a change", async () => {
    const server = echoServer();
    const same = replicaSet({ status });
    expect(await writeReplicaSetStatus(server.client, same, status)).toBe(same);
    expect(server.requests()).toEqual([]);
  });

  it("retries once on the server's object, with the observed generation", async () => {
    const server = echoServer((_what, count) => (count === 1 ? conflict : undefined));
    server.objects.set("replicasets/web", replicaSet({ generation: 7, version: "99" }));
    await writeReplicaSetStatus(server.client, replicaSet(), status);
    expect(server.requests()).toEqual(["PUT replicasets/web/status", "GET replicasets/web", "PUT replicasets/web/status"]);
    expect(server.asked[2]?.body).toMatchObject({ metadata: { resourceVersion: "99" }, status: { observedGeneration: 1 } });
  });

  it("R013: fails after one GET and two updates", async () => {
    const server = echoServer((what) => (what.startsWith("PUT") ? conflict : undefined));
    server.objects.set("replicasets/web", replicaSet());
    await expect(writeReplicaSetStatus(server.client, replicaSet(), status)).rejects.toThrow("changed");
    expect(server.requests()).toEqual(["PUT replicasets/web/status", "GET replicasets/web", "PUT replicasets/web/status"]);
  });
});
