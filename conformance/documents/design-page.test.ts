/**
 * The design page's operator, run as a user runs it: as a process, with `await app.run()`, a kubeconfig and a cluster
 * behind sockets. The type check of the repository compiles it.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Deployment } from "@drover/api/apps/v1";
import { Service } from "@drover/api/core/v1";
import { Ingress } from "@drover/api/networking/v1";
import { createClient } from "@drover/client";
import type { Client, NodeTransport } from "@drover/client";
import { isNotFound, isTooManyRequests, poll } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebApp } from "../../examples/web-app/web-app.ts";
import { bundledProgram } from "./bundled-program.ts";
import { temporaryFolder } from "../servers/real-program.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const root = join(import.meta.dirname, "..", "..");
const runtime = nodeRuntime({ write: () => undefined });

describeOnServers("the operator of the design page", ({ missing, start }) => {
  const bundle = temporaryFolder("design-page");
  let server: SuiteServer | undefined;
  let transport: NodeTransport;
  let client: Client;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    transport = server.transport(runtime);
    client = createClient({ transport, ...runtime, namespace: "default" });
  }, 90_000);
  afterAll(async () => {
    bundle.remove();
    if (server === undefined) return;
    await client.delete(CustomResourceDefinition, "webapps.demo.drover.dev").catch(() => undefined);
    transport.close();
    await server.stop();
  });

  const until = (what: () => Promise<boolean>): Promise<void> =>
    poll(runtime.clock, { interval: 25, timeout: 30_000, immediate: true }, what);
  const isThere = async (look: Promise<unknown>): Promise<boolean> => {
    try {
      await look;
      return true;
    } catch (error) {
      // The kind was defined a moment ago, and its storage is being initialized.
      if (isNotFound(error) || isTooManyRequests(error)) return false;
      throw error;
    }
  };

  it(
    "installs its definition, creates the desired objects, writes the status, cleans up and ends on the signal",
    { timeout: 90_000 },
    async (ctx) => {
      if (server === undefined) ctx.skip(missing);
      const program = await bundledProgram(bundle.path, join(root, "examples", "web-app", "main.ts"));
      const child = spawn(process.execPath, [program], {
        cwd: root,
        env: { ...process.env, KUBECONFIG: server?.kubeconfig },
        stdio: ["ignore", "ignore", "pipe"],
      });
      const told: string[] = [];
      child.stderr.on("data", (text: Buffer) => void told.push(text.toString()));
      const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
      try {
        await until(() => isThere(client.list(WebApp)));
        await client.create(WebApp, { metadata: { name: "shop" }, spec: { image: "shop:1", replicas: 2, host: "shop.example.com" } });
        await until(() => isThere(client.get(Service, "shop")));
        await until(
          async () =>
            (await client.get(WebApp, "shop")).status?.conditions?.some(
              ({ type, message }) => type === "Held" && message === "ingress: waiting for pods",
            ) === true,
        );
        expect(await client.get(Deployment, "shop")).toMatchObject({ spec: { replicas: 2 } });
        expect(await isThere(client.get(Ingress, "shop"))).toBe(false);

        await client.resource(Deployment).status.patch("shop", { type: "merge", body: { status: { replicas: 2, readyReplicas: 2 } } });
        await until(() => isThere(client.get(Ingress, "shop")));
        await until(async () => (await client.get(WebApp, "shop")).status?.ready === 2);
        expect((await client.get(WebApp, "shop")).status?.conditions).toMatchObject([
          { type: "Ready", status: "True", reason: "Replicas", message: "2 ready" },
          { type: "Held", status: "False" },
        ]);

        await client.delete(WebApp, "shop");
        await until(async () => !(await isThere(client.get(WebApp, "shop"))));
        expect(told.filter((line) => line.includes('"level":"error"'))).toEqual([]);
      } finally {
        child.kill("SIGTERM");
      }
      expect(await ended).toBe(0);
      expect(told.join("")).toContain("the process received SIGTERM");
    },
  );
});
