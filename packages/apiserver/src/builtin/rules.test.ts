import { kinds } from "@drover/api";
import { Deployment, StatefulSet } from "@drover/api/apps/v1";
import { Job } from "@drover/api/batch/v1";
import { Lease } from "@drover/api/coordination/v1";
import { ConfigMap, Event as CoreEvent, Namespace, Pod, ReplicationController, Service } from "@drover/api/core/v1";
import { EndpointSlice } from "@drover/api/discovery/v1";
import { Event } from "@drover/api/events/v1";
import { IPAddress } from "@drover/api/networking/v1";
import { ClusterRole } from "@drover/api/rbac/v1";
import { ResourceSlice } from "@drover/api/resource/v1";
import { PriorityClass } from "@drover/api/scheduling/v1";
import { CSIDriver } from "@drover/api/storage/v1";
import { hours } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { rulesOf } from "./rules.ts";
import { selectableFieldsOf } from "./selectable-fields.ts";

describe("rulesOf", () => {
  it("returns the default rules for most kinds", () => {
    expect(rulesOf(ConfigMap)).toMatchObject({
      generation: "none",
      unconditionalUpdate: true,
      createOnUpdate: false,
      returnsDeleted: false,
      orphansByDefault: false,
      statusMetadata: "all",
      unknownFieldSelector: "known-list",
    });
  });

  it("says which changes increment the generation", () => {
    expect([Pod, Deployment, EndpointSlice, PriorityClass, CSIDriver].map((kind) => rulesOf(kind).generation)).toEqual([
      "spec",
      "spec-and-annotations",
      "all-and-labels",
      "once",
      "spec-after-create",
    ]);
  });

  it("says which kinds PUT creates, and which updates require a resourceVersion", () => {
    expect([Lease, Service, ClusterRole, Pod].map((kind) => rulesOf(kind).createOnUpdate)).toEqual([true, true, true, false]);
    expect([Lease, CSIDriver, Pod].map((kind) => rulesOf(kind).unconditionalUpdate)).toEqual([false, false, true]);
  });

  it("orphans dependents of Jobs and ReplicationControllers by default", () => {
    expect(kinds.filter((kind) => rulesOf(kind).orphansByDefault)).toEqual([Job, ReplicationController]);
  });

  it("expires Events of both groups after an hour", () => {
    expect(kinds.filter((kind) => rulesOf(kind).ttlMs !== undefined)).toEqual([CoreEvent, Event]);
    expect(rulesOf(Event).ttlMs).toBe(hours(1));
  });

  it("validates names by kind", () => {
    expect(rulesOf(ConfigMap).checkName("a.b")).toEqual([]);
    for (const kind of [Namespace, Service, StatefulSet]) expect(rulesOf(kind).checkName("a.b")).toEqual(["must not contain dots"]);
    expect(rulesOf(ClusterRole).checkName("system:A_b")).toEqual([]);
    expect(rulesOf(ClusterRole).checkName("a/b")).toEqual(["may not contain '/'"]);
    expect(rulesOf(IPAddress).checkName("10.0.0.1")).toEqual([]);
    expect(rulesOf(IPAddress).checkName("10.0.0.01")).toHaveLength(1);
    expect(rulesOf(ReplicationController).checkName("x".repeat(254))).toEqual(["must be no more than 253 bytes"]);
    expect(rulesOf(ReplicationController).checkName("A-", { prefix: true })).toEqual([]);
  });

  it("words unknown field selectors by kind", () => {
    for (const kind of kinds)
      expect([kind.kind, rulesOf(kind).unknownFieldSelector !== "known-list"]).toEqual([kind.kind, selectableFieldsOf(kind).size > 0]);
    expect(rulesOf(Job).unknownFieldSelector).toBe("quoted-label-not-supported-for-kind");
    expect(rulesOf(ResourceSlice).unknownFieldSelector).toBe("label-not-supported-for-kind");
  });

  it("has a default status rule for kinds without a status", () => {
    for (const kind of kinds.filter(({ subresources }) => !("status" in subresources))) expect(rulesOf(kind).statusMetadata).toBe("all");
  });
});
