import { describe, expect, it } from "vitest";
import { isSeen, answeredWrites, writeRequest } from "./own-write.ts";
import type { OwnWrite, WriteRequest } from "./own-write.ts";
import { keyOf, podVersion } from "../testing/pod-version.ts";

const pods = "/api/v1/namespaces/shop/pods";
const pod = (metadata: Record<string, unknown> = {}): unknown => ({
  kind: "Pod",
  metadata: { name: "web", namespace: "shop", uid: "u1", resourceVersion: "7", ...metadata },
});
const written = (method: string, path: string, body: unknown): readonly OwnWrite[] => {
  const request = writeRequest(method, path);
  return request === undefined ? [] : answered(request, JSON.stringify(body) ?? "");
};
/** As plain objects, whose late parts are read. */
const answered = (request: WriteRequest, body: string): readonly OwnWrite[] =>
  answeredWrites(request, body).map(({ key, uid, seen, resourceVersion, object }) => ({ key, uid, seen, resourceVersion, object }));

describe("writeRequest", () => {
  it("returns what a request writes", () => {
    expect(writeRequest("POST", pods)).toEqual({ group: "", resource: "pods", isDeletion: false, isSubresource: false, key: undefined });
    expect(writeRequest("PATCH", "/apis/apps/v1/namespaces/shop/deployments/web/status?fieldManager=me")).toEqual({
      group: "apps",
      resource: "deployments",
      isDeletion: false,
      isSubresource: true,
      key: "shop/web",
    });
    expect(writeRequest("DELETE", "/api/v1/namespaces/shop")).toMatchObject({ resource: "namespaces", isDeletion: true, key: "shop" });
    expect(writeRequest("DELETE", `${pods}?labelSelector=a`)).toMatchObject({ isDeletion: true, key: undefined });
  });

  it("ignores reads, dry runs and paths that are not resources", () => {
    for (const [method, path] of [
      ["GET", pods],
      ["POST", `${pods}?dryRun=All`],
      ["POST", "/healthz"],
      ["PUT", "/api/v1/%zz"],
    ] as const)
      expect(writeRequest(method, path)).toBeUndefined();
  });
});

describe("answeredWrites", () => {
  it("returns the version of a write, also of a subresource whose body is not the object", () => {
    expect(written("POST", pods, pod())).toEqual([
      { key: "shop/web", uid: "u1", seen: { type: "version", resourceVersion: "7" }, resourceVersion: "7", object: pod() },
    ]);
    expect(written("PUT", `${pods}/web/status`, pod())).toMatchObject([{ key: "shop/web", seen: { type: "version" }, object: undefined }]);
    expect(Object.isFrozen(written("POST", pods, pod())[0]?.object)).toBe(true);
  });

  it("distinguishes a finished deletion from a pending one", () => {
    const status = { kind: "Status", status: "Success", details: { name: "web", uid: "u1" } };
    expect(written("DELETE", `${pods}/web`, status)).toEqual([
      { key: "shop/web", uid: "u1", seen: { type: "gone" }, resourceVersion: "", object: undefined },
    ]);
    expect(written("DELETE", `${pods}/web`, pod())).toMatchObject([{ seen: { type: "gone" }, object: undefined }]);
    expect(written("DELETE", `${pods}/web`, pod({ deletionTimestamp: "2026-01-01T00:00:00Z" }))).toMatchObject([
      { seen: { type: "terminating" }, resourceVersion: "7", object: { kind: "Pod" } },
    ]);
    expect(written("DELETE", pods, { kind: "PodList", items: [pod(), pod({ name: "db", uid: "u2" })] }).map(({ key }) => key)).toEqual([
      "shop/web",
      "shop/db",
    ]);
  });

  it("recognises an object in any JSON formatting, and parses it on access", () => {
    const request = writeRequest("POST", pods);
    if (request === undefined) throw new Error("it is a write");
    const spaced = answered(request, JSON.stringify(pod(), null, 2));
    expect(spaced).toEqual(written("POST", pods, pod()));
    const [broken] = answeredWrites(request, JSON.stringify(pod()).replace(/}$/, ',"spec":oops}'));
    expect([broken?.key, broken?.object]).toEqual(["shop/web", undefined]);
    expect(answeredWrites(request, "no JSON")).toEqual([]);
  });

  it("returns nothing for other responses", () => {
    for (const body of [
      undefined,
      "text",
      [],
      {},
      { metadata: {} },
      pod({ uid: "" }),
      pod({ resourceVersion: undefined }),
      { kind: "Status", status: "Success" },
    ]) {
      expect([
        ...written("POST", pods, body),
        ...written("DELETE", `${pods}/web`, Array.isArray(body) ? body : { ...(body as object), kind: "Status" }),
      ]).toEqual([]);
    }
    expect(written("POST", `${pods}/web/eviction`, { kind: "Status", status: "Success", details: { uid: "u1" } })).toEqual([]);
  });
});

describe("isSeen", () => {
  const version = (at: number, uid = "u1"): ReturnType<typeof podVersion> => podVersion("shop/web", at, { uid });
  const write = (seen: OwnWrite["seen"]): OwnWrite => ({ key: keyOf("shop/web"), uid: "u1", seen, resourceVersion: "", object: undefined });

  it("requires the version or a newer one of any uid", () => {
    const seven = write({ type: "version", resourceVersion: "7" });
    expect([undefined, version(6), version(7), version(10), version(9, "u2")].map((now) => isSeen(seven, now))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(isSeen(write({ type: "version", resourceVersion: "opaque" }), version(7))).toBe(false);
  });

  it("requires the deletion, or the deletion timestamp", () => {
    expect([undefined, version(9), version(9, "u2")].map((now) => isSeen(write({ type: "gone" }), now))).toEqual([true, false, true]);
    const marked = { ...version(9), isTerminating: true };
    expect([undefined, version(9), marked, version(9, "u2")].map((now) => isSeen(write({ type: "terminating" }), now))).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});

it("answeredWrites requires a deletion or a deletion timestamp for each object of a deleted collection", () => {
  const request = writeRequest("DELETE", "/api/v1/namespaces/shop/pods");
  const body = {
    kind: "PodList",
    apiVersion: "v1",
    items: [{ metadata: { name: "a", namespace: "shop", uid: "u", resourceVersion: "7" } }],
  };
  expect(request === undefined ? undefined : answeredWrites(request, JSON.stringify(body))).toEqual([
    { key: "shop/a", uid: "u", seen: { type: "terminating" }, resourceVersion: "", object: undefined },
  ]);
});
