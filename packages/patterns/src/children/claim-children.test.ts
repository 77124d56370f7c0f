import { ReplicaSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { deepFreeze, isConflict, newConflict, newInvalid, newNotFound, newUnsupportedMediaType, parseSelector } from "@drover/machinery";
import type { DeepReadonly, HttpRequest, HttpResponse, OwnerReference } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claimChildren } from "./claim-children.ts";
import type { ControllerRefManagerOptions } from "./claim-children.ts";
import { ClaimError } from "./claim-error.ts";

const pods = { group: "", resource: "pods" };
const owner = deepFreeze({ metadata: { name: "web", namespace: "shop", uid: "u1" } });
const ours: OwnerReference = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  name: "web",
  uid: "u1",
  controller: true,
  blockOwnerDeletion: true,
};

type Outcome = "done" | "gone" | "replaced" | "changed" | "no strategic patch";

/** A server that answers patches of a pod as configured for its name, and returns the owner. */
class Server {
  readonly requests: string[] = [];
  ownerUid = "u1";
  ownerGoesAt: string | undefined;
  readonly #outcomes: ReadonlyMap<string, Outcome>;

  constructor(outcomes: ReadonlyMap<string, Outcome> = new Map()) {
    this.#outcomes = outcomes;
  }

  readonly transport = (request: HttpRequest): Promise<HttpResponse> => {
    request.signal?.throwIfAborted();
    return Promise.resolve(this.#answer(request));
  };

  #answer({ method, path, headers, body }: HttpRequest): HttpResponse {
    const name = path.split("?")[0]?.split("/").at(-1) ?? "";
    const isStrategic = headers["content-type"] === "application/strategic-merge-patch+json";
    this.requests.push(`${method} ${name}${method === "PATCH" ? (isStrategic ? " strategic" : " merge") : ""}`);
    if (method === "GET")
      return jsonResponse({
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        metadata: {
          ...owner.metadata,
          uid: this.ownerUid,
          ...(this.ownerGoesAt === undefined ? {} : { deletionTimestamp: this.ownerGoesAt }),
        },
      });
    const outcome = this.#outcomes.get(name) ?? "done";
    if (outcome === "gone") return statusResponse(newNotFound(pods, name));
    if (outcome === "replaced") return statusResponse(newInvalid({ group: "", kind: "Pod" }, name, []));
    if (outcome === "changed") return statusResponse(newConflict(pods, name, "changed since"));
    if (outcome === "no strategic patch" && isStrategic) return statusResponse(newUnsupportedMediaType([]));
    return jsonResponse({ apiVersion: "v1", kind: "Pod", ...(JSON.parse(body as string) as object) });
  }
}

const pod = (
  name: string,
  { references = [], app = "web" }: { readonly references?: readonly OwnerReference[]; readonly app?: string } = {},
): DeepReadonly<Pod> =>
  deepFreeze({
    metadata: { name, namespace: "shop", uid: `uid-${name}`, resourceVersion: "5", labels: { app }, ownerReferences: [...references] },
  });

function run(
  server: Server,
  children: readonly DeepReadonly<Pod>[],
  options: Partial<ControllerRefManagerOptions<Pod>> = {},
): Promise<readonly DeepReadonly<Pod>[]> {
  const clock = new ManualClock();
  const client = createClient({ transport: server.transport, clock, log: recordingLog(clock), namespace: "shop" });
  return claimChildren(children, { owner, ownerKind: ReplicaSet, childKind: Pod, selector: parseSelector("app=web"), client, ...options });
}

describe("claimChildren, children", () => {
  it("that are already ours need no request", async () => {
    const server = new Server();
    const child = pod("a", { references: [ours] });
    expect(await run(server, [child, pod("b", { app: "other" })])).toEqual([child]);
    expect(server.requests).toEqual([]);
  });

  it("that are orphans are adopted after one read of the owner, and returned as stored by the server", async () => {
    const server = new Server();
    const claimed = await run(server, [pod("a"), pod("b", { references: [ours] }), pod("c")]);
    expect(server.requests).toEqual(["GET web", "PATCH a strategic", "PATCH c strategic"]);
    expect(claimed.map(({ metadata }) => metadata.ownerReferences?.[0]?.uid)).toEqual(["u1", "u1", "u1"]);
  });

  it("that no longer match are released without a read of the owner", async () => {
    const server = new Server();
    expect(await run(server, [pod("a", { references: [ours], app: "other" })])).toEqual([]);
    expect(server.requests).toEqual(["PATCH a strategic"]);
  });

  it("get a merge patch if the kind does not support strategic patches", async () => {
    const server = new Server(new Map([["a", "no strategic patch"]]));
    expect(await run(server, [pod("a")])).toHaveLength(1);
    expect(server.requests).toEqual(["GET web", "PATCH a strategic", "PATCH a merge"]);
  });

  it("must also pass the filter", async () => {
    const server = new Server();
    await run(server, [pod("web-1"), pod("stray", { references: [ours] })], {
      filter: ({ metadata }) => metadata.name?.startsWith("web-") === true,
    });
    expect(server.requests).toEqual(["GET web", "PATCH web-1 strategic", "PATCH stray strategic"]);
  });
});

