import { describe, expect, it } from "vitest";
import { member, statefulSet } from "../testing/stateful-set-objects.ts";
import { claimsOf, hasStorage, isClaimNameOf, withStorage } from "./pod-claims.ts";

const set = statefulSet({ claims: ["data", "logs"] });

describe("claimsOf", () => {
  it("names claims after template, set and ordinal, with the selector's labels", () => {
    expect(claimsOf(set, 3).map(({ metadata, spec }) => [metadata, spec])).toEqual([
      [{ name: "data-web-3", namespace: "shop", labels: { app: "web" } }, { accessModes: ["ReadWriteOnce"] }],
      [{ name: "logs-web-3", namespace: "shop", labels: { app: "web" } }, { accessModes: ["ReadWriteOnce"] }],
    ]);
    expect(claimsOf(statefulSet(), 3)).toEqual([]);
  });

  it("keeps labels and annotations of the template; the selector wins", () => {
    const labelled = {
      ...set,
      spec: {
        selector: { matchLabels: { app: "web" } },
        template: {},
        volumeClaimTemplates: [{ metadata: { name: "data", labels: { app: "x", tier: "db" }, annotations: { note: "y" } } }],
      },
    };
    expect(claimsOf(labelled, 0)[0]?.metadata).toEqual({
      name: "data-web-0",
      namespace: "shop",
      labels: { app: "web", tier: "db" },
      annotations: { note: "y" },
    });
  });

  it("lets isClaimNameOf recognize them", () => {
    expect(
      ["data-web-0", "logs-web-12", "data-web-", "data-web-x", "data-web-1-2", "data-db-0", "web-0"].map((name) =>
        isClaimNameOf(set, name),
      ),
    ).toEqual([true, true, false, false, false, false, false]);
  });
});

describe("withStorage", () => {
  it("is complete when every template has its claim among the volumes", () => {
    expect(hasStorage(set, member(0, { claims: ["data", "logs", "extra"] }))).toBe(true);
    expect(hasStorage(set, member(0, { claims: ["data"] }))).toBe(false);
    expect(hasStorage(statefulSet({ name: "db", claims: ["data"] }), member(0, { claims: ["data"] }))).toBe(false);
    expect(hasStorage(statefulSet(), member(0))).toBe(true);
  });

  it("replaces volumes of the same name", () => {
    const before = member(0);
    const found = withStorage(
      set,
      {
        ...before,
        spec: {
          containers: [],
          volumes: [
            { name: "tmp", emptyDir: {} },
            { name: "data", emptyDir: {} },
          ],
        },
      },
      0,
    );
    expect(found.spec?.volumes).toEqual([
      { name: "data", persistentVolumeClaim: { claimName: "data-web-0" } },
      { name: "logs", persistentVolumeClaim: { claimName: "logs-web-0" } },
      { name: "tmp", emptyDir: {} },
    ]);
    expect(hasStorage(set, found)).toBe(true);
    expect(withStorage(statefulSet(), before, 0)).toBe(before);
  });
});
