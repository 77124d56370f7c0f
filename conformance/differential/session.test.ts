import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ProbeSession } from "./session.ts";

/** A server that returns these answers in order and records the requests. */
function scripted(...answers: readonly (Partial<HttpResponse> | ((request: HttpRequest) => Partial<HttpResponse>))[]): {
  readonly session: ProbeSession;
  readonly asked: HttpRequest[];
} {
  const asked: HttpRequest[] = [];
  const handle = (request: HttpRequest): Promise<HttpResponse> => {
    const answer = answers[asked.push(request) - 1] ?? {};
    return Promise.resolve({ status: 200, headers: {}, body: "", ...(typeof answer === "function" ? answer(request) : answer) });
  };
  return { session: new ProbeSession({ handle, compact: () => Promise.resolve() }, "p1"), asked };
}

const lines = (...events: readonly object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join("");
const bookmark = (annotations?: object): object => ({
  type: "BOOKMARK",
  object: { metadata: { resourceVersion: "5", ...(annotations === undefined ? {} : { annotations }) } },
});

describe("ProbeSession", () => {
  it("knows the paths of its namespace and of the cluster, core or not", () => {
    const { session } = scripted();
    expect([
      session.in("pods"),
      session.in("pods", "a", "status"),
      session.in("apps/v1/deployments", "d"),
      session.all("nodes", "n"),
      session.all("a.example.com/v1/things"),
    ]).toEqual([
      "/api/v1/namespaces/p1/pods",
      "/api/v1/namespaces/p1/pods/a/status",
      "/apis/apps/v1/namespaces/p1/deployments/d",
      "/api/v1/nodes/n",
      "/apis/a.example.com/v1/things",
    ]);
  });

  it("records status, relevant headers and the body, parsed if it is JSON", async () => {
    const { session } = scripted(
      { status: 404, headers: { "content-type": "application/json", date: "today", warning: "299 - x" }, body: '{"a":1}' },
      { body: "plain" },
      { body: '{"a":1}' },
    );
    await session.get("/x");
    await session.get("/y");
    await session.get("/z", { raw: true });
    expect(session.exchanges).toEqual([
      { request: "GET /x", status: 404, headers: { "content-type": "application/json", warning: ["299 - x"] }, body: { a: 1 } },
      { request: "GET /y", status: 200, headers: {}, body: "plain" },
      { request: "GET /z", status: 200, headers: {}, body: '{"a":1}' },
    ]);
  });

  it("records a view of a body, also when that is null, and returns the whole", async () => {
    const { session } = scripted({ body: '{"a":1}' });
    expect(await session.get("/x", { view: () => null })).toMatchObject({ body: { a: 1 } });
    expect(session.exchanges).toMatchObject([{ body: null }]);
  });

  it("sends the type of a patch, JSON for objects and text as it is, and leaves out a header that is empty", async () => {
    const { session, asked } = scripted();
    await session.patch("strategic", "/x", { a: 1 });
    await session.post("/x", "{bad", { headers: { "content-type": "" } });
    expect(asked.map(({ headers, body }) => [headers["content-type"], body])).toEqual([
      ["application/strategic-merge-patch+json", '{"a":1}'],
      [undefined, "{bad"],
    ]);
  });

  it("quietly fails when the server refuses, and records nothing", async () => {
    const { session } = scripted({ status: 201 }, { status: 409, body: '{"reason":"Conflict"}' });
    await session.quietly("POST", "/x", {});
    await expect(session.quietly("POST", "/x", {})).rejects.toThrow('POST /x: 409 {"reason":"Conflict"}');
    expect(session.exchanges).toEqual([]);
  });

  it("repeats a request until its answer is as wanted, and records only that one", async () => {
    const { session } = scripted({ status: 404 }, { status: 404 }, { status: 200, body: "3" });
    await session.until({ path: "/x" }, ({ status }) => status === 200);
    expect(session.exchanges).toEqual([{ request: "GET /x", status: 200, headers: {}, body: 3 }]);
  });

  it("watches until there are enough events, without bookmarks that depend on timing", async () => {
    const { session } = scripted({
      body: lines(bookmark(), { type: "ADDED", object: {} }, bookmark({ "k8s.io/initial-events-end": "true" }), {
        type: "DELETED",
        object: {},
      }),
    });
    expect(await session.watch("/x?watch=true", { count: 2 })).toHaveLength(2);
    expect(session.exchanges).toMatchObject([
      { request: "WATCH /x?watch=true&timeoutSeconds=10", events: [{ type: "ADDED" }, { type: "BOOKMARK" }], ended: false },
    ]);
  });

  it("reports when the server ended the watch, and joins lines that came in pieces", async () => {
    const text = lines({ type: "ADDED", object: { name: "☃" } });
    const bytes = Buffer.from(text);
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      for (const byte of bytes) yield await Promise.resolve(Uint8Array.of(byte));
    };
    const { session } = scripted({ body: pieces() });
    await session.watch("/x");
    expect(session.exchanges).toMatchObject([{ events: [{ object: { name: "☃" } }], ended: true }]);
  });

  it("records the answers to requests during a watch after it", async () => {
    const { session } = scripted({ body: lines({ type: "ADDED", object: {} }) }, { status: 201 });
    await session.watch("/x", { count: 1, during: () => session.post("/y", {}) });
    expect(session.exchanges.map((exchange) => ("request" in exchange ? exchange.request : ""))).toEqual([
      "WATCH /x?timeoutSeconds=10",
      "POST /y",
    ]);
  });

  it("records a watch that was refused as an answer", async () => {
    const { session } = scripted({ status: 422, body: '{"reason":"Invalid"}' });
    await session.watch("/x");
    expect(session.exchanges).toMatchObject([{ status: 422, body: { reason: "Invalid" } }]);
  });
});
