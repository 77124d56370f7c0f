import { describe, expect, it } from "vitest";
import { addFinalizer, hasFinalizer, removeFinalizer, withFinalizer, withoutFinalizer } from "./finalizers.ts";
import type { KubeObject } from "./object.ts";

const object = (...finalizers: string[]): KubeObject => ({ metadata: { name: "web", ...(finalizers.length > 0 ? { finalizers } : {}) } });

describe("finalizers", () => {
  it("are added at the end, once", () => {
    const web = object("a");
    expect(addFinalizer(web, "b")).toBe(true);
    expect(addFinalizer(web, "a")).toBe(false);
    expect(web.metadata.finalizers).toEqual(["a", "b"]);
    const none = object();
    expect(addFinalizer(none, "a")).toBe(true);
    expect(none.metadata.finalizers).toEqual(["a"]);
  });

  it("are removed anywhere, and the others keep their order", () => {
    const web = object("b", "a", "c", "b");
    expect(removeFinalizer(web, "b")).toBe(true);
    expect(web.metadata.finalizers).toEqual(["a", "c"]);
    expect(removeFinalizer(web, "b")).toBe(false);
  });

  it("leave no empty list behind", () => {
    const web = object("a");
    expect(removeFinalizer(web, "a")).toBe(true);
    expect(web.metadata).toEqual({ name: "web" });
    expect(removeFinalizer(web, "a")).toBe(false);
  });

  it("are found by exact name", () => {
    expect(hasFinalizer(object("a"), "a")).toBe(true);
    expect(hasFinalizer(object("ab"), "a")).toBe(false);
    expect(hasFinalizer(object(), "a")).toBe(false);
  });

  it("never change a list in place, because it may be shared", () => {
    const shared = Object.freeze(["a", "b"]);
    expect(withFinalizer(shared, "c")).toEqual(["a", "b", "c"]);
    expect(withFinalizer(shared, "a")).toBe(shared);
    expect(withFinalizer(undefined, "a")).toEqual(["a"]);
    expect(withoutFinalizer(shared, "a")).toEqual(["b"]);
    expect(withoutFinalizer(shared, "c")).toBe(shared);
    expect(withoutFinalizer(undefined, "c")).toBeUndefined();
    const web: KubeObject = { metadata: { finalizers: shared as string[] } };
    expect(addFinalizer(web, "c")).toBe(true);
    expect(removeFinalizer(web, "a")).toBe(true);
    expect(web.metadata.finalizers).toEqual(["b", "c"]);
  });
});
