import type { Deployment } from "@drover/api/apps/v1";
import { expect, expectTypeOf, it } from "vitest";
import type { Patch } from "./patch-body.ts";

it("takes for each type of patch the body that type can have", () => {
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
