/**
 * Our kubeconfig compared with kubectl's: the same files merge to the same result, the same changes produce the same
 * files, and a server accepts them.
 */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import {
  deleteCluster,
  deleteContext,
  deleteUser,
  findAccess,
  flattenKubeconfig,
  loadKubeconfig,
  minifyKubeconfig,
  parseKubeconfig,
  printKubeconfig,
  redactKubeconfig,
  renameContext,
  setCluster,
  setContext,
  setCredentials,
  useContext,
} from "@drover/client";
import type { ClusterAccess, Host, Kubeconfig, KubeconfigSource } from "@drover/client";
import { Secret, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { parseYaml } from "@drover/yaml";
import { nodeHost } from "drover";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { describeOnServers } from "../servers/servers.ts";

const kubectl = [process.env["KUBEBUILDER_ASSETS"] ?? ""]
  .filter((folder) => folder !== "")
  .map((folder) => join(folder, "kubectl"))
  .find((path) => existsSync(path));
const kubectlMissing = kubectl === undefined ? "needs kubectl in KUBEBUILDER_ASSETS: npm run assets" : undefined;
const root = mkdtempSync(join(tmpdir(), "drover-kubeconfig-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, "t-"));
});

const log = recordingLog(new ManualClock());
const hostWith = (files: readonly string[]): Host => ({ ...nodeHost(), env: { KUBECONFIG: files.join(delimiter) }, homeDir: folder });

const environment = (files: readonly string[]): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  KUBECONFIG: files.join(delimiter),
});

function askKubectl(files: readonly string[], ...args: string[]): string {
  return execFileSync(kubectl ?? "", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: environment(files) });
}

/** Asynchronous, because the server may run in this process and must be able to answer meanwhile. */
async function askServer(files: readonly string[], ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(kubectl ?? "", args, { cwd: folder, env: environment(files) });
  return stdout;
}

const fieldsOfEntry: ReadonlySet<string> = new Set([
  "name",
  "cluster",
  "user",
  "context",
  "server",
  "tls-server-name",
  "insecure-skip-tls-verify",
  "certificate-authority",
  "certificate-authority-data",
  "proxy-url",
  "disable-compression",
  "extensions",
  "extension",
  "client-certificate",
  "client-certificate-data",
  "client-key",
  "client-key-data",
  "token",
  "tokenFile",
  "as",
  "as-uid",
  "as-groups",
  "as-user-extra",
  "username",
  "password",
  "auth-provider",
  "exec",
  "namespace",
  "config",
  "command",
  "args",
  "env",
  "apiVersion",
  "installHint",
  "provideClusterInfo",
  "interactiveMode",
  "value",
  "preferences",
  "clusters",
  "users",
  "contexts",
  "current-context",
  "colors",
  "kind",
]);
/** Below these, users choose the keys. */
const freeFields: ReadonlySet<string> = new Set(["extension", "as-user-extra", "config"]);

/** The content of a kubeconfig in one form: without empty values, without fields that kubectl drops, entries sorted by name. */
function meaning(value: JsonValue, isFree = false): JsonValue | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item) => meaning(item, isFree) ?? null);
    if (isFree) return items;
    return items.length === 0 ? undefined : items.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) === nameOf(b) ? 0 : 1));
  }
  if (!isJsonObject(value)) return !isFree && (value === "" || value === false || value === null) ? undefined : value;
  const kept = Object.entries(value)
    .filter(([key]) => isFree || fieldsOfEntry.has(key))
    .map(([key, field]) => [key, meaning(field, isFree || freeFields.has(key))] as const);
  // kubectl sets the mode of an exec plugin that may omit it.
  const mayLackMode = value["apiVersion"] === "client.authentication.k8s.io/v1beta1";
  const fields: JsonObject = {};
  for (const [key, field] of kept) {
    const isEmpty = field === undefined || (freeFields.has(key) && JSON.stringify(field) === "{}");
    if (!isEmpty && !(mayLackMode && key === "interactiveMode")) fields[key] = field;
  }
  return Object.keys(fields).length === 0 && !isFree ? undefined : fields;
}
const nameOf = (value: JsonValue): string => (isJsonObject(value) && typeof value["name"] === "string" ? value["name"] : "");
const meaningOf = (config: Kubeconfig): JsonValue | undefined => meaning(parseYaml(printKubeconfig(config)));
const kubectlSees = (files: readonly string[], ...args: string[]): JsonValue | undefined =>
  meaning(parseYaml(askKubectl(files, "config", "view", "--raw", ...args)));

const text = fc.constantFrom("a", "b", "yes", "1", "x: y", "é", "");
const data = fc.constantFrom("YQ==", "YWJj");
const names = fc.constantFrom("red", "green", "blue", "123", "a/b@c");
const entryList = (field: string, content: fc.Arbitrary<object>): fc.Arbitrary<unknown[]> =>
  fc.uniqueArray(fc.record({ name: names, [field]: content }), { selector: (entry) => entry.name, maxLength: 3 });
