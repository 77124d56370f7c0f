import { inspect } from "node:util";
import { Secret, isJsonObject, jsonEqual } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { parseYaml, printYaml } from "@drover/yaml";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KubeconfigError } from "./kubeconfig-error.ts";
import { parseKubeconfig, printKubeconfig } from "./kubeconfig-text.ts";
import { emptyKubeconfig } from "./kubeconfig.ts";

const full = `
apiVersion: v1
kind: Config
current-context: dev@prod
preferences:
  colors: true
  extensions: [{ name: look, extension: { theme: dark } }]
clusters:
- name: prod
  cluster:
    server: https://prod.example:6443
    tls-server-name: api.example
    certificate-authority-data: ${btoa("-----BEGIN CERTIFICATE-----")}
    proxy-url: socks5://proxy.example:1080
    disable-compression: true
    invented: { later: [1, 9007199254740993] }
    extensions:
    - name: client.authentication.k8s.io/exec
      extension: { audience: a1, "__proto__": { polluted: true } }
users:
- name: dev
  user:
    as: jane
    as-uid: u-1
    as-groups: [admins, devs]
    as-user-extra: { scopes: [a, b], "__proto__": [c] }
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./login
      args: [--to, prod]
      env: [{ name: SECRET_KEY, value: canary-env }]
      interactiveMode: Never
      provideClusterInfo: true
      installHint: brew install login
- name: other
  user:
    token: canary-token
    password: canary-password
    client-key-data: ${btoa("canary-key")}
    auth-provider: { name: oidc, config: { id-token: canary-id, client-id: c } }
    hidden-field: canary-unknown
contexts:
- name: dev@prod
  context: { cluster: prod, user: dev, namespace: shop, extensions: [{ name: minikube.sigs.k8s.io, extension: { version: v1 } }] }
extensions: [{ name: top, extension: [1, 2] }]
another: { thing: true }
`;

const problemsOf = (written: string, options: Parameters<typeof parseKubeconfig>[1] = { label: "~/.kube/config" }): readonly string[] => {
  try {
    parseKubeconfig(written, options);
    return [];
  } catch (error) {
    if (error instanceof KubeconfigError) return error.problems;
    throw error;
  }
};

