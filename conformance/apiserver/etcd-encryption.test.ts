/** One etcd with a real kube-apiserver and our server, and one EncryptionConfiguration: each reads what the other encrypted. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApiServer } from "@drover/apiserver";
import { nodeHost, openEtcd } from "@drover/apiserver/node";
import { decodeJson, encodeJson } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { EtcdClient } from "../../packages/apiserver/src/storage/etcd/etcd-client.ts";
import { connectEtcd } from "../../packages/apiserver/src/storage/etcd/grpc-transport.ts";
import { temporaryFolder } from "../servers/real-program.ts";
import { realServerMissing, serverAt, startServerPrograms } from "../servers/real-server.ts";

const runtime = nodeRuntime({ write: () => undefined });
const keyOf = (name: string): JsonObject => ({ name, secret: Buffer.alloc(32, name).toString("base64") });
const configOf = (...providers: readonly JsonObject[]): string =>
  encodeJson({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "EncryptionConfiguration",
    resources: [{ resources: ["secrets"], providers: [...providers] }],
  });
const secrets = "/api/v1/namespaces/default/secrets";
const secretOf = (name: string): JsonObject => ({ apiVersion: "v1", kind: "Secret", metadata: { name }, stringData: { word: "hush" } });
const headers = { "content-type": "application/json" };

describe.skipIf(realServerMissing !== undefined)(`encrypted objects in etcd (${realServerMissing ?? "found"})`, () => {
  it.each(["aescbc", "aesgcm"])(
    "%s: each server reads what the other wrote, and keys are rotated",
    { timeout: 240_000 },
    async (cipher) => {
      const { path: folder, remove } = temporaryFolder("encryption");
      const [file, rotated] = [join(folder, "config.json"), join(folder, "rotated.json")];
      writeFileSync(file, configOf({ [cipher]: { keys: [keyOf("one")] } }, { identity: {} }));
      writeFileSync(rotated, configOf({ [cipher]: { keys: [keyOf("two"), keyOf("one")] } }, { identity: {} }));
      const programs = await startServerPrograms({ authorization: "AlwaysAllow", flags: [`--encryption-provider-config=${file}`] });
      const { etcdUrl } = programs.address;
      const client = new EtcdClient({ clock: runtime.clock, transports: connectEtcd([etcdUrl], runtime) });
      const headOf = async (name: string): Promise<string> => {
        const [found] = (await client.range({ key: `/registry/secrets/default/${name}` })).values;
        return Buffer.from(found?.value ?? [])
          .toString("latin1")
          .slice(0, 21);
      };
      const serverWith = async (config: string): Promise<Awaited<ReturnType<typeof createApiServer>>> =>
        await createApiServer({
          runtime,
          host: nodeHost,
          store: await openEtcd({ servers: [etcdUrl], encryptionConfigFile: config }, runtime),
          authorizationModes: ["AlwaysAllow"],
        });
      try {
        const real = serverAt(programs.address, programs);
        expect((await real.send({ method: "POST", path: secrets, headers, body: encodeJson(secretOf("real")) })).status).toBe(201);
        const ours = await serverWith(file);
        expect((await ours.handle({ method: "POST", path: secrets, headers, body: encodeJson(secretOf("ours")) })).status).toBe(201);
        for (const name of ["real", "ours"]) {
          expect(await headOf(name)).toBe(`k8s:enc:${cipher}:v1:one`);
          const [wanted, served] = [
            await real.send({ method: "GET", path: `${secrets}/${name}`, headers }),
            await ours.handle({ method: "GET", path: `${secrets}/${name}`, headers }),
          ];
          expect(decodeJson(typeof served.body === "string" ? served.body : "")).toEqual(decodeJson(wanted.body));
          expect(wanted.body).toContain(Buffer.from("hush").toString("base64"));
        }
        ours.close();
        const later = await serverWith(rotated);
        const { body } = await later.handle({ method: "GET", path: `${secrets}/real`, headers });
        const put = await later.handle({ method: "PUT", path: `${secrets}/real`, headers, body: typeof body === "string" ? body : "" });
        expect([put.status, await headOf("real"), await headOf("ours")]).toEqual([
          200,
          `k8s:enc:${cipher}:v1:two`,
          `k8s:enc:${cipher}:v1:one`,
        ]);
        later.close();
      } finally {
        client.close();
        await programs.stop();
        remove();
      }
    },
  );
});
