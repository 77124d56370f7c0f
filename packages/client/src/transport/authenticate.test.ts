import { Secret, newUnauthorized } from "@drover/machinery";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { CredentialSource } from "../auth/credential-source.ts";
import { memoryHost } from "../testing/memory-host.ts";
import { tokenFileSource } from "../auth/token-file.ts";
import { jsonResponse, scriptedTransport, statusResponse } from "../testing/scripted-transport.ts";
import { authenticate } from "./authenticate.ts";

const get: HttpRequest = { method: "GET", path: "/api/v1/pods", headers: { accept: "application/json" } };
const unauthorized = statusResponse(newUnauthorized("who?"));

/** A source with a list of tokens: a rejection selects the next. */
function listed(
  ...tokens: readonly string[]
): CredentialSource & { readonly refusals: (string | undefined)[]; readonly asked: () => number } {
  let index = 0;
  let asked = 0;
  const refusals: (string | undefined)[] = [];
  return {
    refusals,
    asked: () => asked,
    header: () => {
      asked++;
      const token = tokens[index];
      return Promise.resolve(token === undefined ? undefined : new Secret(token));
    },
    refused: (header) => {
      refusals.push(header?.reveal());
      return Promise.resolve(++index < tokens.length);
    },
  };
}

const headersOf = (server: { readonly requests: readonly { readonly headers: Readonly<Record<string, unknown>> }[] }): unknown[] =>
  server.requests.map(({ headers }) => headers["authorization"]);

describe("authenticate", () => {
  it("adds the header without modifying the request", async () => {
    const server = scriptedTransport([jsonResponse({})]);
    expect((await authenticate(listed("Bearer a"))(server)(Object.freeze(get))).status).toBe(200);
    expect(server.requests[0]?.headers).toEqual({ accept: "application/json", authorization: "Bearer a" });
    expect(get.headers).toEqual({ accept: "application/json" });
  });

  it("adds nothing without a credential", async () => {
    const server = scriptedTransport([jsonResponse({})]);
    await authenticate(listed())(server)(get);
    expect(server.requests[0]?.headers).toEqual(get.headers);
  });

  it("sends an existing header without calling the source, also after a 401", async () => {
    const server = scriptedTransport([unauthorized]);
    const source = listed("Bearer a", "Bearer b");
    expect((await authenticate(source)(server)({ ...get, headers: { authorization: "Bearer mine" } })).status).toBe(401);
    expect([headersOf(server), source.asked(), source.refusals]).toEqual([["Bearer mine"], 0, []]);
    const other = scriptedTransport([jsonResponse({})]);
    await authenticate(source)(other)({ ...get, headers: { authorization: "" } });
    expect(headersOf(other)).toEqual(["Bearer a"]);
  });

  it("retries once with another credential after a 401", async () => {
    const server = scriptedTransport([unauthorized, unauthorized]);
    const source = listed("Bearer a", "Bearer b", "Bearer c");
    expect((await authenticate(source)(server)(get)).status).toBe(401);
    expect([headersOf(server), source.refusals]).toEqual([["Bearer a", "Bearer b"], ["Bearer a"]]);
  });

  it("passes the 401 on with its body if there is no other credential", async () => {
    const server = scriptedTransport([unauthorized]);
    expect(await authenticate(listed("Bearer a"))(server)(get)).toEqual(unauthorized);
  });

  it("ignores other errors", async () => {
    const server = scriptedTransport([{ ...unauthorized, status: 403 }]);
    const source = listed("Bearer a", "Bearer b");
    expect((await authenticate(source)(server)(get)).status).toBe(403);
    expect(source.refusals).toEqual([]);
  });

  it("repeats bodies of text and bytes, never a stream, but notifies the source in any case", async () => {
    for (const body of ["text", new TextEncoder().encode("text")]) {
      const server = scriptedTransport([unauthorized, jsonResponse({})]);
      expect((await authenticate(listed("Bearer a", "Bearer b"))(server)({ ...get, method: "POST", body })).status).toBe(200);
      expect(server.requests.map((request) => request.body)).toEqual(["text", "text"]);
    }
    const server = scriptedTransport([unauthorized, jsonResponse({})]);
    const source = listed("Bearer a", "Bearer b");
    const stream = (async function* () {
      yield "text";
    })();
    expect((await authenticate(source)(server)({ ...get, method: "POST", body: stream })).status).toBe(401);
    expect(source.refusals).toEqual(["Bearer a"]);
    await authenticate(source)(server)(get);
    expect(headersOf(server)).toEqual(["Bearer a", "Bearer b"]);
  });

  it("reads the rejection to its end to reuse the connection, and drops a long one", async () => {
    for (const [chunks, end] of [
      [["a", "b"], "read"],
      [Array.from({ length: 100 }, () => "x".repeat(1024)), "left"],
    ] as const) {
      let state = "open";
      const body = (async function* () {
        try {
          yield* chunks;
          state = "read";
        } finally {
          if (state === "open") state = "left";
        }
      })();
      const first: HttpResponse = { status: 401, headers: {}, body };
      await authenticate(listed("Bearer a", "Bearer b"))(scriptedTransport([first, jsonResponse({})]))(get);
      expect(state).toBe(end);
    }
    const torn: HttpResponse = {
      status: 401,
      headers: {},
      body: (async function* () {
        yield "a";
        throw new Error("reset");
      })(),
    };
    expect((await authenticate(listed("Bearer a", "Bearer b"))(scriptedTransport([torn, jsonResponse({})]))(get)).status).toBe(200);
  });

  it("rejects with the source's error, and sends nothing", async () => {
    const server = scriptedTransport([]);
    const failing: CredentialSource = { header: () => Promise.reject(new Error("no token")), refused: () => Promise.resolve(false) };
    await expect(authenticate(failing)(server)(get)).rejects.toThrow("no token");
    expect(server.requests).toEqual([]);
  });

  it("passes the request's signal to the source, and an abort through while it waits", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const hanging: CredentialSource = {
      header: ({ signal }) => new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error))),
      refused: () => Promise.resolve(false),
    };
    const call = authenticate(hanging)(scriptedTransport([]))({ ...get, signal: controller.signal });
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);

    const slow = new AbortController();
    const refusing: CredentialSource = {
      header: () => Promise.resolve(undefined),
      refused: (_header, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason as Error));
          slow.abort(reason);
        }),
    };
    await expect(authenticate(refusing)(scriptedTransport([unauthorized]))({ ...get, signal: slow.signal })).rejects.toBe(reason);
  });

  it("C2: a token file that rotates every minute, with the old token invalid at once, costs at most one 401 per rotation and no failed call (§9.37)", async () => {
    const { clock, log } = testRuntime();
    const host = memoryHost({ "/token": "t0" });
    let valid = "t0";
    let refused = 0;
    const send = authenticate(tokenFileSource("/token", { host, clock, log }))(async ({ headers }) => {
      if (headers["authorization"] === `Bearer ${valid}`) return jsonResponse({});
      refused++;
      return unauthorized;
    });
    const rotations = 30;
    for (let second = 0; second < rotations * 60; second++) {
      if (second % 60 === 59) {
        valid = `t${second}`;
        host.files.set("/token", valid);
      }
      expect([second, (await send(get)).status]).toEqual([second, 200]);
      await clock.advance(1000);
    }
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThanOrEqual(rotations);
  });
});
