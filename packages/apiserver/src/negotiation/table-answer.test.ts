import type { JsonObject, ListMeta } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { TablePrinter } from "../registry/table-printer.ts";
import { nameColumn } from "../table/columns.ts";
import { printer } from "../table/printer.ts";
import { checkIncludeObject, tableOf } from "./table-answer.ts";
import type { TableOptions } from "./table-answer.ts";

const names: TablePrinter = printer<{ readonly metadata: { readonly name: string } }>([nameColumn], ({ metadata }) => [metadata.name]);
const objects: readonly JsonObject[] = ["b", "a"].map((name) => ({ kind: "Thing", apiVersion: "v1", metadata: { name }, spec: {} }));
const metadata: ListMeta = { resourceVersion: "5" };
const table = (more: Partial<TablePrinter> = {}, options: Partial<TableOptions> = {}, shown: readonly JsonObject[] = objects): JsonObject =>
  tableOf({ table: { ...names, ...more } }, shown, metadata, { version: "v1", includeObject: "Metadata", now: 0, ...options });

describe("tableOf", () => {
  it("returns a row per object, with its metadata", () => {
    expect(table()).toEqual({
      kind: "Table",
      apiVersion: "meta.k8s.io/v1",
      metadata,
      columnDefinitions: [nameColumn],
      rows: ["b", "a"].map((name) => ({
        cells: [name],
        object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { name } },
      })),
    });
  });

  it("includes whole objects or none on request, and metadata of the requested version", () => {
    expect(table({}, { includeObject: "Object" })["rows"]).toMatchObject(objects.map((object) => ({ object })));
    expect(table({}, { includeObject: "None" })["rows"]).toMatchObject([{ object: null }, { object: null }]);
    expect(table({}, { version: "v1beta1" })).toMatchObject({
      apiVersion: "meta.k8s.io/v1beta1",
      rows: [{ object: { apiVersion: "meta.k8s.io/v1beta1" } }, {}],
    });
  });

  it("applies the order and the row conditions of the printer", () => {
    expect(table({ order: (a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1) })["rows"]).toMatchObject([
      { cells: ["a"] },
      { cells: ["b"] },
    ]);
    expect(objects[0]).toMatchObject({ metadata: { name: "b" } });
    expect(table({ row: () => ({ cells: [], conditions: [{ type: "Completed", status: "True" }] }) })["rows"]).toMatchObject([
      { conditions: [{ type: "Completed" }] },
      {},
    ]);
  });

  it("prints an empty list as [] or null, as the printer says", () => {
    expect(table({}, {}, [])["rows"]).toEqual([]);
    expect(table({ noRows: "null" }, {}, [])["rows"]).toBe(null);
    expect(table({ noRows: "null" })["rows"]).toHaveLength(2);
  });

  it("omits the columns of later watch events unless the printer repeats them", () => {
    expect(table({}, { hasHeaders: false })["columnDefinitions"]).toBe(null);
    expect(table({ repeatsColumns: true }, { hasHeaders: false })["columnDefinitions"]).toEqual([nameColumn]);
  });

  it("refuses an invalid includeObject", () => {
    expect(() => checkIncludeObject("Foo")).toThrow(
      `Unable to convert to Table as requested: includeObject: Invalid value: "Foo": must be 'Metadata', 'Object', 'None', or empty`,
    );
    expect(() => checkIncludeObject("None")).not.toThrow();
  });
});
