import { describe, expect, it } from "vitest";
import { DeletedFinalStateUnknown, lastKnownState } from "./deleted-final-state-unknown.ts";
import { ExplicitKey, KeyError, deletionHandlingMetaNamespaceKeyFunc, keyed, metaNamespaceKeyFunc } from "./key-func.ts";

const pod = { metadata: { namespace: "shop", name: "web" } };

describe("metaNamespaceKeyFunc", () => {
  it("returns namespace and name, or the name of cluster-scoped objects", () => {
    expect([
      metaNamespaceKeyFunc(pod),
      metaNamespaceKeyFunc({ metadata: { name: "node-1" } }),
      metaNamespaceKeyFunc(new ExplicitKey("a/b")),
    ]).toEqual(["shop/web", "node-1", "a/b"]);
  });
  it("deletionHandlingMetaNamespaceKeyFunc returns the key of a tombstone", () => {
    const tombstone = new DeletedFinalStateUnknown("shop/web", pod);
    expect(deletionHandlingMetaNamespaceKeyFunc(tombstone)).toBe("shop/web");
    expect(deletionHandlingMetaNamespaceKeyFunc(pod)).toBe("shop/web");
    expect([lastKnownState(tombstone), lastKnownState(pod), lastKnownState(new DeletedFinalStateUnknown("a", undefined))]).toEqual([
      pod,
      pod,
      undefined,
    ]);
  });
  it("a KeyError contains the object and the cause", () => {
    const error = (() => {
      try {
        return keyed(metaNamespaceKeyFunc, { spec: {} });
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toBeInstanceOf(KeyError);
    expect(error).toMatchObject({
      object: { spec: {} },
      message: expect.stringContaining("couldn't create key for object: object has no meta") as string,
    });
    expect(() =>
      keyed(() => {
        throw error;
      }, pod),
    ).toThrow(KeyError);
  });
});
