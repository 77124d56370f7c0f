import type { ApiResource, PreferredResources } from "@drover/client";
import { describe, expect, it } from "vitest";
import { monitoredKinds } from "./monitored-kinds.ts";
import type { KindChoice, MonitoredKind } from "./monitored-kinds.ts";

const choice: KindChoice = { verbs: ["delete", "list", "watch"], isWanted: ({ plural }) => plural !== "events" };

const resource = (group: string, plural: string, verbs: readonly string[] = ["delete", "list", "watch", "get"]): ApiResource => {
  const kind = { group, version: "v1", kind: plural };
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
const found = (resources: readonly ApiResource[], failed: readonly string[] = []): PreferredResources => ({
  resources: resources.map((one) => ({ groupVersion: one.group === "" ? "v1" : `${one.group}/v1`, resources: [one] })),
  failures: failed.map((groupVersion) => ({ groupVersion, error: new Error("down") })),
});
const current = (kinds: Readonly<Record<string, readonly [ApiResource, boolean]>>): ReadonlyMap<string, MonitoredKind> =>
  new Map(
    Object.entries(kinds).map(([name, [one, hasSynced]]) => [
      name,
      { kind: { ...one, listKind: "", verbs: [] } as MonitoredKind["kind"], hasSynced },
    ]),
  );
const names = (kinds: ReadonlyMap<string, unknown> | undefined): readonly string[] | undefined =>
  kinds && [...kinds.values()].map((kind) => (kind as ApiResource).plural);

describe("monitoredKinds", () => {
  it("returns wanted kinds that have the verbs", () => {
    expect(
      names(
        monitoredKinds(
          found([
            resource("", "pods"),
            resource("", "events"),
            resource("events.k8s.io", "events"),
            resource("", "bindings", ["create"]),
            resource("apps", "deployments"),
          ]),
          new Map(),
          choice,
        ),
      ),
    ).toEqual(["pods", "deployments"]);
  });

  it("G011: changes nothing when discovery returns nothing", () => {
    expect(monitoredKinds(found([], ["v1"]), new Map(), choice)).toBeUndefined();
  });

  it("G011: keeps synced kinds of a failed group and drops unsynced ones", () => {
    const [widgets, gadgets] = [resource("ex.io", "widgets"), resource("ex.io", "gadgets")];
    expect(
      names(
        monitoredKinds(
          found([resource("", "pods")], ["ex.io/v1"]),
          current({ widgets: [widgets, true], gadgets: [gadgets, false] }),
          choice,
        ),
      ),
    ).toEqual(["pods", "widgets"]);
    expect(names(monitoredKinds(found([resource("", "pods")]), current({ widgets: [widgets, true] }), choice))).toEqual(["pods"]);
  });
});
