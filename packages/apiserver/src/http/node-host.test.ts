import { describe, expect, it } from "vitest";
import { nodeHost } from "./node-host.ts";

describe("nodeHost.readData", () => {
  it("reads the data files of the package, and says what to do about a missing one", () => {
    expect(nodeHost.inflate(nodeHost.readData("bootstrap.br")).length).toBeGreaterThan(100_000);
    expect(() => nodeHost.readData("nope.br")).toThrow("lacks its data file nope.br: copy the folder data of @drover/apiserver");
  });
});
