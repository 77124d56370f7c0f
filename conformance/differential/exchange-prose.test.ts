import type { JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Exchange } from "./exchange.ts";
import { exchangeWithoutProse } from "./exchange-prose.ts";

const answered = (request: string, body: JsonValue): Exchange => ({ request, status: 200, headers: {}, body });
const column = (description: string): JsonValue => ({ name: "A", type: "string", format: "", description, priority: 0 });

describe("an exchange without prose", () => {
  it("has no descriptions of columns, wherever they appear", () => {
    expect(exchangeWithoutProse(answered("GET /x", { kind: "Table", columnDefinitions: [column("words")] }))).toEqual(
      answered("GET /x", { kind: "Table", columnDefinitions: [column("<prose>")] }),
    );
    expect(exchangeWithoutProse(answered("GET /x", { columns: [column("")] }))).toEqual(
      answered("GET /x", { columns: [column("<prose>")] }),
    );
    const watched = (text: string): Exchange => ({
      request: "WATCH /x",
      status: 200,
      headers: {},
      events: [{ type: "ADDED", object: { columnDefinitions: [column(text)] } }],
      ended: false,
    });
    expect(exchangeWithoutProse(watched("words"))).toEqual(watched("<prose>"));
  });

  it("keeps the path of a column, and every other description", () => {
    for (const body of [
      column("Custom resource definition column (in JSONPath format): .spec.a"),
      { description: "mine", value: 1000 },
      { name: "A", type: "string", description: "mine", jsonPath: ".a" },
    ])
      expect(exchangeWithoutProse(answered("GET /x", body))).toEqual(answered("GET /x", body));
  });

  it("has no descriptions in OpenAPI except those of responses", () => {
    const part = { description: "reads", responses: { "200": { description: "OK" } } };
    expect(exchangeWithoutProse(answered("GET /openapi/v3/api/v1?hash=A", part))).toEqual(
      answered("GET /openapi/v3/api/v1?hash=A", { responses: { "200": { description: "OK" } } }),
    );
    expect(exchangeWithoutProse(answered("GET /apis", part))).toEqual(answered("GET /apis", part));
  });
});
