import { describe, expect, it } from "vitest";
import type { JsonObject } from "@drover/machinery";
import { gnosticV3Document } from "./gnostic-v3-document.ts";
import { messageAt } from "./testing/message-at.ts";

const schema = (definition: JsonObject): Uint8Array => gnosticV3Document({ components: { schemas: { A: definition } } });
/** components → schemas → named schema → its value → no reference. */
const inSchema = [5, 1, 1, 2, 1] as const;
const operation = (get: JsonObject): Uint8Array => gnosticV3Document({ paths: { "/a": { get } } });
const inOperation = [4, 1, 2, 4] as const;

describe("gnosticV3Document", () => {
  it("starts with version and title", () => {
    const bytes = gnosticV3Document({ openapi: "3.0.0", info: { title: "Kubernetes", version: "1.36" } });
    expect([messageAt(bytes, 1), messageAt(bytes, 2, 1), messageAt(bytes, 2, 6)]).toEqual([["3.0.0"], ["Kubernetes"], ["1.36"]]);
  });

  it("writes references and schemas as a choice", () => {
    const bytes = schema({ type: "object", properties: { x: { $ref: "#/components/schemas/B" }, y: { type: "string" } } });
    expect(messageAt(bytes, ...inSchema, 31, 1, 1)).toEqual(["x", "y"]);
    expect(messageAt(bytes, ...inSchema, 31, 1, 2, 2, 1)).toEqual(["#/components/schemas/B"]);
    expect(messageAt(bytes, ...inSchema, 31, 1, 2, 1, 25)).toEqual(["string"]);
    expect(messageAt(schema({ allOf: [{ $ref: "#/B" }], items: { $ref: "#/C" } }), ...inSchema, 30, 1, 2, 1)).toEqual(["#/C"]);
  });

  it("keeps scalar defaults, zero values included, and leaves others empty", () => {
    expect(messageAt(schema({ default: "" }), ...inSchema, 33, 3)).toEqual([""]);
    expect(messageAt(schema({ default: false }), ...inSchema, 33, 2)).toEqual([0]);
    expect(messageAt(schema({ default: 0 }), ...inSchema, 33, 1)).toEqual(["\0".repeat(8)]);
    expect(messageAt(schema({ default: {} }), ...inSchema, 33)).toEqual([""]);
  });

  it("writes a boolean and a schema for additional properties", () => {
    expect(messageAt(schema({ additionalProperties: true }), ...inSchema, 32, 2)).toEqual([1]);
    expect(messageAt(schema({ additionalProperties: { type: "string" } }), ...inSchema, 32, 1, 1, 25)).toEqual(["string"]);
  });

  it("writes extensions as YAML", () => {
    const bytes = schema({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] });
    expect(messageAt(bytes, ...inSchema, 36, 1)).toEqual(["x-kubernetes-list-type", "x-kubernetes-list-map-keys"]);
    expect(messageAt(bytes, ...inSchema, 36, 2, 2)).toEqual(["map\n", "- a\n"]);
  });

  it("writes operations with their parameters, bodies and responses", () => {
    const bytes = operation({
      operationId: "readA",
      parameters: [{ name: "pretty", in: "query", schema: { type: "string" } }],
      requestBody: { content: { "*/*": { schema: { $ref: "#/A" } } } },
      responses: {
        "200": { description: "OK", content: { "application/json": { schema: { $ref: "#/A" } } } },
        default: { description: "else" },
      },
    });
    expect(messageAt(bytes, ...inOperation, 5)).toEqual(["readA"]);
    expect(messageAt(bytes, ...inOperation, 6, 1, 1)).toEqual(["pretty"]);
    expect(messageAt(bytes, ...inOperation, 7, 1, 2, 1, 2, 1, 2, 1)).toEqual(["#/A"]);
    expect(messageAt(bytes, ...inOperation, 8, 1, 1, 1)).toEqual(["else"]);
    expect(messageAt(bytes, ...inOperation, 8, 2, 1)).toEqual(["200"]);
    expect(messageAt(bytes, ...inOperation, 8, 2, 2, 1, 3, 1, 1)).toEqual(["application/json"]);
  });
});
