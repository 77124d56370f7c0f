import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { isCommandError } from "../command-error.ts";
import { askEndpoint, openStream, tellEndpoint } from "./ask-endpoint.ts";
import type { Endpoint } from "./endpoint.ts";

const never = new AbortController().signal;

describe("requests to a debug endpoint", () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });
  const serve = async (answer: RequestListener): Promise<Endpoint> => {
    const opened = createServer(answer);
    server = opened;
    await new Promise<void>((resolve) => void opened.listen(0, "127.0.0.1", () => resolve()));
    const address = `127.0.0.1:${(opened.address() as AddressInfo).port}`;
    return { name: address, address };
  };
  const failure = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.catch((reason: unknown) => reason);
    return isCommandError(error) ? error.message : `no CommandError: ${String(error)}`;
  };

  it("tellEndpoint sends a POST with the header that web pages cannot send, askEndpoint a GET without it", async () => {
    const endpoint = await serve(
      ({ method, headers }, response) => void response.end(JSON.stringify([method, headers["drover-request"] ?? null])),
    );
    expect(await tellEndpoint(endpoint, "/", never)).toEqual(["POST", "reconcile"]);
    expect(await askEndpoint(endpoint, "/", never)).toEqual(["GET", null]);
  });

  it("askEndpoint names the endpoint's own error and fix, other programs, missing ones, and an interruption", async () => {
    const endpoint = await serve(({ url }, response) => {
      if (url === "/other") response.end("<html>");
      else if (url === "/refused") response.writeHead(409).end(JSON.stringify({ error: "no\u001b[2J lease", fix: "wait" }));
    });
    expect(await failure(askEndpoint(endpoint, "/refused", never))).toBe("no\\x1b[2J lease\n  fix: wait");
    expect(await failure(askEndpoint(endpoint, "/other", never))).toContain("is not an operator with a debug endpoint: it answered 200");
    const stop = new AbortController();
    const silent = failure(askEndpoint(endpoint, "/silent", stop.signal));
    stop.abort();
    expect(await silent).toBe(`cannot ask ${endpoint.name}: interrupted`);
    await new Promise((resolve) => server?.close(resolve));
    expect(await failure(askEndpoint(endpoint, "/", never))).toContain(`nothing listens at ${endpoint.name}\n  fix: `);
  });

  it("openStream ends with the signal, and throws a sentence if the connection breaks", async () => {
    const endpoint = await serve(({ url }, response) => {
      response.write("one");
      if (url === "/breaks") setImmediate(() => response.destroy());
    });
    const read = async (path: string, signal: AbortSignal, onChunk = (): void => undefined): Promise<string> => {
      let text = "";
      for await (const chunk of await openStream(endpoint, path, signal)) {
        text += chunk;
        onChunk();
      }
      return text;
    };
    const stop = new AbortController();
    expect(await read("/", stop.signal, () => stop.abort())).toBe("one");
    expect(await failure(read("/breaks", never))).toContain(`the stream of ${endpoint.name} broke: `);
  });
});
