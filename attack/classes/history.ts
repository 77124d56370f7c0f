/** Many writes of large objects: what the server keeps of old revisions. */
import type { Arena } from "../arena.ts";
import type { Attack, AttackClass } from "../attack.ts";
import { expectHandled, expectStatus } from "../expect-answer.ts";
import { crds, crd, custom, customObject, maps } from "./paths.ts";

const text = (bytes: number, round: number): string => `${round} `.padEnd(bytes, "x");

async function rewrite(arena: Arena, name: string, times: number, bytes: number): Promise<void> {
  expectStatus(await arena.post(maps, { metadata: { name }, data: { k: "" } }), 201);
  for (let round = 0; round < times; round++)
    expectStatus(
      await arena.ask({ method: "PUT", path: `${maps}/${name}`, body: { metadata: { name }, data: { k: text(bytes, round) } } }),
      200,
    );
}

const rewrites = ([times, bytes]: readonly [number, number]): Attack => ({
  name: `${times} writes of ${bytes} bytes to one ConfigMap`,
  limits: { seconds: 90 },
  act: (arena) => rewrite(arena, `rewrites-${times}-${bytes}`, times, bytes),
});

export const history: AttackClass = {
  name: "history",
  attacks: [
    ...(
      [
        [601, 1_000_000],
        [2000, 200_000],
        [4000, 20_000],
        [5000, 100],
      ] as const
    ).map(rewrites),
    {
      name: "creating and deleting a large ConfigMap 400 times",
      limits: { seconds: 120 },
      act: async (arena) => {
        for (let round = 0; round < 400; round++) {
          expectStatus(await arena.post(maps, { metadata: { name: "again" }, data: { k: text(1_000_000, round) } }), 201);
          expectStatus(await arena.ask({ method: "DELETE", path: `${maps}/again` }), 200);
        }
      },
    },
    {
      name: "a label changed 300 times on an object of a megabyte",
      limits: { seconds: 60 },
      act: async (arena) => {
        expectStatus(await arena.post(maps, { metadata: { name: "labelled" }, data: { k: text(1_000_000, 0) } }), 201);
        for (let round = 0; round < 300; round++)
          expectStatus(
            await arena.ask({
              method: "PATCH",
              path: `${maps}/labelled`,
              headers: { "content-type": "application/merge-patch+json" },
              body: { metadata: { labels: { round: `r${round}` } } },
            }),
            200,
          );
      },
    },
    {
      name: "more data than fits into memory, in 700 ConfigMaps of a megabyte",
      limits: { seconds: 90 },
      act: async (arena) => {
        let refused = 0;
        for (let index = 0; index < 700; index++) {
          const answer = await arena.post(maps, {
            metadata: { name: `full-${index}`, labels: { full: "yes" } },
            data: { k: text(1_000_000, index) },
          });
          if (answer.status >= 500) refused++;
          else expectStatus(answer, 201);
        }
        if (refused === 0) throw new Error("700 MB were stored in a heap of 256 MB: the test does not test");
        expectStatus(await arena.ask({ method: "DELETE", path: `${maps}?labelSelector=full%3Dyes`, timeoutMs: 60_000 }), 200);
        expectStatus(await arena.post(maps, { metadata: { name: "room-again" }, data: { k: text(1_000_000, 0) } }), 201);
      },
    },
    {
      name: "custom resources rewritten with large specs",
      limits: { seconds: 60 },
      act: async (arena) => {
        expectStatus(await arena.post(crds, crd("histories", { type: "object", "x-kubernetes-preserve-unknown-fields": true })), 201);
        for (let round = 0; round < 200; round++)
          expectHandled(
            await arena.ask({
              method: "PATCH",
              path: `${custom("histories")}/one?fieldManager=a&force=true`,
              headers: { "content-type": "application/apply-patch+yaml" },
              body: customObject("histories", "one", { text: text(900_000, round) }),
            }),
          );
      },
    },
  ],
};
