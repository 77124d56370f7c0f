import { kinds } from "@drover/api";
import { CSIStorageCapacity } from "@drover/api/storage/v1";
import { Pod } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { sampleOf } from "../testing/workload-sample.ts";
import { jsonOf } from "../typed-object.ts";
import { defaultPrinter } from "./default-printer.ts";
import { printerOf } from "./printers.ts";
import { podPrinter } from "./workloads/pod-printer.ts";

describe("printerOf", () => {
  it("returns the printer of a kind", () => expect(printerOf(Pod)).toBe(podPrinter));

  it("returns the default printer for kinds without one", () => {
    expect(printerOf(CSIStorageCapacity)).toBe(defaultPrinter);
    expect(printerOf({ group: "example.com", version: "v1", kind: "Pod" })).toBe(defaultPrinter);
  });

  it("prints an empty object of every listable kind", () => {
    for (const kind of kinds.filter(({ verbs }) => verbs.includes("list"))) {
      const { columns, row } = printerOf(kind);
      expect(row(jsonOf(sampleOf(kind, {})), 0).cells, kind.kind).toContain("web");
      expect(
        columns.filter(({ format }) => format === "name").map(({ name }) => name),
        kind.kind,
      ).toContain("Name");
      expect(new Set(columns.map(({ name }) => name)).size, kind.kind).toBe(columns.length);
    }
  });
});
