import { ConfigMap, Node } from "@drover/api/core/v1";
import { ApiError, newForbidden } from "@drover/machinery";
import { statusResponse } from "@drover/client/testing";
import { describe, expect, it } from "vitest";
import { newDeferredListerWatcher } from "./deferred-lister-watcher.ts";
import { newSharedClientFactoryForConfig } from "./shared-client-factory.ts";
import { lassoRig } from "./testing/lasso-rig.ts";

describe("newDeferredListerWatcher", () => {
  it("sends nothing by itself, and lists its namespace with the tweaked options", async () => {
    const { cluster, configMaps, asked } = lassoRig();
    configMaps.put({ metadata: { namespace: "shop", name: "web" } });
    const source = newDeferredListerWatcher(newSharedClientFactoryForConfig({ cluster }).forObject(ConfigMap), {
      namespace: "shop",
      tweakList: (options) => ({ ...options, labelSelector: "app" }),
      watchList: false,
    });
    expect([asked(), source.description, source.supportsWatchList]).toEqual([[], "configmaps in shop", false]);
    const { items } = await source.list({ limit: 5 }, { signal: new AbortController().signal });
    expect(items).toEqual([]);
    expect(configMaps.calls).toMatchObject([{ verb: "list", options: { limit: 5, labelSelector: "app" }, path: { namespace: "shop" } }]);
  });

  it("passes on errors of list and watch", async () => {
    const { cluster, configMaps } = lassoRig();
    configMaps.fault(() => statusResponse(newForbidden({ group: "", resource: "configmaps" }, "", "not you")), { times: 2 });
    const source = newDeferredListerWatcher(newSharedClientFactoryForConfig({ cluster }).forObject(ConfigMap));
    const signal = new AbortController().signal;
    await expect(source.list({}, { signal })).rejects.toBeInstanceOf(ApiError);
    await expect(source.watch({}, { signal })[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(ApiError);
  });

  it("rejects a namespace for a cluster-scoped resource", () => {
    const { cluster } = lassoRig();
    const nodes = newSharedClientFactoryForConfig({ cluster }).forObject(Node);
    expect(newDeferredListerWatcher(nodes).description).toBe("nodes");
    expect(() => newDeferredListerWatcher(nodes, { namespace: "shop" })).toThrow("cannot limit the cache of nodes to namespace shop");
  });
});