describe("claimChildren, owner", () => {
  it("adopts nothing if it was replaced, with an error per child", async () => {
    const server = new Server();
    server.ownerUid = "u2";
    const kept = pod("kept", { references: [ours] });
    const error = await run(server, [pod("a"), kept, pod("b")]).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ClaimError);
    expect((error as ClaimError).errors.map(String)).toEqual([
      "Error: can't adopt Pod shop/a (uid-a): original ReplicaSet shop/web is gone: got uid u2, wanted u1",
      "Error: can't adopt Pod shop/b (uid-b): original ReplicaSet shop/web is gone: got uid u2, wanted u1",
    ]);
    expect((error as ClaimError).claimed).toEqual([kept]);
    expect(server.requests).toEqual(["GET web"]);
  });

  it("adopts nothing if it was just deleted", async () => {
    const server = new Server();
    server.ownerGoesAt = "2026-01-01T00:00:00Z";
    await expect(run(server, [pod("a")])).rejects.toThrow(
      "can't adopt Pod shop/a (uid-a): shop/web has just been deleted at 2026-01-01T00:00:00Z",
    );
    expect(server.requests).toEqual(["GET web"]);
  });

  it("is read once for all children with the given canAdopt", async () => {
    const server = new Server();
    let asked = 0;
    await run(server, [pod("a"), pod("b")], { canAdopt: () => Promise.resolve((asked++, owner)) });
    expect([asked, server.requests]).toEqual([1, ["PATCH a strategic", "PATCH b strategic"]]);
  });
});

describe("claimChildren", () => {
  it("rejects with the abort reason", async () => {
    const abort = new AbortController();
    const reason = new Error("enough");
    const server = new Server();
    const claimed = run(server, [pod("a"), pod("b")], {
      signal: abort.signal,
      canAdopt: () => {
        abort.abort(reason);
        return Promise.resolve(owner);
      },
    });
    await expect(claimed).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it("claims what it can, and reports exactly the failures", async () => {
    const outcomes = fc.array(
      fc.record({ outcome: fc.constantFrom<Outcome>("done", "gone", "replaced", "changed", "no strategic patch"), isOrphan: fc.boolean() }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(outcomes, async (cases) => {
        const server = new Server(new Map(cases.map(({ outcome }, index) => [`p-${index}`, outcome])));
        const children = cases.map(({ isOrphan }, index) => pod(`p-${index}`, isOrphan ? {} : { references: [ours], app: "other" }));
        const failing = cases.filter(({ outcome, isOrphan }) => outcome === "changed" || (isOrphan && outcome === "replaced"));
        const adopted = cases.flatMap(({ outcome, isOrphan }, index) =>
          isOrphan && (outcome === "done" || outcome === "no strategic patch") ? [`uid-p-${index}`] : [],
        );
        const result = await run(server, children).catch((error: unknown) => error);
        const claimed = (result instanceof ClaimError ? result.claimed : result) as readonly DeepReadonly<Pod>[];
        expect(claimed.map(({ metadata }) => metadata.uid)).toEqual(adopted);
        expect(result instanceof ClaimError ? result.errors.length : 0).toBe(failing.length);
        expect(server.requests.filter((request) => request.startsWith("GET"))).toHaveLength(cases.some(({ isOrphan }) => isOrphan) ? 1 : 0);
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4) },
    );
  });

  it("keeps the API reason of a single failure", async () => {
    const error = await run(new Server(new Map([["a", "changed"]])), [pod("a")]).catch((caught: unknown) => caught);
    expect((error as ClaimError).errors.map(isConflict)).toEqual([true]);
  });
});
