/** Watches that are many, slow or dead, or whose client does not read. */
import type { TLSSocket } from "node:tls";
import type { Arena } from "../arena.ts";
import type { AttackClass } from "../attack.ts";
import { expectHandled, expectRefusal, expectStatus } from "../expect-answer.ts";
import { knock } from "../exchange.ts";
import { crd, crds, custom, customObject, maps } from "./paths.ts";

/** Opens watches whose answers are never read. */
async function deaf(arena: Arena, count: number, path: string): Promise<readonly TLSSocket[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => knock(arena.target)));
  for (const socket of sockets) {
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  }
  return sockets;
}

async function writes(arena: Arena, name: string, times: number, bytes: number): Promise<void> {
  await arena.post(maps, { metadata: { name }, data: { k: "" } });
  for (let round = 0; round < times; round++)
    expectStatus(
      await arena.ask({
        method: "PUT",
        path: `${maps}/${name}`,
        body: { metadata: { name }, data: { k: `${round} `.padEnd(bytes, "x") } },
      }),
      200,
    );
}

const close = (sockets: readonly TLSSocket[]): void => {
  for (const socket of sockets) socket.destroy();
};

export const watches: AttackClass = {
  name: "watches",
  attacks: [
    {
      name: "20 watches whose client does not read, and 100 writes of a megabyte",
      limits: { seconds: 60 },
      act: async (arena) => {
        const sockets = await deaf(arena, 20, `${maps}?watch=true`);
        await writes(arena, "deaf", 100, 1_000_000);
        close(sockets);
      },
    },
    {
      name: "200 watches that begin with a megabyte, never read",
      limits: { seconds: 60 },
      act: async (arena) => {
        close(await deaf(arena, 200, `${maps}?watch=true`));
        expectStatus(await arena.ask({ method: "DELETE", path: `${maps}/deaf` }), 200);
      },
    },
    {
      name: "200 watches whose client does not read, and 500 writes",
      limits: { seconds: 60 },
      act: async (arena) => {
        const sockets = await deaf(arena, 200, `${maps}?watch=true`);
        await writes(arena, "deaf-too", 500, 10_000);
        close(sockets);
      },
    },
    {
      name: "500 watches opened and dropped",
      limits: { seconds: 60 },
      act: async (arena) => {
        for (let round = 0; round < 10; round++) close(await deaf(arena, 50, `${maps}?watch=true`));
      },
    },
    {
      name: "100 watches with initial events, never read",
      limits: { seconds: 40 },
      act: async (arena) => {
        const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
        close(await deaf(arena, 100, `${maps}?${query}`));
      },
    },
    ...["-1", "abc", "999999999999999999999", "1e3", "%00", "18446744073709551616"].map((version) => ({
      name: `a watch from resourceVersion ${version}`,
      // kube-apiserver 1.36 answers all six with this 500, without a reason.
      act: async (arena: Arena) => expectStatus(await arena.get(`${maps}?watch=true&resourceVersion=${version}&timeoutSeconds=1`), 500),
    })),
    {
      name: "a watch from a revision that was forgotten",
      act: async (arena) => expectHandled(await arena.get(`${maps}?watch=true&resourceVersion=1&timeoutSeconds=1`)),
    },
    {
      name: "a watch with a negative timeout",
      act: async (arena) =>
        expectHandled(
          await arena
            .ask({ path: `${maps}?watch=true&timeoutSeconds=-5`, timeoutMs: 5000 })
            .catch(() => ({ status: 200, headers: {}, text: "" })),
        ),
    },
    {
      name: "initial events without resourceVersionMatch",
      act: async (arena) => expectRefusal(await arena.get(`${maps}?watch=true&sendInitialEvents=true&timeoutSeconds=1`)),
    },
    {
      name: "a watch on a kind whose CRD is deleted",
      act: async (arena) => {
        expectStatus(await arena.post(crds, crd("dyings", { type: "object" })), 201);
        for (let tries = 0; tries < 100; tries++)
          if ((await arena.post(custom("dyings"), customObject("dyings", "one", {}))).status === 201) break;
        const watching = arena.get(`${custom("dyings")}?watch=true&timeoutSeconds=10`);
        await new Promise((resolve) => {
          setTimeout(resolve, 200);
        });
        expectStatus(await arena.ask({ method: "DELETE", path: `${crds}/dyings.attack.example` }), 200);
        const { text } = await watching;
        if (!text.includes('"DELETED"')) throw new Error(`the watch did not see the deletion: ${text.slice(-200)}`);
      },
    },
  ],
};
