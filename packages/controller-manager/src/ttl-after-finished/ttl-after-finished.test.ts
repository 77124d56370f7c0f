import type { Job } from "@drover/api/batch/v1";
import { newConflict, newNotFound, objectKey } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { syncedInformer } from "../testing/synced-informer.ts";
import { echoServer } from "../testing/echo-server.ts";
import type { EchoServer } from "../testing/echo-server.ts";
import { idleContext } from "../testing/idle-context.ts";
import { job } from "../testing/cron-job-objects.ts";
import { ago } from "../testing/workload-objects.ts";
import { deleteWhenOver, ttlAfterFinishedController } from "./ttl-after-finished.ts";

const over = job({ end: "Complete", ttl: 10, endTime: ago(10) });
const look = async (server: EchoServer, cached: DeepReadonly<Job> = over): ReturnType<typeof deleteWhenOver> =>
  deleteWhenOver({ key: objectKey("report-1", "shop"), client: server.client }, await syncedInformer<Job>(cached), server.clock);
const serverWith = (live: DeepReadonly<Job> | undefined, refuse?: Parameters<typeof echoServer>[0]): EchoServer => {
  const server = echoServer(refuse);
  if (live !== undefined) server.objects.set("jobs/report-1", live);
  return server;
};

describe("deleteWhenOver", () => {
  it("deletes the Job by uid, its pods first", async () => {
    const server = serverWith(over);
    expect(await look(server)).toEqual({ type: "done" });
    expect(server.requests()).toEqual(["GET jobs/report-1", "DELETE jobs/report-1"]);
    expect(server.asked[1]?.body).toMatchObject({ propagationPolicy: "Foreground", preconditions: { uid: "report-1-uid" } });
  });

  it("requeues for the TTL without a request", async () => {
    const server = serverWith(over);
    expect(await look(server, job({ end: "Complete", ttl: 10, endTime: ago(4) }))).toEqual({ type: "after", afterMs: 6000 });
    expect(server.requests()).toEqual([]);
  });

  it("follows the server when the cache lags: a longer TTL, none, or no Job", async () => {
    expect(await look(serverWith(job({ end: "Complete", ttl: 20, endTime: ago(10) })))).toEqual({ type: "after", afterMs: 10_000 });
    for (const live of [job({ end: "Complete" }), undefined]) {
      const server = serverWith(live);
      expect(await look(server)).toEqual({ type: "done" });
      expect(server.requests()).toEqual(["GET jobs/report-1"]);
    }
  });

  it("ignores a Job that is gone, and fails when it was replaced by a namesake", async () => {
    const refusing = (status: ReturnType<typeof newNotFound>): EchoServer =>
      serverWith(over, (what) => (what.startsWith("DELETE") ? status : undefined));
    expect(await look(refusing(newNotFound({ group: "batch", resource: "jobs" }, "report-1")))).toEqual({ type: "done" });
    await expect(look(refusing(newConflict({ group: "batch", resource: "jobs" }, "report-1", "another uid")))).rejects.toThrow(
      "another uid",
    );
  });
});

describe("ttlAfterFinishedController", () => {
  it("has upstream's names, watches Jobs, and declares its permissions", () => {
    const { context, controllers } = idleContext();
    ttlAfterFinishedController.add(context);
    expect([ttlAfterFinishedController.name, ttlAfterFinishedController.aliases]).toEqual([
      "ttl-after-finished-controller",
      ["ttl-after-finished"],
    ]);
    expect(controllers[0]?.needs.map(({ resource, verbs }) => [resource, ...verbs].join(" "))).toEqual([
      "jobs delete get",
      "jobs list watch",
    ]);
  });
});
