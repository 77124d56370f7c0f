import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ValidatingWebhookConfiguration } from "@drover/api/admissionregistration/v1";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Lease } from "@drover/api/coordination/v1";
import { certificateAuthority } from "@drover/machinery/x509";
import { nodeCrypto } from "@drover/machinery/node";
import { connect, nodeRuntime } from "drover";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { localKubeconfig } from "../local-kubeconfig.ts";
import { startLocalServer } from "../local-server.ts";
import type { LocalServer } from "../local-server.ts";
import { doctor } from "./doctor.ts";
import type { DoctorOptions } from "./doctor.ts";

const folder = mkdtempSync(join(tmpdir(), "drover-doctor-"));
const runtime = nodeRuntime({ write: () => undefined });
const ends: (() => unknown)[] = [];
afterEach(async () => void (await Promise.all(ends.splice(0).map((end) => end()))));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

interface Told {
  readonly code: number;
  readonly out: string;
}
async function examine(options: Partial<DoctorOptions>, requestMs = 5000, totalMs = 30_000): Promise<Told> {
  let out = "";
  const code = await doctor(
    { kubeconfig: undefined, context: undefined, rules: undefined, json: false, ...options },
    {
      write: (text) => {
        out += text;
      },
      signal: new AbortController().signal,
      requestMs,
      totalMs,
    },
  );
  return { code, out };
}

