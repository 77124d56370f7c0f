/**
 * Takes Kubernetes' prose out of exchanges: what it says of fields in OpenAPI and of the columns of tables. These
 * sentences are its authors' text, which is in none of our files; our server has its own words there or none, and a
 * program that reads them does not depend on them.
 */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { withoutProse } from "../../scripts/generate-api/without-prose.ts";
import type { Exchange } from "./exchange.ts";

/** What a column says that has no words of its own; it names the path where the values come from, so it is compared. */
const ofPath = "Custom resource definition column (in JSONPath format): ";

/** The exchange with "<prose>" for what columns say, and without descriptions where it is about OpenAPI. */
export function exchangeWithoutProse(exchange: Exchange): Exchange {
  if ("body" in exchange)
    return { ...exchange, body: / \/openapi\//.test(exchange.request) ? withoutProse(exchange.body) : withoutColumnProse(exchange.body) };
  return "events" in exchange ? { ...exchange, events: exchange.events.map(withoutColumnProse) } : exchange;
}

/** Columns are known by their shape, because a probe may show a part of a table. */
function withoutColumnProse(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutColumnProse);
  if (!isJsonObject(value)) return value;
  if (isColumn(value)) return value.description.startsWith(ofPath) ? value : { ...value, description: "<prose>" };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutColumnProse(member)]));
}

function isColumn(value: JsonObject): value is JsonObject & { readonly description: string } {
  return Object.keys(value).toSorted().join() === "description,format,name,priority,type" && typeof value["description"] === "string";
}
