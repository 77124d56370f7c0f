import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { HttpRequest, Transport } from "@drover/machinery";
import { afterEach, describe, expect, it } from "vitest";
import { serveHttp } from "./serve-http.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const ok: Transport = ({ path }) =>
  Promise.resolve({ status: 200, headers: { "content-type": "text/plain", "x-two": ["a", "b"] }, body: `hello ${path}` });

async function serve(handler: Transport) {
  const server = await serveHttp(handler, { host: "127.0.0.1", port: 0 });
  const { address } = server;
  const stop = new AbortController();
  const over = server.run(stop.signal);
  ends.push(async () => {
    stop.abort();
    await over.catch(() => undefined);
  });
  return { address, url: `http://${address}`, port: Number(address.split(":")[1]), stop, over };
}

describe("serveHttp", () => {
  it("passes method, path, query and headers to the handler, and returns status, headers and body", async () => {
    const seen: HttpRequest[] = [];
    const { url } = await serve((request) => {
      seen.push(request);
      return ok(request);
    });
    const response = await fetch(`${url}/healthz?verbose`, { method: "DELETE", headers: { "X-Me": "you", host: "anything.example" } });
    expect([response.status, response.headers.get("x-two"), await response.text()]).toEqual([200, "a, b", "hello /healthz?verbose"]);
    expect(seen).toMatchObject([{ method: "DELETE", path: "/healthz?verbose", headers: { "x-me": "you" } }]);
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  });

  it("streams bodies", async () => {
    const pieces = async function* (): AsyncGenerator<string> {
      await turn();
      yield "a";
      yield "b";
    };
    const { url } = await serve(() => Promise.resolve({ status: 201, headers: {}, body: pieces() }));
    expect(await (await fetch(url)).text()).toBe("ab");
  });

  it("answers 500 if the handler rejects, and aborts if a body does", async () => {
    const { url } = await serve(({ path }) => {
      if (path === "/reject") return Promise.reject(new Error("secret"));
      return Promise.resolve({
        status: 200,
        headers: {},
        body: (async function* () {
          yield "a";
          await turn();
          throw new Error("secret");
        })(),
      });
    });
    const response = await fetch(`${url}/reject`);
    expect([response.status, await response.text()]).toEqual([500, "the handler failed\n"]);
    await expect(fetch(`${url}/break`).then((broken) => broken.text())).rejects.toThrow();
  });

  it("aborts the handler when the client is gone", async () => {
    let arrived: (signal: AbortSignal | undefined) => void = () => undefined;
    const arrival = new Promise<AbortSignal | undefined>((resolve) => (arrived = resolve));
    const { port } = await serve(({ signal }) => {
      arrived(signal);
      return new Promise(() => undefined);
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    const signal = await arrival;
    expect(signal?.aborted).toBe(false);
    socket.destroy();
    await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
  });

  it("on stop, accepts no connections, ends open requests and idle connections, and resolves", async () => {
    const paths: string[] = [];
    const { url, stop, over, port } = await serve((request) => {
      paths.push(request.path);
      return request.path === "/idle" ? ok(request) : new Promise(() => undefined);
    });
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve) => httpRequest(`${url}/idle`, { agent }, (response) => response.resume().on("end", resolve)).end());
    const slow = fetch(`${url}/slow`);
    const silent = connect(port, "127.0.0.1");
    silent.on("error", () => undefined);
    await once(silent, "connect");
    while (!paths.includes("/slow")) await turn();
    stop.abort();
    const response = await slow;
    expect([response.status, response.headers.get("connection"), await response.text()]).toEqual([
      503,
      "close",
      "the server is stopping\n",
    ]);
    await over;
    silent.destroy();
    await expect(fetch(url)).rejects.toThrow();
    agent.destroy();
  });

  it("reports which address is in use, and what to do", async () => {
    const { port } = await serve(ok);
    await expect(serveHttp(ok, { host: "127.0.0.1", port })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port}: the port is in use; choose another port, or 0 for any free one`,
    );
    await expect(serveHttp(ok, { host: "192.0.2.1", port: 0 })).rejects.toThrow(/^cannot listen on 192\.0\.2\.1:0: .*EADDRNOTAVAIL/);
  });

  it("listens on every address if none is given", async () => {
    const server = await serveHttp(ok, { host: "", port: 0 });
    const stop = new AbortController();
    const over = server.run(stop.signal);
    expect(await (await fetch(`http://127.0.0.1:${server.address.split(":").at(-1)}/x`)).text()).toBe("hello /x");
    stop.abort();
    await over;
  });

  it("closes a port that is stopped before it runs", async () => {
    const server = await serveHttp(ok, { host: "127.0.0.1", port: 0 });
    await server.run(AbortSignal.abort());
    await expect(fetch(`http://${server.address}`)).rejects.toThrow();
  });
});
