import { newForbidden, newNotFound, newTimeoutError, TimeoutError, UnknownOutcomeError } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { ClusterAccess, ClusterTransportDeps } from "@drover/client";
import type { Script } from "@drover/client/testing";
import { clusterTransport, retryRequests, TransportError, warnings, wrap } from "@drover/client";
import { jsonResponse, memoryHost, ScriptedStream, scriptedTransport, statusResponse, textResponse } from "@drover/client/testing";
import type { RestRequest } from "./request.ts";
import type { RateLimiter } from "./request-sender.ts";
import { RestClient } from "./rest-client.ts";
import type { RestClientOptions } from "./rest-client.ts";
import { tokenBucketRateLimiter } from "./token-bucket-rate-limiter.ts";

const pods = { group: "", resource: "pods" };
const limiterOf = (wait: RateLimiter["wait"]): RateLimiter => ({
  tryAccept: () => true,
  accept: () => wait(),
  wait,
  stop: () => undefined,
  qps: () => 1,
});
const never = (): Promise<never> => new Promise(() => undefined);

function setUp(script: Script, options: Partial<RestClientOptions> = {}) {
  const server = scriptedTransport(script);
  const runtime = testRuntime();
  return {
    server,
    ...runtime,
    client: new RestClient({
      transport: server,
      clock: runtime.clock,
      log: runtime.log,
      groupVersion: { group: "", version: "v1" },
      ...options,
    }),
  };
}
const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
async function textOf(chunks: AsyncIterable<string | Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
  return text;
}

describe("RestClient", () => {
  it("starts requests with each verb under the path of its version", async () => {
    const { server, client } = setUp(() => jsonResponse({}));
    const starts = [client.get(), client.post(), client.put(), client.patch("merge"), client.delete(), client.verb("options")];
    for (const request of starts) await request.resource("pods").do();
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((method) => `${method} /api/v1/pods`),
    );
    expect(server.requests[3]?.headers["content-type"]).toBe("application/merge-patch+json");
    expect(server.requests.every(({ headers }) => headers["accept"] === "application/json, */*")).toBe(true);
  });

  it("returns its version and its limiter, and starts at the root without a version", async () => {
    const limiter = limiterOf(async () => undefined);
    expect(setUp([], { rateLimiter: limiter }).client.getRateLimiter()).toBe(limiter);
    const { client } = setUp([]);
    expect([client.apiVersion(), client.getRateLimiter()]).toEqual([{ group: "", version: "v1" }, undefined]);
    const root = new RestClient({
      transport: scriptedTransport([]),
      clock: testRuntime().clock,
      log: testRuntime().log,
      basePath: "/base",
    });
    expect([root.apiVersion(), root.get().absPath("/version").url()]).toEqual([undefined, "/base/version"]);
  });

  it("returns the requested object", async () => {
    const { client, server } = setUp([jsonResponse({ kind: "Pod", metadata: { name: "web-0" } }, { status: 201 })]);
    const result = await client.post().namespace("shop").resource("pods").body({ kind: "Pod" }).do();
    expect(result.into<{ metadata: { name: string } }>().metadata.name).toBe("web-0");
    expect(result.wasCreated).toBe(true);
    expect(server.requests[0]).toMatchObject({ body: '{"kind":"Pod"}', headers: { "content-type": "application/json" } });
  });

  it("sends one request many times", async () => {
    const { client, server } = setUp(() => jsonResponse({}));
    const request = client.post().resource("pods").body({ a: 1 });
    await Promise.all([request.do(), request.do()]);
    expect(server.requests.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
  });

  it("returns an error response in the result of do, and throws it from doRaw and stream", async () => {
    const { client } = setUp(() => statusResponse(newNotFound(pods, "web-0")));
    const request = client.get().namespace("shop").resource("pods").name("web-0");
    expect((await request.do()).error).toMatchObject({ reason: "NotFound", attempt: "get pods/web-0 in shop" });
    for (const error of [await failureOf(request.doRaw()), await failureOf(request.stream())])
      expect(error).toMatchObject({ name: "ApiError", reason: "NotFound", attempt: "get pods/web-0 in shop" });
  });

  it("returns the body as bytes from doRaw and chunk by chunk from stream", async () => {
    const stream = new ScriptedStream({ headers: { "content-type": "text/plain" } });
    const { client } = setUp([textResponse("ok"), stream.response, textResponse("whole")]);
    const request = client.get().absPath("/healthz");
    expect(new TextDecoder().decode(await request.doRaw())).toBe("ok");
    stream.push("line 1\n");
    const chunks = await request.stream();
    stream.push("line 2\n");
    stream.end();
    expect(await textOf(chunks)).toBe("line 1\nline 2\n");
    expect(await textOf(await request.stream())).toBe("whole");
  });

  it("names the request when there is no response", async () => {
    const { client } = setUp(() => {
      throw new Error("connect ECONNREFUSED");
    });
    for (const error of [await failureOf(client.get().resource("nodes").do()), await failureOf(client.get().resource("nodes").stream())]) {
      expect(error).toMatchObject({ name: "ResponseError", reason: "unanswered", message: "list nodes: connect ECONNREFUSED" });
    }
  });

  it("sends nothing and takes no token for an invalid request", async () => {
    let turns = 0;
    const { client, server } = setUp([], { rateLimiter: limiterOf(async () => void turns++) });
    for (const send of [
      () => client.get().name("").do(),
      () => client.get().name("").doRaw(),
      () => client.get().name("").stream(),
      async () => client.get().name("").watch().next(),
    ]) {
      await expect(send()).rejects.toThrow("resource name may not be empty");
    }
    expect([turns, server.requests.length]).toEqual([0, 0]);
  });

  it("rejects responses above its size limit and accepts those up to it", async () => {
    const { client } = setUp(() => textResponse("12345"), { maxBodyBytes: 5 });
    expect(await client.get().doRaw()).toHaveLength(5);
    await expect(
      setUp(() => textResponse("123456"), { maxBodyBytes: 5 })
        .client.get()
        .doRaw(),
    ).rejects.toMatchObject({ reason: "too-large" });
  });
});

