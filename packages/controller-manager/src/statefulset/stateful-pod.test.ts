import { describe, expect, it } from "vitest";
import { revisionOf, statefulSet } from "../testing/stateful-set-objects.ts";
import { podRevision } from "./pod-identity.ts";
import { newStatefulPod, revisionData, templateAt } from "./stateful-pod.ts";

const revisions = { current: revisionOf("web-old", { image: "web:1" }), update: revisionOf("web-new", { image: "web:2", revision: 2 }) };

describe("templateAt", () => {
  it("returns the whole template of the revision", () => {
    const set = statefulSet({ image: "web:3" });
    expect(templateAt(set, { ...revisions.current, data: revisionData(statefulSet({ image: "web:9" })) })).toEqual(
      statefulSet({ image: "web:9" }).spec?.template,
    );
    expect(templateAt(set, { metadata: {}, revision: 1 })).toEqual(set.spec?.template);
  });
});

describe("newStatefulPod", () => {
  it("has name, hostname, subdomain, labels and claims", () => {
    const made = newStatefulPod(statefulSet({ claims: ["data"] }), revisions, 2);
    expect(made.metadata).toMatchObject({
      name: "web-2",
      namespace: "shop",
      generateName: "web-",
      ownerReferences: [{ kind: "StatefulSet", uid: "web-uid" }],
    });
    expect(made.metadata.labels).toEqual({
      app: "web",
      "controller-revision-hash": "web-new",
      "statefulset.kubernetes.io/pod-name": "web-2",
      "apps.kubernetes.io/pod-index": "2",
    });
    expect(made.spec).toEqual({
      containers: [{ name: "web", image: "web:2" }],
      hostname: "web-2",
      subdomain: "web",
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data-web-2" } }],
    });
  });

  it("has no subdomain without a service, whatever the template says", () => {
    const set = statefulSet({ serviceName: "" });
    const data = {
      spec: { template: { metadata: { labels: { app: "web" } }, spec: { containers: [], subdomain: "mine", hostname: "mine" } } },
    };
    expect(newStatefulPod(set, { ...revisions, update: { ...revisions.update, data } }, 0).spec).toEqual({
      containers: [],
      hostname: "web-0",
    });
  });

  it.each([
    ["without a partition, of the update", { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } } }, "nnn"],
    ["below the partition, of the current one", { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } }, "oon"],
    [
      "below the partition, counted from the first number",
      { ordinals: { start: 1 }, updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } } },
      "oon",
    ],
    [
      "where nothing is said of rolling, of the current one as far as pods still are",
      { updateStrategy: { type: "RollingUpdate" }, status: { currentReplicas: 1 } },
      "onn",
    ],
    ["when others delete, of the update", { updateStrategy: { type: "OnDelete" }, status: { currentReplicas: 2 } }, "nnn"],
  ] as const)("is %s", (_, parts, expected) => {
    const set = statefulSet({ replicas: 3, ...parts });
    expect([0, 1, 2].map((ordinal) => (podRevision(newStatefulPod(set, revisions, ordinal)) === "web-old" ? "o" : "n")).join("")).toBe(
      expected,
    );
  });
});
