import { ConfigMap, Event as CoreEvent, Node, Pod, ReplicationController } from "@drover/api/core/v1";
import { Job } from "@drover/api/batch/v1";
import { Event } from "@drover/api/events/v1";
import type { JsonObject, Kind } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { selectableFieldsOf } from "./selectable-fields.ts";

const read = (kind: Kind, field: string, object: JsonObject): string | undefined => selectableFieldsOf(kind).get(field)?.(object);

describe("selectable fields", () => {
  it("are none for most kinds", () => {
    expect([...selectableFieldsOf(ConfigMap).keys()]).toEqual([]);
    expect([...selectableFieldsOf({ group: "example.com", version: "v1", kind: "Pod" }).keys()]).toEqual([]);
  });

  it("are read as texts, and are empty where nothing stands", () => {
    expect(read(Pod, "spec.nodeName", { spec: { nodeName: "n" } })).toBe("n");
    expect(read(Pod, "status.phase", {})).toBe("");
    expect(read(Pod, "spec.nodeName", { spec: null })).toBe("");
  });

  it("write out what is left out when it is zero", () => {
    expect(read(Pod, "spec.hostNetwork", { spec: {} })).toBe("false");
    expect(read(Pod, "spec.hostNetwork", { spec: { hostNetwork: true } })).toBe("true");
    expect(read(Node, "spec.unschedulable", {})).toBe("false");
    expect(read(ReplicationController, "status.replicas", { status: { replicas: 3 } })).toBe("3");
    expect(read(Job, "status.successful", { status: {} })).toBe("0");
    expect(read(Job, "status.successful", { status: { succeeded: 2 } })).toBe("2");
  });

  it("know the node of a pod by its first name, and no list of addresses", () => {
    expect(read(Pod, "spec.host", { spec: { nodeName: "n" } })).toBe("n");
    expect(read(Pod, "status.podIPs", { status: { podIPs: [{ ip: "1.2.3.4" }] } })).toBe("");
  });

  it("take the reporting component of an event for its source when it has none", () => {
    expect(read(CoreEvent, "source", { source: { component: "kubelet" }, reportingComponent: "x" })).toBe("kubelet");
    expect(read(CoreEvent, "source", { source: {}, reportingComponent: "x" })).toBe("x");
  });

  it("are called as the fields of their group are called", () => {
    expect(read(Event, "regarding.kind", { regarding: { kind: "Pod" } })).toBe("Pod");
    expect(selectableFieldsOf(Event).has("involvedObject.kind")).toBe(false);
    expect(selectableFieldsOf(Event).has("source")).toBe(false);
  });

  it("do not read what objects inherit", () => {
    expect(read(CoreEvent, "reason", { __proto__: null })).toBe("");
    expect(read(CoreEvent, "involvedObject.name", { involvedObject: Object.create({ name: "x" }) as JsonObject })).toBe("");
  });
});