describe("RestClient: warnings of the server", () => {
  const answer: Script = ({ query }) => ({
    ...jsonResponse({}, { headers: { warning: ['299 - "deprecated"'] } }),
    ...(query.has("watch") ? { body: "" } : {}),
  });
  it("are logged without a handler", async () => {
    const { client, log } = setUp(answer);
    expect((await client.get().do()).warnings).toEqual([{ code: 299, agent: "-", text: "deprecated" }]);
    expect(log.entries).toMatchObject([{ level: "warn", message: "Warning: deprecated" }]);
  });
  it("go to the handler of the request, or else of the client, from do, doRaw, stream and watch", async () => {
    const heard: string[] = [];
    const { client, log } = setUp(answer, { warningHandler: ({ text }) => void heard.push(`client ${text}`) });
    await client.get().do();
    const own = client.get().warningHandler(({ text }) => void heard.push(`request ${text}`));
    await own.do();
    await own.doRaw();
    await own.stream();
    await own.watch().next();
    expect(heard).toEqual(["client deprecated", ...Array.from({ length: 4 }, () => "request deprecated")]);
    expect(log.entries).toEqual([]);
  });
  it("are reported for error responses too", async () => {
    const { client } = setUp([statusResponse(newForbidden(pods, "a", "no"), { headers: { warning: '299 - "w"' } })]);
    expect((await client.get().do()).warnings).toHaveLength(1);
  });
});

describe("RestClient: timeouts", () => {
  it("end a read with a TimeoutError that names the request, and are sent to the server", async () => {
    const { client, clock, server } = setUp(never);
    const error = failureOf(client.get().namespace("shop").resource("pods").timeout(5000).do());
    await clock.advance(5000);
    expect(await error).toMatchObject({ name: "TimeoutError", message: "list pods in shop: no complete answer within 5000 ms" });
    expect(server.requests[0]?.query.get("timeout")).toEqual(["5s"]);
    expect(clock.pending).toEqual([]);
  });
  it("leave the outcome of a sent write unknown", async () => {
    const { client, clock } = setUp(never);
    const error = failureOf(client.post().namespace("shop").resource("pods").body({}).timeout(5000).do());
    await clock.advance(5000);
    expect(await error).toBeInstanceOf(UnknownOutcomeError);
  });
  it("do not leave the outcome of an unsent write unknown", async () => {
    const { client, clock, server } = setUp([]);
    const backOff = { calculateBackoff: () => 10_000, updateBackoff: () => undefined };
    const error = failureOf(client.post().resource("pods").body({}).timeout(5000).backOff(backOff).do());
    await clock.advance(5000);
    expect(await error).toBeInstanceOf(TimeoutError);
    expect(server.requests).toEqual([]);
  });
  it("apply while the body is read", async () => {
    const stream = new ScriptedStream();
    const { client, clock } = setUp([stream.response]);
    const error = failureOf(client.get().timeout(5000).doRaw());
    await clock.advance(4000);
    stream.push("a");
    await clock.advance(1000);
    expect(await error).toBeInstanceOf(TimeoutError);
    expect(stream.isDestroyed).toBe(true);
  });
  it("exclude the first wait for the limiter, and default to the client's", async () => {
    let turn: (() => void) | undefined;
    const { client, clock, server } = setUp(never, {
      timeoutMs: 1000,
      rateLimiter: limiterOf(
        () =>
          new Promise((resolve) => {
            turn = resolve;
          }),
      ),
    });
    const error = failureOf(client.get().do());
    await clock.advance(60_000);
    expect(server.requests).toEqual([]);
    turn?.();
    await clock.advance(1000);
    expect(await error).toBeInstanceOf(TimeoutError);
  });
  it("leave no timer after a response in time, and do not apply when none is set", async () => {
    const { client, clock } = setUp(() => jsonResponse({}));
    await client.get().timeout(1000).do();
    expect(clock.pending).toEqual([]);
    await client.get().do();
  });
});

