import type { JsonObject, JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Exchange } from "./exchange.ts";
import { mask } from "./mask.ts";

const step = (body: JsonValue, request = "GET /x"): Exchange => ({ request, status: 200, headers: {}, body });
const object = (version: string, more: JsonObject = {}): JsonObject => ({
  kind: "ConfigMap",
  metadata: { name: "a", resourceVersion: version, ...more },
});
const bodies = (...exchanges: readonly Exchange[]): JsonValue[] =>
  mask(exchanges).map((exchange) => ("body" in exchange ? exchange.body : null));
const one = (body: JsonValue): JsonValue | undefined => bodies(step(body))[0];

describe("mask", () => {
  it("gives equal uids equal numbers, in values, keys and texts", () => {
    const [first, second] = ["11111111-2222-4333-8444-555555555555", "99999999-2222-4333-8444-555555555555"];
    expect(bodies(step({ uid: first }), step({ uid: second, message: `not ${first}`, [`k:{"uid":"${first}"}`]: {} }))).toEqual([
      { uid: "uid#1" },
      { uid: "uid#2", message: "not uid#1", 'k:{"uid":"uid#1"}': {} },
    ]);
  });

  it("keeps a uid with eight zeros, which only a probe chooses", () => {
    const uid = "00000000-0000-4000-8000-000000000001";
    expect(one({ uid })).toEqual({ uid });
  });

  it("keeps the order of versions, whichever answer came first", () => {
    expect(bodies(step(object("205")), step(object("203")), step(object("205")))).toEqual([object("rv#2"), object("rv#1"), object("rv#2")]);
  });

  it("reduces a list's version to the probe's writes it includes, so that other writers do not matter", () => {
    const run = (reached: string): JsonValue[] =>
      bodies(
        step(object("203")),
        step({ kind: "List", metadata: { resourceVersion: reached }, items: [object("203")] }),
        step(object("290")),
      );
    expect(run("203")).toEqual(run("280"));
    expect(run("203")[1]).toEqual({ kind: "List", metadata: { resourceVersion: "rv>=1" }, items: [object("rv#1")] });
  });

  it("treats the bookmark after the initial events as a list", () => {
    const bookmark = { type: "BOOKMARK", object: object("230", { annotations: { "k8s.io/initial-events-end": "true" } }) };
    const [, masked] = mask([step(object("203")), { request: "WATCH /x", status: 200, headers: {}, events: [bookmark], ended: false }]);
    expect(JSON.stringify(masked)).toContain('"rv>=1"');
  });

  it("masks versions in requests only when an answer had them", () => {
    const requests = mask(
      [
        step(object("203"), "GET /x?resourceVersion=203"),
        step(null, "GET /x?resourceVersion=99999999"),
        step(null, "GET /x?resourceVersion=177"),
      ],
      ["177"],
    );
    expect(requests.map((exchange) => ("request" in exchange ? exchange.request : ""))).toEqual([
      "GET /x?resourceVersion=rv>=1",
      "GET /x?resourceVersion=99999999",
      "GET /x?resourceVersion=rv>=0",
    ]);
  });

  it("masks times with their precision, but not those that a probe has chosen", () => {
    expect(
      one(["2026-07-01T10:11:12Z", "2026-07-01T10:11:12.123456Z", "2001-01-01T00:00:00Z", "seen at 2026-07-01T10:11:12+02:00!"]),
    ).toEqual(["<time>", "<time with 6 digits>", "2001-01-01T00:00:00Z", "seen at <time>!"]);
  });

  it("decodes continue tokens, so that their content is compared", () => {
    const token = (start: string): string => Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: 210, start })).toString("base64url");
    const list = (start: string): JsonObject => ({ metadata: { continue: token(start), resourceVersion: "210" }, items: [] });
    expect(bodies(step(object("203")), step(list("/b\u0000")))).toEqual(bodies(step(object("203")), step(list("b\u0000"))));
    expect(bodies(step(object("203")), step(list("b\u0000")))[1]).toEqual({
      metadata: { continue: "continue(meta.k8s.io/v1, rv>=1, b\\0)", resourceVersion: "rv>=1" },
      items: [],
    });
  });

  it("masks generated names wherever they appear", () => {
    expect(one({ metadata: { generateName: "g-", name: "g-x7k2p" }, message: 'pods "g-x7k2p" not found' })).toEqual({
      metadata: { generateName: "g-", name: "g-<generated>#1" },
      message: 'pods "g-<generated>#1" not found',
    });
  });

  it("masks addresses and ports that the server chose, and leaves the low band to probes", () => {
    expect(
      one({ clusterIP: "10.0.0.77", other: "10.0.0.9", ports: [{ nodePort: 31_234 }, { nodePort: 30_007 }], cells: ["80:31234/TCP"] }),
    ).toEqual({
      clusterIP: "10.0.0.#1",
      other: "10.0.0.9",
      ports: [{ nodePort: "port#1" }, { nodePort: 30_007 }],
      cells: ["80:port#1/TCP"],
    });
  });

  it("masks ages only in tables", () => {
    expect(one({ cells: ["a", "5m10s", "2"], data: "5s" })).toEqual({ cells: ["a", "<age>", "2"], data: "5s" });
  });

  it("keeps whether there was an entity tag, and that it was quoted", () => {
    const [first, second] = mask([
      { request: "GET /x", status: 200, headers: { etag: '"AB12"', vary: "Accept" }, body: null },
      { request: "GET /x", status: 200, headers: { etag: "ab" }, body: null },
    ]);
    expect([first, second]).toMatchObject([{ headers: { etag: '"<tag>"', vary: "Accept" } }, { headers: { etag: "<tag>" } }]);
  });

  it("sorts managers as within one second, and conflicts with several managers in a fixed order", () => {
    const manager = (name: string): JsonObject => ({ manager: name, operation: "Update" });
    expect(one({ managedFields: [manager("z"), manager("a")] })).toEqual({ managedFields: [manager("a"), manager("z")] });
    expect(one([manager("z"), manager("a")])).toEqual([manager("a"), manager("z")]);
    const cause = (message: string): JsonObject => ({ reason: "FieldManagerConflict", message, field: ".a" });
    expect(one({ causes: [cause("z"), cause("a")] })).toEqual({ causes: [cause("a"), cause("z")] });
    expect(one({ causes: [{ reason: "FieldValueInvalid", message: "z" }, cause("a")] })).toEqual({
      causes: [{ reason: "FieldValueInvalid", message: "z" }, cause("a")],
    });
  });

  it("does not change its argument", () => {
    const exchange = Object.freeze(step(Object.freeze(object("203"))));
    mask([exchange]);
    expect(exchange).toEqual(step(object("203")));
  });

  it("keeps keys such as __proto__", () => {
    const body = JSON.parse('{"__proto__":{"uid":"11111111-2222-4333-8444-555555555555"},"constructor":"x"}') as JsonObject;
    expect(JSON.stringify(one(body))).toBe('{"__proto__":{"uid":"uid#1"},"constructor":"x"}');
  });
});
