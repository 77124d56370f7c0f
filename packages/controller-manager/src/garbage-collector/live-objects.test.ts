import { jsonResponse, statusResponse, textResponse } from "@drover/client/testing";
import { isConflict, newConflict, newUnsupportedMediaType } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { NamespacedOwnerError, UnservedKindError } from "./live-objects.ts";
import { dropOwnersMergePatch, dropOwnersPatch } from "./owner-patches.ts";
import { liveStage, notFound, podAnswer } from "./testing/live-stage.ts";

const web = { apiVersion: "v1", kind: "Pod", namespace: "shop", name: "web", uid: "1" };
const owners = [{ apiVersion: "v1", kind: "Pod", name: "owner", uid: "9" }];
const conflict = statusResponse(newConflict({ group: "", resource: "pods" }, "web", "changed"));
const latest = { metadata: { uid: "1", resourceVersion: "7", ownerReferences: owners } };

describe("LiveObjects", () => {
  it("returns an object, and undefined when it does not exist", async () => {
    const { live, requests } = liveStage(podAnswer({ name: "web", uid: "1" }), notFound("web"));
    expect((await live.get(web))?.metadata.uid).toBe("1");
    expect(await live.get(web)).toBeUndefined();
    expect(requests()).toEqual(["GET shop/web", "GET shop/web"]);
  });

  it("throws for a kind that is not served, and rediscovers the path of one that was removed", async () => {
    const { live, requests } = liveStage();
    await expect(live.get({ ...web, apiVersion: "v7" })).rejects.toThrow(UnservedKindError);
    expect(requests()).toEqual([]);
    for (const answer of [
      textResponse("404 page not found", { status: 404 }),
      jsonResponse({ kind: "Status", apiVersion: "v1", status: "Failure", reason: "NotFound", code: 404, details: {} }, { status: 404 }),
    ]) {
      const { live: gone, resets } = liveStage(answer);
      await expect(gone.get(web)).rejects.toThrow(UnservedKindError);
      expect(resets()).toBe(1);
    }
  });

  it("rejects a namespaced kind without a namespace", async () => {
    await expect(liveStage().live.get({ ...web, namespace: "" })).rejects.toThrow(NamespacedOwnerError);
  });

  it("sends a merge patch where strategic ones are not supported, if it is still the same object", async () => {
    const drop = (live: ReturnType<typeof liveStage>["live"]): Promise<boolean> =>
      live.patch(web, dropOwnersPatch("1", ["9"]), (metadata) => dropOwnersMergePatch(metadata, ["9"]));
    const unsupported = statusResponse(newUnsupportedMediaType([]));
    const { live, requests } = liveStage(unsupported, podAnswer(latest.metadata), podAnswer({ uid: "1" }));
    expect(await drop(live)).toBe(true);
    expect(requests().at(-1)).toBe('PATCH shop/web {"metadata":{"resourceVersion":"7","ownerReferences":null}}');
    expect(await drop(liveStage(unsupported, podAnswer({ uid: "2" })).live)).toBe(false);
    expect(await drop(liveStage(notFound("web")).live)).toBe(false);
  });

  it("removes a finalizer from the observed version only; leaves a namesake or an object without it alone", async () => {
    const { live, requests } = liveStage(
      podAnswer({ uid: "1", resourceVersion: "7", finalizers: ["orphan", "mine"] }),
      podAnswer({ uid: "1" }),
    );
    await live.dropFinalizer(web, "orphan");
    expect(requests()).toEqual(["GET shop/web", 'PATCH shop/web {"metadata":{"resourceVersion":"7","finalizers":["mine"]}}']);
    for (const metadata of [
      { uid: "2", finalizers: ["orphan"] },
      { uid: "1", finalizers: ["mine"] },
    ]) {
      const other = liveStage(podAnswer(metadata));
      await other.live.dropFinalizer(web, "orphan");
      expect(other.requests()).toHaveLength(1);
    }
  });

  it("deletes the observed object; unrelated changes do not matter, changed owners are a conflict", async () => {
    const policy = '"propagationPolicy":"Background"';
    const { live, requests } = liveStage(
      conflict,
      podAnswer({ uid: "1", resourceVersion: "8", ownerReferences: owners }),
      podAnswer({ uid: "1" }),
    );
    expect(await live.delete(web, { latest: { apiVersion: "v1", kind: "Pod", ...latest } as never, propagationPolicy: "Background" })).toBe(
      true,
    );
    expect(requests().map((line) => line.replace(/\{"kind":"DeleteOptions","apiVersion":"v1",?/, "{"))).toEqual([
      expect.stringContaining('"resourceVersion":"7"') as string,
      "GET shop/web",
      expect.not.stringContaining("resourceVersion") as string,
    ]);
    expect(requests()[0]).toContain(policy);
    const changed = liveStage(conflict, podAnswer({ uid: "1", resourceVersion: "8" }));
    await expect(changed.live.delete(web, { latest: latest as never, propagationPolicy: "Background" })).rejects.toSatisfy(isConflict);
    const gone = liveStage(conflict, notFound("web"));
    expect(await gone.live.delete(web, { latest: latest as never, propagationPolicy: "Background" })).toBe(false);
  });
});
