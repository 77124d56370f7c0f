import { describe, expect, it } from "vitest";
import type { Kind } from "../object/kind.ts";
import { printDescriptor } from "./print-descriptor.ts";
import type { TypeScope } from "./schema-type.ts";

const scope: TypeScope = { named: () => undefined, machinery: (name) => name };
const kind: Kind = {
  group: "g",
  version: "v1",
  kind: 'my-"kind',
  listKind: "L",
  plural: "ps",
  singular: "p",
  shortNames: ["`"],
  categories: [],
  scope: "Cluster",
  verbs: ["get"],
  subresources: {},
};

describe("printDescriptor", () => {
  it("prints a constant with quoted values", () => {
    expect(printDescriptor(kind, scope, { name: "MyKind" })).toBe(`export const MyKind: Kind<MyKind, "Cluster", never> = {
  group: "g", version: "v1", kind: "my-\\"kind", listKind: "L",
  plural: "ps", singular: "p", shortNames: ["\`"], categories: [],
  scope: "Cluster", verbs: ["get"],
  subresources: {},
};
`);
  });

  it("prints subresources by name", () => {
    const status = { group: "g", version: "v1", kind: "K", verbs: ["get"] } as const;
    expect(printDescriptor({ ...kind, subresources: { scale: status, status } }, scope, { name: "K" })).toContain(
      'Kind<K, "Cluster", "scale" | "status">',
    );
  });
});
