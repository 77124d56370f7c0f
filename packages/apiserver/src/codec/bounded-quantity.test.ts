import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import { boundedQuantity } from "./bounded-quantity.ts";

describe("boundedQuantity", () => {
  it("reads ordinary quantities, and exponents up to a thousand", () => {
    expect(["500m", "1.5Gi", " 12e6 ", "1e1000", "1E-1000", "-3"].map((text) => boundedQuantity(text).toString())).toEqual([
      "500m",
      "1536Mi",
      "12e6",
      "10e999",
      "1e-9",
      "-3",
    ]);
  });

  it("refuses larger exponents and longer texts with messages of the API server (SEC22)", () => {
    for (const text of ["1e999999999", "1E1001", "1e-999999999 ", "1e+5000"])
      expect(() => boundedQuantity(text)).toThrow("unable to parse quantity's suffix");
    expect(() => boundedQuantity("9".repeat(100_000))).toThrow("quantities must match the regular expression");
  });

  it("answers 400 for a pod whose request has a billion digits (SEC22)", async () => {
    const server = await testServer();
    const pod = {
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i", resources: { limits: { cpu: "1e999999999" } } }] },
    };
    const { status, object } = await server.call("POST", "/api/v1/namespaces/default/pods", pod);
    expect([status, object["message"]]).toEqual([
      400,
      'Pod in version "v1" cannot be handled as a Pod: unable to parse quantity\'s suffix',
    ]);
    server.close();
  });
});
