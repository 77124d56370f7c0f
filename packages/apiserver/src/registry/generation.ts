/** `metadata.generation`: which writes increment it. */
import { jsonEqual } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { metaOf } from "./meta-of.ts";
import type { GenerationRule } from "./resource-rules.ts";

/** Sets the generation of a new object. */
export function beginGeneration(rule: GenerationRule, object: JsonObject): void {
  if (rule !== "none" && rule !== "spec-after-create") metaOf(object).generation = 1;
}

/** Sets the generation of a changed object from that of the old one. */
export function nextGeneration(rule: GenerationRule, object: JsonObject, old: JsonObject): void {
  const meta = metaOf(object);
  const { generation } = metaOf(old);
  if (generation === undefined) delete meta.generation;
  else meta.generation = generation;
  if (hasNews(rule, object, old)) meta.generation = (generation ?? 0) + 1;
}

function hasNews(rule: GenerationRule, object: JsonObject, old: JsonObject): boolean {
  switch (rule) {
    case "none":
    case "once":
      return false;
    case "spec":
    case "spec-after-create":
      return differs(object["spec"], old["spec"]);
    case "spec-and-annotations":
      return differs(object["spec"], old["spec"]) || differsMeta("annotations", object, old);
    case "all":
      return differsBeside([], object, old);
    case "all-but-status":
      return differsBeside(["status"], object, old);
    case "all-and-labels":
      return differsBeside([], object, old) || differsMeta("labels", object, old);
    default:
      return false;
  }
}

const differs = (a: JsonObject[string] | undefined, b: JsonObject[string] | undefined): boolean => !jsonEqual(a ?? null, b ?? null);

const differsMeta = (field: "annotations" | "labels", object: JsonObject, old: JsonObject): boolean =>
  !jsonEqual(metaOf(object)[field] ?? {}, metaOf(old)[field] ?? {});

function differsBeside(ignored: readonly string[], object: JsonObject, old: JsonObject): boolean {
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const name of ["kind", "apiVersion", "metadata", ...ignored]) names.delete(name);
  return [...names].some((name) => differs(object[name], old[name]));
}
