import { describe, expect, it } from "vitest";
import { counted, shown } from "./shown.ts";
import type { StableNames } from "./names.ts";

const asIs: StableNames = { nameOf: () => "", text: (text) => text };
const leavesOf = (kind: string, object: object): Readonly<Record<string, string>> =>
  Object.fromEntries(shown(kind, { metadata: {}, ...object }, asIs));

describe("the compared leaves of an object", () => {
  it("are all but random ones", () => {
    expect(
      leavesOf("Service", {
        metadata: { name: "a", uid: "u", resourceVersion: "4", labels: { app: "web" } },
        spec: { ports: [{ name: "http", port: 80 }], list: ["a", "b"], empty: {} },
      }),
    ).toEqual({
      "metadata.labels.app": '"web"',
      "spec.ports[http].name": '"http"',
      "spec.ports[http].port": "80",
      "spec.list": '["a","b"]',
      "spec.empty": "{}",
    });
  });

  it("do not depend on the order of conditions, endpoints and fields", () => {
    const a = leavesOf("X", {
      status: {
        conditions: [
          { type: "A", status: "True" },
          { type: "B", status: "True" },
        ],
      },
      endpoints: [
        { ip: "1", ready: true },
        { ready: false, ip: "1" },
      ],
    });
    expect(a).toEqual(
      leavesOf("X", {
        status: {
          conditions: [
            { type: "B", status: "True" },
            { type: "A", status: "True" },
          ],
        },
        endpoints: [
          { ip: "1", ready: false },
          { ready: true, ip: "1" },
        ],
      }),
    );
    expect(a["endpoints"]).toBe('{ip:"1",ready:false} | {ip:"1",ready:true}');
  });

  it("include whether the last generation was observed, and the generation itself only where users write", () => {
    expect(leavesOf("Deployment", { metadata: { generation: 3 }, status: { observedGeneration: 3 } })).toEqual({
      "metadata.generation": "3",
      "status.observedGeneration": '"the last"',
    });
    expect(leavesOf("ReplicaSet", { metadata: { generation: 3, labels: { a: "b" } }, status: { observedGeneration: 2 } })).toEqual({
      "metadata.labels.a": '"b"',
      "status.observedGeneration": '"an older one"',
    });
  });

  it("of a pod's status are the fields that controllers read", () => {
    const status = {
      phase: "Running",
      hostIP: "h",
      conditions: [
        { type: "Initialized", status: "True" },
        { type: "Ready", status: "False", reason: "R", message: "m" },
      ],
      containerStatuses: [{ name: "main", ready: true, restartCount: 2, imageID: "i", state: { running: { startedAt: "t" } } }],
    };
    expect(leavesOf("Pod", { status })).toEqual({
      "status.phase": '"Running"',
      "status.conditions[Ready].type": '"Ready"',
      "status.conditions[Ready].status": '"False"',
      "status.conditions[Ready].reason": '"R"',
      "status.containers[main].name": '"main"',
      "status.containers[main].ready": "true",
      "status.containers[main].restartCount": "2",
      "status.containers[main].state": '"running"',
    });
  });

  it("are counted where several objects have the same", () => {
    expect(counted(["b", "a", "b"])).toBe("2× b | a");
  });
});
