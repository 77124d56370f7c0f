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

describe("live objects", () => {
  it("are read where they are, and undefined when they are not", async () => {
    const { live, requests } = liveStage(podAnswer({ name: "web", uid: "1" }), notFound("web"));
    expect((await live.get(web))?.metadata.uid).toBe("1");
    expect(await live.get(web)).toBeUndefined();
    expect(requests()).toEqual(["GET shop/web", "GET shop/web"]);
  });

  it("of a kind that is not served are an error, and the path of one that went is looked for again", async () => {
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

  it("of a kind in namespaces cannot be asked for without one", async () => {
    await expect(liveStage().live.get({ ...web, namespace: "" })).rejects.toThrow(NamespacedOwnerError);
  });

  it("are patched as a merge where strategic patches are not understood, if it is still the same object", async () => {
    const drop = (live: ReturnType<typeof liveStage>["live"]): Promise<boolean> =>
      live.patch(web, dropOwnersPatch("1", ["9"]), (metadata) => dropOwnersMergePatch(metadata, ["9"]));
    const unsupported = statusResponse(newUnsupportedMediaType([]));
    const { live, requests } = liveStage(unsupported, podAnswer(latest.metadata), podAnswer({ uid: "1" }));
    expect(await drop(live)).toBe(true);
    expect(requests().at(-1)).toBe('PATCH shop/web {"metadata":{"resourceVersion":"7","ownerReferences":null}}');
    expect(await drop(liveStage(unsupported, podAnswer({ uid: "2" })).live)).toBe(false);
    expect(await drop(liveStage(notFound("web")).live)).toBe(false);
  });

  it("lose a finalizer on the version that was seen; another object of the name, or one without it, is left alone", async () => {
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

  it("are deleted as they were seen; a change that leaves the owners alone does not matter, one that does not is a conflict", async () => {
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
