/**
 * Our server as a separate process, from the built packages, with the options of its first argument. Prints its address
 * and its start time.
 */
import { randomUUID } from "node:crypto";

const importedAt = performance.now();
const [{ createApiServer }, { listen, nodeHost, openDataFolder, openEtcd }, { certificateAuthority }, { nodeCrypto }, { nodeRuntime }] =
  await Promise.all([
    import("@drover/apiserver"),
    import("@drover/apiserver/node"),
    import("@drover/machinery/x509"),
    import("@drover/machinery/node"),
    import("drover"),
  ]);
const runtime = nodeRuntime({ write: () => undefined });
const token = randomUUID();
const startedAt = performance.now();
const { data, etcd, ...options } = JSON.parse(process.argv[2] ?? "{}");
const server = await createApiServer({
  ...options,
  ...(data === undefined ? {} : { store: (await openDataFolder(data, { runtime })).store }),
  ...(etcd === undefined ? {} : { store: await openEtcd({ servers: [etcd] }, runtime) }),
  runtime,
  host: nodeHost,
  tokens: [{ token, user: { name: "admin", groups: ["system:masters"] } }],
});
const readyMs = performance.now() - startedAt;
const authority = certificateAuthority({ commonName: "bench", crypto: nodeCrypto, clock: runtime.clock });
const { certificatePem, privateKeyPem } = authority.issue({ commonName: "bench", ips: ["127.0.0.1"], usage: "server" });
const listener = await listen({
  connection: server.connection,
  tls: { certificatePem, privateKeyPem },
  clock: runtime.clock,
  log: runtime.log,
});
process.send({ url: listener.url, ca: authority.certificatePem, token, readyMs, importMs: startedAt - importedAt });
process.once("SIGTERM", () => process.exit());
await listener.run(new AbortController().signal);
