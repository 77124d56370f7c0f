import { ConfigMap } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { after, done, retry } from "@drover/controller";
import type { ReconcileContext, Result } from "@drover/controller";
import { isConflict, newConflict, newNotFound } from "@drover/machinery";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { finalize } from "./finalizer.ts";
import type { Finalized, FinalizerOptions } from "./finalizer.ts";

const resource = { group: "", resource: "configmaps" };
const ours = "demo.example.com/dns";

/** A server with one object, whose finalizers are the only writes. */
class OneObject {
  object: ConfigMap | undefined;
  writes = 0;

  constructor(finalizers: readonly string[], isGoing = false) {
    this.object = {
      metadata: {
        name: "web",
        namespace: "shop",
        resourceVersion: "1",
        finalizers: [...finalizers],
        ...(isGoing ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
      },
    };
  }

  readonly transport = (request: HttpRequest): Promise<HttpResponse> => Promise.resolve(this.#answer(request));

  #answer({ method, body }: HttpRequest): HttpResponse {
    expect(method).toBe("PATCH");
    const { metadata } = JSON.parse(body as string) as { metadata: { resourceVersion: string; finalizers: string[] } };
    if (this.object === undefined) return statusResponse(newNotFound(resource, "web"));
    if (metadata.resourceVersion !== this.object.metadata.resourceVersion)
      return statusResponse(newConflict(resource, "web", "changed since"));
    this.writes++;
    this.object = {
      metadata: { ...this.object.metadata, finalizers: metadata.finalizers, resourceVersion: String(Number(metadata.resourceVersion) + 1) },
    };
    const answer = jsonResponse({ apiVersion: "v1", kind: "ConfigMap", ...this.object });
    if (this.object.metadata.deletionTimestamp !== undefined && metadata.finalizers.length === 0) this.object = undefined;
    return answer;
  }
}

function run(server: OneObject, options: Partial<FinalizerOptions<ConfigMap>> = {}, seen = server.object): Promise<Finalized<ConfigMap>> {
  const clock = new ManualClock();
  const client = createClient({ transport: server.transport, clock, log: recordingLog(clock), namespace: "shop" });
  if (seen === undefined) throw new Error("there is no object");
  return finalize(seen, { client } as ReconcileContext, { kind: ConfigMap, finalizer: ours, cleanup: () => done, ...options });
}

describe("finalize", () => {
  it("adds the finalizer before anything else, beside those of others (§9.19)", async () => {
    const server = new OneObject(["other"]);
    expect(await run(server)).toMatchObject({
      type: "reconcile",
      object: { metadata: { finalizers: ["other", ours], resourceVersion: "2" } },
    });
  });

  it("writes the finalizer once", async () => {
    const server = new OneObject([ours]);
    expect(await run(server)).toEqual({ type: "reconcile", object: server.object });
    expect(server.writes).toBe(0);
  });

  it("removes the finalizer after a cleanup that returned done, and keeps the others (§9.19)", async () => {
    const server = new OneObject([ours, "other"], true);
    const cleaned: string[] = [];
    expect(
      await run(server, {
        cleanup: ({ metadata }) => {
          cleaned.push(metadata.name ?? "");
          return done;
        },
      }),
    ).toEqual({ type: "settled", result: done });
    expect(cleaned).toEqual(["web"]);
    expect(server.object?.metadata.finalizers).toEqual(["other"]);
  });

  it.each<[string, Result]>([
    ["a retry", retry(new Error("the provider is away"))],
    ["a requeue", after("30s")],
  ])("keeps the finalizer and returns the result after %s", async (_name, result) => {
    const server = new OneObject([ours], true);
    expect(await run(server, { cleanup: () => result })).toEqual({ type: "settled", result });
    expect(server.writes).toBe(0);
  });

  it("keeps the finalizer if the cleanup throws (§9.19)", async () => {
    const server = new OneObject([ours], true);
    await expect(
      run(server, {
        cleanup: () => {
          throw new Error("broken");
        },
      }),
    ).rejects.toThrow("broken");
    expect(server.writes).toBe(0);
  });

  it("does not remove the finalizer from a version that was not cleaned up", async () => {
    const server = new OneObject([ours], true);
    const seen = server.object;
    server.object = { metadata: { ...server.object?.metadata, resourceVersion: "7" } };
    const outcome = await run(server, {}, seen);
    expect(outcome).toMatchObject({ type: "settled", result: { type: "retry" } });
    expect(outcome.type === "settled" && outcome.result.type === "retry" && isConflict(outcome.result.error)).toBe(true);
  });

  it("is done if the object is already gone", async () => {
    const server = new OneObject([ours], true);
    const seen = server.object;
    server.object = undefined;
    expect(await run(server, {}, seen)).toEqual({ type: "settled", result: done });
  });

  it("ignores objects that are being deleted without the finalizer, and runs no cleanup", async () => {
    const server = new OneObject(["other"], true);
    expect(
      await run(server, {
        cleanup: () => {
          throw new Error("not ours");
        },
      }),
    ).toEqual({ type: "settled", result: done });
  });

  it("adds the finalizer only to objects that need it, and removes it after a cleanup once they no longer do", async () => {
    const plain = new OneObject([]);
    expect(await run(plain, { when: () => false })).toMatchObject({ type: "reconcile" });
    expect(plain.writes).toBe(0);
    const former = new OneObject([ours]);
    expect(await run(former, { when: () => false })).toMatchObject({ type: "reconcile", object: { metadata: { finalizers: [] } } });
  });

  it("replaces former names: a rename strands no objects (trap 17)", async () => {
    const renamed = new OneObject(["wrangler.cattle.io/old", "other"]);
    expect(await run(renamed, { supersedes: ["wrangler.cattle.io/old"] })).toMatchObject({
      object: { metadata: { finalizers: ["other", ours] } },
    });
    const going = new OneObject(["wrangler.cattle.io/old"], true);
    await run(going, { supersedes: ["wrangler.cattle.io/old"] });
    expect(going.object).toBeUndefined();
  });
});
