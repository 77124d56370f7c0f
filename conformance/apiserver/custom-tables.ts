/** A definition with columns of every kind, and objects to print. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { definition, version } from "./custom-definitions.ts";

const columns: readonly (readonly [type: string, jsonPath: string, rest?: Readonly<Record<string, JsonValue>>])[] = [
  ["string", ".spec.s"],
  ["integer", ".spec.s", { format: "int32" }],
  ["number", ".spec.s", { priority: 1 }],
  ["boolean", ".spec.s", { description: "words" }],
  ["date", ".spec.s"],
  ["string", ".spec.l[*]"],
  ["string", ".spec.l"],
  ["string", ".spec"],
  ["integer", ".spec.l[?(@==2)]"],
  ["string", ".spec.l[7]"],
  ["string", ".spec.l[-1]"],
  ["string", ".spec.l[0:2]"],
  ["string", ".spec.l[1,0]"],
  ["string", ".spec..deep"],
  ["string", ".spec.none"],
  ["string", ".spec.absent"],
  ["string", ".spec.m['a\\.b']"],
  ["string", ".spec.m.a\\.b"],
  ["string", '.spec.c[?(@.type=="Ready")].status'],
  ["string", ".spec.c[?(@.n>1)].type"],
  ["string", ".spec.c[?(@.odd)].type"],
  ["string", ".spec.c[?(@.type[0])].type"],
  ["string", ".spec.s.*"],
  ["integer", ".spec.c[1].n"],
  ["string", ".spec.c[?(@.type<'S')].type"],
  ["string", ". spec"],
  ["string", ".spec.c[*].type"],
  ["date", ".spec.old"],
  ["string", ".spec.l[]"],
  ["boolean", ".spec.c[?(@.ok==true)].ok"],
];

export const tableDefinition: JsonObject = definition("rows", "Row", [
  version(
    "v1",
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    {
      additionalPrinterColumns: columns.map(([type, jsonPath, rest], index) => ({ name: `C${index}`, type, jsonPath, ...rest })),
    },
  ),
]);

const values: readonly JsonValue[] = [
  1,
  1.5,
  1e21,
  1e-7,
  123_456_789.5,
  "a",
  null,
  true,
  "2020-01-01T00:00:00Z",
  "null",
  "",
  { a: "<&>" },
  [1, "x"],
  -0.0001,
  2,
  false,
  { deep: { deep: 1 } },
];

export const tableObjects: readonly JsonObject[] = values.map((s, index) => ({
  apiVersion: "ex.io/v1",
  kind: "Row",
  metadata: { name: `row-${String(index).padStart(2, "0")}` },
  spec: {
    s,
    l: [1, 2, s],
    none: null,
    m: { "a.b": s },
    old: "2020-01-01T00:00:00Z",
    c: [
      { type: "Ready", status: "True", n: 1, ok: true },
      { type: "Zero", n: 2, odd: null, ok: false },
    ],
  },
}));
