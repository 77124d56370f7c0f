import { describe, expect, it } from "vitest";
import { parseKubeconfig } from "./kubeconfig-text.ts";
import { memoryHost } from "../testing/memory-host.ts";
import { selectContext } from "./overrides.ts";
import { noConfiguration, validateKubeconfig, validateSelection } from "./validate.ts";

const host = memoryHost({ "/there": "x", "/denied": { fails: "denied" }, "/folder": { fails: "not-a-file" }, "/odd": { fails: "other" } });
const problems = (written: string): Promise<string[]> =>
  validateKubeconfig(host, parseKubeconfig(written, { file: "/home/ada/.kube/config" }));
const ofUser = async (user: string): Promise<string[]> =>
  (await problems(`users: [{ name: dev, user: ${user} }]`)).map((problem) => problem.replace('~/.kube/config: users[0] ("dev"): ', ""));
const ofCluster = async (cluster: string): Promise<string[]> =>
  (await problems(`clusters: [{ name: prod, cluster: ${cluster} }]`)).map((problem) =>
    problem.replace('~/.kube/config: clusters[0] ("prod"): ', ""),
  );

describe("validateKubeconfig", () => {
  it("returns one problem for an empty kubeconfig", async () => {
    expect(await problems("")).toEqual([noConfiguration]);
  });

  it("reports a missing current context, and contexts with missing entries", async () => {
    expect(
      await problems(
        'current-context: x\ncontexts:\n- name: a\n  context: { cluster: c, user: u, namespace: "No_Name" }\n- name: ""\n  context: {}\n',
      ),
    ).toEqual([
      'current-context: there is no context "x"; use an existing one, or add it',
      '~/.kube/config: contexts[0] ("a"): namespace "No_Name" is not a valid name of a namespace; use lower-case letters, digits and dashes',
      '~/.kube/config: contexts[0] ("a"): there is no user "u"; use an existing one, or add it',
      '~/.kube/config: contexts[0] ("a"): there is no cluster "c"; use an existing one, or add it',
      '~/.kube/config: contexts[1] (""): has no name; give it one',
      '~/.kube/config: contexts[1] (""): names no user; add user: with the name of one',
      '~/.kube/config: contexts[1] (""): names no cluster; add cluster: with the name of one',
    ]);
  });

  it.each([
    ["{}", ["has no server; add server: https://host:port"]],
    ["{ server: 'https://x', certificate-authority: /there }", []],
    ["{ server: 'https://x', certificate-authority: /home/ada/gone }", ["certificate-authority: ~/gone does not exist; check the path"]],
    [
      "{ server: 'https://x', certificate-authority: /denied }",
      ["certificate-authority: /denied is not readable by this user; check its owner and mode"],
    ],
    ["{ server: 'https://x', certificate-authority: /folder }", ["certificate-authority: /folder is not a regular file; use a file"]],
    ["{ server: 'https://x', certificate-authority: /odd }", ["certificate-authority: /odd cannot be read"]],
    [
      "{ server: 'https://x', certificate-authority: /there, certificate-authority-data: YQ== }",
      ["certificate-authority and certificate-authority-data are both set; remove one"],
    ],
    [
      "{ server: 'https://x', insecure-skip-tls-verify: true, certificate-authority-data: YQ== }",
      ["insecure-skip-tls-verify: true together with a certificate authority; remove one, best the insecure-skip-tls-verify"],
    ],
    [
      "{ server: 'https://x', proxy-url: 'ftp://me:canary@h' }",
      ["proxy-url must be a URL that begins with http://, https:// or socks5://"],
    ],
    ["{ server: 'https://x', proxy-url: 'socks5://h:1080' }", []],
    ["{ server: 'x/y' }", ['server "x/y" has a path but no scheme; write https:// before it']],
  ])("reports of the cluster %s: %j", async (cluster, expected) => {
    expect(await ofCluster(cluster)).toEqual(expected);
  });

  const exec = (rest: string): string =>
    `{ exec: { command: /login, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never${rest} } }`;
  it.each([
    ["{}", []],
    ["{ token: t }", []],
    ["{ token: t, tokenFile: /there }", []],
    ["{ client-certificate: /there, client-key: /there, token: t }", []],
    [
      "{ token: t, username: u, password: p }",
      ["token and username and password are both set; only one authentication method is allowed, remove the others"],
    ],
    [
      "{ tokenFile: /t, username: u }",
      ["tokenFile and username and password are both set; only one authentication method is allowed, remove the others"],
    ],
    ["{ client-certificate-data: YQ== }", ["a client certificate without its key; add client-key or client-key-data"]],
    [
      "{ client-certificate: /gone, client-key: /gone }",
      ["client-certificate: /gone does not exist; check the path", "client-key: /gone does not exist; check the path"],
    ],
    [
      "{ client-certificate: /there, client-certificate-data: YQ==, client-key: /there, client-key-data: YQ== }",
      [
        "client-certificate and client-certificate-data are both set; remove one",
        "client-key and client-key-data are both set; remove one",
      ],
    ],
    ["{ as: jane, as-uid: u, as-groups: [g], as-user-extra: { k: [v] } }", []],
    ["{ as-groups: [g] }", ["as-uid, as-groups or as-user-extra without as; set as to the user to impersonate"]],
    ["{ as-uid: u }", ["as-uid, as-groups or as-user-extra without as; set as to the user to impersonate"]],
    ["{ as-user-extra: { k: [v] } }", ["as-uid, as-groups or as-user-extra without as; set as to the user to impersonate"]],
    [exec(""), []],
    [exec(", env: [{ name: A, value: b }]"), []],
    [exec(", env: [{ value: b }]"), ["exec.env has a variable without a name"]],
    [
      "{ exec: { interactiveMode: Never } }",
      [
        "exec has no command; name the program to run",
        "exec has no apiVersion; add apiVersion: client.authentication.k8s.io/v1, or the one the program supports",
      ],
    ],
    [
      "{ exec: { command: a, apiVersion: client.authentication.k8s.io/v1 } }",
      ["exec has no interactiveMode; add Never, IfAvailable or Always"],
    ],
    ["{ exec: { command: a, apiVersion: client.authentication.k8s.io/v1beta1 } }", []],
    [
      "{ exec: { command: a, apiVersion: client.authentication.k8s.io/v1beta1, interactiveMode: Sometimes } }",
      ['exec.interactiveMode is "Sometimes"; it must be Never, IfAvailable or Always'],
    ],
    [
      "{ exec: { command: a, apiVersion: client.authentication.k8s.io/v1beta1 }, auth-provider: { name: oidc } }",
      ["exec and auth-provider are both set; remove auth-provider, which is the older of the two"],
    ],
  ])("reports of the user %s: %j", async (user, expected) => {
    expect(await ofUser(user)).toEqual(expected);
  });
});

describe("validateSelection", () => {
  it("ignores entries that the context does not use", async () => {
    const config = parseKubeconfig(
      "current-context: a\nclusters: [{ name: c, cluster: { server: 'https://x' } }, { name: bad }]\nusers: [{ name: bad, user: { as-uid: x } }]\ncontexts: [{ name: a, context: { cluster: c } }, { name: bad, context: {} }]\n",
    );
    expect(await validateSelection(host, selectContext(config))).toEqual([]);
    expect(await validateSelection(host, selectContext(config, { user: "bad", cluster: "bad" }))).toHaveLength(2);
  });

  it("passes on failures that are not file errors", async () => {
    const config = parseKubeconfig("clusters: [{ name: c, cluster: { server: 'https://x', certificate-authority: /a } }]");
    await expect(
      validateSelection({ ...host, readFile: () => Promise.reject(new RangeError("odd")) }, selectContext(config, { cluster: "c" })),
    ).rejects.toThrow(RangeError);
  });
});
