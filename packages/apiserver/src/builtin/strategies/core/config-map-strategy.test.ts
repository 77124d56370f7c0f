import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { configMapStrategy } from "./config-map-strategy.ts";

const metadata = { name: "a", namespace: "b" };
const texts = (object: object): string[] => (configMapStrategy.validate?.({ metadata, ...object }) ?? []).map(printFieldError);

describe("ConfigMap strategy", () => {
  it("requires unique keys that are valid file names", () => {
    expect(texts({ data: { a: "b" }, binaryData: { c: "" } })).toEqual([]);
    expect(texts({ data: { "..": "b" } })).toEqual(["data[..]: Invalid value: \"..\": must not be '..'"]);
    expect(texts({ data: { a: "b" }, binaryData: { a: "" } })).toEqual([
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    ]);
  });

  it("limits data to 1 MiB", () => {
    expect(texts({ data: { a: "ü".repeat(512 * 1024) } })).toEqual([]);
    expect(texts({ data: { a: "ü".repeat(512 * 1024) }, binaryData: { b: "eA==" } })).toEqual([
      "[]: Too long: may not be more than 1048576 bytes",
    ]);
  });

  it("refuses changes of an immutable ConfigMap", () => {
    const old = { metadata, immutable: true, data: { a: "b" } };
    const update = (object: object): string[] =>
      (configMapStrategy.validateUpdate?.({ metadata, ...object }, old) ?? []).map(printFieldError);
    expect(update(old)).toEqual([]);
    expect(update({ data: { a: "c" }, binaryData: { d: "" } })).toEqual(
      ["immutable", "data", "binaryData"].map((field) => `${field}: Forbidden: field is immutable when \`immutable\` is set`),
    );
  });
});
