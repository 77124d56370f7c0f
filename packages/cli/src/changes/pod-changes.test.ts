import type { Pod } from "@drover/api/core/v1";
import { expect, it } from "vitest";
import { podChanges } from "./pod-changes.ts";

const pod = (status: Pod["status"] = {}, nodeName: string | undefined = "node-2"): Pod => ({
  metadata: { namespace: "shop", name: "web" },
  spec: { containers: [], ...(nodeName === undefined ? {} : { nodeName }) },
  status,
});
const reported = (before: Pod | undefined, now: Pod | undefined): readonly string[] =>
  podChanges(before, now).map(({ who, did, kind, name, why = "" }) => `${who} ${did} ${kind} ${name}${why === "" ? "" : `: ${why}`}`);
const ready = pod({ phase: "Running", conditions: [{ type: "Ready", status: "True" }] });

it("podChanges reports once that a pod runs", () => {
  expect(reported(undefined, pod())).toEqual([]);
  expect(reported(pod(), ready)).toEqual(["node-2 runs Pod shop/web"]);
  expect(reported(ready, ready)).toEqual([]);
});

it("podChanges reports how a pod ended, and its backoff", () => {
  expect(reported(ready, pod({ phase: "Succeeded" }))).toEqual(["node-2 finished Pod shop/web"]);
  expect(
    reported(
      ready,
      pod({
        phase: "Failed",
        containerStatuses: [{ name: "app", state: { terminated: { exitCode: 3 } }, image: "", imageID: "", ready: false, restartCount: 0 }],
      }),
    ),
  ).toEqual(["node-2 reports failed Pod shop/web: container app ended with 3"]);
  const looping = pod({
    phase: "Running",
    containerStatuses: [
      { name: "app", state: { waiting: { reason: "CrashLoopBackOff" } }, image: "", imageID: "", ready: false, restartCount: 4 },
    ],
  });
  expect(reported(ready, looping)).toEqual(["node-2 is backing off Pod shop/web: container app: CrashLoopBackOff"]);
  expect(reported(looping, looping)).toEqual([]);
  expect(reported(looping, undefined)).toEqual(["node-2 stopped Pod shop/web"]);
});

it("podChanges reports why a pod cannot be scheduled", () => {
  const refused = pod({ phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", message: "0/3 nodes are available" }] });
  delete refused.spec?.nodeName;
  expect(reported(undefined, refused)).toEqual(["scheduler cannot schedule Pod shop/web: 0/3 nodes are available"]);
});
