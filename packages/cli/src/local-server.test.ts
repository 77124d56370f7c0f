import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { openDataFolder } from "@drover/apiserver/node";
import { nodeRuntime } from "drover";
import { afterEach, describe, expect, it } from "vitest";
import { startLocalServer } from "./local-server.ts";
import type { LocalServer, LocalServerOptions } from "./local-server.ts";

describe("startLocalServer", () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => void (await Promise.all(ends.splice(0).map((end) => end()))));

  const start = async (options: Partial<LocalServerOptions> = {}): Promise<LocalServer> => {
    const server = await startLocalServer({
      host: "127.0.0.1",
      port: 0,
      anonymous: false,
      runtime: nodeRuntime({ write: () => undefined }),
      ...options,
    });
    const ending = new AbortController();
    const running = server.run(ending.signal);
    ends.push(async () => {
      ending.abort();
      await running;
    });
    return server;
  };
  const open = async ({ url, authorityPem, admin }: LocalServer, path: string, as: "admin" | "anonymous"): Promise<IncomingMessage> => {
    const credentials = as === "admin" ? { cert: admin.certificatePem, key: admin.privateKeyPem } : {};
    const [response] = (await once(request(`${url}${path}`, { agent: false, ca: authorityPem, ...credentials }).end(), "response")) as [
      IncomingMessage,
    ];
    return response.setEncoding("utf8");
  };
  const ask = async (server: LocalServer, path: string, as: "admin" | "anonymous" = "admin"): Promise<string> => {
    const response = await open(server, path, as);
    return `${response.statusCode} ${(await response.toArray()).join("")}`;
  };

  it("accepts its administrator, and tells others its health and version only", async () => {
    const server = await start();
    expect(await ask(server, "/api/v1/namespaces/default")).toMatch(/^200 .*"kind":"Namespace"/);
    expect(await ask(server, "/api/v1/namespaces/default", "anonymous")).toMatch(/^403 .*User \\"system:anonymous\\" cannot get/);
    expect(await ask(server, "/version", "anonymous")).toMatch(/^200 /);
  });

  it("accepts the credentials of an earlier run on the same data folder, at the same port if it is free", async () => {
    const folder = mkdtempSync(join(tmpdir(), "drover-local-server-"));
    const runtime = nodeRuntime({ write: () => undefined });
    const run = async (work: (server: LocalServer) => Promise<void>): Promise<void> => {
      const data = await openDataFolder(folder, { runtime });
      try {
        await work(await start({ data, runtime }));
        await ends.pop()?.();
      } finally {
        await data.close();
      }
    };
    let [url, uid] = ["", ""];
    let earlier: LocalServer | undefined;
    const system = "/api/v1/namespaces/kube-system";
    await run(async (server) => {
      [earlier, url] = [server, server.url];
      uid = /"uid":"[^"]+"/.exec(await ask(server, system))?.[0] ?? "none";
    });
    await run(async (server) => {
      expect(server.url).toBe(url);
      expect(await ask(earlier as LocalServer, system)).toContain(uid);
    });
    const other = createServer().listen(Number(new URL(url).port), "127.0.0.1");
    await once(other, "listening");
    await run(async (server) => {
      expect(server.url).not.toBe(url);
      expect(await ask({ ...(earlier as LocalServer), url: server.url }, system)).toContain(uid);
    });
    other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("lets requests without credentials do everything if configured", async () => {
    expect(await ask(await start({ anonymous: true }), "/api/v1/namespaces/default", "anonymous")).toMatch(/^200 /);
  });

  it("asks for credentials in mode AlwaysAllow", async () => {
    const server = await start({ authorizationModes: ["AlwaysAllow"] });
    expect(await ask(server, "/version", "anonymous")).toMatch(/^401 /);
    expect(await ask(server, "/api/v1/namespaces/default")).toMatch(/^200 /);
  });

  it("publishes its address to clients", async () => {
    const server = await start();
    expect(await ask(server, "/api")).toContain(`"serverAddress":"${server.url.replace("https://", "")}"`);
  });

  it("ends watches cleanly, and then stops", async () => {
    const server = await start();
    const response = await open(server, "/api/v1/namespaces?watch=true", "admin");
    const whole = response.toArray();
    await once(response, "readable");
    await ends.splice(0)[0]?.();
    expect((await whole).join("")).toContain('"type":"ADDED"');
    expect(response.complete).toBe(true);
    // Refused, or reset by another process on the port: not answered.
    await expect(ask(server, "/version")).rejects.toMatchObject({ code: expect.stringMatching(/^ECONN(REFUSED|RESET)$/) as string });
  });

  it("reports what to do about an unavailable port", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(start({ port })).rejects.toThrow(`port ${port} on 127.0.0.1 is in use by another program; choose another with --port`);
    await expect(start({ host: "192.0.2.1" })).rejects.toThrow("this machine has no address 192.0.2.1");
    other.close();
  });
});
