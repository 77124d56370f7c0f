/** Removes from answers what the real server returns in the random order of a Go map, and what it prints after modifying it. */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { Exchange } from "../differential/exchange.ts";
import { textAt, valueAt } from "../differential/exchange.ts";
import { worldGroup } from "./world-kinds.ts";

/**
 * Sorts the causes of an invalid custom object, whose properties are a map, and the errors of an applied configuration.
 * Of the latter the server reports nothing more about an object after the first unknown field, so which fields it
 * reports is random too.
 */
export const inOneOrder = (exchanges: readonly Exchange[]): Exchange[] =>
  exchanges.map((exchange) => ("body" in exchange ? { ...exchange, body: ordered(exchange.body) } : exchange));

function ordered(body: JsonValue): JsonValue {
  if (!isJsonObject(body) || body["kind"] !== "Status") return body;
  const message = textAt({ body }, "message");
  if (message.startsWith(` "" is invalid: patch: Invalid value: "map[`)) return withoutShownPatch(body, message);
  if (message.startsWith("failed to create typed patch object")) return { ...body, message: orderedProblems(message) };
  return textAt({ body }, "details", "group") === worldGroup ? orderedCauses(body, message) : body;
}

function orderedProblems(message: string): string {
  if (message.includes("field not declared in schema")) return message.replace(/^([^)]*\)).*$/s, "$1: <fields that are not declared>");
  const [head = "", ...problems] = message.split("\n");
  return [head, ...problems.toSorted()].join("\n");
}

/** A strategic merge takes its patch apart; when the result is not an object of the kind, the message shows the rest of the patch. */
function withoutShownPatch(body: JsonObject, message: string): JsonObject {
  return { ...body, details: {}, message: message.replace(/"map\[.*\]": /s, "<patch>: ") };
}

function orderedCauses(body: JsonObject, message: string): JsonObject {
  const [causes, details] = [valueAt({ body }, "details", "causes"), body["details"]];
  if (!Array.isArray(causes) || !isJsonObject(details)) return body;
  const rank = (cause: JsonValue): string => ["field", "reason", "message"].map((member) => textAt({ body: cause }, member)).join("\n");
  return {
    ...body,
    message: message.replace(/(?<= is invalid: \[).*(?=\]$)/s, (list) => list.split(", ").toSorted().join(", ")),
    details: { ...details, causes: causes.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)) },
  };
}
