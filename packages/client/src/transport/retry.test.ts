import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { retry } from "./retry.ts";
import type { RetryOptions } from "./retry.ts";
import { TransportError } from "./transport-error.ts";
import type { TransportFailure } from "./transport-error.ts";

type Answer = Partial<HttpResponse> | Error;

const request = (method: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method,
  path: "/api/v1/pods?limit=1",
  headers: {},
  ...more,
});
const answer = (status: number, retryAfter?: string): Partial<HttpResponse> => ({
  status,
  ...(retryAfter === undefined ? {} : { headers: { "retry-after": retryAfter } }),
});
const lost = (failure: Partial<TransportFailure> = {}): TransportError =>
  new TransportError("lost", { reason: "reset", sent: "maybe", ...failure });

/** Sends through `retry` with a script, whose last response repeats. Resolves after advancing the clock as far as needed. */
async function run(
  answers: readonly Answer[],
  sent: HttpRequest,
  options: Partial<RetryOptions> = {},
): Promise<{ readonly outcome: unknown; readonly attempts: number[]; readonly runtime: TestRuntime }> {
  const runtime = testRuntime();
  const attempts: number[] = [];
  const next: Transport = () => {
    const given = answers[Math.min(attempts.length, answers.length - 1)];
    attempts.push(runtime.clock.monotonic());
    return given instanceof Error ? Promise.reject(given) : Promise.resolve({ status: 200, headers: {}, body: "", ...given });
  };
  const outcome = retry({ ...runtime, ...options })(next)(sent).catch((error: unknown) => error);
  await runtime.clock.runAll();
  return { outcome: await outcome, attempts, runtime };
}

