/** Printer columns, scale paths and selectable fields: JSONPath on objects that the attacker wrote. */
import { setTimeout as pause } from "node:timers/promises";
import type { Attack, AttackClass } from "../attack.ts";
import { expectHandled } from "../expect-answer.ts";
import { crd, crds, custom, customObject } from "./paths.ts";

const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" };

const wideObject = (): unknown => {
  let object: object = { a: "x" };
  for (let level = 0; level < 12; level++) object = { a: object, b: object };
  return object;
};

const column = (name: string, plural: string, jsonPath: string, spec: () => unknown = wideObject): Attack => ({
  name,
  act: async (arena) => {
    const version = { additionalPrinterColumns: [{ name: "C", type: "string", jsonPath }] };
    const made = await arena.post(crds, crd(plural, { type: "object", "x-kubernetes-preserve-unknown-fields": true }, version));
    expectHandled(made);
    if (made.status !== 201) return;
    for (let tries = 0; tries < 100; tries++) {
      const answer = await arena.post(custom(plural), customObject(plural, "one", spec()));
      if (answer.status !== 404) break;
      await pause(50);
    }
    expectHandled(await arena.get(custom(plural), table));
  },
});

export const columns: AttackClass = {
  name: "columns",
  attacks: [
    column("a column with three recursive descents", "threes", "..a..a..a"),
    column("a column with five recursive descents", "fives", "..a..a..a..a..a"),
    column("a column with thirty recursive descents", "thirties", "..a".repeat(30)),
    column("a column with recursive wildcards", "wildcards", "..*..*..*"),
    column("a column with wildcards at every level", "levels", `.spec${"[*]".repeat(20)}`),
    column("a column with a filter over a large list", "filters", ".spec.list[?(@.a==1)].b", () => ({
      list: Array.from({ length: 50_000 }, (_, n) => ({ a: n, b: n })),
    })),
    column("a column of filters in filters", "infilters", ".spec.list[?(@.a[?(@.b>0)].c>0)].d", () => ({
      list: Array.from({ length: 5000 }, () => ({ a: [{ b: 1, c: 1 }], d: 1 })),
    })),
    column("a column that shows a megabyte", "megabytes", ".spec.text", () => ({ text: "x".repeat(1_000_000) })),
    column("a column with a huge slice", "slices", ".spec.list[0:2147483647:1]", () => ({
      list: Array.from({ length: 10_000 }, (_, n) => n),
    })),
    column("a column with an unfinished path", "unfinisheds", ".spec["),
    column("a column with a path of 100,000 steps", "manysteps", ".a".repeat(100_000)),
    {
      name: "1,000 columns",
      act: async (arena) => {
        const version = {
          additionalPrinterColumns: Array.from({ length: 1000 }, (_, n) => ({ name: `C${n}`, type: "string", jsonPath: "..a" })),
        };
        expectHandled(
          await arena.post(crds, crd("manycolumns", { type: "object", "x-kubernetes-preserve-unknown-fields": true }, version)),
        );
        for (let tries = 0; tries < 100; tries++) {
          if ((await arena.post(custom("manycolumns"), customObject("manycolumns", "one", wideObject()))).status !== 404) break;
          await pause(50);
        }
        expectHandled(await arena.get(custom("manycolumns"), table));
      },
    },
  ],
};
