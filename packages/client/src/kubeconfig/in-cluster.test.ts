import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { inClusterAccess } from "./in-cluster.ts";
import { inClusterNamespace, isInCluster } from "./pod-account.ts";
import { memoryHost } from "../testing/memory-host.ts";

const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
const files = { [`${folder}/token`]: "t", [`${folder}/ca.crt`]: "-----BEGIN CERTIFICATE-----", [`${folder}/namespace`]: "shop\n" };
const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "6443" };
const log = recordingLog(new ManualClock());

describe("inClusterAccess", () => {
  it("uses the service with the token file and the authorities of the service account", async () => {
    expect(await inClusterAccess({ host: memoryHost(files, { env }), log })).toEqual({
      server: "https://10.0.0.1:6443",
      trust: { ca: { kind: "file", path: `${folder}/ca.crt` } },
      credentials: { tokenFile: `${folder}/token` },
      namespace: "shop",
    });
  });

  it("puts an IPv6 address in brackets", async () => {
    expect((await inClusterAccess({ host: memoryHost(files, { env: { ...env, KUBERNETES_SERVICE_HOST: "fd00::1" } }), log })).server).toBe(
      "https://[fd00::1]:6443",
    );
  });

  it.each([
    {},
    { KUBERNETES_SERVICE_HOST: "h" },
    { KUBERNETES_SERVICE_PORT: "1" },
    { KUBERNETES_SERVICE_HOST: "", KUBERNETES_SERVICE_PORT: "1" },
  ])("rejects %j, which is not a pod", async (given) => {
    await expect(inClusterAccess({ host: memoryHost(files, { env: given }), log })).rejects.toMatchObject({
      reason: "not-in-cluster",
      message: "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined [DRV0306]",
    });
  });

  it("rejects a pod without a token, with the fix", async () => {
    await expect(inClusterAccess({ host: memoryHost({}, { env }), log })).rejects.toMatchObject({
      reason: "unreadable",
      message: expect.stringContaining("automountServiceAccountToken") as string,
    });
  });

  it.each([undefined, "nonsense"])("trusts the system's authorities when ca.crt is %s, and logs that", async (ca) => {
    const noted = recordingLog(new ManualClock());
    const { [`${folder}/ca.crt`]: _, ...rest } = files;
    const host = memoryHost(ca === undefined ? rest : { ...rest, [`${folder}/ca.crt`]: ca }, { env });
    expect((await inClusterAccess({ host, log: noted })).trust).toEqual({});
    expect(noted.entries).toMatchObject([{ level: "error", fields: { file: `${folder}/ca.crt` } }]);
  });

  it("prefers POD_NAMESPACE to the service account's namespace, and that to default", async () => {
    expect(await inClusterNamespace(memoryHost(files, { env: { POD_NAMESPACE: "pod" } }))).toBe("pod");
    expect(await inClusterNamespace(memoryHost(files))).toBe("shop");
    expect(await inClusterNamespace(memoryHost({ [`${folder}/namespace`]: " \n" }))).toBe("default");
  });

  it("applies overrides: server, token instead of the token file, authority, impersonation", async () => {
    const host = memoryHost({ ...files, "/ca": "x", "/t": "t" }, { env });
    const found = await inClusterAccess({
      host,
      log,
      overrides: {
        namespace: "n",
        clusterFields: { server: "https://other", "certificate-authority": "/ca" },
        userFields: { tokenFile: "/t", as: "jane" },
      },
    });
    expect(found).toEqual({
      server: "https://other",
      trust: { ca: { kind: "file", path: "/ca" } },
      credentials: { tokenFile: "/t" },
      impersonate: { user: "jane" },
      namespace: "n",
    });
  });
});

describe("isInCluster", () => {
  it("requires both variables and the token", async () => {
    expect(await Promise.all([memoryHost(files, { env }), memoryHost({}, { env }), memoryHost(files)].map(isInCluster))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