describe("retry", () => {
  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"])("T9: retries a %s with Retry-After", async (method) => {
    for (const status of [429, 500, 503, 504]) {
      const { outcome, attempts } = await run([answer(status, "2"), answer(200)], request(method, { body: "{}" }));
      expect(outcome).toMatchObject({ status: 200 });
      expect(attempts).toHaveLength(2);
      expect(attempts[1]).toBeGreaterThanOrEqual(2000);
      expect(attempts[1]).toBeLessThan(2200);
    }
  });

  it.each([
    ["no Retry-After", answer(503)],
    ["an invalid date", answer(429, "in October")],
    ["a fraction", answer(429, "1.5")],
    ["success", answer(200, "1")],
    ["a redirect", answer(302, "1")],
    ["a conflict", answer(409, "1")],
  ])("C7: returns a response with %s", async (_, given) => {
    const { outcome, attempts } = await run([given], request("GET"));
    expect(outcome).toMatchObject({ status: given.status });
    expect(attempts).toHaveLength(1);
  });

  it("C7: waits until a date, with the same limit as for seconds", async () => {
    const { attempts } = await run([answer(429, "Thu, 01 Jan 2026 00:00:20 GMT"), answer(200)], request("POST"));
    expect(attempts[1]).toBeGreaterThanOrEqual(20_000);
    expect(attempts[1]).toBeLessThan(22_000);
    expect((await run([answer(429, "Wed, 21 Oct 2026 07:28:00 GMT"), answer(200)], request("GET"))).attempts[1]).toBeLessThan(66_000);
  });

  it("C7: treats a negative delay as none, and limits a huge one", async () => {
    expect((await run([answer(429, "-5"), answer(200)], request("GET"))).attempts).toEqual([0, 0]);
    const { attempts } = await run([answer(429, "999999999"), answer(200)], request("GET"));
    expect(attempts[1]).toBeGreaterThanOrEqual(60_000);
    expect(attempts[1]).toBeLessThan(66_000);
    expect((await run([answer(429, "10"), answer(200)], request("GET"), { waitMaxMs: 10 })).attempts[1]).toBeLessThan(11);
  });

  it("gives up after ten retries, or retriesMax, with the last response", async () => {
    expect((await run([answer(429, "0")], request("GET"))).attempts).toHaveLength(11);
    const { outcome, attempts } = await run([answer(429, "0")], request("GET"), { retriesMax: 2 });
    expect(attempts).toHaveLength(3);
    expect(outcome).toMatchObject({ status: 429 });
    expect((await run([answer(429, "0")], request("GET"), { retriesMax: 0 })).attempts).toHaveLength(1);
  });

  it("does not retry a streamed body", async () => {
    const body = (async function* (): AsyncGenerator<string> {
      yield await Promise.resolve("{}");
    })();
    expect((await run([answer(429, "0")], request("POST", { body }))).attempts).toHaveLength(1);
  });

  it.each<[string, string, Partial<TransportFailure>, number]>([
    ["a read whose connection was reset", "GET", {}, 2],
    ["a read whose connection was closed", "HEAD", { reason: "aborted-by-peer" }, 2],
    ["T10: a write that may have arrived", "POST", {}, 1],
    ["T10: a patch that may have arrived", "PATCH", {}, 1],
    ["T10: a delete that may have arrived", "DELETE", {}, 1],
    ["a write of which nothing was sent", "POST", { sent: "no" }, 2],
    ["a refused connection", "GET", { reason: "refused", sent: "no" }, 1],
    ["an untrusted server", "GET", { reason: "tls", sent: "no" }, 1],
    ["a timeout", "GET", { reason: "timeout", timeout: "headers" }, 1],
    ["a body too large", "GET", { reason: "too-large" }, 1],
  ])("%s (%s): attempts", async (_, method, failure, count) => {
    const { attempts, outcome } = await run([lost(failure), answer(200)], request(method, { body: "{}" }));
    expect(attempts).toHaveLength(count);
    if (count === 1) expect(outcome).toBeInstanceOf(TransportError);
    else expect(attempts[1]).toBeGreaterThanOrEqual(1000);
  });

  it("replaces a stale connection at once, but waits if the new one is lost too", async () => {
    const { attempts } = await run([lost({ reused: true }), lost({ reused: true }), answer(200)], request("GET"));
    expect(attempts[1]).toBe(0);
    expect(attempts[2]).toBeGreaterThanOrEqual(1000);
    expect((await run([lost(), answer(200)], request("GET"), { lostConnectionWaitMs: 5 })).attempts[1]).toBeLessThan(6);
  });

  it("passes on errors that are not about the connection", async () => {
    const error = new Error("who knows");
    expect((await run([error], request("GET"))).outcome).toBe(error);
  });

  it("mentions an earlier attempt that failed differently", async () => {
    const { outcome } = await run(
      [lost({ reason: "aborted-by-peer" }), new TransportError("refused now", { reason: "refused", sent: "no", code: "ECONNREFUSED" })],
      request("GET"),
    );
    expect(outcome).toMatchObject({
      reason: "refused",
      code: "ECONNREFUSED",
      message: "refused now (attempt 2; an earlier one failed differently: lost)",
    });
  });

  it("stops waiting when the signal aborts", async () => {
    const runtime = testRuntime();
    const controller = new AbortController();
    const reason = new Error("enough");
    const outcome = retry(runtime)(() => Promise.resolve({ status: 429, headers: { "retry-after": "30" }, body: "" }))(
      request("GET", { signal: controller.signal }),
    );
    const caught = expect(outcome).rejects.toBe(reason);
    await runtime.clock.advance(1000);
    controller.abort(reason);
    await caught;
    expect(runtime.clock.pending).toEqual([]);
  });

  it("reads a short response to its end before the retry, drops a long one, and ignores one that fails", async () => {
    const log: string[] = [];
    const bodyOf = (name: string, chunk: string, chunks: number, breaks = false): AsyncIterable<string> => ({
      [Symbol.asyncIterator]: () => {
        let left = chunks;
        return {
          next: () => {
            if (breaks) return Promise.reject(new Error("gone"));
            if (left-- > 0) return Promise.resolve({ done: false, value: chunk });
            log.push(`${name} read`);
            return Promise.resolve({ done: true, value: undefined });
          },
          return: () => {
            log.push(`${name} dropped`);
            return Promise.resolve({ done: true, value: undefined });
          },
        };
      },
    });
    const later = (body: AsyncIterable<string>, headers = {}): Partial<HttpResponse> => ({
      status: 429,
      headers: { "retry-after": "0", ...headers },
      body,
    });
    await run(
      [
        later(bodyOf("short", "x", 3)),
        later(bodyOf("endless", "x".repeat(1000), Infinity)),
        later(bodyOf("long", "x", 9), { "content-length": "5000" }),
        later(bodyOf("broken", "", 1, true)),
        answer(200),
      ],
      request("GET"),
    );
    expect(log).toEqual(["short read", "endless dropped", "long dropped"]);
  });

  it("uses the request's maxRetries and beforeRetry, and leaves no retries for an inner wrapper", async () => {
    const runtime = testRuntime();
    const told: unknown[] = [];
    const beforeRetry = async (outcome: unknown, pausedMs: number): Promise<void> => void told.push([outcome, Math.floor(pausedMs / 1000)]);
    let sent = 0;
    const server: Transport = () =>
      ++sent === 2
        ? Promise.reject(new TransportError("lost", { reason: "reset", sent: "no" }))
        : Promise.resolve({ status: 503, headers: { "retry-after": "2" }, body: "" });
    const done = retry(runtime)(retry({ ...runtime, retriesMax: 5 })(server))(request("GET", { maxRetries: 2, beforeRetry }));
    await runtime.clock.runAll();
    expect([(await done).status, sent]).toEqual([503, 3]);
    expect(told).toEqual([
      [{ statusCode: 503 }, 2],
      [{ error: expect.any(TransportError) as unknown }, 1],
    ]);
  });

  it("rejects with what beforeRetry rejects with", async () => {
    const runtime = testRuntime();
    const reason = new Error("enough");
    const done = retry(runtime)(() => Promise.resolve({ status: 503, headers: { "retry-after": "0" }, body: "" }))(
      request("GET", { beforeRetry: () => Promise.reject(reason) }),
    );
    await expect(done).rejects.toBe(reason);
  });

  it("sends the same request object again and logs no header", async () => {
    const seen = new Set<HttpRequest>();
    const runtime = testRuntime();
    const sent = request("GET", { headers: { authorization: "Bearer hunter2" } });
    const done = retry(runtime)((each) => {
      seen.add(each);
      return Promise.resolve({
        status: seen.size === 1 && runtime.log.entries.length === 0 ? 503 : 200,
        headers: { "retry-after": "1" },
        body: "",
      });
    })(sent);
    await runtime.clock.runAll();
    await done;
    expect([...seen]).toEqual([{ ...sent, maxRetries: 0 }]);
    expect(runtime.log.entries).toHaveLength(1);
    expect(JSON.stringify(runtime.log.entries)).not.toContain("hunter2");
  });
});
