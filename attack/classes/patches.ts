/** Patches and applies that grow, nest or never end. */
import type { Arena } from "../arena.ts";
import type { Attack, AttackClass } from "../attack.ts";
import { expectHandled, expectRefusal, expectStatus } from "../expect-answer.ts";
import { maps } from "./paths.ts";

const types = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

async function prepared(arena: Arena): Promise<string> {
  await arena.post(maps, { metadata: { name: "patched" }, data: { k: "x".repeat(10_000) } });
  return `${maps}/patched?fieldManager=a`;
}

const patch = (name: string, type: keyof typeof types, body: () => string | object, check = expectHandled): Attack => ({
  name,
  act: async (arena) =>
    check(await arena.ask({ method: "PATCH", path: await prepared(arena), headers: { "content-type": types[type] }, body: body() })),
});

const nested = (levels: number): string => `{"data":${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}`;

export const patches: AttackClass = {
  name: "patches",
  attacks: [
    patch(
      "a JSON patch that doubles a value 60 times",
      "json",
      () => [
        { op: "add", path: "/metadata/annotations", value: { a: "x".repeat(1000) } },
        ...Array.from({ length: 60 }, (_, n) => ({ op: "copy", from: "/metadata/annotations", path: `/metadata/annotations/b${n}` })),
      ],
      expectRefusal,
    ),
    patch("a JSON patch with 200,000 operations", "json", () =>
      Array.from({ length: 200_000 }, () => ({ op: "test", path: "/kind", value: "ConfigMap" })),
    ),
    patch(
      "a JSON patch that moves a value into itself",
      "json",
      () => [{ op: "move", from: "/metadata", path: "/metadata/inside" }],
      expectRefusal,
    ),
    patch("a JSON patch into the prototype", "json", () => [{ op: "add", path: "/__proto__/polluted", value: "yes" }]),
    patch("a JSON patch into the constructor", "json", () => [{ op: "add", path: "/constructor/prototype/polluted", value: "yes" }]),
    patch(
      "a JSON patch to index 4,294,967,295",
      "json",
      () => [{ op: "add", path: "/metadata/finalizers/4294967295", value: "a/b" }],
      expectRefusal,
    ),
    patch("a JSON patch with a pointer of a megabyte", "json", () => [{ op: "remove", path: "/a".repeat(500_000) }], expectRefusal),
    patch("a merge patch nested 100,000 levels deep", "merge", () => nested(100_000), expectRefusal),
    patch("a merge patch with __proto__", "merge", () => '{"__proto__":{"polluted":"yes"},"data":{"__proto__":"x"}}'),
    patch("a strategic patch nested 100,000 levels deep", "strategic", () => nested(100_000), expectRefusal),
    // Kubernetes answers 500 here.
    patch(
      "a strategic patch with unknown directives",
      "strategic",
      () => ({ $patch: "explode", data: { $retainKeys: 5 } }),
      (answer) => expectStatus(answer, 500),
    ),
    patch("a strategic patch with 100,000 deletions", "strategic", () => ({
      metadata: { "$deleteFromPrimitiveList/finalizers": Array.from({ length: 100_000 }, (_, n) => `f/${n}`) },
    })),
    patch("an apply nested 100,000 levels deep", "apply", () => nested(100_000), expectRefusal),
    patch(
      "an apply with managed fields of its own",
      "apply",
      () => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          name: "patched",
          managedFields: [{ manager: "m", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { "f:data": {} } }],
        },
      }),
      expectRefusal,
    ),
    {
      name: "200 field managers of one object",
      limits: { seconds: 40 },
      act: async (arena) => {
        await prepared(arena);
        for (let index = 0; index < 200; index++)
          expectHandled(
            await arena.ask({
              method: "PATCH",
              path: `${maps}/patched?fieldManager=manager-${index}&force=true`,
              headers: { "content-type": types.apply },
              body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "patched" }, data: { [`k${index}`]: "v" } },
            }),
          );
      },
    },
    {
      name: "managed fields written by hand that make no sense",
      act: async (arena) => {
        const fieldsV1 = JSON.parse(`${'{"f:a":'.repeat(500)}{}${"}".repeat(500)}`) as object;
        expectHandled(
          await arena.post(maps, {
            metadata: {
              name: "by-hand",
              managedFields: [{ manager: "m", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1 }],
            },
          }),
        );
      },
    },
    {
      name: "30 applies of 20,000 keys",
      limits: { seconds: 60 },
      act: async (arena) => {
        const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, "v"]));
        for (let round = 0; round < 30; round++)
          expectStatus(
            await arena.ask({
              method: "PATCH",
              path: `${maps}/many-keys?fieldManager=a&force=true`,
              headers: { "content-type": types.apply },
              body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "many-keys" }, data: { ...data, round: `${round}` } },
            }),
            200,
            201,
          );
      },
    },
  ],
};
