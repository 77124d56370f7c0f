import type { Deployment } from "@drover/api/apps/v1";
import { expect, expectTypeOf, it } from "vitest";
import type { Patch } from "./patch-body.ts";

it("Patch accepts for each type the bodies of that type", () => {
  expectTypeOf<{ type: "json"; body: [{ op: "remove"; path: "/a" }] }>().toExtend<Patch<Deployment>>();
  expectTypeOf<{ type: "merge"; body: { spec: { paused: null; template: { spec: { containers: { name: string }[] } } } } }>().toExtend<
    Patch<Deployment>
  >();
  expectTypeOf<{ type: "strategic"; body: { spec: { template: { spec: { containers: { image: string }[] } } } } }>().toExtend<
    Patch<Deployment>
  >();
  expectTypeOf<{ type: "merge"; body: { spec: { template: { spec: { containers: { image: string }[] } } } } }>().not.toExtend<
    Patch<Deployment>
  >();
  expectTypeOf<{ type: "merge"; body: { spec: { replicas: string } } }>().not.toExtend<Patch<Deployment>>();
  const directives: Patch<Deployment> = {
    type: "strategic",
    body: {
      spec: {
        strategy: { $retainKeys: ["type"], type: "Recreate" },
        template: { spec: { containers: [{ name: "old", $patch: "delete" }] } },
      },
    },
  };
  expect(directives.type).toBe("strategic");
});
