import { describe, expect, it } from "vitest";
import { printedAt, secondsAgo } from "../testing/printed.ts";
import { customScalePrinter, scalePrinter } from "./scale-printer.ts";

const scale = { metadata: { name: "web", creationTimestamp: secondsAgo(300) }, spec: { replicas: 3 }, status: { replicas: 2 } };

describe("Scale table", () => {
  it("has desired and available replicas", () => {
    expect(scalePrinter.row(scale, printedAt).cells).toEqual(["web", 3, 2, "5m"]);
    expect(customScalePrinter.row({ ...scale, spec: {} }, printedAt).cells).toEqual(["web", 0, 2, "5m"]);
  });

  it("has columns of other types for custom resources", () => {
    const typesOf = ({ columns }: typeof scalePrinter): string[] =>
      columns.map(({ name, type, format }) => `${name} ${type} ${format}`.trim());
    expect(typesOf(scalePrinter)).toEqual(["Name string", "Desired integer", "Available integer", "Age string"]);
    expect(typesOf(customScalePrinter)).toEqual(["Name string name", "Desired integer", "Available integer", "Age date"]);
  });
});