const extensions = fc.uniqueArray(fc.record({ name: names, extension: fc.record({ k: text }) }), {
  selector: ({ name }) => name,
  maxLength: 2,
});
const cluster = fc.record(
  {
    server: text,
    "tls-server-name": text,
    "insecure-skip-tls-verify": fc.boolean(),
    "certificate-authority": text,
    "certificate-authority-data": data,
    "proxy-url": text,
    "disable-compression": fc.boolean(),
    extensions,
    unknown: text,
  },
  { requiredKeys: [] },
);
const user = fc.record(
  {
    token: text,
    tokenFile: text,
    username: text,
    password: text,
    as: text,
    "as-uid": text,
    "as-groups": fc.array(text, { maxLength: 2 }),
    "as-user-extra": fc.dictionary(names, fc.array(text, { minLength: 1, maxLength: 2 }), { maxKeys: 2 }),
    "client-certificate": text,
    "client-certificate-data": data,
    "client-key": text,
    "client-key-data": data,
    "auth-provider": fc.record({ name: text, config: fc.dictionary(names, text, { maxKeys: 2 }) }),
    exec: fc.record(
      {
        command: text,
        args: fc.array(text, { maxLength: 2 }),
        env: fc.array(fc.record({ name: text, value: text }), { maxLength: 1 }),
        apiVersion: fc.constantFrom("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"),
        installHint: text,
        provideClusterInfo: fc.boolean(),
        interactiveMode: fc.constantFrom("Never", "Always"),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const kubeconfig = fc.record(
  {
    clusters: entryList("cluster", cluster),
    users: entryList("user", user),
    contexts: entryList("context", fc.record({ cluster: names, user: names, namespace: text, extensions }, { requiredKeys: [] })),
    "current-context": fc.constantFrom("", "red", "green"),
    preferences: fc.record({ colors: fc.boolean(), extensions }, { requiredKeys: [] }),
    extensions,
  },
  { requiredKeys: [] },
);

describe("a kubeconfig, compared with kubectl", () => {
  it("merges random files to what `kubectl config view` shows", async (ctx) => {
    if (kubectlMissing !== undefined) ctx.skip(kubectlMissing);
    const sets = fc.sample(fc.array(kubeconfig, { minLength: 1, maxLength: 3 }), process.env["DROVER_LONG"] === "1" ? 400 : 25);
    for (const [index, set] of sets.entries()) {
      const files = set.map((config, place) => {
        const path = join(folder, `${index}-${place}`);
        writeFileSync(path, JSON.stringify(config));
        return path;
      });
      const listed = [...files, join(folder, "missing"), files[0] ?? ""];
      const ours = await loadKubeconfig({ host: hostWith(listed), log, paths: "as-written" });
      expect(meaningOf(ours), `KUBECONFIG=${files.map((file) => readFileSync(file, "utf8")).join(" : ")}`).toEqual(kubectlSees(listed));
    }
  }, 120_000);

  it("minifies, flattens and redacts as kubectl does", async (ctx) => {
    if (kubectlMissing !== undefined) ctx.skip(kubectlMissing);
    const path = join(folder, "config");
    writeFileSync(join(folder, "ca.crt"), "CA");
    writeFileSync(join(folder, "key"), "KEY");
    writeFileSync(
      path,
      `current-context: a
clusters: [{ name: c, cluster: { server: "https://c", certificate-authority: ca.crt } }, { name: d, cluster: { server: "https://d", certificate-authority-data: YQ== } }]
users: [{ name: u, user: { client-certificate: ca.crt, client-key: key, password: p, username: me } }, { name: w, user: { token: t, client-key-data: YQ== } }]
contexts: [{ name: a, context: { cluster: c, user: u } }, { name: b, context: { cluster: d, user: w } }]
`,
    );
    const host = hostWith([path]);
    const config = await loadKubeconfig({ host, log, paths: "as-written" });
    expect(meaningOf(minifyKubeconfig(config))).toEqual(kubectlSees([path], "--minify"));
    expect(meaningOf(minifyKubeconfig(config, { context: "b" }))).toEqual(kubectlSees([path], "--minify", "--context=b"));
    expect(meaningOf(await flattenKubeconfig(host, config))).toEqual(kubectlSees([path], "--flatten"));
    expect(meaningOf(redactKubeconfig(config))).toEqual(meaning(parseYaml(askKubectl([path], "config", "view"))));
  });

  const secret = (value: string): Secret => new Secret(value);
  const changes: readonly (readonly [readonly string[], (source: KubeconfigSource) => Promise<unknown>])[] = [
    [["use-context", "two"], (source) => useContext(source, "two")],
    [["set-context", "two", "--namespace=shop"], (source) => setContext(source, "two", { namespace: "shop" })],
    [["set-context", "new", "--cluster=c", "--user=u"], (source) => setContext(source, "new", { cluster: "c", user: "u" })],
    [["rename-context", "one", "uno"], (source) => renameContext(source, "one", "uno")],
    [["rename-context", "two", "due"], (source) => renameContext(source, "two", "due")],
    [["delete-context", "two"], (source) => deleteContext(source, "two")],
    [["delete-cluster", "c"], (source) => deleteCluster(source, "c")],
    [["delete-user", "u"], (source) => deleteUser(source, "u")],
    [["set-cluster", "c", "--server=https://new"], (source) => setCluster(source, "c", { server: "https://new" })],
    [["set-cluster", "c", "--insecure-skip-tls-verify=true"], (source) => setCluster(source, "c", { "insecure-skip-tls-verify": true })],
    [
      ["set-credentials", "u", "--username=me", "--password=p"],
      (source) => setCredentials(source, "u", { username: "me", password: secret("p") }),
    ],
    [["set-credentials", "w", "--token=t2"], (source) => setCredentials(source, "w", { token: secret("t2") })],
    [["set-credentials", "x", "--token=t3"], (source) => setCredentials(source, "x", { token: secret("t3") })],
  ];
  it.for(changes)("changes the same file in the same way as kubectl config %j", async ([args, change], ctx) => {
    if (kubectlMissing !== undefined) ctx.skip(kubectlMissing);
    const start = [
      "current-context: one\ncontexts: [{ name: one, context: { cluster: c, user: u } }]\nusers: [{ name: w, user: { username: a, password: b } }]\n",
      "contexts: [{ name: two, context: { cluster: c, user: w } }]\nclusters: [{ name: c, cluster: { server: 'https://c', certificate-authority-data: YQ== } }]\nusers: [{ name: u, user: { token: t } }]\n",
    ];
    const setUp = (name: string): string[] =>
      start.map((content, index) => {
        mkdirSync(join(folder, name), { recursive: true });
        const path = join(folder, name, String(index));
        writeFileSync(path, content);
        return path;
      });
    const [theirs, ours] = [setUp("theirs"), setUp("ours")];
    askKubectl(theirs, "config", ...args);
    await change({ host: hostWith(ours) });
    const says = (path: string): JsonValue | undefined => meaningOf(parseKubeconfig(readFileSync(path, "utf8")));
    expect(ours.map(says)).toEqual(theirs.map(says));
    expect(ours.map((path) => existsSync(`${path}.lock`))).toEqual([false, false]);
  });
});

describeOnServers("a kubeconfig", ({ missing: serverMissing, start }) => {
  const get = (access: ClusterAccess, path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const { ca } = access.trust;
      const pem = ca === undefined ? undefined : ca.kind === "inline" ? ca.pem : readFileSync(ca.path, "utf8");
      const { token, tokenFile } = access.credentials;
      const bearer = token?.reveal() ?? readFileSync(tokenFile ?? "", "utf8");
      const headers = {
        authorization: `Bearer ${bearer}`,
        ...(access.impersonate !== undefined && { "impersonate-user": access.impersonate.user }),
      };
      request(
        `${access.server}${path}`,
        {
          headers,
          ...(pem !== undefined && { ca: pem }),
          ...(access.trust.serverName !== undefined && { servername: access.trust.serverName }),
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      )
        .on("error", reject)
        .end();
    });

  it("written by kubectl connects us, and written by us connects kubectl", async (ctx) => {
    const missing = serverMissing ?? kubectlMissing;
    if (missing !== undefined) ctx.skip(missing);
    const server = await start();
    try {
      const [theirs, ours, ca, tokenFile] = ["theirs", "ours", "ca.crt", "token"].map((name) => join(folder, name)) as [
        string,
        string,
        string,
        string,
      ];
      writeFileSync(ca, server.ca);
      writeFileSync(tokenFile, server.token);
      askKubectl(
        [theirs],
        "config",
        "set-cluster",
        "c",
        `--server=${server.url}`,
        `--certificate-authority=${ca}`,
        "--embed-certs=true",
        "--tls-server-name=kubernetes.default",
      );
      askKubectl([theirs], "config", "set-credentials", "u", `--token=${server.token}`);
      askKubectl([theirs], "config", "set-context", "x", "--cluster=c", "--user=u", "--namespace=kube-system");
      askKubectl([theirs], "config", "use-context", "x");
      const found = await findAccess({ host: hostWith([theirs]), log });
      expect([await get(found, "/api/v1/namespaces/default"), found.namespace]).toEqual([200, "kube-system"]);
      const asNobody = await findAccess({ host: hostWith([theirs]), log, overrides: { userFields: { as: "nobody" } } });
      expect(await get(asNobody, "/api/v1/namespaces/default")).toBe(403);

      const source = { host: hostWith([ours]) };
      await setCluster(source, "c", { server: server.url, "certificate-authority": "ca.crt", "tls-server-name": "kubernetes.default" });
      await setCredentials(source, "u", { tokenFile: "token" });
      await setContext(source, "x", { cluster: "c", user: "u" });
      await useContext(source, "x");
      expect((await askServer([ours], "get", "namespace", "default", "-o", "name")).trim()).toBe("namespace/default");
      expect(await get(await findAccess({ host: source.host, log }), "/api/v1/namespaces/default")).toBe(200);
      expect(statSync(ours).mode & 0o777).toBe(0o600);
    } finally {
      await server.stop();
    }
  }, 120_000);
});
