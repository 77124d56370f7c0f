import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { added } from "../testing/changes.ts";
import { requestsFor } from "../handlers/request.ts";
import type { ChangeCause } from "../handlers/request.ts";
import type { SourceRequest } from "./source.ts";
import { handleChange } from "./follow-informer.ts";
import { sourceRig } from "./testing/source-rig.ts";

describe("handleChange", () => {
  const change = added({ metadata: { name: "a" } });
  const { cluster } = sourceRig({ name: "west" });
  const told = (signal: AbortSignal, predicates: readonly (() => boolean)[] = []): (SourceRequest | string)[] => {
    const requests: (SourceRequest | string)[] = [];
    const other: ChangeCause = { type: "change", via: "owner", change };
    const handler = (): ReturnType<typeof requestsFor> => [
      ...requestsFor(change, "mapped", [objectKey("x"), objectKey("y")]),
      { key: objectKey("z"), priority: 1, cause: other },
    ];
    const result = handleChange(
      change,
      { kind: { group: "", kind: "ConfigMap" }, cluster, handler, predicates },
      {
        request: (key, request) => {
          requests.push(key, request);
        },
        synced: () => undefined,
        waitingFor: () => undefined,
      },
      signal,
    );
    expect(result).toBeUndefined();
    return requests;
  };

  it("passes on keys, priorities and causes with kind and cluster, and shares causes between keys", () => {
    const [x, first, y, second, z, third] = told(new AbortController().signal);
    const where = { kind: { group: "", kind: "ConfigMap" }, cluster: "west", change };
    expect([x, y, z]).toEqual(["x", "y", "z"]);
    expect([first, third]).toEqual([
      { priority: 0, cause: { type: "change", via: "mapped", ...where } },
      { priority: 1, cause: { type: "change", via: "owner", ...where } },
    ]);
    expect((second as SourceRequest).cause).toBe((first as SourceRequest).cause);
  });

  it("requests nothing after the abort, or if a predicate does not hold", () => {
    expect([told(AbortSignal.abort()), told(new AbortController().signal, [() => true, () => false])]).toEqual([[], []]);
  });
});
