import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { ExecConfig } from "./cluster-access.ts";
import { execAccess } from "./exec-access.ts";
import { parseKubeconfig } from "./kubeconfig-text.ts";
import { memoryHost } from "../testing/memory-host.ts";
import { selectContext } from "./overrides.ts";

const execOf = (exec: string, cluster = "{ server: 'https://h/' }"): Promise<ExecConfig> =>
  execAccess(
    memoryHost({ "/ca": "PEM" }),
    selectContext(parseKubeconfig(`clusters: [{ name: c, cluster: ${cluster} }]\nusers: [{ name: u, user: { exec: ${exec} } }]\n`), {
      cluster: "c",
      user: "u",
    }),
  );
const v1 = "apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always";

describe("execAccess", () => {
  it("passes on command, arguments, environment and mode", async () => {
    const { args, env, ...rest } = await execOf(`{ ${v1}, command: login, args: [a, b], env: [{ name: A, value: v }, { name: E }] }`);
    expect(rest).toEqual({ apiVersion: "client.authentication.k8s.io/v1", command: "login", interactiveMode: "Always" });
    expect([args.reveal(), env.map(({ name, value }) => [name, value.reveal()])]).toEqual([
      ["a", "b"],
      [
        ["A", "v"],
        ["E", ""],
      ],
    ]);
    expect((await execOf(`{ ${v1}, command: login }`)).args.reveal()).toEqual([]);
  });

  it("defaults the mode of v1beta1", async () => {
    expect(await execOf("{ apiVersion: client.authentication.k8s.io/v1beta1, command: login }")).toMatchObject({
      interactiveMode: "IfAvailable",
    });
  });

  it("rejects removed versions, with the fix", async () => {
    await expect(execOf("{ apiVersion: client.authentication.k8s.io/v1alpha1, command: login }")).rejects.toThrow(
      "must be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1: update the program",
    );
  });

  it("passes cluster information only if provideClusterInfo is set", async () => {
    const cluster =
      "{ server: 'https://h/', certificate-authority: /ca, tls-server-name: name.example, proxy-url: 'http://p', disable-compression: true, extensions: [{ name: other, extension: 1 }, { name: client.authentication.k8s.io/exec, extension: { audience: a } }] }";
    expect(await execOf(`{ ${v1}, command: login, provideClusterInfo: false }`, cluster)).not.toHaveProperty("clusterInfo");
    expect((await execOf(`{ ${v1}, command: login, provideClusterInfo: true }`, cluster)).clusterInfo?.reveal()).toEqual({
      server: "https://h",
      "tls-server-name": "name.example",
      "certificate-authority-data": btoa("PEM"),
      "proxy-url": "http://p",
      "disable-compression": true,
      config: { audience: "a" },
    });
    expect(
      (
        await execOf(
          `{ ${v1}, command: login, provideClusterInfo: true }`,
          "{ server: 'https://h', insecure-skip-tls-verify: true, proxy-url: '' }",
        )
      ).clusterInfo?.reveal(),
    ).toEqual({ server: "https://h", "insecure-skip-tls-verify": true, config: null });
    expect(
      (
        await execOf(
          `{ ${v1}, command: login, provideClusterInfo: true }`,
          "{ server: 'https://h', certificate-authority-data: \"UEVN\\n\" }",
        )
      ).clusterInfo?.reveal(),
    ).toMatchObject({ "certificate-authority-data": "UEVN" });
  });

  it("redacts everything that may contain a password", async () => {
    const cluster =
      "{ server: 'https://h/', proxy-url: 'http://me:canary@p', extensions: [{ name: client.authentication.k8s.io/exec, extension: { key: canary } }] }";
    const config = await execOf(
      `{ ${v1}, command: login, args: [--password=canary], env: [{ name: A, value: canary }], provideClusterInfo: true }`,
      cluster,
    );
    for (const shown of [inspect(config, { depth: Infinity, showHidden: true }), JSON.stringify(config)])
      expect(shown).not.toContain("canary");
  });

  it("escapes control characters in the hint, and keeps the rest", async () => {
    expect(await execOf(`{ ${v1}, command: login, installHint: "a\\e[1mb\\tc\\né\\u200b\\x85" }`)).toMatchObject({
      installHint: "aU+001B[1mb\tc\néU+200BU+0085",
    });
  });
});
