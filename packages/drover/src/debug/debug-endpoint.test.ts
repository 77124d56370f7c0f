import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import type { Transport } from "@drover/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveDebug } from "./debug-endpoint.ts";
import { findOperators } from "./operator-file.ts";

const answer: Transport = ({ headers }) =>
  Promise.resolve({ status: 200, headers: { "content-type": "text/plain" }, body: `host ${String(headers["host"])}` });

const get = (address: string, host = address): Promise<string> =>
  new Promise((resolve, reject) => {
    const [, port] = address.split(":");
    const sent = request({ host: "127.0.0.1", port, path: "/", agent: false, headers: { host } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(text));
    });
    sent.on("error", reject).end();
  });

describe("serveDebug", () => {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "drover-endpoint-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const start = (port: { readonly port: number; readonly isChosen: boolean }) => {
    const stop = new AbortController();
    const log = recordingLog(new ManualClock());
    const operator = { pid: process.pid, name: "shop", startedAt: 1 };
    const ended = serveDebug(answer, { ...port, operator, env: { XDG_RUNTIME_DIR: folder }, log, onSignal: false, signal: stop.signal });
    const address = async (): Promise<string> => {
      for (;;) {
        const [found] = await findOperators({ XDG_RUNTIME_DIR: folder });
        if (found !== undefined) return found.address;
        await new Promise(setImmediate);
      }
    };
    return { stop, ended, address, log };
  };

  it("answers on the loopback address, is found by its file, and leaves nothing behind", async () => {
    const { stop, ended, address } = start({ port: 0, isChosen: false });
    const found = await address();
    expect(found).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(await get(found)).toBe(`host ${found}`);
    stop.abort();
    await ended;
    expect(readdirSync(join(folder, "drover"))).toEqual([]);
    await expect(get(found)).rejects.toThrow("ECONNREFUSED");
  });

  it("takes another port if the default one is in use, and rejects if a chosen one is", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", () => resolve()));
    const { port } = other.address() as AddressInfo;
    const { stop, ended, address } = start({ port, isChosen: false });
    expect(await address()).not.toBe(`127.0.0.1:${port}`);
    stop.abort();
    await ended;
    await expect(start({ port, isChosen: true }).ended).rejects.toThrow("the port is in use");
    await new Promise((resolve) => other.close(resolve));
  });
});
