/** Authentication with an API server in every way it supports: token, token file, client certificate, credential plugin, impersonation. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authenticate, credentialSource, impersonate, nodeTransport, tlsSource, wrap } from "@drover/client";
import type { ClusterAccess, CredentialDeps, ExecConfig } from "@drover/client";
import { Secret } from "@drover/machinery";
import type { HttpBody, Transport } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { isKeyPair } from "drover/client";
import { nodeHost, nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { authority } from "../../packages/client/src/transport/testing/certificates.ts";
import type { Issued } from "../../packages/client/src/transport/testing/certificates.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const { clock } = nodeRuntime();

describeOnServers("authentication", ({ missing, start }) => {
  const log = recordingLog(clock);
  const closing: (() => void)[] = [];
  let folder = "";
  let server: SuiteServer | undefined;

  beforeAll(async () => {
    if (missing !== undefined) return;
    folder = mkdtempSync(join(tmpdir(), "drover-client-auth-"));
    server = await start();
  }, 90_000);
  afterAll(async () => {
    for (const close of closing) close();
    await server?.stop();
    if (folder !== "") rmSync(folder, { recursive: true, force: true });
  }, 30_000);
  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(missing);
  });

  const issue = (commonName: string, organizations: readonly string[] = []): Issued => {
    if (server === undefined) throw new Error("there is no server");
    return server.clientAuthority.issue({ commonName, organizations });
  };

  /** The whole path from access to requests; files are checked before each request. */
  function login(
    { impersonate: other, ...access }: Pick<ClusterAccess, "credentials" | "impersonate">,
    options: Partial<CredentialDeps> = {},
  ): Transport {
    const deps: CredentialDeps = {
      host: nodeHost(),
      clock,
      log,
      isPair: isKeyPair,
      transportTo: () => () => Promise.reject(new Error("there is no issuer here")),
      ...options,
    };
    const trust = { ca: { kind: "inline", pem: server?.ca ?? "" } } as const;
    const source = credentialSource(access.credentials, deps);
    const sockets = nodeTransport({
      server: server?.url ?? "",
      tls: tlsSource({ ...access, trust }, source, { ...deps, rereadMs: 0 }),
      clock,
      log,
    });
    closing.push(sockets.close);
    return wrap(sockets, ...(other === undefined ? [] : [impersonate(other)]), authenticate(source));
  }

  interface Review {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  }

  /** The user the server sees, or the status with which it refuses. */
  async function whoAmI(send: Transport): Promise<Review | number> {
    const body = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
    const response = await send({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      headers: { "content-type": "application/json", accept: "application/json" },
      body,
    });
    const text = await whole(response.body);
    return response.status === 201 ? (JSON.parse(text) as { status: { userInfo: Review } }).status.userInfo : response.status;
  }

  async function whole(body: HttpBody): Promise<string> {
    if (typeof body === "string") return body;
    const chunks: Uint8Array[] = [];
    if (body instanceof Uint8Array) chunks.push(body);
    else for await (const chunk of body) chunks.push(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
    return Buffer.concat(chunks).toString("utf8");
  }

  const inline = ({ certificate, key }: Issued): ClusterAccess["credentials"] => ({
    clientCertificate: { certificate: { kind: "inline", pem: certificate }, key: { kind: "inline", pem: new Secret(key) } },
  });

  describe("authentication", () => {
    it("with a token succeeds, and with a wrong one fails with 401", async () => {
      expect(await whoAmI(login({ credentials: { token: new Secret(server?.token ?? "") } }))).toMatchObject({ username: "admin" });
      expect(await whoAmI(login({ credentials: { token: new Secret("wrong") } }))).toBe(401);
    });

    it("with a token file reads it again when the token is refused, within the same call", async () => {
      const path = join(folder, "token");
      writeFileSync(path, "stale");
      const reading = nodeHost();
      // The token is replaced right after it was read.
      const send = login(
        { credentials: { tokenFile: path } },
        {
          host: {
            ...reading,
            readFile: async (name) => {
              const bytes = await reading.readFile(name);
              writeFileSync(path, `${server?.token}\n`);
              return bytes;
            },
          },
        },
      );
      expect(await whoAmI(send)).toMatchObject({ username: "admin" });
    });

    it("with a client certificate gives user and groups, and fails with one from another authority", async () => {
      expect(await whoAmI(login({ credentials: inline(issue("jane", ["dev", "ops"])) }))).toMatchObject({
        username: "jane",
        groups: ["dev", "ops", "system:authenticated"],
      });
      expect(
        await whoAmI(
          login({ credentials: inline(authority("strangers").issue({ commonName: "jane", organizations: ["system:masters"] })) }),
        ),
      ).toBe(401);
    });

    it("T3: with client certificate files follows their rotation, and keeps the old pair while only one file is new", async () => {
      const [certificate, key] = [join(folder, "tls.crt"), join(folder, "tls.key")];
      const [first, second] = [issue("first"), issue("second")];
      writeFileSync(certificate, first.certificate);
      writeFileSync(key, first.key);
      const send = login({
        credentials: { clientCertificate: { certificate: { kind: "file", path: certificate }, key: { kind: "file", path: key } } },
      });
      expect(await whoAmI(send)).toMatchObject({ username: "first" });
      writeFileSync(certificate, second.certificate);
      expect(await whoAmI(send)).toMatchObject({ username: "first" });
      writeFileSync(key, second.key);
      expect(await whoAmI(send)).toMatchObject({ username: "second" });
    });

    it("impersonates user, groups, uid and extra values, whatever characters they have", async () => {
      const token = new Secret(server?.token ?? "");
      const who = { user: "jürgen", uid: "u-1", groups: ["dev", "ops"], extra: { "example.com/Scopes": ["read", "wríte"], "50%": ["x"] } };
      const review = await whoAmI(login({ credentials: { token }, impersonate: who }));
      expect(review).toMatchObject({ username: "jürgen", uid: "u-1", extra: { "example.com/scopes": ["read", "wríte"], "50%": ["x"] } });
      expect((review as Review).groups).toEqual(expect.arrayContaining(["dev", "ops"]));
      expect(await whoAmI(login({ credentials: inline(issue("nobody")), impersonate: { user: "admin" } }))).toBe(403);
    });
  });

  describe("credential plugins", () => {
    /** A plugin in Node that records every run and answers with the current content of a file. */
    const plugin = (
      name: string,
      status: object,
    ): { readonly config: ExecConfig; readonly answer: (status: object) => void; readonly runs: () => Record<string, unknown>[] } => {
      const [script, answers, runs] = [join(folder, `${name}.mjs`), join(folder, `${name}.json`), join(folder, `${name}.runs`)];
      writeFileSync(
        script,
        `#!${process.execPath}
import { appendFileSync, readFileSync } from "node:fs";
appendFileSync(${JSON.stringify(runs)}, process.env.KUBERNETES_EXEC_INFO.trim() + "\\n");
console.error("a word on stderr: " + process.env.PLUGIN_WORD);
const { apiVersion } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
console.log(JSON.stringify({ apiVersion, kind: "ExecCredential", status: JSON.parse(readFileSync(${JSON.stringify(answers)}, "utf8")) }));
`,
      );
      chmodSync(script, 0o755);
      const answer = (next: object): void => writeFileSync(answers, JSON.stringify(next));
      answer(status);
      return {
        config: {
          apiVersion: "client.authentication.k8s.io/v1",
          command: script,
          args: new Secret([]),
          env: [{ name: "PLUGIN_WORD", value: new Secret("c4n4ry") }],
          interactiveMode: "Never",
          clusterInfo: new Secret({ server: "https://here" }),
        },
        answer,
        runs: () =>
          readFileSync(runs, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as Record<string, unknown>),
      };
    };

    it.each(["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"] as const)(
      "authenticates with the token of a plugin in %s, run once for ten calls",
      async (apiVersion) => {
        const { config, runs } = plugin(`token-${apiVersion.slice(-3).replace("/", "")}`, { token: server?.token });
        const send = login({ credentials: { exec: { ...config, apiVersion } } });
        const reviews = await Promise.all(Array.from({ length: 10 }, () => whoAmI(send)));
        expect(reviews).toEqual(Array.from({ length: 10 }, () => expect.objectContaining({ username: "admin" }) as unknown));
        expect(runs()).toEqual([{ kind: "ExecCredential", apiVersion, spec: { cluster: { server: "https://here" }, interactive: false } }]);
      },
    );

    it("runs the plugin again after a 401 and repeats the call", async () => {
      const { config, answer, runs } = plugin("refused", { token: "stale" });
      const running = nodeHost();
      // The first answer is stale; by the time the server refuses it, a better one exists.
      const send = login(
        { credentials: { exec: config } },
        {
          host: {
            ...running,
            run: async (program, options) => {
              const result = await running.run(program, options);
              answer({ token: server?.token });
              return result;
            },
          },
        },
      );
      expect(await whoAmI(send)).toMatchObject({ username: "admin" });
      expect(runs()).toHaveLength(2);
    });

    it("authenticates with the certificate of a plugin, and follows its rotation", async () => {
      const pair = (user: string, expiresInMs: number): object => {
        const { certificate, key } = issue(user);
        return {
          clientCertificateData: certificate,
          clientKeyData: key,
          expirationTimestamp: new Date(Date.now() + expiresInMs).toISOString(),
        };
      };
      const { config, answer } = plugin("certificate", pair("first", 2000));
      const send = login({ credentials: { exec: config } });
      expect(await whoAmI(send)).toMatchObject({ username: "first" });
      answer(pair("second", 3_600_000));
      await expect.poll(() => whoAmI(send), { interval: 200, timeout: 10_000 }).toMatchObject({ username: "second" });
    });

    it("C3: stops a plugin that hangs with a child holding its output open, once for all waiting calls", async () => {
      const script = join(folder, "hangs");
      writeFileSync(
        script,
        `#!/bin/sh\necho $$ >> ${join(folder, "hangs.pids")}\nsleep 300 &\necho $! >> ${join(folder, "hangs.pids")}\nwait\n`,
      );
      chmodSync(script, 0o755);
      const send = login(
        {
          credentials: {
            exec: {
              apiVersion: "client.authentication.k8s.io/v1",
              command: script,
              args: new Secret([]),
              env: [],
              interactiveMode: "Never",
            },
          },
        },
        { exec: { timeoutMs: 500 } },
      );
      const outcomes = await Promise.allSettled([whoAmI(send), whoAmI(send)]);
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({
          status: "rejected",
          reason: { message: `the credential plugin ${script} did not answer within 0.5 s and was stopped` },
        });
      const pids = readFileSync(join(folder, "hangs.pids"), "utf8").trim().split("\n").map(Number);
      expect(pids).toHaveLength(2);
      await expect.poll(() => pids.filter(isAlive), { interval: 50, timeout: 5000 }).toEqual([]);
    });

    it("logs no output and environment of plugins, and no credential, at any log level", () => {
      expect(log.lines.join("\n")).not.toMatch(new RegExp(`c4n4ry|a word on stderr|PRIVATE KEY|${server?.token}`));
    });
  });

  /** An ended process that has not been reaped still has its id, so ask the kernel for its state where possible. */
  function isAlive(pid: number): boolean {
    try {
      process.kill(pid, 0);
      return !(process.platform === "linux" && /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
    } catch {
      return false;
    }
  }
});
