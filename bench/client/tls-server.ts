/** The server of the client benchmark, as a separate process: answers every GET with the same pod over TLS and counts handshakes. */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { authority } from "../../packages/client/src/transport/testing/certificates.ts";
import { podText } from "../wire/pod.ts";

const own = authority("drover bench authority");
const { certificate, key } = own.issue({ commonName: "bench", dnsNames: ["localhost"], addresses: ["127.0.0.1"] });
const body = podText(1);
let handshakes = 0;
let requests = 0;

const server = createServer({ cert: certificate, key, keepAliveTimeout: 60_000 }, (_, response) => {
  requests++;
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
});
server.on("secureConnection", () => handshakes++);
server.listen(0, "127.0.0.1", () =>
  process.send?.({ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca: own.certificate }),
);
process.on("message", () => {
  process.send?.({ handshakes, requests });
  handshakes = 0;
  requests = 0;
});
process.on("disconnect", () => process.exit());
