import { createServer } from "node:https";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { nodeCrypto } from "@drover/machinery/node";
import { certificateAuthority } from "@drover/machinery/x509";
import { expect, it } from "vitest";
import { askReady } from "./ask-ready.ts";

const authority = certificateAuthority({ commonName: "a", crypto: nodeCrypto, clock: { now: () => Date.now() } });
const { certificatePem, privateKeyPem } = authority.issue({ commonName: "b", ips: ["127.0.0.1"], usage: "server" });

it.for([
  [200, "ok", undefined],
  [200, "nearly", "answered 200: nearly"],
  [500, "ok", "answered 500: ok"],
] as const)("takes %s %s for what it is", async ([code, body, problem]) => {
  const server = createServer(
    { cert: certificatePem, key: privateKeyPem },
    ({ url }, response) => void response.writeHead(url === "/readyz" ? code : 404).end(body),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asked = askReady({ url, authorityPem: authority.certificatePem, certificatePem, privateKeyPem });
  if (problem === undefined) await asked;
  else await expect(asked).rejects.toThrow(problem);
  server.close();
});
