import { edit } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { podVersion } from "../testing/pod-version.ts";
import { transformed } from "./transformed-version.ts";

describe("transformed", () => {
  const version = podVersion("shop/web", 7, { labels: { app: "web" }, nodeName: "n1" });

  it("returns the version itself if the transform changes nothing", () => {
    expect(transformed(version, (object) => object)).toBe(version);
  });

  it("has the changed object, frozen, and keeps the server's identity", () => {
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

  it("passes on errors of the transform", () => {
    expect(() =>
      transformed(version, () => {
        throw new Error("no");
      }),
    ).toThrow("no");
  });
});
