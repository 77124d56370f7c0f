/**
 * Takes out of answers what the real server says in the order of a Go map, which is another every time, and what it
 * says after it has worked on it.
 */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { Exchange } from "../differential/exchange.ts";
import { textAt, valueAt } from "../differential/exchange.ts";
import { worldGroup } from "./world-kinds.ts";

/**
 * The same exchanges in one order: the causes of an invalid custom object, whose properties are a map, and what is
 * wrong with an applied configuration. Of that the server says no more of an object after the first field that it does
 * not know, so which fields those are is chance as well.
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

/**
 * A strategic merge takes its patch apart on the way; when its result is no object of the kind, the message shows what
 * is left of the patch.
 */
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
