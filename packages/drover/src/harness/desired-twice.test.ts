/** The harness evaluates `desired` twice in every run, the second time a second later. */
import { ConfigMap, Secret } from "@drover/api/core/v1";
import { createOperator, once } from "@drover/patterns";
import type { Operator } from "@drover/patterns";
import { describe, expect, it } from "vitest";
import { harness } from "./harness.ts";
import { isNotSettledError } from "./not-settled-error.ts";

function labelled(value: () => string): Operator {
  const app = createOperator({ name: "shop" });
  app.controller(ConfigMap, {
    when: ({ metadata }) => metadata.name === "web",
    owns: { secret: Secret },
    desired: ({ object: { metadata } }) => ({ secret: { metadata: { name: metadata.name }, stringData: { value: value() } } }),
  });
  return app;
}

async function mistakeOf(app: Operator): Promise<string> {
  await using t = await harness(app);
  await t.create(ConfigMap, { metadata: { name: "web" } });
  const error: unknown = await t.settled().catch((thrown: unknown) => thrown);
  expect(isNotSettledError(error)).toBe(true);
  expect(await t.getOrUndefined(Secret, "web")).toBeUndefined();
  return String(error);
}

describe("harness with a desired that is not pure", () => {
  it.each([
    ["a random value", () => String(Math.random())],
    ["a time in milliseconds", () => String(Date.now())],
    ["a date", () => new Date().toISOString()],
    ["a time in seconds", () => String(Math.floor(Date.now() / 1000))],
  ])("%s fails the first run, before anything is written, and names field and once", async (_name, value) => {
    const message = await mistakeOf(labelled(value));
    expect(message).toContain("it returned two results for the same state: secret web stringData[value]:");
    expect(message).toContain("once(Secret");
  });

  it("accepts a pure desired, and random values that are made once", async () => {
    const app = createOperator({ name: "shop" });
    app.controller(ConfigMap, {
      when: ({ metadata }) => metadata.name === "web",
      owns: {
        secret: once(Secret, ({ object }) => ({
          metadata: { name: object.metadata.name ?? "" },
          stringData: { value: String(Math.random()) },
        })),
        copy: ConfigMap,
      },
      desired: ({ object: { metadata } }) => ({
        copy: { metadata: { name: `${metadata.name}-copy` }, data: { at: metadata.creationTimestamp ?? "" } },
      }),
    });
    await using t = await harness(app);
    await t.create(ConfigMap, { metadata: { name: "web" } });
    await t.settled();
    expect(await t.get(Secret, "web")).toBeDefined();
  });
});
