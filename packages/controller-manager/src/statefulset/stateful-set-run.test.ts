import type { PersistentVolumeClaim } from "@drover/api/core/v1";
import { ApiError, newFailure } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { syncedInformer } from "../testing/synced-informer.ts";
import { echoServer } from "../testing/echo-server.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { claim, member, statefulSet } from "../testing/stateful-set-objects.ts";
import { tellClaim, tellPod } from "./stateful-set-run.ts";
import type { StatefulSetRun } from "./stateful-set-run.ts";

const [set, pod, data] = [statefulSet(), member(0), claim("data-web-0")];

async function told(tell: (run: StatefulSetRun) => void, signal = new AbortController().signal): Promise<readonly string[]> {
  const events = recordingEvents();
  const { random } = testRuntime();
  tell({ client: echoServer().client, events, claims: await syncedInformer<PersistentVolumeClaim>(), random, signal });
  return events.told;
}

describe("tellPod and tellClaim", () => {
  it("record events about pods", async () => {
    expect(await told((run) => tellPod(run, "Create", set, pod, {}))).toEqual([
      "Normal SuccessfulCreate Create Pod web-0 in StatefulSet web successful",
    ]);
    expect(await told((run) => tellPod(run, "Update", set, pod, { error: new Error("no") }))).toEqual([
      "Warning FailedUpdate Update Pod web-0 in StatefulSet web failed error: no",
    ]);
  });

  it("record events about claims", async () => {
    expect(await told((run) => tellClaim(run, set, pod, data, {}))).toEqual([
      "Normal SuccessfulCreate Create Claim data-web-0 Pod web-0 in StatefulSet web success",
    ]);
    expect(await told((run) => tellClaim(run, set, pod, data, { error: new Error("no") }))).toEqual([
      "Warning FailedCreate Create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: no",
    ]);
  });

  it("record nothing after the run ended or in a terminating namespace", async () => {
    expect(await told((run) => tellPod(run, "Delete", set, pod, { error: new Error("over") }), AbortSignal.abort())).toEqual([]);
    const going = new ApiError({
      ...newFailure(403, "Forbidden", "going"),
      details: { causes: [{ reason: "NamespaceTerminating", message: "", field: "" }] },
    });
    expect(await told((run) => tellPod(run, "Create", set, pod, { error: going }))).toEqual([]);
    expect(await told((run) => tellClaim(run, set, pod, data, { error: going }))).toEqual([]);
  });
});
