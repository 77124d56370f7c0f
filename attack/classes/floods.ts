/** More of everything than anybody needs: events, namespaces, leases, reviews. */
import type { Arena } from "../arena.ts";
import type { AttackClass } from "../attack.ts";
import { expectHandled, expectStatus } from "../expect-answer.ts";
import { maps } from "./paths.ts";

async function together(times: number, work: (index: number) => Promise<void>, width: number = 25): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < times) await work(next++);
    }),
  );
}

const created = (path: string, body: (index: number) => object) => async (arena: Arena, times: number) =>
  await together(times, async (index) => expectHandled(await arena.post(path, body(index))));

export const floods: AttackClass = {
  name: "floods",
  attacks: [
    {
      name: "5,000 events",
      limits: { seconds: 60 },
      act: (arena) =>
        created("/api/v1/namespaces/default/events", (n) => ({
          metadata: { name: `e${n}` },
          involvedObject: { kind: "Pod", name: "p", namespace: "default" },
          reason: "Flood",
          message: "m".repeat(900),
          type: "Normal",
        }))(arena, 5000),
    },
    {
      name: "200 namespaces, created and deleted",
      limits: { seconds: 90 },
      act: async (arena) => {
        await together(200, async (n) => expectHandled(await arena.post("/api/v1/namespaces", { metadata: { name: `n${n}` } })), 5);
        await together(200, async (n) => expectHandled(await arena.ask({ method: "DELETE", path: `/api/v1/namespaces/n${n}` })), 5);
      },
    },
    {
      name: "3,000 access reviews",
      limits: { seconds: 40 },
      act: (arena) =>
        created("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", (n) => ({
          spec: { resourceAttributes: { verb: "get", resource: `r${n}` } },
        }))(arena, 3000),
    },
    {
      name: "1,000 leases, renewed twice",
      limits: { seconds: 60 },
      act: async (arena) => {
        const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
        await created(path, (n) => ({ metadata: { name: `l${n}` }, spec: { holderIdentity: "a" } }))(arena, 1000);
        for (const holder of ["b", "c"])
          await together(1000, async (n) =>
            expectHandled(
              await arena.ask({
                method: "PUT",
                path: `${path}/l${n}`,
                body: { metadata: { name: `l${n}` }, spec: { holderIdentity: holder } },
              }),
            ),
          );
      },
    },
    {
      name: "100 writers of one object",
      limits: { seconds: 60 },
      act: async (arena) => {
        await arena.post(maps, { metadata: { name: "contended" } });
        await together(
          1000,
          async (n) =>
            expectHandled(
              await arena.ask({
                method: "PATCH",
                path: `${maps}/contended`,
                headers: { "content-type": "application/merge-patch+json" },
                body: { data: { [`k${n % 10}`]: `${n}` } },
              }),
            ),
          100,
        );
      },
    },
    {
      name: "2,000 dry runs",
      limits: { seconds: 40 },
      act: (arena) => created(`${maps}?dryRun=All`, () => ({ metadata: { name: "dry" }, data: { k: "x".repeat(10_000) } }))(arena, 2000),
    },
    {
      name: "a deletion of 2,000 objects at once",
      limits: { seconds: 60 },
      act: async (arena) => {
        await created(maps, (n) => ({ metadata: { name: `d${n}`, labels: { all: "d" } } }))(arena, 2000);
        expectStatus(await arena.ask({ method: "DELETE", path: `${maps}?labelSelector=all%3Dd`, timeoutMs: 40_000 }), 200);
      },
    },
    {
      name: "one Sheep written 500 times",
      limits: { seconds: 60 },
      act: async (arena) => {
        for (let round = 0; round < 500; round++) expectHandled(await arena.sheep("busy", { text: `round ${round}` }));
        await arena.fed("busy", "round 499");
      },
    },
  ],
};
