import type { HttpRequest } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { findAccess } from "../kubeconfig/find-access.ts";
import { inClusterAccess } from "../kubeconfig/in-cluster.ts";
import { clusterRig } from "../testing/cluster-rig.ts";
import { faultServer } from "../testing/fault-server.ts";
import { memoryHost } from "../testing/memory-host.ts";
import { jsonResponse } from "../testing/scripted-transport.ts";

// Broken files: kubeconfigs, and files of a pod's service account.

const ca = `-----BEGIN CERTIFICATE-----\n${Buffer.from([0x30, 2, 5, 0]).toString("base64")}\n-----END CERTIFICATE-----\n`;

describe("C15: kubeconfig files in practice", () => {
  const file = (server: string): string =>
    `apiVersion: v1\nkind: Config\nclusters:\n- name: c\n  cluster: { server: "${server}", certificate-authority: certs/ca.crt }\nusers: [{ name: u, user: { token: t } }]\ncontexts: [{ name: x, context: { cluster: c, user: u } }]\ncurrent-context: x\n`;
  const find = (files: Readonly<Record<string, string>>, KUBECONFIG: string, overrides = {}): Promise<unknown> =>
    findAccess({
      host: memoryHost({ "/certs/ca.crt": ca, "/one/certs/ca.crt": ca, ...files }, { env: { KUBECONFIG } }),
      log: testRuntime().log,
      overrides,
    }).catch((error: unknown) => error);

  it("the first file wins, relative paths start at their file, a byte order mark is accepted", async () => {
    expect(
      await find({ "/one/config": `\ufeff${file("https://one:1")}`, "/two/config": file("https://two:2") }, "/one/config:/two/config"),
    ).toMatchObject({ server: "https://one:1", trust: { ca: { kind: "file", path: "/one/certs/ca.crt" } } });
  });

  it.each([
    ["a missing context", file("https://a:1"), { context: "nope" }, /there is no context "nope"/],
    [
      "two clusters of one name",
      file("https://a:1").replace("clusters:", "clusters:\n- { name: c, cluster: { server: 'https://b:1' } }"),
      {},
      /^\/config: .*"c"/,
    ],
    ["tabs", file("https://a:1").replaceAll("  ", "\t"), {}, /^\/config/],
  ])("%s: a clear error that names the problem", async (_, text, overrides, words) => {
    const error = await find({ "/config": text }, "/config", overrides);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(words);
  });

  it("a file of ten megabytes is read", async () => {
    const extensions = Array.from({ length: 10 }, (_, index) => `{ name: e${index}, extension: "${"x".repeat(2 ** 20)}" }`);
    expect(await find({ "/config": `${file("https://a:1")}extensions: [${extensions.join(", ")}]\n` }, "/config")).toMatchObject({
      server: "https://a:1",
    });
  });
});

describe("C16: the files of a pod", () => {
  const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
  const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
  const get: HttpRequest = { method: "GET", path: "/version", headers: {} };

  it.each([
    ["missing", { fails: "missing" }],
    ["unreadable", { fails: "denied" }],
    ["empty", ""],
    ["an empty line, as in the middle of a swap", "\n"],
  ] as const)("a token file that is %s: the old token stays in use, and the new one is used when it appears", async (_, content) => {
    const host = memoryHost({ [`${folder}/token`]: "one", [`${folder}/ca.crt`]: ca, [`${folder}/namespace`]: "shop" }, { env });
    const runtime = testRuntime();
    const seen = new Set<unknown>();
    const network = faultServer({
      clock: runtime.clock,
      serve: ({ headers }) => Promise.resolve(jsonResponse(seen.add(headers["authorization"]).size)),
    });
    const { transport } = clusterRig({
      runtime,
      connect: network.connect,
      access: await findAccess({ host, log: runtime.log }),
      deps: { host },
    });
    await transport(get);
    host.files.set(`${folder}/token`, content).set(`${folder}/ca.crt`, content);
    await runtime.clock.advance(60_000);
    await transport(get);
    host.files.set(`${folder}/token`, "two").set(`${folder}/ca.crt`, ca);
    await runtime.clock.advance(60_000);
    await transport(get);
    expect([...seen]).toEqual(["Bearer one", "Bearer two"]);
  });

  it("a token that never existed: an error that names the file and the fix", async () => {
    const host = memoryHost({ [`${folder}/ca.crt`]: ca }, { env });
    const error = await inClusterAccess({ host, log: testRuntime().log }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: expect.stringContaining(`${folder}/token`) as unknown });
  });
});
