import { DeletedFinalStateUnknown } from "@drover/client-go";
import type { ResourceEventHandler } from "@drover/client-go";
import { Secret } from "@drover/api/core/v1";
import type { HandlerContext } from "@drover/lasso";
import { objectKey } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { relatedresource } from "./related-resource.ts";
import type { Watched } from "./related-resource.ts";

/** A watched kind whose events the test emits. */
function watchedSecrets(): {
  readonly watched: Watched;
  readonly events: () => ResourceEventHandler<KubeObject> | undefined;
  readonly retry: () => Promise<unknown>;
} {
  let handler: ResourceEventHandler<KubeObject> | undefined;
  let retry: () => Promise<unknown> = () => Promise.resolve();
  const watched: Watched = {
    groupVersionKind: () => Secret,
    addGenericHandler: (_signal, _name, generic) =>
      void (retry = async () => await generic(objectKey("token", "shop"), undefined, {} as HandlerContext)),
    enqueueKey: () => undefined,
    informer: () => ({
      addEventHandler: (given) => {
        handler = given;
        return { hasSynced: () => true };
      },
      removeEventHandler: () => void (handler = undefined),
    }),
  };
  return { watched, events: () => handler, retry: () => retry() };
}

describe("relatedresource", () => {
  it("trap 22: calls the resolver with the last known state after a missed deletion, and with the key alone if none is known (§2.4.2)", async () => {
    const { watched, events } = watchedSecrets();
    const asked: string[] = [];
    const enqueued: string[] = [];
    relatedresource.watch(
      new AbortController().signal,
      "test",
      (namespace, name, object) => {
        asked.push(`${namespace}/${name} ${object?.metadata.labels?.["for"]}`);
        return [relatedresource.newKey(namespace, object?.metadata.labels?.["for"] ?? "")];
      },
      { enqueue: (namespace, name, reason) => void enqueued.push(`${namespace}/${name}: ${reason?.note}`) },
      watched,
    );
    await events()?.onDelete(
      new DeletedFinalStateUnknown("shop/token", { metadata: { name: "token", namespace: "shop", labels: { for: "a" } } }),
    );
    await events()?.onDelete(new DeletedFinalStateUnknown<KubeObject>("shop/lost", undefined));
    expect([asked, enqueued]).toEqual([["shop/token a", "shop/lost undefined"], ["shop/a: Secret shop/token changed (test)"]]);
  });

  it("enqueues each key once although old and new object name it, and stops with its signal", async () => {
    const { watched, events } = watchedSecrets();
    const stop = new AbortController();
    const enqueued: string[] = [];
    relatedresource.watchClusterScoped(
      stop.signal,
      "test",
      () => [relatedresource.newKey("", "node-1")],
      { enqueue: (name) => void enqueued.push(name) },
      watched,
    );
    const object = { metadata: { name: "token", namespace: "shop" } };
    await events()?.onUpdate(object, object);
    stop.abort();
    expect([enqueued, events()]).toEqual([["node-1"], undefined]);
  });

  it("retries a resolver that failed for many versions with the first and the newest, and keeps no others", async () => {
    const { watched, events, retry } = watchedSecrets();
    let isFailing = true;
    const asked: string[] = [];
    const enqueued: string[] = [];
    relatedresource.watch(
      new AbortController().signal,
      "test",
      (namespace, _name, object) => {
        if (isFailing) throw new Error("no index yet");
        asked.push(object?.metadata.labels?.["for"] ?? "");
        return [relatedresource.newKey(namespace, object?.metadata.labels?.["for"] ?? "")];
      },
      { enqueue: (_namespace, name) => void enqueued.push(name) },
      watched,
    );
    const version = (chart: number): KubeObject => ({ metadata: { name: "token", namespace: "shop", labels: { for: `chart-${chart}` } } });
    await events()?.onAdd(version(0), false);
    for (let chart = 1; chart <= 100; chart++) await events()?.onUpdate(version(chart - 1), version(chart));
    isFailing = false;
    await retry();
    await retry();
    expect([asked, enqueued]).toEqual([
      ["chart-0", "chart-100"],
      ["chart-0", "chart-100"],
    ]);
  });
});
