import { ConfigMap, Event as CoreEvent, Node, Pod, ReplicationController } from "@drover/api/core/v1";
import { Job } from "@drover/api/batch/v1";
import { Event } from "@drover/api/events/v1";
import type { JsonObject, Kind } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { selectableFieldsOf } from "./selectable-fields.ts";

const read = (kind: Kind, field: string, object: JsonObject): string | undefined => selectableFieldsOf(kind).get(field)?.(object);

describe("selectableFieldsOf", () => {
  it("is empty for most kinds", () => {
    expect([...selectableFieldsOf(ConfigMap).keys()]).toEqual([]);
    expect([...selectableFieldsOf({ group: "example.com", version: "v1", kind: "Pod" }).keys()]).toEqual([]);
  });

  it('reads fields as strings, "" if absent', () => {
    expect(read(Pod, "spec.nodeName", { spec: { nodeName: "n" } })).toBe("n");
    expect(read(Pod, "status.phase", {})).toBe("");
    expect(read(Pod, "spec.nodeName", { spec: null })).toBe("");
  });

  it("prints the zero value of omitted fields", () => {
    expect(read(Pod, "spec.hostNetwork", { spec: {} })).toBe("false");
    expect(read(Pod, "spec.hostNetwork", { spec: { hostNetwork: true } })).toBe("true");
    expect(read(Node, "spec.unschedulable", {})).toBe("false");
    expect(read(ReplicationController, "status.replicas", { status: { replicas: 3 } })).toBe("3");
    expect(read(Job, "status.successful", { status: {} })).toBe("0");
    expect(read(Job, "status.successful", { status: { succeeded: 2 } })).toBe("2");
  });

  it("supports spec.host of pods, and status.podIPs without values", () => {
    expect(read(Pod, "spec.host", { spec: { nodeName: "n" } })).toBe("n");
    expect(read(Pod, "status.podIPs", { status: { podIPs: [{ ip: "1.2.3.4" }] } })).toBe("");
  });

  it("uses the reporting component of an Event without a source", () => {
    expect(read(CoreEvent, "source", { source: { component: "kubelet" }, reportingComponent: "x" })).toBe("kubelet");
    expect(read(CoreEvent, "source", { source: {}, reportingComponent: "x" })).toBe("x");
  });

  it("uses the field names of each group", () => {
    expect(read(Event, "regarding.kind", { regarding: { kind: "Pod" } })).toBe("Pod");
    expect(selectableFieldsOf(Event).has("involvedObject.kind")).toBe(false);
    expect(selectableFieldsOf(Event).has("source")).toBe(false);
  });

  it("ignores inherited properties", () => {
    expect(read(CoreEvent, "reason", { __proto__: null })).toBe("");
    expect(read(CoreEvent, "involvedObject.name", { involvedObject: Object.create({ name: "x" }) as JsonObject })).toBe("");
  });
});
