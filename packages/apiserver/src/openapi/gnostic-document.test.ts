import { describe, expect, it } from "vitest";
import type { JsonObject } from "@drover/machinery";
import { gnosticDocument } from "./gnostic-document.ts";
import { messageAt as at } from "./testing/message-at.ts";

const write = (document: JsonObject): Uint8Array => gnosticDocument(document);
const schema = (definition: JsonObject): Uint8Array => write({ definitions: { A: definition } });
/** definitions → named schema → its value. */
const inSchema = [9, 1, 2] as const;

describe("gnosticDocument", () => {
  it("starts with version and title", () => {
    const bytes = write({ swagger: "2.0", info: { title: "Kubernetes", version: "1.36" } });
    expect([at(bytes, 1), at(bytes, 2, 1), at(bytes, 2, 2)]).toEqual([["2.0"], ["Kubernetes"], ["1.36"]]);
  });

  it("writes definitions in order, with type, description and required fields", () => {
    const bytes = write({ definitions: { B: { type: "object", description: "é", required: ["x", "y"] }, A: { type: "string" } } });
    expect(at(bytes, 9, 1, 1)).toEqual(["B", "A"]);
    expect([at(bytes, ...inSchema, 22, 1), at(bytes, ...inSchema, 4), at(bytes, ...inSchema, 19)]).toEqual([
      ["object", "string"],
      ["é"],
      ["x", "y"],
    ]);
  });

  it("nests properties and items, and distinguishes true from a schema", () => {
    const bytes = schema({
      properties: {
        list: { items: { $ref: "#/definitions/B" } },
        map: { additionalProperties: { type: "string" } },
        any: { additionalProperties: true },
        none: { additionalProperties: false },
      },
    });
    expect(at(bytes, ...inSchema, 25, 1, 1)).toEqual(["list", "map", "any", "none"]);
    expect(at(bytes, ...inSchema, 25, 1, 2, 23, 1, 1)).toEqual(["#/definitions/B"]);
    expect(at(bytes, ...inSchema, 25, 1, 2, 21, 1, 22, 1)).toEqual(["string"]);
    expect(at(bytes, ...inSchema, 25, 1, 2, 21, 2)).toEqual([1, 0]);
  });

  it("writes free-form values as YAML in their own order", () => {
    const bytes = schema({
      enum: ["red", 1],
      "x-kubernetes-group-version-kind": [{ group: "", kind: "A", version: "v1" }],
      "x-order": { b: "yes", a: 1 },
    });
    expect(at(bytes, ...inSchema, 20, 2)).toEqual(["red\n", "1\n"]);
    expect(at(bytes, ...inSchema, 31, 1)).toEqual(["x-kubernetes-group-version-kind", "x-order"]);
    expect(at(bytes, ...inSchema, 31, 2, 2)).toEqual(['- group: ""\n  kind: A\n  version: v1\n', 'b: "yes"\na: 1\n']);
  });

  it("distinguishes body, query and path parameters and references", () => {
    const parameters = [
      { $ref: "#/parameters/a" },
      { name: "body", in: "body", required: true, schema: { $ref: "#/definitions/A" } },
      { name: "q", in: "query", type: "integer", uniqueItems: true },
      { name: "p", in: "path", type: "string", required: true },
    ];
    const bytes = write({
      paths: {
        "/a": {
          get: {
            operationId: "getA",
            parameters,
            responses: { "200": { description: "OK", schema: { type: "string" } } },
            "x-kubernetes-action": "get",
          },
        },
      },
    });
    const operation = [8, 2, 2, 2] as const;
    expect([at(bytes, 8, 2, 1), at(bytes, ...operation, 5)]).toEqual([["/a"], ["getA"]]);
    expect(at(bytes, ...operation, 8, 2, 1)).toEqual(["#/parameters/a"]);
    expect(at(bytes, ...operation, 8, 1, 1, 5, 1)).toEqual(["#/definitions/A"]);
    expect([
      at(bytes, ...operation, 8, 1, 2, 3, 4),
      at(bytes, ...operation, 8, 1, 2, 3, 6),
      at(bytes, ...operation, 8, 1, 2, 3, 20),
    ]).toEqual([["q"], ["integer"], [1]]);
    expect([
      at(bytes, ...operation, 8, 1, 2, 4, 4),
      at(bytes, ...operation, 8, 1, 2, 4, 5),
      at(bytes, ...operation, 8, 1, 2, 4, 1),
    ]).toEqual([["p"], ["string"], [1]]);
    expect([
      at(bytes, ...operation, 9, 1, 1),
      at(bytes, ...operation, 9, 1, 2, 1, 1),
      at(bytes, ...operation, 9, 1, 2, 1, 2, 1, 22, 1),
    ]).toEqual([["200"], ["OK"], ["string"]]);
    expect(at(bytes, ...operation, 13, 2, 2)).toEqual(["get\n"]);
  });

  it("ends with shared parameters and security definitions", () => {
    const bytes = write({
      parameters: { a: { name: "a", in: "query", type: "string" } },
      securityDefinitions: { Token: { type: "apiKey", name: "authorization", in: "header" } },
      security: [{ Token: [] }],
    });
    expect([at(bytes, 10, 1, 1), at(bytes, 10, 1, 2, 2, 3, 4)]).toEqual([["a"], ["a"]]);
    expect([at(bytes, 12, 1, 1), at(bytes, 13, 1, 1), at(bytes, 13, 1, 2, 2, 1)]).toEqual([["Token"], ["Token"], ["apiKey"]]);
  });
});
