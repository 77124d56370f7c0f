import { describe, expect, it } from "vitest";
import { documentWithoutProse, withoutProse } from "./without-prose.ts";

describe("a document without prose", () => {
  it("has no descriptions of schemas, operations and parameters", () => {
    const document = {
      paths: { "/x": { get: { description: "reads", operationId: "read", parameters: [{ name: "p", description: "which" }] } } },
      components: { schemas: { A: { description: "a", properties: { b: { description: "b", type: "string" } } } } },
    };
    expect(withoutProse(document)).toEqual({
      paths: { "/x": { get: { operationId: "read", parameters: [{ name: "p" }] } } },
      components: { schemas: { A: { properties: { b: { type: "string" } } } } },
    });
  });

  it("keeps a property of that name, and the words for answers", () => {
    const schema = { properties: { description: { type: "string" } } };
    expect(withoutProse(schema)).toEqual(schema);
    expect(withoutProse({ responses: { "200": { description: "OK", schema: { description: "all of it" } } } })).toEqual({
      responses: { "200": { description: "OK", schema: {} } },
    });
  });

  it("keeps what somebody else has written", () => {
    expect(withoutProse([{ description: "mine" }, { description: "theirs" }], (text) => text === "mine")).toEqual([
      { description: "mine" },
      {},
    ]);
  });

  it("is otherwise the same text, escapes and end included", () => {
    expect(documentWithoutProse('{"b":1,"description":"\\u003cb\\u003e","a":"\\u0026"}\n', { escapeHtml: true })).toBe(
      '{"b":1,"a":"\\u0026"}\n',
    );
    expect(documentWithoutProse('{"b":1,"description":"<b>","a":"&"}', { escapeHtml: false })).toBe('{"b":1,"a":"&"}');
  });

  it("is refused when more than prose would change", () => {
    expect(() => documentWithoutProse('{"a":"<"}', { escapeHtml: true })).toThrow("the document is written as we write JSON");
    expect(() => documentWithoutProse('{"a": 1.0}', { escapeHtml: false })).toThrow("the document is written as we write JSON");
  });
});
