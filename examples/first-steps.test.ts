import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exact, matches, memory, withImage } from "./first-steps.ts";

it("first-steps.ts computes the values that its comments state", () => {
  expect([matches, memory, exact]).toEqual([true, "2Gi", { size: 9007199254740993n }]);
  const live = {
    spec: {
      template: {
        spec: {
          containers: [
            { name: "app", image: "shop:1" },
            { name: "proxy", image: "proxy:9" },
          ],
        },
      },
    },
  };
  expect(withImage(live, "shop:2")).toEqual({
    spec: {
      template: {
        spec: {
          containers: [
            { name: "app", image: "shop:2" },
            { name: "proxy", image: "proxy:9" },
          ],
        },
      },
    },
  });
});

it("examples/README.md quotes first-steps.ts verbatim", () => {
  const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
  expect(readme).toContain(readFileSync(join(import.meta.dirname, "first-steps.ts"), "utf8"));
});
