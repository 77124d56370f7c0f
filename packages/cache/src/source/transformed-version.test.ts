import { edit } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { podVersion } from "../testing/pod-version.ts";
import { transformed } from "./transformed-version.ts";

describe("transformed", () => {
  const version = podVersion("shop/web", 7, { labels: { app: "web" }, nodeName: "n1" });

  it("is the version itself where nothing is changed", () => {
    expect(transformed(version, (object) => object)).toBe(version);
  });

  it("has the changed object, frozen, and is still the object the server named", () => {
    const changed = transformed(version, (object) =>
      edit(object, (draft) => {
        draft.metadata = { name: "other", labels: { small: "yes" } };
        delete draft.spec;
      }),
    );
    expect(changed).toEqual({
      ...version,
      labels: { small: "yes" },
      object: { apiVersion: "v1", kind: "Pod", metadata: { name: "other", labels: { small: "yes" } } },
    });
    expect(Object.isFrozen(changed.object.metadata)).toBe(true);
  });

  it("passes on what the transform throws", () => {
    expect(() =>
      transformed(version, () => {
        throw new Error("no");
      }),
    ).toThrow("no");
  });
});
