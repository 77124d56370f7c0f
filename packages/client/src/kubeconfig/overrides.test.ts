import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { isKubeconfigError } from "./kubeconfig-error.ts";
import { parseKubeconfig } from "./kubeconfig-text.ts";
import type { KubeconfigCluster, KubeconfigUser } from "./kubeconfig.ts";
import { selectContext } from "./overrides.ts";
import type { KubeconfigOverrides } from "./overrides.ts";

const config = parseKubeconfig(`
current-context: one
clusters:
- { name: c1, cluster: { server: "https://c1", tls-server-name: n1, certificate-authority-data: YQ==, proxy-url: "http://p1" } }
- { name: c2, cluster: { server: "https://c2", insecure-skip-tls-verify: true } }
users:
- { name: u1, user: { token: t1, as: a1, as-groups: [g1], as-user-extra: { k: [v1], l: [v1] } } }
- { name: u2, user: { client-certificate-data: YQ==, client-key-data: YQ==, tokenFile: /t2 } }
contexts:
- { name: one, context: { cluster: c1, user: u1, namespace: n1 } }
- { name: two, context: { cluster: c2, user: u2 } }
- { name: lost, context: { cluster: gone, user: u1 } }
- { name: stranger, context: { cluster: c1, user: gone } }
- { name: bare, context: {} }
`);
const clusterOf = (overrides: KubeconfigOverrides): KubeconfigCluster => selectContext(config, overrides).cluster.cluster;
const userOf = (overrides: KubeconfigOverrides): KubeconfigUser => selectContext(config, overrides).user.user;
const refusal = (overrides: KubeconfigOverrides): unknown[] => {
  try {
    return [selectContext(config, overrides)];
  } catch (error) {
    return isKubeconfigError(error) ? [error.reason, error.message] : [error];
  }
};

describe("selectContext", () => {
  it("uses the current context, or the requested one", () => {
    expect(
      [selectContext(config), selectContext(config, { context: "two" })].map(({ context, cluster, user }) => [
        context.name,
        cluster.name,
        user.name,
      ]),
    ).toEqual([
      ["one", "c1", "u1"],
      ["two", "c2", "u2"],
    ]);
  });

  it("overrides the cluster, user or namespace of the context", () => {
    const { context, cluster, user } = selectContext(config, { cluster: "c2", user: "u2", namespace: "other" });
    expect([context.context, cluster.name, user.name]).toEqual([{ cluster: "c2", user: "u2", namespace: "other" }, "c2", "u2"]);
  });

  it("ignores empty overrides", () => {
    const { context, cluster, user } = selectContext(config, {
      context: "",
      cluster: "",
      user: "",
      namespace: "",
      clusterFields: { server: "", "insecure-skip-tls-verify": false },
      userFields: { token: new Secret(""), "as-groups": [] },
    });
    expect([
      context.context.namespace,
      cluster.cluster.server,
      user.user["as-groups"],
      user.user.token?.reveal(),
      cluster.cluster["certificate-authority-data"],
    ]).toEqual(["n1", "https://c1", ["g1"], "t1", "YQ=="]);
  });

  it("names the missing entry and the existing ones", () => {
    expect(refusal({ context: "nope" })).toEqual([
      "context-not-found",
      'there is no context "nope"; known contexts: "one", "two", "lost", "stranger", "bare" [DRV0302]',
    ]);
    expect(refusal({ cluster: "nope" })).toEqual(["invalid", 'there is no cluster "nope"; known clusters: "c1", "c2" [DRV0303]']);
    expect(refusal({ user: "nope" })).toEqual(["invalid", 'there is no user "nope"; known users: "u1", "u2" [DRV0303]']);
    expect(refusal({ context: "lost" })).toEqual([
      "invalid",
      'there is no cluster "gone", which the context "lost" names; known clusters: "c1", "c2" [DRV0303]',
    ]);
    expect(refusal({ context: "stranger" })).toEqual([
      "invalid",
      'there is no user "gone", which the context "stranger" names; known users: "u1", "u2" [DRV0303]',
    ]);
    expect(() => selectContext({ ...config, contexts: [] })).toThrow(
      'there is no context "one", which current-context names; there are no contexts',
    );
  });

  it("works without a context if the server is given", () => {
    const { context, cluster } = selectContext(parseKubeconfig(""), { clusterFields: { server: "https://x" } });
    expect([context.name, cluster.cluster]).toEqual(["", { server: "https://x" }]);
  });

  it("clears the authorities for insecure", () => {
    expect(clusterOf({ clusterFields: { "insecure-skip-tls-verify": true } })).toEqual({
      server: "https://c1",
      "tls-server-name": "n1",
      "proxy-url": expect.any(Secret) as Secret,
      "insecure-skip-tls-verify": true,
    });
  });

  it("clears other authorities and insecure for an authority", () => {
    expect(clusterOf({ clusterFields: { "certificate-authority": "/ca" } })).toMatchObject({ "certificate-authority": "/ca" });
    expect(clusterOf({ clusterFields: { "certificate-authority": "/ca" } })).not.toHaveProperty("certificate-authority-data");
    expect(clusterOf({ context: "two", clusterFields: { "certificate-authority-data": "Yg==" } })).toEqual({
      server: "https://c2",
      "certificate-authority-data": "Yg==",
    });
  });

  it("clears tls-server-name for a server, unless it is given too", () => {
    expect(clusterOf({ clusterFields: { server: "https://x" } })).not.toHaveProperty("tls-server-name");
    expect(clusterOf({ clusterFields: { server: "https://x", "tls-server-name": "n" } })).toMatchObject({
      server: "https://x",
      "tls-server-name": "n",
    });
    expect(clusterOf({ clusterFields: { "tls-server-name": "n" } })).toMatchObject({ server: "https://c1", "tls-server-name": "n" });
  });

  it("clears inline data for a certificate or key file, and the token file for a token", () => {
    expect(Object.keys(userOf({ context: "two", userFields: { "client-certificate": "/c", "client-key": "/k" } })).toSorted()).toEqual([
      "client-certificate",
      "client-key",
      "tokenFile",
    ]);
    expect(Object.keys(userOf({ context: "two", userFields: { token: new Secret("t") } }))).not.toContain("tokenFile");
    expect(userOf({ userFields: { tokenFile: "/t" } })).not.toHaveProperty("token");
  });

  it("replaces the impersonated user, groups as a whole, extras by key", () => {
    expect(
      userOf({ userFields: { as: "b", "as-uid": "u", "as-groups": ["g2", "g3"], "as-user-extra": { k: ["v2"], m: [] } } }),
    ).toMatchObject({
      as: "b",
      "as-uid": "u",
      "as-groups": ["g2", "g3"],
      "as-user-extra": { k: ["v2"], l: ["v1"], m: [] },
    });
  });
});
