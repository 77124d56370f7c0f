import { Secret } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { isSecretKind, isSecretPath, withoutStringData } from "./secret-data.ts";

describe("Secret data", () => {
  it("converts stringData to data in UTF-8, over data with the same key", () => {
    expect(withoutStringData({ data: { a: "eA==", b: "eQ==" }, stringData: { a: "ü", c: "" } })).toEqual({
      data: { a: "w7w=", b: "eQ==", c: "" },
    });
  });

  it("leaves a Secret without stringData unchanged", () => {
    const secret = { data: { a: "eA==" } };
    expect(withoutStringData(secret)).toBe(secret);
  });

  it("redacts values and copies of them, only for core Secrets", () => {
    expect(isSecretKind({ group: "example.com", kind: "Secret" })).toBe(false);
    const hidden = [
      "data",
      "data.password",
      'data["a.b"]',
      "stringData.password",
      'metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]',
      'metadata.annotations["objectset.rio.cattle.io/applied"]',
    ];
    expect(hidden.filter((path) => !isSecretPath(Secret, path))).toEqual([]);
    expect(
      ["type", "metadata.labels.data", "database", 'metadata.annotations["example.com/x"]'].filter((path) => isSecretPath(Secret, path)),
    ).toEqual([]);
  });
});
