/** JSONPath: paths of printer columns visit a bounded number of values and return parts of the object. */
import { BudgetExceededError, encodeJson } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import { findJsonPath, pathSteps } from "../../packages/apiserver/src/custom/jsonpath/find-json-path.ts";
import { JsonPathError } from "../../packages/apiserver/src/custom/jsonpath/json-path.ts";
import { parseJsonPath } from "../../packages/apiserver/src/custom/jsonpath/parse-json-path.ts";
import { attempt, holds, sameData } from "../expect.ts";
import { jsonObjectPart, textParts } from "../parts.ts";
import type { FuzzTarget } from "../target.ts";

export const jsonPathTarget: FuzzTarget = {
  name: "jsonpath",
  perSecond: 9000,
  tokens: [
    [
      ".spec",
      "..",
      "[*]",
      "[0]",
      "[-1:]",
      "[1:2]",
      "[::2]",
      "[0,1]",
      "['a\\.b']",
      '[?(@.type=="Ready")]',
      "[?(@.a)]",
      "[?(@.a>1)]",
      "@",
      "$",
    ],
    [".metadata.labels", "..*", ".*", "[?(@..a)]", "==", "!=", "<=", '"\\x41"', "true", "1.5", "{", "}", "[:]"],
  ].flat(),
  run(input) {
    const [text = "", document = ""] = textParts(input, 2);
    const parsed = attempt(() => parseJsonPath(text), JsonPathError);
    if ("error" in parsed) return;
    const object = jsonObjectPart(document);
    const before = show(object);
    const found = attempt(() => findJsonPath(parsed.value, object), JsonPathError, BudgetExceededError);
    holds(show(object) === before, "does not change the object");
    if ("error" in found) return;
    holds(found.value.length <= pathSteps.limit, "returns a bounded number of values", () => String(found.value.length));
    holds(sameData(findJsonPath(parsed.value, object), found.value), "finds the same values again");
    const parts = new Set<JsonValue>();
    collect(object, parts);
    for (const value of found.value)
      holds(typeof value !== "object" || parts.has(value), "returns parts of the object", () => encodeJson(value));
  },
};

const show = (value: JsonValue): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? String(member) : member));

function collect(value: JsonValue, parts: Set<JsonValue>): void {
  parts.add(value);
  if (typeof value === "object" && value !== null)
    for (const member of Object.values(value as Record<string, JsonValue>)) collect(member, parts);
}
