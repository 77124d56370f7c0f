import type { ObjectMeta } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Version } from "./history.ts";
import { stableNames } from "./names.ts";

const version = (kind: string, name: string, metadata: Partial<ObjectMeta> = {}): Version => ({
  kind,
  isDeleted: false,
  object: { metadata: { name, uid: `${name}-uid`, namespace: "play1", ...metadata } },
});
const controlledBy = (kind: string, name: string) => ({
  ownerReferences: [{ apiVersion: "v1", kind, name, uid: `${name}-uid`, controller: true }],
});
const versions = [
  version("Namespace", "play1"),
  version("Node", "play1-a"),
  version("Node", "node-3"),
  version("Pod", "web-7c9f-x1z", { generateName: "web-7c9f-", ...controlledBy("ReplicaSet", "web-7c9f") }),
  version("Deployment", "web"),
  version("ReplicaSet", "web-7c9f", { labels: { "pod-template-hash": "7c9f" }, ...controlledBy("Deployment", "web") }),
  version("ReplicaSet", "web-55bb", { labels: { "pod-template-hash": "55bb" }, ...controlledBy("Deployment", "web") }),
  version("Pod", "db-0", { generateName: "db-", ...controlledBy("StatefulSet", "db") }),
  version("Pod", "work-1-abcde", { generateName: "work-1-", ...controlledBy("Job", "work") }),
  version("Job", "tick-293", controlledBy("CronJob", "tick")),
  version("ReplicaSet", "alone"),
];
const names = stableNames(versions, "play1");
const nameOf = (name: string): string => names.nameOf({ metadata: { uid: `${name}-uid` } });

describe("stable names", () => {
  it("number what a controller created, and give interchangeable objects one name", () => {
    expect(["web-7c9f", "web-55bb", "web-7c9f-x1z", "db-0", "work-1-abcde", "tick-293", "alone"].map(nameOf)).toEqual([
      "web-#1",
      "web-#2",
      "web-#1-*",
      "db-0",
      "work-1-*",
      "tick-#1",
      "alone",
    ]);
  });

  it("tell the scene's own nodes from others", () => {
    expect(["play1-a", "node-3", "play1"].map(nameOf)).toEqual(["$namespace-a", "$node", "$namespace"]);
  });

  it("replace names, hashes and uids in texts; addresses and times become placeholders", () => {
    expect(names.text("Scaled up replica set web-55bb from 0 to 1")).toBe("Scaled up replica set web-#2 from 0 to 1");
    expect(names.text("7c9f web-7c9f-uid 10.0.0.17 2026-01-02T03:04:05Z play1/web-7c9f-x1z.")).toBe(
      "hash of web-#1 uid of ReplicaSet web-#1 $ip $time $namespace/web-#1-*.",
    );
    expect(names.text("-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n")).toBe("$pem\n");
    expect(names.text("web is no other word than website")).toBe("web is no other word than website");
  });
});
