import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { findAccess } from "./find-access.ts";
import { memoryHost } from "../testing/memory-host.ts";
import type { KubeconfigOverrides } from "./overrides.ts";

const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
const pod = { [`${folder}/token`]: "t", [`${folder}/ca.crt`]: "-----BEGIN CERTIFICATE-----", [`${folder}/namespace`]: "pods-own" };
const podEnv = { KUBERNETES_SERVICE_HOST: "pod", KUBERNETES_SERVICE_PORT: "1" };
const kubeconfig = (host: string, namespace = ""): string =>
  `current-context: x\nclusters: [{ name: c, cluster: { server: 'https://${host}' } }]\nusers: [{ name: u }]\ncontexts: [{ name: x, context: { cluster: c, user: u, namespace: "${namespace}" } }, { name: second, context: { cluster: c, namespace: z } }]\n`;
const home = { "/home/ada/.kube/config": kubeconfig("home") };
const log = recordingLog(new ManualClock());
const find = async (
  files: Parameters<typeof memoryHost>[0],
  env: Readonly<Record<string, string>>,
  path?: string,
  overrides?: KubeconfigOverrides,
): Promise<string> => {
  const { server, namespace } = await findAccess({
    host: memoryHost(files, { env }),
    log,
    ...(path !== undefined && { path }),
    ...(overrides !== undefined && { overrides }),
  });
  return `${server} ${namespace}`;
};

describe("findAccess", () => {
  it("prefers the given file, then KUBECONFIG, then the pod, then the home directory", async () => {
    const files = { ...pod, ...home, "/flag": kubeconfig("flag", "n"), "/env": kubeconfig("env", "n") };
    expect(await find(files, { ...podEnv, KUBECONFIG: "/env" }, "/flag")).toBe("https://flag n");
    expect(await find(files, { ...podEnv, KUBECONFIG: "/env" })).toBe("https://env n");
    expect(await find(files, podEnv)).toBe("https://pod:1 pods-own");
    expect(await find(files, {})).toBe("https://home default");
  });

  it("uses the requested context of a kubeconfig even in a pod", async () => {
    expect(await find({ ...pod, ...home }, podEnv, undefined, { context: "second" })).toBe("https://home z");
  });

  it("uses the pod if the files of KUBECONFIG are missing or empty", async () => {
    expect(await find({ ...pod, "/empty": "" }, { ...podEnv, KUBECONFIG: "/gone:/empty" })).toBe("https://pod:1 pods-own");
  });

  it("never uses the pod instead of an invalid kubeconfig, or of a given one that is missing", async () => {
    await expect(find({ ...pod, "/env": "clusters: 7" }, { ...podEnv, KUBECONFIG: "/env" })).rejects.toThrow("must be a list");
    await expect(find({ ...pod, "/env": "current-context: gone" }, { ...podEnv, KUBECONFIG: "/env" })).rejects.toMatchObject({
      reason: "context-not-found",
    });
    await expect(find(pod, podEnv, "/gone")).rejects.toMatchObject({ reason: "unreadable" });
  });

  it("continues with the home directory if the pod's service account cannot be used, and logs that", async () => {
    const noted = recordingLog(new ManualClock());
    expect((await findAccess({ host: memoryHost(home, { env: podEnv }), log: noted })).server).toBe("https://home");
    expect(noted.entries).toMatchObject([{ level: "warn" }]);
  });

  it("uses the pod's namespace if the context has none", async () => {
    const files = { ...pod, "/implicit": kubeconfig("x"), "/explicit": kubeconfig("x", "default") };
    expect(await find(files, { ...podEnv, KUBECONFIG: "/implicit" })).toBe("https://x pods-own");
    expect(await find(files, { ...podEnv, KUBECONFIG: "/implicit", POD_NAMESPACE: "told" })).toBe("https://x told");
    expect(await find(files, { ...podEnv, KUBECONFIG: "/explicit" })).toBe("https://x default");
    expect(await find(files, { ...podEnv, KUBECONFIG: "/implicit" }, undefined, { namespace: "flag" })).toBe("https://x flag");
    expect(await find(files, { KUBECONFIG: "/implicit", POD_NAMESPACE: "told" })).toBe("https://x default");
  });

  it("uses a namespace override in a pod", async () => {
    expect(await find(pod, podEnv, undefined, { namespace: "flag" })).toBe("https://pod:1 flag");
  });

  it("lists what it tried if it found nothing", async () => {
    await expect(find({}, {})).rejects.toMatchObject({
      reason: "empty",
      message:
        "no configuration has been provided: KUBECONFIG is not set, this is not a pod with a service account, and ~/.kube/config is missing or empty; set KUBECONFIG to the path of a kubeconfig [DRV0301]",
    });
    await expect(find({}, { KUBECONFIG: "/gone" })).rejects.toThrow(
      "the files of KUBECONFIG are missing or empty (/gone); check the variable",
    );
    await expect(find({ "/empty": "" }, {}, "/empty")).rejects.toThrow("/empty is empty");
    await expect(findAccess({ host: memoryHost({}, { homeDir: undefined }), log })).rejects.toThrow(
      "there is no home directory; set KUBECONFIG to the path of a kubeconfig",
    );
  });

  it("needs no kubeconfig if the server is given", async () => {
    expect(await find({}, {}, undefined, { clusterFields: { server: "https://x" } })).toBe("https://x default");
  });
});
