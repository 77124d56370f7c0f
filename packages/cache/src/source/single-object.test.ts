import { ConfigMap } from "@drover/api/core/v1";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { newFailure, newNotFound, objectKey } from "@drover/machinery";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { listWatcher } from "./late-list-watcher.ts";
import type { ListWatcherSettings } from "./late-list-watcher.ts";

const call = { signal: new AbortController().signal };
const web = {
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name: "web", namespace: "shop", uid: "u", resourceVersion: "7", labels: { app: "web" }, managedFields: [{}] },
  data: { a: "b" },
};

function stage(response: HttpResponse, settings: Partial<ListWatcherSettings> = {}) {
  const requests: HttpRequest[] = [];
  const transport = async (request: HttpRequest): Promise<HttpResponse> => {
    requests.push(request);
    return response;
  };
  const source = listWatcher<ConfigMap>({ transport, clock: new ManualClock(), kind: ConfigMap, ...settings });
  const get = (key = objectKey("web", "shop"), resourceVersion?: string) =>
    source.get?.(key, resourceVersion === undefined ? {} : { resourceVersion }, call);
  return { get, requests };
}

describe("VersionSource.get of listWatcher", () => {
  it("reads one object as the informer would store it, at the version that was asked for", async () => {
    const { get, requests } = stage(jsonResponse(web));
    const version = await get(undefined, "5");
    expect([version?.key, version?.uid, version?.resourceVersion, version?.isParsed]).toEqual(["shop/web", "u", "7", false]);
    expect(version?.object.metadata.managedFields).toBeUndefined();
    expect(requests.map(({ path }) => path)).toEqual(["/api/v1/namespaces/shop/configmaps/web?resourceVersion=5"]);
  });

  it("keeps only declared fields, and leaves out an object whose labels are not selected", async () => {
    expect(Object.keys((await stage(jsonResponse(web), { fields: ["immutable"] }).get())?.object ?? {})).toEqual([
      "kind",
      "apiVersion",
      "metadata",
    ]);
    expect(await stage(jsonResponse(web), { labelSelector: "app=db" }).get()).toBeUndefined();
    expect(await stage(jsonResponse(web), { labelSelector: "app=web" }).get()).toBeDefined();
  });

  it("returns undefined only if the server says that this object is missing", async () => {
    const configMaps = { group: "", resource: "configmaps" };
    expect(await stage(statusResponse(newNotFound(configMaps, "web"))).get()).toBeUndefined();
    await expect(
      stage(statusResponse(newFailure(404, "NotFound", "the server could not find the requested resource"))).get(),
    ).rejects.toThrow();
    await expect(stage({ status: 404, headers: { "content-type": "text/html" }, body: "<html>" }).get()).rejects.toThrow();
    await expect(stage(statusResponse(newNotFound(configMaps, "other"))).get()).rejects.toThrow("not found");
  });

  it("rejects another object, an error with status 200, a page of a proxy and truncated JSON", async () => {
    await expect(stage(jsonResponse(web)).get(objectKey("other", "shop"))).rejects.toThrow("answered with another object, shop/web");
    await expect(
      stage(jsonResponse({ kind: "Status", apiVersion: "v1", status: "Failure", message: "no", code: 500 })).get(),
    ).rejects.toThrow();
    await expect(stage({ status: 200, headers: { "content-type": "text/html" }, body: "<html>" }).get()).rejects.toThrow("instead of JSON");
    await expect(stage({ ...jsonResponse({}), body: JSON.stringify(web).slice(0, 40) }).get()).rejects.toThrow();
  });
});
