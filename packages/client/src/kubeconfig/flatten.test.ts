import { describe, expect, it } from "vitest";
import { flattenKubeconfig } from "./flatten.ts";
import { parseKubeconfig } from "./kubeconfig-text.ts";
import { memoryHost } from "../testing/memory-host.ts";

const host = memoryHost({ "/k/ca": "CA", "/k/cert": "CERT", "/k/key": "KEY" });

describe("flattenKubeconfig", () => {
  it("replaces paths of certificate files by their contents, and keeps the rest", async () => {
    const { clusters, users } = await flattenKubeconfig(
      host,
      parseKubeconfig(
        "clusters: [{ name: c, cluster: { certificate-authority: ca, server: s } }, { name: d, cluster: { certificate-authority-data: YQ== } }]\nusers: [{ name: u, user: { client-certificate: cert, client-key: /k/key, tokenFile: t } }]",
        { file: "/k/config" },
      ),
    );
    expect(clusters.map(({ cluster }) => cluster)).toEqual([
      { server: "s", "certificate-authority-data": btoa("CA") },
      { "certificate-authority-data": "YQ==" },
    ]);
    const { "client-key-data": key, ...rest } = users[0]?.user ?? {};
    expect([rest.tokenFile, rest["client-certificate-data"]?.reveal(), key?.reveal()]).toEqual(["/k/t", btoa("CERT"), btoa("KEY")]);
  });

  it("rejects path and data together, and files that cannot be read", async () => {
    await expect(
      flattenKubeconfig(host, parseKubeconfig("users: [{ name: u, user: { client-key: /k/key, client-key-data: YQ== } }]")),
    ).rejects.toThrow('user "u": client-key and client-key-data are both set; remove one');
    await expect(
      flattenKubeconfig(host, parseKubeconfig("clusters: [{ name: c, cluster: { certificate-authority: /gone } }]")),
    ).rejects.toThrow('cluster "c": certificate-authority: /gone cannot be read');
  });
});
