import { describe, expect, it } from "vitest";
import { printInterface, printListInterface } from "./print-interface.ts";
import type { TypeScope } from "./schema-type.ts";

const scope: TypeScope = { named: () => undefined, machinery: (name) => name };
const widget = { group: "shop.example.com", version: "v1", kind: "my-widget" };

describe("printInterface", () => {
  it("of a part has its fields, and an index signature where unknown fields are preserved", () => {
    expect(
      printInterface({ description: "A part.", required: ["a"], properties: { a: { type: "string" }, kind: { type: "string" } } }, scope, {
        name: "Part",
      }),
    ).toBe("/** A part. */\nexport interface Part {\n  a: string;\n  kind?: string;\n}\n");
    expect(printInterface({ "x-kubernetes-preserve-unknown-fields": true }, scope, { name: "Any" })).toBe(
      "export interface Any {\n  [key: string]: unknown;\n}\n",
    );
  });

  it("of a kind states its kind, whatever its schema says", () => {
    const schema = { properties: { apiVersion: { type: "integer" }, metadata: { type: "string" }, spec: { type: "string" } } };
    expect(printInterface(schema, scope, { name: "MyWidget", of: { ...widget, metadata: "ObjectMeta" }, deprecated: "use v2" })).toBe(
      '/** @deprecated use v2 */\nexport interface MyWidget {\n  apiVersion?: "shop.example.com/v1";\n  kind?: "my-widget";\n  metadata: ObjectMeta;\n  spec?: string;\n}\n',
    );
  });

  it("of a list extends that of all lists", () => {
    expect(printListInterface({ ...widget, kind: "WidgetList" }, "MyWidget", scope, { name: "MyWidgetList" })).toBe(
      'export interface MyWidgetList extends KubeList<MyWidget> {\n  apiVersion?: "shop.example.com/v1";\n  kind?: "WidgetList";\n}\n',
    );
  });
});
