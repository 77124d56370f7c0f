import type { Pod } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { endpointHostname, isEndpoint, podChanges } from "./endpoint-pod.ts";
import { podOf, serviceOf } from "./testing/endpoint-objects.ts";

const deletionTimestamp = "2026-01-01T00:00:00Z";

describe("a pod as an endpoint", () => {
  it("S036: counts unless it finished or has no address; while terminating only on request", () => {
    const leaving = podOf("a", { metadata: { deletionTimestamp } });
    const all = [
      podOf("a"),
      podOf("a", { ready: false }),
      podOf("a", { phase: "Failed" }),
      podOf("a", { phase: "Succeeded" }),
      podOf("a", { ips: [] }),
      leaving,
    ];
    expect(all.map((pod) => isEndpoint(pod, { terminating: false }))).toEqual([true, true, false, false, false, false]);
    expect(isEndpoint(leaving, { terminating: true })).toBe(true);
  });

  it("S037: has a hostname when it sets one and the service is its subdomain", () => {
    const named = (spec: object, metadata = {}): Pod => podOf("a", { spec, metadata });
    expect(
      [
        named({ hostname: "h", subdomain: "web" }),
        named({ hostname: "h" }),
        named({ subdomain: "web" }),
        named({ hostname: "h", subdomain: "other" }),
        named({ hostname: "h", subdomain: "web" }, { namespace: "else" }),
      ].map((pod) => endpointHostname(pod, serviceOf())),
    ).toEqual(["h", undefined, undefined, undefined, undefined]);
  });

  it.each([
    ["a node or a version", podOf("a", { spec: { nodeName: "other" }, metadata: { resourceVersion: "2" } }), false, false],
    ["a phase", podOf("a", { phase: "Pending" }), false, false],
    ["readiness", podOf("a", { ready: false }), false, true],
    ["the first address", podOf("a", { ips: ["10.0.0.2"] }), false, true],
    ["one more address", podOf("a", { ips: ["10.0.0.1", "fd00::1"] }), false, true],
    ["no address any more", podOf("a", { ips: [] }), false, true],
    ["its deletion", podOf("a", { metadata: { deletionTimestamp } }), false, true],
    ["a label", podOf("a", { metadata: { labels: { app: "db" } } }), true, false],
    ["a label and readiness", podOf("a", { ready: false, metadata: { labels: { app: "db" } } }), true, true],
    ["its host name", podOf("a", { spec: { hostname: "h" } }), false, true],
  ] as const)("S034: changes with %s", (_, now, labels, endpoint) => {
    expect(podChanges(podOf("a"), now)).toEqual({ labels, endpoint });
  });
});
