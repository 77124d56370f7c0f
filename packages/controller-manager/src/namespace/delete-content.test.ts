import { createClient } from "@drover/client";
import type { ApiResource, PreferredResources } from "@drover/client";
import { jsonResponse, scriptedTransport, statusResponse } from "@drover/client/testing";
import type { ScriptedResponder, ScriptedTransport } from "@drover/client/testing";
import { newFailure, newInternalError } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { deleteContent } from "./delete-content.ts";
import type { ContentOutcome } from "./remaining-content.ts";

const allVerbs = ["delete", "deletecollection", "list", "get"];
const resource = (plural: string, verbs: readonly string[] = allVerbs): ApiResource => {
  const kind = { group: "", version: "v1", kind: plural };
  return {
    ...kind,
    plural,
    singular: "",
    shortNames: [],
    categories: [],
    scope: "Namespaced",
    verbs,
    responseKind: kind,
    subresources: {},
  };
};
const found = (...resources: readonly ApiResource[]): PreferredResources => ({
  resources: [{ groupVersion: "v1", resources }],
  failures: [],
});
const listOf = (...items: readonly KubeObject[]): ReturnType<typeof jsonResponse> => jsonResponse({ kind: "List", metadata: {}, items });
const nothing: ScriptedResponder = () => listOf();

async function act(
  asked: PreferredResources | Error,
  script: ScriptedResponder,
  elapsedSeconds = 0,
): Promise<ContentOutcome & { readonly requests: readonly string[] }> {
  const { clock, log } = testRuntime();
  const transport: ScriptedTransport = scriptedTransport(script);
  const discovery = {
    serverPreferredNamespacedResources: () => (asked instanceof Error ? Promise.reject(asked) : Promise.resolve(asked)),
  };
  const outcome = await deleteContent("shop", {
    client: createClient({ transport, clock, log, namespace: "default" }),
    discovery,
    signal: new AbortController().signal,
    elapsedSeconds,
  });
  return {
    ...outcome,
    requests: transport.requests.map(({ method, pathname }) => `${method} ${pathname.replace("/api/v1/namespaces/shop/", "")}`),
  };
}

describe("deleteContent", () => {
  it("deletes pods first, each kind as a collection, and lists what is left", async () => {
    const { requests, ...outcome } = await act(found(resource("secrets"), resource("pods"), resource("bindings", ["create"])), nothing);
    expect(requests).toEqual(["GET pods", "DELETE pods", "GET pods", "DELETE secrets", "GET secrets"]);
    expect(outcome).toEqual({ estimateSeconds: 0, remaining: [], contentErrors: [] });
  });

  it("deletes one by one where a collection cannot be deleted", async () => {
    const answer: ScriptedResponder = ({ method, pathname }, index) => {
      if (method === "DELETE" && pathname.endsWith("/secrets")) return statusResponse(newFailure(405, "MethodNotAllowed", "no", {}));
      return index < 3 ? listOf({ metadata: { name: "a" } }) : listOf();
    };
    expect((await act(found(resource("secrets")), answer)).requests).toEqual([
      "DELETE secrets",
      "GET secrets",
      "DELETE secrets/a",
      "GET secrets",
    ]);
    expect((await act(found(resource("secrets", ["delete", "list"])), nothing)).requests).toEqual(["GET secrets", "GET secrets"]);
    expect((await act(found(resource("secrets", ["delete"])), nothing)).requests).toEqual([]);
  });

  it("waits for the grace period of pods and leaves everything else alone meanwhile", async () => {
    const pods: ScriptedResponder = () =>
      listOf(
        { metadata: { name: "a" }, spec: { terminationGracePeriodSeconds: 30 } } as KubeObject,
        { metadata: { name: "b" }, spec: { terminationGracePeriodSeconds: 300 }, status: { phase: "Failed" } } as KubeObject,
      );
    const early = await act(found(resource("pods"), resource("secrets")), pods, 29);
    expect([early.estimateSeconds, early.contentErrors, early.requests]).toEqual([30, [], ["GET pods", "DELETE pods", "GET pods"]]);
    const late = await act(found(resource("pods")), pods, 30);
    expect([late.estimateSeconds, late.contentErrors.map(String)]).toEqual([
      0,
      ["UnexpectedItemsError: unexpected items still remain in namespace: shop for gvr: /v1, Resource=pods"],
    ]);
  });

  it("reports failures and deletes the rest", async () => {
    const partly: PreferredResources = {
      ...found(resource("secrets"), resource("services")),
      failures: [{ groupVersion: "ex.io/v1", error: new Error("down") }],
    };
    const outcome = await act(partly, ({ pathname }) =>
      pathname.includes("secrets") ? statusResponse(newInternalError("broken")) : listOf(),
    );
    expect(outcome.contentErrors).toHaveLength(1);
    expect(String(outcome.discoveryError)).toContain("ex.io/v1: down");
    expect(outcome.requests).toEqual(["DELETE secrets", "DELETE services", "GET services"]);
    expect(await act(new Error("no answer"), nothing)).toMatchObject({ discoveryError: new Error("no answer"), requests: [] });
  });
});
