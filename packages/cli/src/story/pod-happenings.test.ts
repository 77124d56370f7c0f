import type { Pod } from "@drover/api/core/v1";
import { expect, it } from "vitest";
import { podHappenings } from "./pod-happenings.ts";

const pod = (status: Pod["status"] = {}, nodeName: string | undefined = "node-2"): Pod => ({
  metadata: { namespace: "shop", name: "web" },
  spec: { containers: [], ...(nodeName === undefined ? {} : { nodeName }) },
  status,
});
const told = (before: Pod | undefined, now: Pod | undefined): readonly string[] =>
  podHappenings(before, now).map(({ who, did, kind, name, why = "" }) => `${who} ${did} ${kind} ${name}${why === "" ? "" : `: ${why}`}`);
const ready = pod({ phase: "Running", conditions: [{ type: "Ready", status: "True" }] });

it("podHappenings reports once that a pod runs", () => {
  expect(told(undefined, pod())).toEqual([]);
  expect(told(pod(), ready)).toEqual(["node-2 runs Pod shop/web"]);
  expect(told(ready, ready)).toEqual([]);
});

it("podHappenings reports how a pod ended, and its backoff", () => {
  expect(told(ready, pod({ phase: "Succeeded" }))).toEqual(["node-2 finished Pod shop/web"]);
  expect(
    told(
      ready,
      pod({
        phase: "Failed",
        containerStatuses: [{ name: "app", state: { terminated: { exitCode: 3 } }, image: "", imageID: "", ready: false, restartCount: 0 }],
      }),
    ),
  ).toEqual(["node-2 lost Pod shop/web: container app ended with 3"]);
  const looping = pod({
    phase: "Running",
    containerStatuses: [
      { name: "app", state: { waiting: { reason: "CrashLoopBackOff" } }, image: "", imageID: "", ready: false, restartCount: 4 },
    ],
  });
  expect(told(ready, looping)).toEqual(["node-2 holds back Pod shop/web: container app: CrashLoopBackOff"]);
  expect(told(looping, looping)).toEqual([]);
  expect(told(looping, undefined)).toEqual(["node-2 stopped Pod shop/web"]);
});

it("podHappenings reports why a pod cannot be scheduled", () => {
  const refused = pod({ phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", message: "0/3 nodes are available" }] });
  delete refused.spec?.nodeName;
  expect(told(undefined, refused)).toEqual(["scheduler has no place for Pod shop/web: 0/3 nodes are available"]);
});
