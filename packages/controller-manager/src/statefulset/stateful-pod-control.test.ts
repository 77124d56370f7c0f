import { StatefulSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import { newAlreadyExists, newConflict, newControllerRef, newForbidden, newNotFound } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { claim, member, revisionOf, statefulSet } from "../testing/stateful-set-objects.ts";
import { statefulSetStage } from "../testing/stateful-set-stage.ts";
import { conformStatefulPod, createStatefulPod, fillClaims, removeStatefulPod } from "./stateful-pod-control.ts";
import { newStatefulPod } from "./stateful-pod.ts";

const resource = { group: "", resource: "pods" };
const set = statefulSet({ claims: ["data"] });
const wanted = newStatefulPod(set, { current: revisionOf("web-a"), update: revisionOf("web-a") }, 0);
const created = "Normal SuccessfulCreate Create Pod web-0 in StatefulSet web successful";

describe("createStatefulPod", () => {
  it("creates the claims first and records both", async () => {
    const { run, server, events } = await statefulSetStage();
    await createStatefulPod(run, set, wanted);
    expect(server.requests()).toEqual(["POST persistentvolumeclaims", "POST pods"]);
    expect(events.told).toEqual(["Normal SuccessfulCreate Create Claim data-web-0 Pod web-0 in StatefulSet web success", created]);
  });

  it("does not create the pod without its claims", async () => {
    const { run, server, events } = await statefulSetStage({
      refuse: (what) => (what === "POST persistentvolumeclaims" ? newForbidden(resource, "", "quota") : undefined),
    });
    await expect(createStatefulPod(run, set, wanted)).rejects.toThrow("quota");
    expect(server.requests()).toEqual(["POST persistentvolumeclaims"]);
    expect(events.told.map((event) => event.split(" ", 4).join(" "))).toEqual([
      "Warning FailedCreate Create Claim",
      "Warning FailedCreate Create Pod",
    ]);
  });

  it("records a refusal, but not AlreadyExists", async () => {
    const refused = await statefulSetStage({ claims: [claim("data-web-0")], refuse: () => newForbidden(resource, "web-0", "no") });
    await expect(createStatefulPod(refused.run, set, wanted)).rejects.toThrow("no");
    expect(refused.events.told).toEqual([
      expect.stringMatching(/^Warning FailedCreate Create Pod web-0 in StatefulSet web failed error: .*no$/),
    ]);
    const there = await statefulSetStage({ claims: [claim("data-web-0")], refuse: () => newAlreadyExists(resource, "web-0") });
    await expect(createStatefulPod(there.run, set, wanted)).rejects.toThrow("already exists");
    expect(there.events.told).toEqual([]);
  });

  it("creates claims that belong to the set, and waits for one of an earlier pod", async () => {
    const letsGo = statefulSet({ claims: ["data"], persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" } });
    const { run, server } = await statefulSetStage({ claims: [claim("data-web-0")] });
    await createStatefulPod(run, letsGo, wanted);
    expect(server.requests()).toEqual(["POST pods", "PUT persistentvolumeclaims/data-web-0"]);
    const waiting = await statefulSetStage({
      claims: [claim("data-web-0", [newControllerRef({ metadata: { name: "web-0", uid: "older" } }, Pod)])],
    });
    await createStatefulPod(waiting.run, letsGo, wanted);
    expect(waiting.server.requests()).toEqual([]);
  });
});

describe("fillClaims", () => {
  it("creates missing claims of a pending pod", async () => {
    const { run, server } = await statefulSetStage();
    await fillClaims(run, set, member(0, { phase: "Pending", claims: ["data"] }));
    expect(server.requests()).toEqual(["POST persistentvolumeclaims"]);
  });
});

describe("conformStatefulPod", () => {
  const right = member(0, { claims: ["data"] });
  const unlabelled = { ...right, metadata: { ...right.metadata, labels: { app: "web" } } };
  it("leaves a correct pod alone", async () => {
    const { run, server, events } = await statefulSetStage({ claims: [claim("data-web-0")] });
    await conformStatefulPod(run, set, right);
    expect([server.requests(), events.told]).toEqual([[], []]);
  });

  it("restores the identity labels and records an event", async () => {
    const { run, server, events } = await statefulSetStage({ claims: [claim("data-web-0")] });
    await conformStatefulPod(run, set, unlabelled);
    expect(server.asked).toMatchObject([
      {
        what: "PUT pods/web-0",
        body: { metadata: { labels: { "statefulset.kubernetes.io/pod-name": "web-0", "apps.kubernetes.io/pod-index": "0" } } },
      },
    ]);
    expect(events.told).toEqual(["Normal SuccessfulUpdate Update Pod web-0 in StatefulSet web successful"]);
  });

  it("creates claims before it adds volumes, and records the server's refusal", async () => {
    const { run, server, events } = await statefulSetStage({
      refuse: (what) => (what === "PUT pods/web-0" ? newForbidden(resource, "web-0", "volumes") : undefined),
    });
    await expect(conformStatefulPod(run, set, member(0))).rejects.toThrow("volumes");
    expect(server.requests()).toEqual(["POST persistentvolumeclaims", "PUT pods/web-0"]);
    expect(events.told.at(-1)).toMatch(/^Warning FailedUpdate Update Pod web-0 in StatefulSet web failed error: /);
  });

  it("reads a changed pod again, and leaves a namesake alone", async () => {
    for (const [uid, requests] of [
      ["web-0-uid", ["PUT pods/web-0", "GET pods/web-0", "PUT pods/web-0"]],
      ["another", ["PUT pods/web-0", "GET pods/web-0"]],
    ] as const) {
      const { run, server } = await statefulSetStage({
        claims: [claim("data-web-0")],
        refuse: (what, count) => (what.startsWith("PUT") && count === 1 ? newConflict(resource, "web-0", "changed") : undefined),
      });
      server.objects.set("pods/web-0", { ...unlabelled, metadata: { ...unlabelled.metadata, uid } });
      const conformed = conformStatefulPod(run, set, unlabelled);
      await server.clock.advance(1000);
      await conformed;
      expect(server.requests()).toEqual(requests);
    }
  });

  it("corrects owners of claims without writing the pod, and records an event", async () => {
    const letsGo = statefulSet({ claims: ["data"], persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" } });
    const { run, server, events } = await statefulSetStage({ claims: [claim("data-web-0")] });
    await conformStatefulPod(run, letsGo, right);
    expect(server.asked).toMatchObject([
      { what: "PUT persistentvolumeclaims/data-web-0", body: { metadata: { ownerReferences: [newControllerRef(letsGo, StatefulSet)] } } },
    ]);
    expect(events.told).toEqual(["Normal SuccessfulUpdate Update Pod web-0 in StatefulSet web successful"]);
  });
});

describe("removeStatefulPod", () => {
  const removed = "Normal SuccessfulDelete Delete Pod web-0 in StatefulSet web successful";
  it("deletes by uid", async () => {
    const { run, server, events } = await statefulSetStage();
    await removeStatefulPod(run, set, member(0));
    expect(server.asked).toMatchObject([{ what: "DELETE pods/web-0", body: { preconditions: { uid: "web-0-uid" } } }]);
    expect(events.told).toEqual([removed]);
  });

  it("ignores a pod that is gone or replaced; records and throws any other error", async () => {
    for (const status of [newNotFound(resource, "web-0"), newConflict(resource, "web-0", "uid")]) {
      const { run } = await statefulSetStage({ refuse: () => status });
      await expect(removeStatefulPod(run, set, member(0))).resolves.toBeUndefined();
    }
    const { run, events } = await statefulSetStage({ refuse: () => newForbidden(resource, "web-0", "no") });
    await expect(removeStatefulPod(run, set, member(0))).rejects.toThrow("no");
    expect(events.told).toEqual([expect.stringMatching(/^Warning FailedDelete Delete Pod web-0 in StatefulSet web failed error: /)]);
  });
});
