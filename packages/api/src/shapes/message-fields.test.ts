import { describe, expect, it } from "vitest";
import { fieldTree } from "@drover/machinery";
import { messageFields } from "./message-fields.ts";
import { structShape } from "./typed-shape.ts";

const numbers = (type: string, ...paths: string[]): unknown => {
  const shown = (fields: ReturnType<typeof messageFields>): unknown =>
    Object.fromEntries(
      [...fields.entries()].flatMap(([number, kept]) => (kept === undefined ? [] : [[number, kept === "whole" ? kept : shown(kept)]])),
    );
  return shown(messageFields(structShape(type), fieldTree(paths)));
};

describe("messageFields", () => {
  it("gives the numbers of declared fields, also of the items of lists", () => {
    expect(numbers("core/v1.Pod", "metadata", "spec.nodeName", "spec.containers.image", "status.phase")).toEqual({
      1: "whole",
      2: { 2: { 2: "whole" }, 10: "whole" },
      3: { 1: "whole" },
    });
  });

  it("finds fields of embedded types, which are messages of their own", () => {
    expect(numbers("core/v1.Volume", "name", "configMap.name")).toEqual({ 1: "whole", 2: { 19: { 1: { 1: "whole" } } } });
    expect(numbers("core/v1.Volume", "name")).toEqual({ 1: "whole" });
  });

  it("has no numbers for fields that are not in messages, and for unknown ones", () => {
    expect(numbers("core/v1.ConfigMap", "kind", "apiVersion", "spec")).toEqual({});
  });

  it("keeps maps and types with their own format whole", () => {
    expect(numbers("core/v1.ConfigMap", "data.key")).toEqual({ 2: "whole" });
    expect(numbers("core/v1.PodStatus", "startTime.seconds")).toEqual({ 7: "whole" });
  });
});
