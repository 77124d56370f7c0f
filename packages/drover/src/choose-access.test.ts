import { FileError } from "@drover/client";
import type { Host } from "@drover/client";
import { Secret } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { chooseAccess } from "./choose-access.ts";
import type { ClusterChoice } from "./choose-access.ts";

const config = (name: string, user: object = { token: "t" }): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster: { server: `https://${name}.example` } }],
    users: [{ name, user }],
    contexts: [
      { name, context: { cluster: name, user: name, namespace: "shop" } },
      { name: "other", context: { cluster: name, user: name } },
    ],
  });
const account = "/var/run/secrets/kubernetes.io/serviceaccount";
const inPod = {
  files: { [`${account}/token`]: "t", [`${account}/namespace`]: "here" },
  env: { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" },
};

async function choose(
  choice: ClusterChoice,
  { files = {}, env = {} }: { readonly files?: Readonly<Record<string, string>>; readonly env?: Host["env"] } = {},
): ReturnType<typeof chooseAccess> {
  const none = (): Promise<never> => Promise.reject(new Error("not in this test"));
  const readFile = (path: string): Promise<Uint8Array> =>
    Object.hasOwn(files, path)
      ? Promise.resolve(new TextEncoder().encode(files[path]))
      : Promise.reject(new FileError(path, "missing", `${path} is missing`));
  return chooseAccess(choice, {
    host: {
      env,
      homeDir: "/home/jane",
      cwd: "/work",
      platform: "linux",
      isInteractive: false,
      readFile,
      writeFile: none,
      withFileLock: none,
      run: none,
    },
    log: testRuntime().log,
  });
}

describe("chooseAccess", () => {
  it("looks in the given file, KUBECONFIG, the pod, then the home directory", async () => {
    const files = { "/given": config("given"), "/variable": config("variable"), "/home/jane/.kube/config": config("home") };
    const everything = { files: { ...files, ...inPod.files }, env: { ...inPod.env, KUBECONFIG: "/variable" } };
    expect((await choose({ kubeconfig: "/given" }, everything)).server).toBe("https://given.example");
    expect((await choose({}, everything)).server).toBe("https://variable.example");
    expect(await choose({}, { files: everything.files, env: inPod.env })).toMatchObject({ server: "https://10.0.0.1", namespace: "here" });
    expect(await choose({}, { files })).toMatchObject({ server: "https://home.example", namespace: "shop" });
    await expect(choose({})).rejects.toMatchObject({ name: "KubeconfigError", reason: "empty" });
  });

  it("uses only the pod, or never the pod, if configured", async () => {
    const both = { files: { ...inPod.files, "/home/jane/.kube/config": config("home") }, env: inPod.env };
    expect((await choose({ from: "kubeconfig" }, both)).server).toBe("https://home.example");
    expect(
      await choose({ from: "in-cluster", namespace: "mine" }, { ...both, env: { ...inPod.env, KUBECONFIG: "/home/jane/.kube/config" } }),
    ).toMatchObject({ server: "https://10.0.0.1", namespace: "mine" });
    await expect(choose({ from: "in-cluster" }, { files: both.files })).rejects.toMatchObject({ reason: "not-in-cluster" });
    await expect(choose({ from: "kubeconfig" }, inPod)).rejects.toMatchObject({ reason: "empty" });
  });

  it("uses a kubeconfig text, whose paths start at the working directory", async () => {
    const access = await choose({ kubeconfig: { text: config("text", { tokenFile: "token" }) } }, { files: { "/work/token": "t" } });
    expect(access).toMatchObject({ server: "https://text.example", credentials: { tokenFile: "/work/token" } });
    await expect(choose({ kubeconfig: { text: "clusters: 1" } })).rejects.toThrow("the text given as kubeconfig");
  });

  it("applies overrides like kubectl's flags", async () => {
    const files = { "/given": config("given", { token: "t", as: "bob", "as-groups": ["dev"] }) };
    expect(await choose({ kubeconfig: "/given", context: "other", namespace: "mine" }, { files })).toMatchObject({
      namespace: "mine",
      impersonate: { user: "bob", groups: ["dev"] },
    });
    expect((await choose({ kubeconfig: "/given", impersonate: { user: "zoe" } }, { files })).impersonate).toEqual({ user: "zoe" });
    expect((await choose({ kubeconfig: "/given", clusterFields: { server: "https://elsewhere" } }, { files })).server).toBe(
      "https://elsewhere",
    );
    await expect(choose({ kubeconfig: "/given", context: "nowhere" }, { files })).rejects.toMatchObject({ reason: "context-not-found" });
  });

  it("uses the given access", async () => {
    const access = { server: "https://known", trust: {}, credentials: { token: new Secret("t") }, namespace: "default" };
    expect(await choose({ access })).toEqual(access);
    expect(await choose({ access, namespace: "shop", impersonate: { user: "zoe" } })).toEqual({
      ...access,
      namespace: "shop",
      impersonate: { user: "zoe" },
    });
  });

  it("rejects contradicting options, of which one would be ignored", async () => {
    const access = { server: "https://known", trust: {}, credentials: {}, namespace: "default" };
    await expect(choose({ access, kubeconfig: "/given", context: "c" })).rejects.toThrow(
      new TypeError("connect: access already names the cluster, so kubeconfig, context would have no effect; remove one of them"),
    );
    await expect(choose({ access, from: "in-cluster" })).rejects.toThrow("so from would have no effect");
    await expect(choose({ from: "in-cluster", kubeconfig: { text: "" }, user: "u" }, inPod)).rejects.toThrow(
      'connect: from: "in-cluster" uses no kubeconfig, so kubeconfig, user would have no effect',
    );
  });
});
