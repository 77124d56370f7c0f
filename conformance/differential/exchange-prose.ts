/**
 * Removes Kubernetes' prose from exchanges: descriptions of fields in OpenAPI and of the columns of tables. These
 * sentences are its authors' text and are in none of our files; our server has its own words or none, and programs do
 * not depend on them.
 */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { withoutProse } from "../../scripts/generate-api/without-prose.ts";
import type { Exchange } from "./exchange.ts";

/** The default description of a column names the path of its values, so it is compared. */
const ofPath = "Custom resource definition column (in JSONPath format): ";

/** The exchange with "<prose>" for descriptions of columns, and without descriptions in OpenAPI documents. */
export function exchangeWithoutProse(exchange: Exchange): Exchange {
  if ("body" in exchange)
    return { ...exchange, body: / \/openapi\//.test(exchange.request) ? withoutProse(exchange.body) : withoutColumnProse(exchange.body) };
  return "events" in exchange ? { ...exchange, events: exchange.events.map(withoutColumnProse) } : exchange;
}

/** Columns are recognised by their shape, because a probe may record a part of a table. */
function withoutColumnProse(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutColumnProse);
  if (!isJsonObject(value)) return value;
  if (isColumn(value)) return value.description.startsWith(ofPath) ? value : { ...value, description: "<prose>" };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutColumnProse(member)]));
}

function isColumn(value: JsonObject): value is JsonObject & { readonly description: string } {
  return Object.keys(value).toSorted().join() === "description,format,name,priority,type" && typeof value["description"] === "string";
}
