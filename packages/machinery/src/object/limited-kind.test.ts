import { describe, expect, expectTypeOf, it } from "vitest";
import type { Kind } from "./kind.ts";
import { withFields } from "./limited-kind.ts";
import type { KubeObject } from "./object.ts";

interface Boat extends KubeObject {
  readonly spec: { readonly name: string; readonly masts: readonly { readonly height: number; readonly sails?: readonly string[] }[] };
  readonly status?: { readonly port?: string; readonly speed: number };
}

const Boats = { group: "sea.example.com", version: "v1", kind: "Boat", plural: "boats", scope: "Namespaced" } as Kind<
  Boat,
  "Namespaced",
  "status"
>;

describe("withFields", () => {
  it("returns the kind with its fields, and leaves the kind itself as it is", () => {
    const fields = ["spec.name"];
    const limited = withFields(Boats, fields);
    fields.push("status");
    expect(limited).toEqual({ ...Boats, fields: ["spec.name"] });
    expect(Boats.fields).toBeUndefined();
  });

  it("narrows the type of the objects, through lists and optional fields", () => {
    const limited = withFields(Boats, ["spec.masts.height", "status.port"]);
    type Seen = typeof limited extends Kind<infer T, "Namespaced", "status"> ? T : never;
    expectTypeOf<Seen["spec"]["masts"][number]>().toEqualTypeOf<{ readonly height: number }>();
    expectTypeOf<Seen["spec"]>().not.toHaveProperty("name");
    expectTypeOf<NonNullable<Seen["status"]>>().toEqualTypeOf<{ readonly port?: string }>();
    expectTypeOf<Seen["metadata"]>().toEqualTypeOf<Boat["metadata"]>();
    expect(limited.fields).toEqual(["spec.masts.height", "status.port"]);
  });

  it("refuses a kind that is limited already", () => {
    expect(() => withFields(withFields(Boats, ["spec.name"]), ["status"])).toThrow(
      new TypeError("withFields: Boat is already limited to spec.name; declare all fields at once"),
    );
  });
});
