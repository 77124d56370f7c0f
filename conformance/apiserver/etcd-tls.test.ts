/** The store on a real etcd with TLS, client certificates and users. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EtcdAddressError, openEtcd } from "@drover/apiserver/node";
import { nodeRuntime } from "drover";
import { authority } from "../../packages/client/src/transport/testing/certificates.ts";
import { etcdFlags, realEtcdMissing } from "../servers/real-etcd.ts";
import { freePorts, RealProgram, temporaryFolder, until } from "../servers/real-program.ts";

const runtime = nodeRuntime({ write: () => undefined });

describe.skipIf(realEtcdMissing !== undefined)(`a store on an etcd with TLS (${realEtcdMissing ?? "found"})`, () => {
  it("connects with the authority and a client certificate, and says what is missing without", { timeout: 120_000 }, async () => {
    const { path: folder, remove } = temporaryFolder("etcd-tls");
    const [clientPort, peerPort] = await freePorts(2);
    const [servers, others] = [authority("etcd-ca"), authority("others")];
    const server = servers.issue({ commonName: "etcd", addresses: ["127.0.0.1"], dnsNames: ["localhost"] });
    const client = servers.issue({ commonName: "apiserver" });
    const files = {
      "ca.crt": servers.certificate,
      "other.crt": others.certificate,
      "server.crt": server.certificate,
      "server.key": server.key,
      "client.crt": client.certificate,
      "client.key": client.key,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const at = (name: keyof typeof files): string => join(folder, name);
    const url = `https://127.0.0.1:${clientPort}`;
    const etcd = new RealProgram(
      "etcd",
      [
        ...etcdFlags(folder, url, `http://127.0.0.1:${peerPort}`, { isDurable: false }),
        `--cert-file=${at("server.crt")}`,
        `--key-file=${at("server.key")}`,
        `--trusted-ca-file=${at("ca.crt")}`,
        "--client-cert-auth",
      ],
      folder,
    );
    const secure = { servers: [url], caFile: at("ca.crt"), certFile: at("client.crt"), keyFile: at("client.key") };
    try {
      await until([etcd], "etcd was", async () => {
        try {
          (await openEtcd(secure, runtime)).close();
          return true;
        } catch (error) {
          if (error instanceof EtcdAddressError) return false;
          throw error;
        }
      });
      const store = await openEtcd(secure, runtime);
      expect(await store.revision()).toBeGreaterThan(0);
      store.close();
      for (const wrong of [
        { servers: [url], caFile: at("ca.crt") },
        { ...secure, caFile: at("other.crt") },
      ])
        await expect(openEtcd(wrong, runtime)).rejects.toThrow(`no connection to etcd at ${url}`);
      await expect(openEtcd({ servers: [url], certFile: at("client.crt") }, runtime)).rejects.toThrow(
        "needs both the certificate and its key",
      );
    } finally {
      await etcd.end();
      remove();
    }
  });
});
