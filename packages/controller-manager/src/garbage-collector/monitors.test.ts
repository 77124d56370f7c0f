import type { ApiResource } from "@drover/client";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { createCluster } from "@drover/cache";
import type { Cluster } from "@drover/cache";
import { newFailure, newNotFound } from "@drover/machinery";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { Monitors } from "./monitors.ts";

const resource = (plural: string): ApiResource => {
  const kind = { group: "", version: "v1", kind: plural };
  return {
    ...kind,
    plural,
    singular: "",
    shortNames: [],
    categories: [],
    scope: "Namespaced",
    verbs: ["delete", "list", "watch", "get"],
    responseKind: kind,
    subresources: {},
  };
};

interface Stage {
  readonly clock: ManualClock;
  readonly monitors: Monitors;
  /** Cluster of the informers. */
  readonly cluster: Cluster;
  /** Served kinds; may be changed. */
  readonly served: string[];
  /** Kinds that are being watched. */
  readonly watched: Set<string>;
  readonly requests: HttpRequest[];
  /** How often `onKinds` was called. */
  readonly told: () => number;
}

/** A server without objects, which serves secrets but fails to list them. */
function stage(): Stage {
  const clock = new ManualClock();
  const served = ["pods", "secrets"];
  const watched = new Set<string>();
  const requests: HttpRequest[] = [];
  let told = 0;
  const transport = (request: HttpRequest): Promise<HttpResponse> => {
    const { path, signal } = request;
    requests.push(request);
    const plural = path.replace(/\?.*$/, "").split("/").at(-1) ?? "";
    if (plural === "secrets") return Promise.resolve(statusResponse(newNotFound({ group: "", resource: plural }, "")));
    if (path.includes("sendInitialEvents"))
      return Promise.resolve(statusResponse(newFailure(422, "Invalid", "sendInitialEvents: Forbidden")));
    if (!path.includes("watch="))
      return Promise.resolve(
        jsonResponse({ kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata: { resourceVersion: "1" }, items: [] }),
      );
    watched.add(plural);
    return new Promise((_resolve, reject) =>
      signal?.addEventListener("abort", () => {
        watched.delete(plural);
        reject(signal.reason as Error);
      }),
    );
  };
  const cluster = createCluster({ runtime: testRuntime({ clock }), namespace: "default", transport });
  const discovery = {
    serverPreferredResources: () =>
      Promise.resolve({ resources: served.map((plural) => ({ groupVersion: "v1", resources: [resource(plural)] })), failures: [] }),
  };
  return {
    clock,
    cluster,
    served,
    watched,
    requests,
    told: () => told,
    monitors: new Monitors({ cluster, discovery, onEffects: () => undefined, onKinds: () => told++, resyncMs: 30_000 }),
  };
}

describe("G001: Monitors", () => {
  it("send no request before they run, and their waiters can give up", async () => {
    const { clock, monitors, requests } = stage();
    const patience = new AbortController();
    const waiting = monitors.synced(patience.signal);
    await clock.advance(60_000);
    expect([monitors.graph.get("uid"), requests]).toEqual([undefined, []]);
    patience.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });

  it("follow the served kinds, and one that cannot be listed does not delay the others", async () => {
    const { clock, cluster, monitors, served, watched, told } = stage();
    const ending = new AbortController();
    const caches = cluster.run(ending.signal);
    const words: (string | undefined)[] = [];
    const running = monitors.run(
      {
        request: () => undefined,
        synced: () => words.push("synced"),
        waitingFor: (why) => words.push(typeof why === "function" ? why() : why),
      },
      ending.signal,
    );
    await clock.advance(1000);
    expect([[...watched], words.at(-1), told()]).toEqual([["pods"], "not listed yet: secrets v1", 1]);
    served.splice(0, 2, "pods", "configmaps");
    await clock.advance(30_000);
    expect([[...watched].toSorted(), words.includes("synced"), told()]).toEqual([["configmaps", "pods"], true, 2]);
    served.splice(0, 2, "configmaps");
    await clock.advance(30_000);
    expect([[...watched], told()]).toEqual([["configmaps"], 3]);
    ending.abort(new Error("the end"));
    await Promise.all([running, caches]);
    await clock.advance(1000);
    expect([...watched]).toEqual([]);
  });
});
