import { describe, expectTypeOf, it } from "vitest";
import type { Kind, ObjectOf, Scope } from "./kind.ts";
import type { KubeObject } from "./object.ts";

interface Widget extends KubeObject {
  spec: { size: number };
}
type WidgetKind = Kind<Widget, "Namespaced", "status">;

describe("Kind", () => {
  it("carries the type of its objects", () => {
    expectTypeOf<ObjectOf<WidgetKind>>().toEqualTypeOf<Widget>();
    expectTypeOf<ObjectOf<Kind>>().toEqualTypeOf<KubeObject>();
    expectTypeOf<ObjectOf<string>>().toEqualTypeOf<never>();
  });

  it("has scope and subresources, and is assignable to any Kind", () => {
    expectTypeOf<WidgetKind["scope"]>().toEqualTypeOf<"Namespaced">();
    expectTypeOf<keyof WidgetKind["subresources"]>().toEqualTypeOf<"status">();
    expectTypeOf<WidgetKind>().toExtend<Kind<Widget, Scope>>();
    expectTypeOf<Kind<Widget, "Cluster">>().not.toExtend<WidgetKind>();
  });
});