describe("parseKubeconfig", () => {
  it("reads every field under its name in the file", () => {
    const { clusters, users, contexts, preferences, extensions, "current-context": current } = parseKubeconfig(full);
    expect(current).toBe("dev@prod");
    expect([preferences?.colors, preferences?.extensions?.map(({ name, extension }) => [name, extension?.reveal()])]).toEqual([
      true,
      [["look", { theme: "dark" }]],
    ]);
    expect(clusters[0]?.cluster).toMatchObject({
      server: "https://prod.example:6443",
      "tls-server-name": "api.example",
      "disable-compression": true,
    });
    expect(clusters[0]?.cluster["proxy-url"]?.reveal()).toBe("socks5://proxy.example:1080");
    expect(users[0]?.user).toMatchObject({
      as: "jane",
      "as-uid": "u-1",
      "as-groups": ["admins", "devs"],
      exec: { command: "./login", provideClusterInfo: true },
    });
    expect(users[0]?.user.exec?.args?.reveal()).toEqual(["--to", "prod"]);
    expect(users[1]?.user.token?.reveal()).toBe("canary-token");
    expect(contexts[0]?.context).toMatchObject({ cluster: "prod", user: "dev", namespace: "shop" });
    expect(extensions.map(({ name, extension }) => [name, extension?.reveal()])).toEqual([["top", [1, 2]]]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("redacts credentials and unknown fields in every printed form", () => {
    const config = parseKubeconfig(full);
    for (const shown of [inspect(config, { depth: 20, showHidden: true }), JSON.stringify(config)]) expect(shown).not.toContain("canary");
  });

  it("records file and index of an entry", () => {
    expect(parseKubeconfig(full, { file: "/a/config" }).users.map(({ origin }) => origin)).toEqual([
      { file: "/a/config", index: 0 },
      { file: "/a/config", index: 1 },
    ]);
    expect(parseKubeconfig(full).users[0]?.origin).toBeUndefined();
  });

  it.each(["", "\n", "# nothing yet\n", "---\n", "{}", "clusters: null\nusers: null\n", "\ufeff"])(
    "reads %j as an empty kubeconfig",
    (written) => {
      expect(parseKubeconfig(written)).toEqual(emptyKubeconfig);
    },
  );

  it("accepts entries without content, as kubectl does", () => {
    expect(parseKubeconfig("clusters:\n- null\n- name: b\n  cluster: null\n").clusters).toEqual([
      { name: "", cluster: {} },
      { name: "b", cluster: {} },
    ]);
  });

  it("reports every problem at once, with file, entry and fix, and without the value", () => {
    const problems = problemsOf(
      "clusters: {}\nusers:\n- name: a\n  user: { token: 123456789, client-key-data: 'a b!', as-groups: admins }\n- name: b\n  user: { exec: { env: [{ name: 1 }] } }\n- 7\ncurrent-context: [x]\n",
    );
    expect(problems).toEqual([
      "~/.kube/config: clusters: must be a list, not a mapping",
      '~/.kube/config: users[0] ("a").user.token: must be text, not a number; put it in quotes',
      '~/.kube/config: users[0] ("a").user.client-key-data: is not base64; encode the file with `base64 -w0`, or name it in the field without -data',
      '~/.kube/config: users[0] ("a").user.as-groups: must be a list, not text',
      '~/.kube/config: users[1] ("b").user.exec.env[0].name: must be text, not a number; put it in quotes',
      "~/.kube/config: users[2]: must be a mapping, not a number",
      "~/.kube/config: current-context: must be text, not a list",
    ]);
  });

  it.each(["clusters", "users", "contexts", "extensions"])("rejects two entries of one name among the %s of one file", (list) => {
    expect(problemsOf(`${list}:\n- name: a\n- name: b\n- name: a\n`)).toEqual([
      `~/.kube/config: ${list}[2] ("a"): has the name of ${list}[0]; rename or remove one of them`,
    ]);
  });

  it("rejects other kinds and versions, and anything that is not a mapping", () => {
    expect(problemsOf("kind: Pod\napiVersion: v1\n")).toEqual([
      '~/.kube/config: kind is "Pod", so this is not a kubeconfig; kubeconfigs have kind: Config and apiVersion: v1',
    ]);
    expect(problemsOf("kind: Config\napiVersion: v2\n")).toHaveLength(1);
    expect(problemsOf("- a\n")).toEqual(["~/.kube/config: must be a mapping, not a list"]);
    expect(problemsOf("just text", {})).toEqual(["kubeconfig: must be a mapping, not text"]);
  });

  it("reports where the YAML is malformed, without quoting values", () => {
    expect(problemsOf("users:\n\t- name: a\n")[0]).toMatch(/^~\/\.kube\/config: yaml: line 2, column \d+: /);
    expect(problemsOf("token: !!int canary\n").join()).not.toContain("canary");
    expect(problemsOf("a: 1\na: 2\n")).toEqual([
      '~/.kube/config: yaml: line 2, column 1: key "a" already set in map, on line 1; remove one of them',
    ]);
    expect(problemsOf("users: [{ name: u, user: { token: [x }\n")[0]).toMatch(
      /did not find expected ',' or '\]'; check the indentation there, and put text with special characters in quotes$/,
    );
  });

  it("accepts base64 with line breaks, and rejects it without padding", () => {
    const broken = (data: string): string => `users:\n- name: a\n  user: { client-key-data: ${JSON.stringify(data)} }\n`;
    expect(problemsOf(broken("Y2Fu\nYXJ5\r\n"))).toEqual([]);
    expect(problemsOf(broken("Y2FuYQ"))).toHaveLength(1);
  });
});

describe("printKubeconfig", () => {
  it("prints every value, also of unknown fields and extensions", () => {
    const again = printKubeconfig(parseKubeconfig(full, { file: "/a" }));
    expect(jsonEqual(parseYaml(again), parseYaml(full))).toBe(true);
    expect(again).toContain("9007199254740993");
  });

  it("prints kind and version, and all lists", () => {
    expect(parseYaml(printKubeconfig(emptyKubeconfig))).toEqual({
      apiVersion: "v1",
      kind: "Config",
      clusters: [],
      users: [],
      contexts: [],
      "current-context": "",
      extensions: [],
    });
  });

  it("prints a secret that was added", () => {
    expect(printKubeconfig({ ...emptyKubeconfig, users: [{ name: "a", user: { token: new Secret("t") } }] })).toContain("token: t");
  });

  it("loses nothing with any unknown fields (parse → print → parse)", () => {
    const key = fc.oneof(
      fc.constantFrom("server", "token", "name", "other", "origin", "__proto__", "extensions", "config", "constructor"),
      fc.string({ maxLength: 6 }),
    );
    const json = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 2 },
        fc.string({ maxLength: 8 }),
        fc.integer(),
        fc.boolean(),
        fc.array(tie("value"), { maxLength: 2 }),
        fc.dictionary(key, tie("value"), { maxKeys: 3 }) as fc.Arbitrary<JsonValue>,
      ),
    })).value;
    const known = new Set(["server", "token", "name", "extensions", "config"]);
    const unknown = fc.dictionary(
      key.filter((name) => !known.has(name)),
      json,
      { maxKeys: 3, noNullPrototype: true },
    );
    fc.assert(
      fc.property(unknown, unknown, unknown, json, (top, cluster, entry, extension) => {
        const free = [
          "kind",
          "apiVersion",
          "preferences",
          "clusters",
          "users",
          "contexts",
          "current-context",
          "as",
          "exec",
          "user",
          "cluster",
        ];
        const safe = (fields: JsonObject): JsonObject =>
          Object.fromEntries(Object.entries(fields).filter(([name]) => !free.includes(name)));
        const config: JsonValue = {
          ...safe(top),
          kind: "Config",
          apiVersion: "v1",
          "current-context": "x",
          contexts: [],
          users: [{ ...safe(entry), name: "u", user: { ...safe(cluster), token: "t" } }],
          clusters: [{ ...safe(entry), name: "c", cluster: { ...safe(cluster), server: "s", extensions: [{ name: "e", extension }] } }],
          extensions: [],
        };
        const text = printYaml(config);
        const printed = parseYaml(printKubeconfig(parseKubeconfig(text)));
        expect(isJsonObject(printed) && jsonEqual(printed, parseYaml(text))).toBe(true);
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 8) },
    );
  });
});
