import { describe, expect, it } from "vitest";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { discoveryServer, sampleWorld } from "../testing/discovery-server.ts";
import { DiscoveryClient } from "./discovery-client.ts";
import { ScaleKindResolver } from "./scale-kind.ts";

const deployments = { group: "apps", version: "v1", resource: "deployments" };

describe.each(["v2", "legacy"] as const)("ScaleKindResolver (%s)", (form) => {
  const server = discoveryServer(sampleWorld(form));
  const clock = new ManualClock();
  const resolver = new ScaleKindResolver(new DiscoveryClient(server, { clock, log: recordingLog(clock) }));

  it("returns the kind of discovery, requested once", async () => {
    expect(await resolver.scaleForResource(deployments)).toEqual({ group: "autoscaling", version: "v1", kind: "Scale" });
    await resolver.scaleForResource(deployments);
    expect(server.requests).toHaveLength(1);
  });

  it("rejects if the resource has no scale or does not exist", async () => {
    await expect(resolver.scaleForResource({ group: "", version: "v1", resource: "pods" })).rejects.toThrow(
      "could not find scale subresource for /v1, Resource=pods in discovery information",
    );
    await expect(resolver.scaleForResource({ ...deployments, resource: "nothing" })).rejects.toThrow("could not find scale subresource");
  });

  it("rejects if the group version cannot be described", async () => {
    await expect(resolver.scaleForResource({ ...deployments, version: "v9" })).rejects.toThrow(
      "unable to fetch discovery information for apps/v9, Resource=deployments: the server could not find the requested resource",
    );
  });

  it("rejects with the signal's reason", async () => {
    await expect(resolver.scaleForResource({ ...deployments, version: "v8" }, { signal: AbortSignal.abort("enough") })).rejects.toBe(
      "enough",
    );
  });
});
