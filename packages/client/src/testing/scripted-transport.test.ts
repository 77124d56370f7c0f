import { definedOnly, newNotFound } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ScriptedStream } from "./scripted-stream.ts";
import { ScriptError, jsonResponse, scriptedTransport, statusResponse, textResponse } from "./scripted-transport.ts";

const get = (path: string, signal?: AbortSignal) => ({ method: "GET", path, headers: {}, ...definedOnly({ signal }) });
const never = new Promise<never>(() => undefined);

describe("scriptedTransport", () => {
  it("answers in order and records requests with their bodies", async () => {
    const server = scriptedTransport([
      jsonResponse({ a: 1n }),
      statusResponse(newNotFound({ group: "", resource: "pods" }, "web-0")),
      textResponse("busy", { status: 503, headers: { "retry-after": "1" } }),
    ]);
    async function* body() {
      yield "gr";
      yield new Uint8Array([0xc3]);
      yield new Uint8Array([0xbc, 0x6e]);
    }
    expect(await server({ method: "POST", path: "/api?limit=2&limit=3", headers: { accept: "x" }, body: body() })).toMatchObject({
      status: 200,
      body: '{"a":1}',
    });
    expect((await server(get("/b"))).status).toBe(404);
    expect(await server({ ...get("/c"), body: new Uint8Array([0x61]) })).toEqual({
      status: 503,
      headers: { "content-type": "text/plain", "retry-after": "1" },
      body: "busy",
    });
    expect(server.requests.map(({ method, pathname, body: text }) => [method, pathname, text])).toEqual([
      ["POST", "/api", "grün"],
      ["GET", "/b", ""],
      ["GET", "/c", "a"],
    ]);
    expect(server.requests[0]?.query.get("limit")).toEqual(["2", "3"]);
    server.assertDone();
  });

  it("throws for a request without a response, and again in assertDone", async () => {
    const server = scriptedTransport([]);
    await expect(server(get("/api/v1/pods"))).rejects.toThrow("the script has no response for request 1: GET /api/v1/pods");
    expect(() => server.assertDone()).toThrow(ScriptError);
  });

  it("throws in assertDone for an unused response", () => {
    expect(() => scriptedTransport([jsonResponse({})]).assertDone()).toThrow("1 responses in the script, but only 0 requests came");
  });

  it("answers from a function, and fails with what it throws and with errors in the list", async () => {
    const server = scriptedTransport(({ pathname }, index) => {
      if (index === 1) throw new Error("reset");
      return jsonResponse(pathname);
    });
    expect((await server(get("/a?b"))).body).toBe('"/a"');
    await expect(server(get("/a"))).rejects.toThrow("reset");
    await expect(scriptedTransport([new Error("refused")])(get("/a"))).rejects.toThrow("refused");
  });

  it("rejects with the signal's reason before, while waiting for the response, and while the body is read", async () => {
    const reason = new Error("enough");
    await expect(scriptedTransport([jsonResponse(1)])(get("/a", AbortSignal.abort(reason)))).rejects.toBe(reason);
    const waiting = new AbortController();
    const answer = scriptedTransport(() => never)(get("/a", waiting.signal));
    waiting.abort(reason);
    await expect(answer).rejects.toBe(reason);
    const reading = new AbortController();
    const stream = new ScriptedStream();
    const { body } = await scriptedTransport([stream.response])(get("/a", reading.signal));
    const next = (body as AsyncIterable<string>)[Symbol.asyncIterator]().next();
    reading.abort(reason);
    await expect(next).rejects.toBe(reason);
    expect(stream.isDestroyed).toBe(true);
  });
});
