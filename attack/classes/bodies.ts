/** Bodies that are too large, too deep or made of too many parts. */
import type { Attack, AttackClass } from "../attack.ts";
import { expectRefusal, expectStatus } from "../expect-answer.ts";
import { maps } from "./paths.ts";

const json = "application/json";
const yaml = "application/yaml";

const refused = (name: string, body: () => string | Uint8Array, type: string = json): Attack => ({
  name,
  act: async (arena) => expectRefusal(await arena.post(maps, body(), { "content-type": type })),
});

const anchors = (levels: number): string =>
  [
    "a0: &a0 [x, x, x, x, x, x, x, x, x, x]",
    ...Array.from({ length: levels }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(", ")}]`),
  ].join("\n");

export const bodies: AttackClass = {
  name: "bodies",
  attacks: [
    refused("a body of 4 MB", () => `{"metadata":{"name":"a"},"data":{"k":"${"x".repeat(4_000_000)}"}}`),
    refused("a body of 40 MB", () => "x".repeat(40_000_000)),
    refused("a million brackets", () => "[".repeat(1_000_000)),
    refused("a hundred thousand nested objects", () => '{"a":'.repeat(100_000)),
    refused("nested objects that are closed", () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
    refused(
      "80,000 invalid keys",
      () => `{"metadata":{"name":"a"},"data":{${Array.from({ length: 80_000 }, (_, n) => `"k/${n}":"v"`).join()}}}`,
    ),
    refused(
      "80,000 labels that are no labels",
      () => `{"metadata":{"name":"a","labels":{${Array.from({ length: 80_000 }, (_, n) => `"/${n}":"v"`).join()}}}}`,
    ),
    refused(
      "50,000 owner references without a name",
      () => `{"metadata":{"name":"a","ownerReferences":[${Array(50_000).fill("{}").join()}]}}`,
    ),
    refused("50,000 invalid finalizers", () => `{"metadata":{"name":"a","finalizers":[${Array(50_000).fill('"!"').join()}]}}`),
    refused("a hundred thousand times the same key, then no end", () => `{${'"a":1,'.repeat(100_000)}`),
    refused("a number with a million digits", () => `{"metadata":{"name":"a","generation":${"9".repeat(1_000_000)}}}`),
    refused("invalid UTF-8", () => Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    refused("a lone surrogate as a name", () => '{"metadata":{"name":"\\ud800"}}'),
    refused("YAML with anchors that expand exponentially", () => anchors(9), yaml),
    refused("YAML nested a hundred thousand levels deep", () => "[".repeat(100_000), yaml),
    refused("YAML with 200,000 documents", () => "---\n".repeat(200_000), yaml),
    refused("YAML with a key of a megabyte", () => `${"k".repeat(1_000_000)}: v`, yaml),
    refused("a body that is declared as gzip and is not", () => "not gzip", "application/gzip"),
    {
      name: "60 bodies of 3 MB at the same time",
      act: async (arena) => {
        const body = `{"metadata":{"name":"a"},"data":{"k":"${"x".repeat(2_900_000)}"}}`;
        await Promise.all(
          Array.from({ length: 60 }, async () => {
            expectRefusal(await arena.post(maps, body));
          }),
        );
      },
    },
    {
      name: "a ConfigMap of exactly its largest size",
      act: async (arena) =>
        expectStatus(await arena.post(maps, { metadata: { name: "largest" }, data: { k: "x".repeat(1024 * 1024 - 1) } }), 201),
    },
  ],
};
