import { ConfigMap } from "@drover/api/core/v1";
import { Deployment } from "@drover/api/apps/v1";
import type { HandlerState, InformerState } from "@drover/cache";
import { ApiError, newFailure } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { informerAccount } from "./informer-account.ts";

const informer = (reflector: Partial<InformerState["reflector"]>, hasSynced = false): InformerState => ({
  name: "pods in shop",
  hasSynced,
  size: 0,
  lastSyncResourceVersion: "",
  queued: 0,
  handlers: [],
  reflector: {
    phase: "watching",
    sinceMs: 0,
    untilMs: undefined,
    hasSynced,
    lastSyncResourceVersion: "",
    epoch: 0,
    lagMs: undefined,
    lastError: undefined,
    hasFailed: false,
    lists: 1,
    watches: 0,
    events: 0,
    refused: 0,
    poison: [],
    poisonCount: 0,
    ...reflector,
  },
});
const failed = (code: number): Partial<InformerState["reflector"]> => ({
  phase: "backing-off",
  hasFailed: true,
  lastError: { error: new ApiError(newFailure(code, "", "no"), { code }), atMs: 0 },
});
const handler = (state: Partial<HandlerState> = {}): HandlerState => ({
  name: "h",
  hasSynced: true,
  pendingKeys: 0,
  running: undefined,
  errors: 0,
  givenUp: 0,
  ...state,
});

describe("informerAccount", () => {
  it("returns undefined if there is no problem, also after failures that are over", () => {
    expect(informerAccount(ConfigMap, [informer({ lastError: { error: "long over", atMs: 0 } }, true)], handler())).toBeUndefined();
  });

  it("adds a hint to errors that have a known fix", () => {
    const account = (code: number): string | undefined => informerAccount(Deployment, [informer(failed(code), true)], handler());
    expect([account(404), account(403), account(500)]).toEqual([
      "pods in shop: 404: no (this cluster does not serve deployments.apps in version v1; is its CustomResourceDefinition installed?)",
      "pods in shop: 403: no (its account needs the verbs list and watch on deployments.apps)",
      "pods in shop: 500: no",
    ]);
  });

  it("names every informer with a problem, and no other", () => {
    expect(informerAccount(ConfigMap, [informer({ phase: "listing" }), informer({}, true), informer({ phase: "empty" })], handler())).toBe(
      "pods in shop: the list is still running; pods in shop: not running; the informers of a cluster start with cluster.run",
    );
  });

  it("describes the handler if the informers are fine and it is not done, including the current call", () => {
    expect(
      informerAccount(
        ConfigMap,
        [informer({}, true)],
        handler({ hasSynced: false, pendingKeys: 2, running: { key: "a" as never, ms: 1 } }),
      ),
    ).toBe("3 objects of the first list are not handled yet");
    expect(informerAccount(ConfigMap, [], handler({ hasSynced: false, pendingKeys: 1, errors: 4 }))).toBe(
      "1 objects of the first list are not handled yet; its predicates or its handler failed 4 times; see the log",
    );
  });
});
