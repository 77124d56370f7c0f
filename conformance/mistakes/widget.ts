/** The resource of the authors who make the mistakes. */
import { defineResource, operator } from "drover";
import type { RunnableOperator } from "drover";
import { z } from "zod";

export const Widget = defineResource({
  group: "demo.example.com",
  version: "v1",
  kind: "Widget",
  spec: z.object({ image: z.string(), replicas: z.int().min(0).default(1) }),
  status: z.object({ ready: z.int().default(0) }),
});

/** Accepts what JavaScript accepts: the types would refuse most mistakes. */
export const untyped = (value: unknown): never => value as never;

/** Returns an operator with one controller of Widgets. */
export function appWith(declaration: object): RunnableOperator {
  const app = operator({ name: "shop" });
  app.controller(Widget, untyped(declaration));
  return app;
}
