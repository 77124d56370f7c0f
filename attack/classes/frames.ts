/** HTTP that proxies and servers read in two ways, and heads that are too large. */
import type { Attack, AttackClass } from "../attack.ts";
import { maps } from "./paths.ts";

/** The server must refuse it, or close the connection. It must not take the rest for a second request. */
const refused = (name: string, bytes: string): Attack => ({
  name,
  act: async (arena) => {
    const answer = await arena.tell(bytes, 1500);
    const [, status = ""] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
    if (status.startsWith("2")) throw new Error(`accepted: ${answer.slice(0, 120)}`);
    if (answer.split(/^HTTP\/1\.1 \d/m).length > 2) throw new Error(`answered twice: ${answer.slice(0, 200)}`);
  },
});

const head = `POST ${maps} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
const hidden = "GET /api/v1/namespaces/kube-system/secrets HTTP/1.1\r\nHost: localhost\r\n\r\n";

export const frames: AttackClass = {
  name: "frames",
  attacks: [
    refused("a length and chunks", `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`),
    refused("two lengths", `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`),
    refused("a negative length", `${head}Content-Length: -1\r\n\r\n${hidden}`),
    refused("a length with a sign", `${head}Content-Length: +5\r\n\r\nabcde${hidden}`),
    refused("a length of 2^64", `${head}Content-Length: 18446744073709551616\r\n\r\n`),
    refused("chunks after gzip", `${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`),
    refused("an unknown transfer encoding", `${head}Transfer-Encoding: identity\r\n\r\n{}`),
    refused("a chunk size that is no number", `${head}Transfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n`),
    refused("a chunk size of 2^64", `${head}Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n`),
    refused("a chunk extension without end", `${head}Transfer-Encoding: chunked\r\n\r\n1;${"x".repeat(200_000)}`),
    refused("a head without end", `GET /api HTTP/1.1\r\n${"X-A: b\r\n".repeat(50_000)}`),
    refused("a header of a megabyte", `GET /api HTTP/1.1\r\nHost: localhost\r\nX-A: ${"x".repeat(1_000_000)}\r\n\r\n`),
    refused("a request line of a megabyte", `GET /${"a".repeat(1_000_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    refused("a header name with a space", `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`),
    refused("a folded header", `${head}X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n`),
    refused("a null byte in a header", `GET /api HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n`),
    refused("a carriage return in a header", `GET /api HTTP/1.1\r\nHost: localhost\r\nX-A: a\rb\r\n\r\n`),
    refused("no host", "GET /api HTTP/1.1\r\n\r\n"),
    refused("HTTP 0.9", "GET /api\r\n\r\n"),
    refused("HTTP 9.9", "GET /api HTTP/9.9\r\nHost: localhost\r\n\r\n"),
    refused("an unknown method", "HACK /api HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    refused("an HTTP 2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  ],
};
