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

describe("a pod that is created", () => {
  it("comes after its claims, and both are told of", async () => {
    const { run, server, events } = await statefulSetStage();
    await createStatefulPod(run, set, wanted);
    expect(server.requests()).toEqual(["POST persistentvolumeclaims", "POST pods"]);
    expect(events.told).toEqual(["Normal SuccessfulCreate Create Claim data-web-0 Pod web-0 in StatefulSet web success", created]);
  });

  it("is not tried without its claims", async () => {
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

  it("that is refused is told of; that it is there already is not", async () => {
    const refused = await statefulSetStage({ claims: [claim("data-web-0")], refuse: () => newForbidden(resource, "web-0", "no") });
    await expect(createStatefulPod(refused.run, set, wanted)).rejects.toThrow("no");
    expect(refused.events.told).toEqual([
      expect.stringMatching(/^Warning FailedCreate Create Pod web-0 in StatefulSet web failed error: .*no$/),
    ]);
    const there = await statefulSetStage({ claims: [claim("data-web-0")], refuse: () => newAlreadyExists(resource, "web-0") });
    await expect(createStatefulPod(there.run, set, wanted)).rejects.toThrow("already exists");
    expect(there.events.told).toEqual([]);
  });

  it("gets claims that go with the set, and waits for one that goes with the pod before it", async () => {
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

describe("a pod that is pending", () => {
  it("gets the claims it misses", async () => {
    const { run, server } = await statefulSetStage();
    await fillClaims(run, set, member(0, { phase: "Pending", claims: ["data"] }));
    expect(server.requests()).toEqual(["POST persistentvolumeclaims"]);
  });
});

describe("a pod that is there", () => {
  const right = member(0, { claims: ["data"] });
  const unlabelled = { ...right, metadata: { ...right.metadata, labels: { app: "web" } } };
  it("is left alone while it is as it should be", async () => {
    const { run, server, events } = await statefulSetStage({ claims: [claim("data-web-0")] });
    await conformStatefulPod(run, set, right);
    expect([server.requests(), events.told]).toEqual([[], []]);
  });

  it("gets the labels of its name again, and the set is told", async () => {
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

  it("without its volumes gets claims first, and what the server says to new volumes is told", async () => {
    const { run, server, events } = await statefulSetStage({
      refuse: (what) => (what === "PUT pods/web-0" ? newForbidden(resource, "web-0", "volumes") : undefined),
    });
    await expect(conformStatefulPod(run, set, member(0))).rejects.toThrow("volumes");
    expect(server.requests()).toEqual(["POST persistentvolumeclaims", "PUT pods/web-0"]);
    expect(events.told.at(-1)).toMatch(/^Warning FailedUpdate Update Pod web-0 in StatefulSet web failed error: /);
  });

  it("that was changed meanwhile is read anew; another of its name is left alone", async () => {
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

  it("has its claims put right without being written itself, and the set is told", async () => {
    const letsGo = statefulSet({ claims: ["data"], persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" } });
    const { run, server, events } = await statefulSetStage({ claims: [claim("data-web-0")] });
    await conformStatefulPod(run, letsGo, right);
    expect(server.asked).toMatchObject([
      { what: "PUT persistentvolumeclaims/data-web-0", body: { metadata: { ownerReferences: [newControllerRef(letsGo, StatefulSet)] } } },
    ]);
    expect(events.told).toEqual(["Normal SuccessfulUpdate Update Pod web-0 in StatefulSet web successful"]);
  });
});

describe("a pod that is removed", () => {
  const removed = "Normal SuccessfulDelete Delete Pod web-0 in StatefulSet web successful";
  it("is that very one", async () => {
    const { run, server, events } = await statefulSetStage();
    await removeStatefulPod(run, set, member(0));
    expect(server.asked).toMatchObject([{ what: "DELETE pods/web-0", body: { preconditions: { uid: "web-0-uid" } } }]);
    expect(events.told).toEqual([removed]);
  });

  it("may be gone already, or another by now; any other refusal is a failure, and told", async () => {
    for (const status of [newNotFound(resource, "web-0"), newConflict(resource, "web-0", "uid")]) {
      const { run } = await statefulSetStage({ refuse: () => status });
      await expect(removeStatefulPod(run, set, member(0))).resolves.toBeUndefined();
    }
    const { run, events } = await statefulSetStage({ refuse: () => newForbidden(resource, "web-0", "no") });
    await expect(removeStatefulPod(run, set, member(0))).rejects.toThrow("no");
    expect(events.told).toEqual([expect.stringMatching(/^Warning FailedDelete Delete Pod web-0 in StatefulSet web failed error: /)]);
  });
});
