/** Objects that make the author's code throw, hang or grow: one bad object must not stop the others. */
import type { Attack, AttackClass } from "../attack.ts";
import { expectHandled, expectStatus } from "../expect-answer.ts";

/** The bad object is written; then a good one must be reconciled. */
const behaves = (behaviour: string): Attack => ({
  name: `an object whose run ${behaviour}`,
  limits: { seconds: 30 },
  act: async (arena) => {
    const name = `bad-${behaviour.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`.slice(0, 60);
    expectStatus(await arena.sheep(name, { behaviour, text: "bad" }), 200, 201);
    await arena.sheep("good", { text: behaviour });
    await arena.fed("good", behaviour.slice(0, 100));
    await arena.sheep(name, { behaviour: "calm", text: `calm ${behaviour}` });
    await arena.fed(name, `calm ${behaviour}`.slice(0, 100), 25);
  },
});

const behaviours = [
  "throws an error",
  "throws undefined",
  "throws null",
  "throws a symbol",
  "throws a function",
  "throws a bigint",
  "throws an object without prototype",
  "throws a revoked proxy",
  "throws a cycle",
  "throws a long message",
  "throws a throwing message",
  "throws a throwing name",
  "throws a throwing stack",
  "throws a throwing cause",
  "throws a throwing code",
  "throws a message that is no text",
  "throws many causes",
  "throws many errors",
  "throws in status",
  "desires a throw",
  "desires a cycle",
  "desires a megabyte",
  "blocks",
  "rejects elsewhere",
] as const;

export const reconciles: AttackClass = {
  name: "reconciles",
  attacks: [
    ...behaviours.map(behaves),
    {
      name: "an object whose cleanup throws a revoked proxy",
      act: async (arena) => {
        const path = "/apis/attack.drover.dev/v1/namespaces/default/sheep/stays";
        expectHandled(await arena.sheep("stays", { behaviour: "throws in cleanup", text: "stays" }));
        await arena.fed("stays", "stays");
        expectHandled(await arena.ask({ method: "DELETE", path }));
        await arena.sheep("good", { text: "after cleanup" });
        await arena.fed("good", "after cleanup");
      },
    },
    {
      name: "300 objects that fail at the same time",
      limits: { seconds: 60 },
      act: async (arena) => {
        for (let index = 0; index < 300; index++)
          expectHandled(await arena.sheep(`failing-${index}`, { behaviour: "throws a long message", text: "x" }));
        await arena.sheep("good", { text: "among the failing" });
        await arena.fed("good", "among the failing", 40);
      },
    },
    {
      name: "100 objects of 300 KB, each written twice",
      limits: { seconds: 60 },
      act: async (arena) => {
        for (const round of ["a", "b"])
          for (let index = 0; index < 100; index++) expectHandled(await arena.sheep(`large-${index}`, { text: round.repeat(300_000) }));
        await arena.sheep("good", { text: "among the large" });
        await arena.fed("good", "among the large", 40);
      },
    },
    {
      name: "a schema of the operator's CRD that was edited by hand",
      act: async (arena) => {
        expectHandled(
          await arena.ask({
            method: "PATCH",
            path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/sheep.attack.drover.dev",
            headers: { "content-type": "application/merge-patch+json" },
            body: { metadata: { annotations: { edited: "by hand" } } },
          }),
        );
      },
    },
  ],
};
