import { DeletedFinalStateUnknown } from "@drover/client-go";
import type { ResourceEventHandler } from "@drover/client-go";
import { Secret } from "@drover/api/core/v1";
import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { relatedresource } from "./related-resource.ts";
import type { Watched } from "./related-resource.ts";

/** A watched kind whose events the test emits. */
function watchedSecrets(): { readonly watched: Watched; readonly events: () => ResourceEventHandler<KubeObject> | undefined } {
  let handler: ResourceEventHandler<KubeObject> | undefined;
  const watched: Watched = {
    groupVersionKind: () => Secret,
    addGenericHandler: () => undefined,
    enqueueKey: () => undefined,
    informer: () => ({
      addEventHandler: (given) => {
        handler = given;
        return { hasSynced: () => true };
      },
      removeEventHandler: () => void (handler = undefined),
    }),
  };
  return { watched, events: () => handler };
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
});
