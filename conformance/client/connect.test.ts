/** `connect()` and an API server: every way to connect, and what must keep working while credentials and kinds change. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { SelfSubjectReview } from "@drover/api/authentication/v1";
import { ConfigMap, Namespace, Secret as SecretKind, ServiceAccount } from "@drover/api/core/v1";
import { conditionTrue, waitFor } from "@drover/client";
import type { Host } from "@drover/client";
import { isForbidden, isUnauthorized, poll } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { connect, nodeHost, nodeRuntime } from "drover";
import type { ConnectOptions, Connection } from "drover";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { programPath, programsMissing } from "../servers/real-program.ts";
import { kubeconfigText, tokenBoundTo } from "../servers/real-login.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const runtime = nodeRuntime();

describeOnServers("connect()", ({ missing: serverMissing, start }) => {
  const log = recordingLog(runtime.clock);
  const namespace = "connected";
  const opened: Connection[] = [];
  let folder = "";
  let server: SuiteServer | undefined;
  let admin: Connection;

  /** A connection that is closed with the others at the end. */
  async function open(options: ConnectOptions): Promise<Connection> {
    const connection = await connect({ runtime: { ...runtime, log }, ...options });
    opened.push(connection);
    return connection;
  }

  /** A kubeconfig for the server with the given user. */
  function kubeconfigFor(name: string, user: object): string {
    const file = join(folder, name);
    writeFileSync(file, kubeconfigText(server ?? { url: "", ca: "" }, namespace, user), { mode: 0o600 });
    return file;
  }

  async function whoAmI({ client }: Connection): Promise<string> {
    const { status } = await client.create(SelfSubjectReview, { metadata: {} });
    return status?.userInfo?.username ?? "";
  }

  beforeAll(async () => {
    if (serverMissing !== undefined) return;
    folder = mkdtempSync(join(tmpdir(), "drover-connect-"));
    server = await start();
    admin = await open({ kubeconfig: server.kubeconfig, namespace });
    await admin.client.create(Namespace, { metadata: { name: namespace } });
  }, 90_000);
  afterAll(async () => {
    await Promise.all(opened.map((connection) => connection.close()));
    await server?.stop();
    if (folder !== "") rmSync(folder, { recursive: true, force: true });
  }, 30_000);
  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(serverMissing);
  });

  describe("a connection", () => {
    it("is made from a path, a text, a variable or an access, with its namespace", async () => {
      const kubeconfig = kubeconfigFor("plain", { token: server?.token });
      const host: Host = { ...nodeHost(), env: { KUBECONFIG: kubeconfig } };
      for (const options of [
        { kubeconfig },
        { kubeconfig: { text: readFileSync(kubeconfig, "utf8") } },
        { host },
        { access: (await open({ kubeconfig })).access },
      ] satisfies ConnectOptions[]) {
        const cluster = await open(options);
        expect([await whoAmI(cluster), cluster.namespace]).toEqual(["admin", namespace]);
      }
    });

    it("is made from inside a pod, and follows the rotated token", async () => {
      const account = join(folder, "account");
      mkdirSync(account);
      for (const [name, text] of [
        ["token", "stale"],
        ["ca.crt", server?.ca ?? ""],
        ["namespace", namespace],
      ] as const)
        writeFileSync(join(account, name), text);
      const real = nodeHost();
      const { hostname, port } = new URL(server?.url ?? "");
      const host: Host = {
        ...real,
        env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
        readFile: (path) => real.readFile(path.replace("/var/run/secrets/kubernetes.io/serviceaccount", account)),
      };
      const cluster = await open({ host, from: "in-cluster" });
      expect(cluster.namespace).toBe(namespace);
      await expect(whoAmI(cluster)).rejects.toSatisfy(isUnauthorized);
      writeFileSync(join(account, "token"), server?.token ?? "");
      // A file that was just found unchanged is not read again for a second.
      await expect.poll(() => whoAmI(cluster).catch(() => "nobody"), { interval: 100, timeout: 5000 }).toBe("admin");
    });

    it("uses a credential plugin, as kubectl does with the same file", async (ctx) => {
      const missing = programsMissing("kubectl");
      if (missing !== undefined) ctx.skip(missing);
      const script = join(folder, "plugin");
      writeFileSync(
        script,
        `#!/bin/sh\necho run >> ${join(folder, "runs")}\necho '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"${server?.token}"}}'\n`,
      );
      chmodSync(script, 0o755);
      // The path is relative to the file that names it.
      const kubeconfig = kubeconfigFor("exec", {
        exec: { apiVersion: "client.authentication.k8s.io/v1", command: "./plugin", interactiveMode: "Never" },
      });
      const cluster = await open({ kubeconfig });
      expect(await Promise.all([whoAmI(cluster), whoAmI(cluster), whoAmI(cluster)])).toEqual(["admin", "admin", "admin"]);
      expect(readFileSync(join(folder, "runs"), "utf8")).toBe("run\n");
      const { stdout } = await promisify(execFile)(
        programPath("kubectl"),
        ["--kubeconfig", kubeconfig, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"],
        { env: { HOME: folder, PATH: process.env["PATH"] } },
      );
      expect(stdout).toBe("admin");
    });

    it("follows a token that is rotated while it runs, and keeps working when the old one is revoked", { timeout: 60_000 }, async () => {
      const { client } = admin;
      await client.create(ServiceAccount, { metadata: { name: "robot" } });
      const [first, second] = [await tokenBoundTo(client, "robot", "first"), await tokenBoundTo(client, "robot", "second")];
      const file = join(folder, "rotating");
      writeFileSync(file, first);
      const cluster = await open({ kubeconfig: kubeconfigFor("rotating-config", { tokenFile: file }) });
      const robot = `system:serviceaccount:${namespace}:robot`;
      expect(await whoAmI(cluster)).toBe(robot);
      writeFileSync(file, second);
      await client.delete(SecretKind, "first");
      // The server itself caches for about ten seconds that a token is valid.
      const old = await open({ kubeconfig: kubeconfigFor("old-config", { token: first }) });
      const isRevoked = async (): Promise<boolean> => {
        expect(await whoAmI(cluster)).toBe(robot);
        return whoAmI(old).then(() => false, isUnauthorized);
      };
      await poll(runtime.clock, { interval: 250, timeout: 40_000, immediate: true }, isRevoked);
      expect(await whoAmI(cluster)).toBe(robot);
    });

    it("impersonates another user, with that user's permissions", async () => {
      const kubeconfig = kubeconfigFor("as", { token: server?.token });
      const zoe = await open({ kubeconfig, impersonate: { user: "zoë", groups: ["dev"] } });
      expect(await whoAmI(zoe)).toBe("zoë");
      await expect(zoe.client.list(ConfigMap)).rejects.toSatisfy(isForbidden);
      await expect(zoe.exec("web", { command: ["true"] })).rejects.toMatchObject({
        code: 403,
        message: expect.stringContaining('User "zoë"') as unknown,
      });
    });

    it("finds a kind that was defined while it runs, and uses it at once", { timeout: 60_000 }, async () => {
      await expect(admin.dynamic({ group: "connect.drover.dev", kind: "Lamp" })).rejects.toMatchObject({ name: "NoKindMatchError" });
      await expect(admin.dynamic({ group: "apps", kind: "Deployment", version: "v9" })).rejects.toMatchObject({ name: "NoKindMatchError" });
      await admin.client.create(CustomResourceDefinition, {
        metadata: { name: "lamps.connect.drover.dev" },
        spec: {
          group: "connect.drover.dev",
          scope: "Namespaced",
          names: { kind: "Lamp", plural: "lamps", singular: "lamp", shortNames: ["lmp"] },
          versions: [
            {
              name: "v1",
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { watts: { type: "integer" } } } } },
              },
            },
          ],
        },
      });
      await waitFor(admin.client, CustomResourceDefinition, "lamps.connect.drover.dev", conditionTrue("Established"), {
        timeoutMs: 30_000,
      });
      // The server's own discovery may lag behind its condition; this client's knowledge does not.
      await poll(runtime.clock, { interval: 50, timeout: 20_000, immediate: true }, () =>
        admin.dynamic("lmp").then(
          () => true,
          () => false,
        ),
      );
      const lamps = await admin.dynamic({ group: "connect.drover.dev", kind: "Lamp" });
      expect(await lamps.create({ metadata: { name: "desk" }, spec: { watts: 5 } })).toMatchObject({
        apiVersion: "connect.drover.dev/v1",
        kind: "Lamp",
        spec: { watts: 5 },
      });
      expect((await lamps.list()).items.map(({ metadata }) => metadata.name)).toEqual(["desk"]);
    });

    it("ends its watches when it is closed", async () => {
      const cluster = await connect({ runtime: { ...runtime, log }, kubeconfig: kubeconfigFor("closing", { token: server?.token }) });
      const watching = cluster.client.watch(ConfigMap, { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" });
      expect((await watching.next()).done).toBe(false);
      const next = watching.next();
      await cluster.close();
      await expect(next).rejects.toThrow();
      await expect(cluster.client.list(ConfigMap)).rejects.toMatchObject({
        name: "ResponseError",
        cause: { name: "TransportError", reason: "closed" },
      });
    });

    it("writes no credential to the log", () => {
      expect(log.lines.join("\n")).not.toContain(server?.token);
      expect(log.lines.join("\n")).not.toMatch(/eyJ[\w-]{20,}/);
    });
  });
});
