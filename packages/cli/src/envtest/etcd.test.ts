import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@drover/machinery/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { etcdFolder } from "../apiserver/etcd-folder.ts";
import { etcd } from "./etcd.ts";
import { readEtcdOptions } from "./etcd-options.ts";

let home = "";
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), "drover-etcd-"))));
afterEach(() => rmSync(home, { recursive: true }));

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

describe("flags of the etcd of drover envtest", () => {
  it("accept what envtest passes", () => {
    const options = readEtcdOptions([
      "--advertise-client-urls=http://127.0.0.1:35119",
      "--data-dir=/tmp/k8s_test_framework_1",
      "--listen-client-urls=http://127.0.0.1:35119",
      "--listen-peer-urls=http://127.0.0.1:35121",
      "--unsafe-no-fsync=true",
    ]);
    expect(options).toEqual({
      addresses: [{ host: "127.0.0.1", port: 35_119 }],
      folder: "/tmp/k8s_test_framework_1",
      syncs: "never",
      parent: undefined,
    });
  });
  it("sync writes unless told otherwise", () =>
    expect(readEtcdOptions(["--listen-client-urls=http://[::1]:80"])).toMatchObject({
      syncs: "asked",
      addresses: [{ host: "::1", port: 80 }],
    }));
  it.each([
    ["--cert-file=a", "drover envtest etcd has no flag --cert-file"],
    ["--auth-token=a", "drover envtest etcd has no flag --auth-token"],
    [
      "--listen-client-urls=https://127.0.0.1:1",
      '--listen-client-urls needs URLs such as http://127.0.0.1:2379, without TLS and with a port, not "https://127.0.0.1:1"',
    ],
    ["--listen-client-urls=http://127.0.0.1", "--listen-client-urls needs URLs"],
    ["--data-dir=", "--data-dir needs the path of a folder"],
    ["--exit-with-parent=x", '--exit-with-parent needs a process id, not "x"'],
  ])("refuse %s by name", (word, message) => expect(() => readEtcdOptions([word])).toThrow(message));
});

describe("the etcd of drover envtest", () => {
  const started = async (): Promise<{
    readonly url: string;
    readonly stop: () => Promise<void>;
    readonly ended: Promise<void>;
    orphan: () => void;
    clock: ManualClock;
  }> => {
    const port = await freePort();
    const ending = new AbortController();
    const clock = new ManualClock();
    let parent = 7;
    const ended = etcd(
      { addresses: [{ host: "127.0.0.1", port }], folder: join(home, "data"), syncs: "never", parent: 7 },
      { clock, parent: () => parent, signal: ending.signal },
    );
    const url = `http://127.0.0.1:${port}`;
    const stop = async (): Promise<void> => {
      ending.abort();
      await ended;
    };
    for (;;) {
      const answer = await fetch(`${url}/health`).catch(() => undefined);
      if (answer?.ok === true) return { url, stop, ended, orphan: () => void (parent = 1), clock };
    }
  };

  it("answers health checks and names its folder, and closes its port at the end", async () => {
    const { url, stop } = await started();
    expect(await (await fetch(`${url}/health?a=b`)).json()).toEqual({ health: "true", reason: "" });
    expect(await (await fetch(`${url}/version`)).json()).toMatchObject({ etcdcluster: "3.6.0" });
    expect([
      (await fetch(`${url}/readyz`)).status,
      (await fetch(`${url}/v3/kv/range`)).status,
      (await fetch(`${url}/constructor`)).status,
    ]).toEqual([200, 404, 404]);
    const signal = new AbortController().signal;
    const at = { etcd: url, clock: new ManualClock(), signal };
    expect(await etcdFolder({ ...at, prefix: "/registry" })).toEqual({
      folder: join(home, "data", "drover", "%2Fregistry"),
      syncs: "never",
    });
    expect(await etcdFolder({ ...at, prefix: "/../../x" })).toMatchObject({ folder: join(home, "data", "drover", "%2F..%2F..%2Fx") });
    await stop();
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  it("ends when its parent has gone", async () => {
    const { ended, orphan, clock } = await started();
    orphan();
    await clock.advance(500);
    await ended;
  });

  it("refuses a port in use, and the folder of another etcd", async () => {
    const { url, stop } = await started();
    const place = { clock: new ManualClock(), parent: () => 1, signal: AbortSignal.abort() };
    const options = { folder: join(home, "b"), syncs: "asked", parent: undefined } as const;
    await expect(etcd({ ...options, addresses: [{ host: "127.0.0.1", port: Number(new URL(url).port) }] }, place)).rejects.toThrow(
      "it is in use by another program",
    );
    await stop();
    mkdirSync(join(home, "b", "member"));
    await expect(etcd({ ...options, addresses: [] }, place)).rejects.toThrow("member is of another etcd");
  });
});

describe("etcdFolder", () => {
  it("refuses another server, and one that is not there", async () => {
    const server = createServer((_, response) => response.end("404")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clock = new ManualClock();
    const ask = (): Promise<unknown> => etcdFolder({ etcd: url, prefix: "/registry", clock, signal: new AbortController().signal });
    await expect(ask()).rejects.toThrow(`--etcd-servers: ${url} is not the etcd of drover envtest`);
    await new Promise((resolve) => server.close(resolve));
    const stopped = new AbortController();
    const waiting = etcdFolder({ etcd: url, prefix: "/registry", clock, signal: stopped.signal });
    stopped.abort();
    await expect(waiting).rejects.toThrow("--etcd-servers");
  });
});
