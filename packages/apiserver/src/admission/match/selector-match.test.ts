import { describe, expect, it } from "vitest";
import { StatusError } from "../../status-error.ts";
import type { ObjectStore } from "../../registry/object-store.ts";
import type { Resource } from "../../registry/resource.ts";
import type { MatchTarget } from "./match-target.ts";
import { matchesObjectSelector, NamespaceMatch, requestSelectors } from "./selector-match.ts";

const labelled = (labels: Record<string, string>) => ({ metadata: { labels } });
const { object: selector } = requestSelectors({ objectSelector: { matchLabels: { a: "b" } } });

describe("matchesObjectSelector", () => {
  it("holds when the new or the old object matches", () => {
    const [yes, no] = [labelled({ a: "b" }), labelled({})];
    expect(matchesObjectSelector(selector, { object: yes, old: no })).toBe(true);
    expect(matchesObjectSelector(selector, { object: no, old: yes })).toBe(true);
    expect(matchesObjectSelector(selector, { object: undefined, old: yes })).toBe(true);
    expect(matchesObjectSelector(selector, { object: no, old: undefined })).toBe(false);
    expect(matchesObjectSelector(requestSelectors({}).object, { object: undefined, old: undefined })).toBe(true);
  });
});

describe("NamespaceMatch", () => {
  const namespaces = { storagePrefix: "/registry/namespaces/", kind: { group: "", plural: "namespaces" } } as Resource;
  const stored = new Map([["/registry/namespaces/team", labelled({ a: "b" })]]);
  const objects = {
    store: { get: (key: string) => Promise.resolve({ stored: stored.get(key) }) },
    views: () => ({ shared: (value: unknown) => value }),
  } as unknown as ObjectStore;
  const match = new NamespaceMatch(objects, namespaces);
  const pods = { kind: { group: "", plural: "pods" } } as Resource;
  const target = (over: Partial<MatchTarget>): MatchTarget => ({
    operation: "CREATE",
    resource: pods,
    subresource: "",
    namespace: "team",
    name: "p",
    ...over,
  });
  const wanted = requestSelectors({ namespaceSelector: { matchLabels: { a: "b" } } }).namespace;

  it("reads the labels of the namespace, only if the selector asks for any", async () => {
    expect(await match.matches(wanted, target({}), {})).toBe(true);
    expect(match.matches(requestSelectors({}).namespace, target({}), {})).toBe(true);
    await expect(match.matches(wanted, target({ namespace: "gone" }), {})).rejects.toThrow(StatusError);
  });

  it("matches every cluster-scoped object", () => {
    expect(match.matches(wanted, target({ namespace: "" }), {})).toBe(true);
  });

  it("takes the labels of a namespace that is written from the request, and those of a deleted one from the store", async () => {
    const at = { resource: namespaces, namespace: "team" };
    expect(match.matches(wanted, target({ ...at, operation: "UPDATE" }), labelled({}))).toBe(false);
    expect(await match.matches(wanted, target({ ...at, operation: "DELETE" }), undefined)).toBe(true);
  });
});