describe("C18: RestClient: an abort", () => {
  const reason = new TimeoutError("the caller's own");
  it.each(["do", "doRaw", "stream"] as const)("of %s rejects with the signal's reason at every await", async (way) => {
    const script: readonly Script[] = [never, () => new ScriptedStream().response];
    for (const each of way === "stream" ? script.slice(0, 1) : script) {
      const { client, clock } = setUp(each);
      const controller = new AbortController();
      const error = failureOf(client.post().resource("pods").timeout(60_000).body({})[way]({ signal: controller.signal }));
      await clock.settle();
      controller.abort(reason);
      expect(await error).toBe(reason);
      expect(clock.pending).toEqual([]);
    }
    const { client, server } = setUp([]);
    expect(await failureOf(client.get()[way]({ signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(server.requests).toEqual([]);
  });
  it("is passed to a waiting limiter", async () => {
    const { client } = setUp([], {
      rateLimiter: limiterOf(
        ({ signal } = {}) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
      ),
    });
    const controller = new AbortController();
    const error = failureOf(client.get().do({ signal: controller.signal }));
    await Promise.resolve();
    controller.abort(reason);
    expect(await error).toBe(reason);
  });
});

/** A client behaves the same over any transport; one of these contains the retry wrapper, the other does not. */
interface Way {
  readonly transport: Transport;
  readonly runtime: TestRuntime;
  readonly attempts: () => number;
}
type Answers = readonly (number | Error)[];

function bare(answers: Answers, wrapped: (transport: Transport, runtime: TestRuntime) => Transport = (transport) => transport): Way {
  const runtime = testRuntime();
  const server = scriptedTransport((_, index) => {
    const answer = answers[index] ?? 200;
    if (typeof answer !== "number") throw answer;
    return jsonResponse({}, { status: answer, headers: { "retry-after": "1", warning: '299 - "old"' } });
  });
  return { transport: wrapped(server, runtime), runtime, attempts: () => server.requests.length };
}

const access: ClusterAccess = { server: "https://h", trust: {}, credentials: {}, namespace: "default" };
const standard = (answers: Answers, deps: Partial<ClusterTransportDeps> = {}): Way =>
  bare(answers, (transport, runtime) =>
    clusterTransport(access, {
      ...runtime,
      host: memoryHost(),
      isPair: () => true,
      connect: () => Object.assign(transport, { close: () => undefined }),
      userAgent: "test",
      ...deps,
    }),
  );

const clientOf = ({ transport, runtime }: Way, options: Partial<RestClientOptions> = {}): RestClient =>
  new RestClient({ transport, clock: runtime.clock, log: runtime.log, ...options });
const done = async <T>({ runtime }: Way, call: Promise<T>): Promise<T> => {
  await runtime.clock.runAll();
  return call;
};
const failing = [503, 503, 503, 503, 503, 503, 503, 503, 503, 503, 503, 503, 503];

describe("RestClient: retries happen in one place", () => {
  const withRetry = ({ runtime }: Way): Partial<RestClientOptions> => ({ retry: retryRequests({ ...runtime }) });
  it.each<[string, (answers: Answers) => Way, (way: Way) => Partial<RestClientOptions>, number]>([
    ["in the standard stack", standard, () => ({}), 11],
    ["in the client, over a bare transport", bare, withRetry, 11],
    ["in the client, over the standard stack, which then holds still", standard, withRetry, 11],
    ["nowhere, over a bare transport", bare, () => ({}), 1],
  ])("%s", async (_, wayOf, optionsOf, most) => {
    const counted = async (
      answers: Answers,
      change: (request: RestRequest) => RestRequest = (request) => request,
    ): Promise<[number, number]> => {
      const way = wayOf(answers);
      const { statusCode } = await done(way, change(clientOf(way, optionsOf(way)).get().resource("pods")).do());
      return [way.attempts(), statusCode];
    };
    expect(await counted(failing)).toEqual([most, 503]);
    expect(await counted([503, 429])).toEqual(most === 1 ? [1, 503] : [3, 200]);
    expect(await counted(failing, (request) => request.maxRetries(0))).toEqual([1, 503]);
    expect(await counted(failing, (request) => request.maxRetries(3))).toEqual(most === 1 ? [1, 503] : [4, 503]);
    expect(await counted(failing, (request) => request.maxRetries(20))).toEqual(most === 1 ? [1, 503] : [14, 200]);
  });

  it("a write that may have arrived is never retried", async () => {
    for (const wayOf of [standard, bare]) {
      const way = wayOf([new TransportError("lost", { reason: "reset", sent: "maybe" })]);
      const outcome = failureOf(clientOf(way, withRetry(way)).post().resource("pods").body({}).maxRetries(5).do());
      await way.runtime.clock.runAll();
      expect([await outcome, way.attempts()]).toEqual([expect.any(UnknownOutcomeError), 1]);
    }
  });

  it("takes a token of the request's limiter for every attempt except watches, and reports every attempt to the backoff", async () => {
    for (const [wayOf, optionsOf] of [
      [standard, () => ({})],
      [bare, withRetry],
    ] as const) {
      const turns: string[] = [];
      const limiter = (name: string): RateLimiter => limiterOf(async () => void turns.push(name));
      const outcomes: unknown[] = [];
      const backOff = { calculateBackoff: () => 0, updateBackoff: (_: string, outcome: unknown) => void outcomes.push(outcome) };
      const way = wayOf([503, 200, 200]);
      const client = clientOf(way, { ...optionsOf(way), rateLimiter: limiter("client") });
      await done(way, client.get().throttle(limiter("request")).backOff(backOff).do());
      await done(way, client.get().do());
      await done(
        way,
        client
          .get()
          .watch()
          .next()
          .catch(() => undefined),
      );
      expect(turns).toEqual(["request", "request", "client"]);
      expect(outcomes).toEqual([{ statusCode: 503 }, { statusCode: 200 }]);
    }
  });

  it("waits the longer of Retry-After and the backoff", async () => {
    const way = standard([503, 200]);
    const backOff = { calculateBackoff: () => (way.attempts() === 0 ? 0 : 5000), updateBackoff: () => undefined };
    await done(way, clientOf(way).get().backOff(backOff).do());
    expect(way.runtime.clock.monotonic()).toBe(5000);
  });

  it("delays requests by the token bucket, including retries", async () => {
    const way = standard([503, 200, 200]);
    const client = clientOf(way, { rateLimiter: tokenBucketRateLimiter({ qps: 0.1, burst: 1, clock: way.runtime.clock }) });
    await done(way, Promise.all([client.get().do(), client.get().do()]));
    expect([way.attempts(), way.runtime.clock.monotonic()]).toEqual([3, 20_000]);
  });
});

describe("RestClient: warnings are reported in one place", () => {
  it.each([
    ["the standard stack", standard],
    ["a bare transport", bare],
  ] as const)("over %s with a warnings wrapper in it, to whom the request or the client says", async (_, wayOf) => {
    const heard: string[] = [];
    const hear = (who: string) => (): void => void heard.push(who);
    const way = wayOf([503, 200, 200, 200]);
    const transport = wrap(way.transport, warnings(hear("wrapper")));
    const client = clientOf({ ...way, transport }, { retry: retryRequests({ ...way.runtime }), warningHandler: hear("client") });
    await done(way, client.get().do());
    await done(way, client.get().warningHandler(hear("request")).do());
    await transport({ method: "GET", path: "/", headers: {} });
    expect(heard).toEqual(["client", "request", "wrapper"]);
    expect(way.runtime.log.entries.filter(({ level }) => level === "warn")).toEqual([]);
  });
});

describe("RestClient: watch", () => {
  it("adds watch=true if it is missing, and yields events", async () => {
    const stream = new ScriptedStream();
    const { client, server } = setUp([stream.response]);
    stream.event("ADDED", { metadata: { name: "a", managedFields: [] } });
    stream.end();
    const events = [];
    for await (const event of client
      .get()
      .namespace("shop")
      .resource("pods")
      .param("allowWatchBookmarks", "true")
      .watch({ dropManagedFields: true }))
      events.push(event);
    expect(events).toEqual([{ type: "ADDED", object: { metadata: { name: "a" } } }]);
    expect(server.requests[0]?.path).toBe("/api/v1/namespaces/shop/pods?allowWatchBookmarks=true&watch=true");
  });
  it("throws the error response, with or without a body", async () => {
    const { client } = setUp([
      statusResponse(newForbidden(pods, "", "no")),
      textResponse("", { status: 403 }),
      statusResponse(newTimeoutError("slow", 0)),
    ]);
    for (const reason of ["Forbidden", "Forbidden", "Timeout"])
      await expect(client.get().resource("pods").watch().next()).rejects.toMatchObject({ name: "ApiError", reason, attempt: "watch pods" });
  });
});
