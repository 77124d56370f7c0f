/** Mistakes in the definition of a resource. */
import { defineResource } from "drover";
import { z } from "zod";
import type { Mistake } from "./mistake.ts";
import { untyped } from "./widget.ts";

const names = { group: "demo.example.com", version: "v1", kind: "Widget" };
const defined = (definition: object) => (): unknown => defineResource(untyped({ ...names, spec: z.object({}), ...definition }));
const field = (schema: unknown) => defined({ spec: z.object({ it: untyped(schema) }) });

export const crd: readonly Mistake[] = [
  { title: "no spec", act: defined({ spec: undefined }), says: ["spec", "z.object"] },
  {
    title: "a schema of zod 3",
    act: defined({ spec: { _def: { typeName: "ZodObject" }, parse: () => undefined } }),
    says: ["zod 3", "npm install zod@4"],
  },
  { title: "a type instead of a schema", act: defined({ spec: { image: "string" } }), says: ["spec", "z.object"] },
  { title: "a kind in lower case", act: defined({ kind: "widget" }), says: ["widget", "WebApp"] },
  { title: "a group without a domain", act: defined({ group: "demo" }), says: ["demo", "demo.example.com"] },
  { title: "a version without v", act: defined({ version: "1.0" }), says: ["1.0", "v1beta1"] },
  { title: "a misspelt option", act: defined({ scop: "Cluster" }), says: ["scop", "scope"] },
  {
    title: "an older version that is the current one",
    act: defined({ olderVersions: { v1: { spec: z.object({}) } } }),
    says: ["olderVersions.v1"],
  },
  { title: "a date", act: field(z.date()), says: ["spec.it", "z.iso.datetime"] },
  { title: "a map", act: field(z.map(z.string(), z.string())), says: ["spec.it", "z.record"] },
  { title: "a set", act: field(z.set(z.string())), says: ["spec.it", "z.array"] },
  { title: "a function", act: field(z.function()), says: ["spec.it"] },
  { title: "a transformation", act: field(z.string().transform((text) => text.length)), says: ["spec.it"] },
  { title: "a check in code", act: field(z.string().refine((text) => text !== "x")), says: ["spec.it", "x-kubernetes-validations"] },
  { title: "a union of objects", act: field(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])), says: ["spec.it"] },
  { title: "a tuple", act: field(z.tuple([z.string(), z.int()])), says: ["spec.it"] },
  { title: "a column without a field", act: defined({ columns: { Ready: ".status.raedy" } }), says: ["Ready", ".status.raedy"] },
];
