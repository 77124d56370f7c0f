import { StatefulSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import { newAlreadyExists, newConflict, newControllerRef, newForbidden } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { claim, member, statefulSet } from "../testing/stateful-set-objects.ts";
import { statefulSetStage } from "../testing/stateful-set-stage.ts";
import { areClaimsRight, createClaims, fixClaimOwners, isWaitingForClaims } from "./claim-control.ts";

const resource = { group: "", resource: "persistentvolumeclaims" };
const set = statefulSet({ claims: ["data", "logs"] });
const letsGo = statefulSet({
  claims: ["data"],
  replicas: 1,
  persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" },
});

describe("createClaims", () => {
  it("creates missing claims with events and leaves existing ones alone", async () => {
    const { run, server, events } = await statefulSetStage({ claims: [claim("data-web-0")] });
    await createClaims(run, set, member(0));
    expect(server.asked).toMatchObject([
      {
        what: "POST persistentvolumeclaims",
        body: { metadata: { name: "logs-web-0", labels: { app: "web" } }, spec: { accessModes: ["ReadWriteOnce"] } },
      },
    ]);
    expect(events.told).toEqual(["Normal SuccessfulCreate Create Claim logs-web-0 Pod web-0 in StatefulSet web success"]);
  });

  it("tries all claims and records all failures", async () => {
    const { run, server, events } = await statefulSetStage({ refuse: () => newForbidden(resource, "", "quota") });
    await expect(createClaims(run, set, member(0))).rejects.toThrow(
      /^\[failed to create PVC data-web-0: .*quota, failed to create PVC logs-web-0: .*quota\]$/,
    );
    expect(server.asked).toHaveLength(2);
    expect(events.told).toHaveLength(2);
    expect(events.told[0]).toMatch(/^Warning FailedCreate Create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: .*quota$/);
  });

  it("fails for a claim that is being deleted, or exists and is not cached, without an event", async () => {
    const going = await statefulSetStage({ claims: [claim("data-web-0", [], { isDeleting: true }), claim("logs-web-0")] });
    await expect(createClaims(going.run, set, member(0))).rejects.toThrow("pvc data-web-0 is being deleted");
    const unseen = await statefulSetStage({ claims: [claim("data-web-0")], refuse: () => newAlreadyExists(resource, "logs-web-0") });
    await expect(createClaims(unseen.run, set, member(0))).rejects.toThrow("failed to create PVC logs-web-0");
    expect([...going.events.told, ...unseen.events.told]).toEqual([]);
  });
});

describe("isWaitingForClaims", () => {
  const older = claim("data-web-0", [newControllerRef({ metadata: { name: "web-0", uid: "older" } }, Pod)]);
  it("waits for the claim of an earlier pod, where claims go with their pods", async () => {
    const { run } = await statefulSetStage({ claims: [older] });
    expect(isWaitingForClaims(run, letsGo, { metadata: { name: "web-0" } })).toBe(true);
    expect(isWaitingForClaims(run, letsGo, { metadata: { name: "web-1" } })).toBe(false);
    expect(isWaitingForClaims(run, statefulSet({ claims: ["data"] }), { metadata: { name: "web-0" } })).toBe(false);
  });
});

describe("fixClaimOwners", () => {
  it("writes wrong owners only", async () => {
    const { run, server } = await statefulSetStage({ claims: [claim("data-web-0")] });
    expect(areClaimsRight(run, letsGo, member(0))).toBe(false);
    await fixClaimOwners(run, letsGo, member(0));
    expect(server.asked).toMatchObject([
      {
        what: "PUT persistentvolumeclaims/data-web-0",
        body: { metadata: { ownerReferences: [{ kind: "StatefulSet", uid: "web-uid", controller: true }] } },
      },
    ]);
    const right = await statefulSetStage({ claims: [claim("data-web-0", [newControllerRef(letsGo, StatefulSet)])] });
    expect(areClaimsRight(right.run, letsGo, member(0))).toBe(true);
    await fixClaimOwners(right.run, letsGo, member(0));
    expect(right.server.asked).toEqual([]);
  });

  it("sets the pod as owner when it is surplus", async () => {
    const { run, server } = await statefulSetStage({ claims: [claim("data-web-3", [newControllerRef(letsGo, StatefulSet)])] });
    await fixClaimOwners(run, letsGo, member(3));
    expect(server.asked[0]?.body.metadata.ownerReferences).toMatchObject([
      { kind: "Pod", name: "web-3", uid: "web-3-uid", controller: true },
    ]);
  });

  it("leaves a claim with another controller alone and records an event", async () => {
    const foreign = newControllerRef({ metadata: { name: "db", uid: "db" } }, { group: "example.com", version: "v1", kind: "Database" });
    const { run, server, events } = await statefulSetStage({ claims: [claim("data-web-0", [foreign])] });
    await fixClaimOwners(run, letsGo, member(0));
    expect(server.asked).toEqual([]);
    expect(events.told).toEqual([
      expect.stringMatching(/^Warning ConflictingController PersistentVolumeClaim data-web-0 has a conflicting OwnerReference/),
    ]);
  });

  it("names the claim in its error and keeps the server's error as cause", async () => {
    const { run } = await statefulSetStage({ claims: [claim("data-web-0")], refuse: () => newConflict(resource, "data-web-0", "changed") });
    await expect(fixClaimOwners(run, letsGo, member(0))).rejects.toThrow(
      /^could not update claim data-web-0 for delete policy ownerRefs: /,
    );
  });
});
