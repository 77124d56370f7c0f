import { describe, expect, it } from "vitest";
import type { JsonObject } from "@drover/machinery";
import { typedShape } from "@drover/api/shapes";
import { encodeMessage } from "./write-message.ts";

const core = (kind: string, object: JsonObject): string => {
  const shape = typedShape({ group: "", version: "v1", kind }) ?? expect.fail(`no ${kind}`);
  return Buffer.from(encodeMessage(object, shape)).toString("latin1");
};

/** Empty metadata: every string is written, though empty. */
const noMetadata = '\n\x10\n\0\x12\0\x1a\0"\0*\x002\x008\0B\0';

describe("encodeMessage", () => {
  it("writes non-pointer zero values, and omits nil pointers, lists and maps", () => {
    expect(core("ConfigMap", {})).toBe(noMetadata);
    expect(core("ConfigMap", { immutable: false })).toBe(`${noMetadata}\x20\0`);
  });

  it("writes maps sorted by the bytes of their keys", () => {
    const data = JSON.parse('{"b":"1","c":"4","a":"2","__proto__":"3"}') as JsonObject;
    expect(core("ConfigMap", { data })).toBe(
      `${noMetadata}\x12\x0e\n\x09__proto__\x12\x013\x12\x06\n\x01a\x12\x012\x12\x06\n\x01b\x12\x011\x12\x06\n\x01c\x12\x014`,
    );
  });

  it("writes bytes as bytes", () => {
    expect(core("Secret", { data: { k: "AP8=" } })).toContain("\x12\x07\n\x01k\x12\x02\0\xff");
  });

  it("writes a numbered embedded struct as a message", () => {
    // A volume is its name, and a message for the source whose JSON fields are inline.
    expect(core("Pod", { spec: { volumes: [{ name: "v", emptyDir: {} }] } })).toContain("\n\x09\n\x01v\x12\x04\x12\x02\n\0");
  });

  it("omits fields that the kind does not have", () => {
    expect(core("ConfigMap", { spec: {}, kind: "ConfigMap", apiVersion: "v1" })).toBe(noMetadata);
  });
});