describe("drover doctor on a server", () => {
  let server: LocalServer;
  let kubeconfig: string;
  let asNobody: string;
  const ending = new AbortController();
  let running: Promise<void>;
  beforeAll(async () => {
    server = await startLocalServer({ host: "127.0.0.1", port: 0, anonymous: false, runtime });
    running = server.run(ending.signal);
    const text = localKubeconfig(server, process.pid);
    kubeconfig = write("kubeconfig", text);
    asNobody = write("nobody", text.replace("client-key-data:", "as: nobody\n    client-key-data:"));
  });
  afterAll(async () => {
    ending.abort();
    await running;
  });

  it("passes a healthy cluster, with who you are, versions and clock", async () => {
    const { code, out } = await examine({ kubeconfig });
    expect(out).toMatch(/^ok {4}kubeconfig: .*kubeconfig, context drover,/m);
    expect(out).toMatch(/^ok {4}server: https:\/\/127\.0\.0\.1:\d+ answers in \d+ ms$/m);
    expect(out).toMatch(/^ok {4}certificate: the server's certificate is valid until 20\d\d-/m);
    expect(out).toMatch(/^ok {4}clock: differs by [01] s from the server's$/m);
    expect(out).toMatch(/^ok {4}client certificate: /m);
    expect(out).toMatch(/^ok {4}server version: v1\.36/m);
    expect(out).toMatch(/^ok {4}credentials: you are kubernetes-admin, in system:masters$/m);
    expect(out).toMatch(/^ok {4}leases: /m);
    expect(out).toMatch(/All checks passed\.\n$/);
    expect(code).toBe(0);
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("names rights of a roles file that are missing", async () => {
    const rules = write(
      "roles.yaml",
      "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: shop }\nrules: [{ apiGroups: [apps], resources: [deployments], verbs: [list, patch] }]\n",
    );
    expect((await examine({ kubeconfig, rules })).out).toContain("ok    permissions: all 2 rights of the file are granted");
    const { code, out } = await examine({ kubeconfig: asNobody, rules });
    expect(code).toBe(1);
    expect(out).toContain("FAIL  permissions: you may not list deployments.apps, patch deployments.apps");
    // Not a problem of the cluster.
    expect(out).toContain("-     definitions: not checked: you may not list CustomResourceDefinitions");
  });

  it("refuses a roles file without rules", async () => {
    const rules = write("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n");
    await expect(examine({ kubeconfig, rules })).rejects.toThrow("has no Role or ClusterRole with rules");
  });

  it("finds webhooks without service, definitions whose names conflict, and leases of dead holders", async () => {
    await using cluster = await connect({ kubeconfig, runtime });
    const { client } = cluster;
    const schema = { openAPIV3Schema: { type: "object" } } as const;
    const definition = (group: string, plural: string) => ({
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: "Namespaced" as const,
        names: { plural, kind: "Widget", singular: "widget" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    });
    const first = await client.create(CustomResourceDefinition, definition("demo.example.com", "widgets"));
    const second = await client.create(CustomResourceDefinition, definition("demo.example.com", "others"));
    await client.create(Lease, {
      metadata: { name: "shop", namespace: "default" },
      spec: { holderIdentity: "shop-0", leaseDurationSeconds: 15, renewTime: "2020-01-01T00:00:00.000000Z" },
    });
    const webhook = await client.create(ValidatingWebhookConfiguration, {
      metadata: { name: "shop" },
      webhooks: [
        {
          name: "pods.shop.example.com",
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
          clientConfig: { service: { namespace: "shop", name: "hooks" } },
          rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        },
      ],
    });
    const { code, out } = await examine({ kubeconfig });
    const text = out.replace(/\n {6}(?!fix)/g, " ");
    expect(code).toBe(1);
    expect(text).toContain("FAIL  definitions: others.demo.example.com: its names conflict with another definition");
    expect(text).toContain(
      "FAIL  webhooks: validating webhook shop/pods.shop.example.com is served by Service shop/hooks, which does not exist",
    );
    expect(text).toContain("shop/pods.shop.example.com has no caBundle");
    expect(text).toContain("warn  leases: default/shop: shop-0 holds it and has renewed it not for");
    await Promise.all([
      client.delete(CustomResourceDefinition, first.metadata.name ?? ""),
      client.delete(CustomResourceDefinition, second.metadata.name ?? ""),
      client.delete(Lease, "shop", { namespace: "default" }),
      client.delete(ValidatingWebhookConfiguration, webhook.metadata.name ?? ""),
    ]);
  });

  it("says that the credentials are not accepted", async () => {
    const text = localKubeconfig(server, process.pid)
      .replace(/client-certificate-data: .*\n/, "token: wrong\n")
      .replace(/ *client-key-data: .*\n/, "");
    const { code, out } = await examine({ kubeconfig: write("token", text) });
    expect(code).toBe(1);
    expect(out).toMatch(/^ok {4}server: .* answers/m);
    expect(out).toContain("FAIL  credentials: the server does not accept them (401)");
    expect(out).not.toContain("webhooks");
  });

  it("prints JSON on one line", async () => {
    const { code, out } = await examine({ kubeconfig, json: true });
    expect(out.trim().split("\n")).toHaveLength(1);
    const { healthy, findings } = JSON.parse(out) as {
      readonly healthy: boolean;
      readonly findings: readonly { readonly check: string }[];
    };
    expect([code, healthy]).toEqual([0, true]);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(["node version", "kubeconfig", "server", "clock", "credentials", "definitions", "webhooks", "leases"]),
    );
  });

  it("does not trust a server of another authority, and says whose certificate it is", async () => {
    const other = certificateAuthority({ commonName: "other", crypto: nodeCrypto, clock: runtime.clock });
    const text = localKubeconfig({ ...server, authorityPem: other.certificatePem }, process.pid);
    const { code, out } = await examine({ kubeconfig: write("other", text) });
    expect(code).toBe(1);
    expect(out.replace(/\n {6}/g, " ")).toMatch(
      /FAIL {2}server: .*failed the TLS handshake.*the certificate there is of drover, valid until.*\[DRV0314\]/,
    );
  });
});

describe("drover doctor without a server", () => {
  const configFor = (url: string): string =>
    write(
      "dead",
      `apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{ name: a, context: { cluster: a } }]\nclusters: [{ name: a, cluster: { server: "${url}" } }]\n`,
    );
  const listening = async (server: Server): Promise<number> => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ends.push(() => server.close());
    return (server.address() as AddressInfo).port;
  };

  it("says that nothing listens", async () => {
    const free = createServer();
    const port = await listening(free);
    free.close();
    await once(free, "close");
    const { code, out } = await examine({ kubeconfig: configFor(`https://127.0.0.1:${port}`) });
    expect(code).toBe(1);
    expect(out.replace(/\n {6}/g, " ")).toMatch(
      /FAIL {2}server: .* refused the connection .*\[DRV0310\] fix: drover explain DRV0310 lists causes/,
    );
  });

  it("ends in time on a server that accepts connections and never answers", async () => {
    const port = await listening(createServer((socket) => ends.push(() => socket.destroy())));
    const startedMs = performance.now();
    const { code, out } = await examine({ kubeconfig: configFor(`https://127.0.0.1:${port}`) }, 300);
    expect(code).toBe(1);
    expect(out).toContain("FAIL  server: ");
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });

  it("ends in time on a server that answers only the first request", async () => {
    const version = JSON.stringify({ major: "1", minor: "36", gitVersion: "v1.36.0" });
    const slow = createHttpServer((request, response) => {
      if (request.url === "/version") response.setHeader("content-type", "application/json").end(version);
      else ends.push(() => response.destroy());
    });
    const { code, out } = await examine({ kubeconfig: configFor(`http://127.0.0.1:${await listening(slow)}`) }, 60_000, 700);
    expect(code).toBe(1);
    expect(out).toContain("ok    server version: v1.36.0");
    expect(out).toContain("FAIL  time: the checks took longer than 0.7 s");
  });

  it("says that the port does not speak TLS", async () => {
    const port = await listening(createHttpServer((_, response) => response.end("hello")));
    const { code, out } = await examine({ kubeconfig: configFor(`https://127.0.0.1:${port}`) });
    expect(code).toBe(1);
    expect(out).toContain("[DRV0317]");
  });

  it("says that the answer is a web page", async () => {
    const port = await listening(
      createHttpServer((_, response) => response.setHeader("content-type", "text/html").end("<html>Log in</html>")),
    );
    const { code, out } = await examine({ kubeconfig: configFor(`http://127.0.0.1:${port}`) });
    expect(code).toBe(1);
    expect(out).toContain("answers, but not as an API server");
  });

  it.each([
    ["a file that does not exist", { kubeconfig: "/there/is/none" }, "DRV0304"],
    ["a context that does not exist", { context: "prod" }, "DRV0302"],
  ])("says what is wrong with %s", async (_, options, problem) => {
    const { code, out } = await examine({ kubeconfig: configFor("https://127.0.0.1:1"), ...options });
    expect(code).toBe(1);
    expect(out.replace(/\n {6}/g, " ")).toMatch(new RegExp(`^FAIL {2}kubeconfig: .*\\[${problem}\\] fix: set KUBECONFIG`, "m"));
  });
});
