import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testServer } from "../../../testing/test-server.ts";
import { pairWarnings } from "./warning-pairs.ts";

describe("pairWarnings", () => {
  it("compares each item with all earlier ones of its group, in their order", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 20 }), (items) => {
        const warnings = pairWarnings(
          items.map((value, at) => ({ value, at })),
          {
            groupOf: ({ value }) => String(value % 3),
            warn: (item, earlier) => (item.value === 5 ? undefined : `${item.at} ${earlier.at}`),
          },
        );
        const expected = items.map((value, at) =>
          items.slice(0, at).flatMap((other, before) => (value !== 5 && other % 3 === value % 3 ? [`${at} ${before}`] : [])),
        );
        expect(warnings).toEqual(expected);
      }),
    );
  });

  it("stops at a number of comparisons", () => {
    let count = 0;
    const warnings = pairWarnings(
      Array.from({ length: 5000 }, (_, at) => at),
      { groupOf: () => "", warn: () => `${count++}` },
    );
    expect([count, warnings.length, warnings.at(-1)]).toEqual([20_000, 5000, []]);
  });
});

describe("a pod", () => {
  it.each([
    ["ports", { ports: Array.from({ length: 20_000 }, (_, at) => ({ containerPort: 1 + at })) }, {}],
    ["equal ports", { ports: Array.from({ length: 20_000 }, () => ({ containerPort: 80 })) }, {}],
    [
      "files of one path",
      {},
      { volumes: [{ name: "v", configMap: { name: "c", items: Array.from({ length: 20_000 }, () => ({ key: "k", path: "p" })) } }] },
    ],
    ["host aliases", {}, { hostAliases: Array.from({ length: 20_000 }, (_, at) => ({ ip: `10.1.${at >> 8}.${at & 255}` })) }],
  ])("with thousands of %s does not keep the server busy", async (_, container, spec) => {
    // Each was compared with all others, and every pair of equal ones was a warning: 3000 ports took 8 s and a gigabyte.
    const server = await testServer();
    const { status } = await server.call("POST", "/api/v1/namespaces/default/pods?dryRun=All", {
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i", ...container }], ...spec },
    });
    expect(status).toBe(201);
    server.close();
  });
});
