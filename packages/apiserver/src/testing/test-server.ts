/** A server for tests, with a manual clock and seeded randomness. */
import type { HttpHeaders, JsonObject, JsonValue } from "@drover/machinery";
import { decodeJson, isJsonObject } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { createApiServer } from "../api-server.ts";
import type { ApiServer, ApiServerOptions } from "../api-server.ts";
import { nodeHost } from "../http/node-host.ts";

export interface TestAnswer {
  readonly status: number;
  readonly headers: HttpHeaders;
  /** {} if the body is not a JSON object. */
  readonly object: JsonObject;
  readonly text: string;
}

export interface TestServer extends ApiServer {
  readonly clock: ManualClock;
  /** Sends a request; a body other than a string is sent as JSON. */
  readonly call: (method: string, path: string, body?: JsonValue, headers?: HttpHeaders) => Promise<TestAnswer>;
  /** Opens a watch; `next` returns the next event, undefined at the end. */
  readonly watch: (
    path: string,
    headers?: HttpHeaders,
  ) => Promise<{
    readonly next: () => Promise<{ readonly type: string; readonly object: JsonObject } | undefined>;
    readonly stop: () => void;
  }>;
}

export async function testServer(options: Partial<ApiServerOptions> = {}): Promise<TestServer> {
  const clock = new ManualClock();
  const server = await createApiServer({ runtime: { ...testRuntime(), clock }, host: nodeHost, ...options });
  const call: TestServer["call"] = async (method, path, body, headers = {}) => {
    const {
      status,
      headers: answered,
      body: answer,
    } = await server.handle({
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = typeof answer === "string" ? answer : "";
    const value = text.startsWith("{") ? decodeJson(text) : undefined;
    return { status, headers: answered, text, object: isJsonObject(value) ? value : {} };
  };
  const watch: TestServer["watch"] = async (path, headers = {}) => {
    const stop = new AbortController();
    const { body } = await server.handle({ method: "GET", path, headers, signal: stop.signal });
    const lines = (body as AsyncIterable<string>)[Symbol.asyncIterator]();
    const next = async (): Promise<{ readonly type: string; readonly object: JsonObject } | undefined> => {
      const line = await lines.next();
      return line.done === true ? undefined : (decodeJson(line.value) as { readonly type: string; readonly object: JsonObject });
    };
    return { next, stop: () => stop.abort(new DOMException("enough", "AbortError")) };
  };
  return { ...server, clock, call, watch };
}
