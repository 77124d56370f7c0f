import { newConflict } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { daemonSet } from "../testing/daemon-set-objects.ts";
import { echoServer } from "../testing/echo-server.ts";
import { writeDaemonSetStatus } from "./write-daemon-set-status.ts";

const counts = {
  currentNumberScheduled: 1,
  desiredNumberScheduled: 2,
  numberAvailable: 0,
  numberMisscheduled: 0,
  numberReady: 0,
  numberUnavailable: 2,
  updatedNumberScheduled: 1,
};
const conflict = newConflict({ group: "apps", resource: "daemonsets" }, "web", "changed");

describe("writeDaemonSetStatus", () => {
  it("writes nothing without a change; an absent count is zero", async () => {
    const server = echoServer();
    await writeDaemonSetStatus(
      server.client,
      daemonSet({
        status: {
          currentNumberScheduled: 1,
          desiredNumberScheduled: 2,
          numberUnavailable: 2,
          updatedNumberScheduled: 1,
          observedGeneration: 1,
        },
      }),
      { ...counts, observedGeneration: 1 },
    );
    expect(server.requests()).toEqual([]);
  });

  it("leaves fields it does not count as they are", async () => {
    const server = echoServer();
    await writeDaemonSetStatus(server.client, daemonSet({ status: { observedGeneration: 4, collisionCount: 3 } }), counts);
    expect(server.asked).toMatchObject([
      { what: "PUT daemonsets/web/status", body: { status: { ...counts, observedGeneration: 4, collisionCount: 3 } } },
    ]);
  });

  it("retries once on the server's current object, then fails", async () => {
    const server = echoServer((what) => (what.startsWith("PUT") ? conflict : undefined));
    server.objects.set("daemonsets/web", daemonSet({ generation: 7 }));
    await expect(writeDaemonSetStatus(server.client, daemonSet(), { ...counts, observedGeneration: 1 })).rejects.toThrow("changed");
    expect(server.requests()).toEqual(["PUT daemonsets/web/status", "GET daemonsets/web", "PUT daemonsets/web/status"]);
    expect(server.asked[2]?.body).toMatchObject({ metadata: { generation: 7 }, status: { observedGeneration: 1 } });
  });
});
