/** Quantities, numbers, times and texts at the edge of their types. */
import type { Attack, AttackClass } from "../attack.ts";
import { expectHandled, expectRefusal } from "../expect-answer.ts";
import { apps, maps, pods, template } from "./paths.ts";

const quantity = (text: string, check = expectRefusal): Attack => ({
  name: `the quantity ${text.slice(0, 30)}`,
  act: async (arena) =>
    check(
      await arena.post(pods, {
        metadata: { generateName: "q-" },
        spec: { containers: [{ name: "c", image: "i", resources: { limits: { memory: text } } }] },
      }),
    ),
});

const replicas = (text: string): Attack => ({
  name: `${text.slice(0, 30)} replicas`,
  act: async (arena) =>
    expectRefusal(
      await arena.post(
        apps("deployments"),
        `{"metadata":{"name":"d"},"spec":{"replicas":${text},"selector":{"matchLabels":{"app":"a"}},"template":${JSON.stringify(template)}}}`,
      ),
    ),
});

export const values: AttackClass = {
  name: "values",
  attacks: [
    quantity("1e999999999", expectHandled),
    quantity("1e-999999999", expectHandled),
    quantity("9".repeat(100_000), expectHandled),
    quantity(`0.${"0".repeat(100_000)}1`, expectHandled),
    quantity("1EE"),
    quantity("-1"),
    quantity("NaN"),
    quantity(""),
    quantity("1e2147483648", expectHandled),
    quantity("0x10"),
    replicas("1e400"),
    replicas("2147483648"),
    replicas("-1"),
    replicas("1.5"),
    replicas("9".repeat(10_000)),
    replicas('"1"'),
    {
      name: "a time in the year 99999",
      act: async (arena) =>
        expectRefusal(await arena.post(maps, { metadata: { name: "late", creationTimestamp: "99999-01-01T00:00:00Z" } })),
    },
    {
      name: "a cron schedule of 100,000 characters",
      act: async (arena) =>
        expectRefusal(
          await arena.post("/apis/batch/v1/namespaces/default/cronjobs", {
            metadata: { name: "c" },
            spec: { schedule: `${"1,".repeat(50_000)}1 * * * *`, jobTemplate: { spec: { template } } },
          }),
        ),
    },
  ],
};
