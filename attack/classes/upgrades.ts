/** Upgrades to streams: exec, attach, port-forward, logs, proxies. */
import type { Attack, AttackClass } from "../attack.ts";
import { expectHandled } from "../expect-answer.ts";
import { pods, template } from "./paths.ts";

const head = (path: string, more: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;

const sent = (name: string, bytes: string | Uint8Array): Attack => ({
  name,
  act: async (arena) => {
    await arena.post(pods, { metadata: { name: "streamed", labels: { app: "streamed" } }, spec: template.spec });
    await arena.tell(bytes, 1000);
  },
});

const exec = `${pods}/streamed/exec?command=sh&stdin=true&stdout=true`;
const protocol = "Sec-WebSocket-Protocol: v5.channel.k8s.io\r\n";
const frame = (bytes: readonly number[]): Uint8Array => Buffer.concat([Buffer.from(head(exec, protocol)), Buffer.from(bytes)]);

export const upgrades: AttackClass = {
  name: "upgrades",
  attacks: [
    sent("an upgrade without a protocol", head(exec, "")),
    sent("an upgrade to a protocol of the attacker", head(exec, "Sec-WebSocket-Protocol: evil\r\n")),
    sent(
      "an upgrade with 5,000 protocols",
      head(exec, `Sec-WebSocket-Protocol: ${Array.from({ length: 5000 }, (_, n) => `p${n}`).join(", ")}\r\n`),
    ),
    sent("an upgrade of a resource that has no streams", head("/api/v1/nodes", protocol)),
    sent("a frame of 2^63 bytes", frame([0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])),
    sent("a frame without a mask", frame([0x82, 0x05, 0, 1, 2, 3, 4])),
    sent("a reserved opcode", frame([0x8f, 0x80, 0, 0, 0, 0])),
    sent("10,000 pings", frame(Array.from({ length: 10_000 }, () => [0x89, 0x80, 0, 0, 0, 0]).flat())),
    sent(
      "an SPDY upgrade",
      `POST ${exec} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nContent-Length: 0\r\n\r\n${"\0".repeat(1000)}`,
    ),
    {
      name: "logs of a container that is not there",
      act: async (arena) => expectHandled(await arena.get(`${pods}/streamed/log?container=nope&tailLines=99999999999999999999`)),
    },
    {
      name: "a proxy path that leaves its pod",
      act: async (arena) => {
        const { status } = await arena.get(`${pods}/streamed/proxy/../../../../secrets`);
        if (status === 200) throw new Error("the proxy answered with something else");
      },
    },
  ],
};
