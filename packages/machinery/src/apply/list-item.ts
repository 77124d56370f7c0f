/** The path element of an item of a set or a keyed list, or why it has none. */
import { isJsonObject } from "../json/json-value.ts";
import type { JsonValue } from "../json/json-value.ts";
import { quoteGo } from "../go/go-quote.ts";
import type { ListType } from "./merge-type.ts";
import { elementJson, valueElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** Why an item has no element, in the server's words. */
export interface ItemProblem {
  readonly problem: string;
}

/** Returns the element of an item of a set or keyed list. A missing key has its default. */
export function itemElement(list: ListType, item: JsonValue): PathElement | ItemProblem {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

/** Returns the elements of all items, in order; undefined when an item has none, or when two are equal. */
export function distinctElements(list: ListType, items: readonly JsonValue[]): readonly PathElement[] | undefined {
  const elements: PathElement[] = [];
  for (const item of items) {
    const element = itemElement(list, item);
    if (typeof element !== "string") return undefined;
    elements.push(element);
  }
  // Short lists are compared pairwise: that is cheaper than a set.
  if (elements.length > 16) return new Set(elements).size === elements.length ? elements : undefined;
  for (let position = 1; position < elements.length; position++)
    if (elements.indexOf(elements[position] ?? "") < position) return undefined;
  return elements;
}

function keyedElement(list: ListType, item: JsonValue): PathElement | ItemProblem {
  if (item === null) return { problem: "associative list with keys may not have a null element" };
  if (!isJsonObject(item)) return { problem: "associative list with keys may not have non-map elements" };
  let keys = "";
  for (const { name, json } of list.keys) {
    let value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (value === undefined) {
      const { map } = list.items();
      if (map === undefined) return { problem: `couldn't find default value for ${name}: associative list may not have non-map types` };
      value = map.field(name)?.default;
    }
    if (value !== undefined) keys += `${keys === "" ? "" : ","}${json}${elementJson(value)}`;
  }
  if (keys === "") {
    return {
      problem: `associative list with keys has an element that omits all key fields [${list.keyNames.map(quoteGo).join(" ")}] (and doesn't have default values for any key fields)`,
    };
  }
  return `k:{${keys}}`;
}

function setElement(item: JsonValue): PathElement | ItemProblem {
  if (Array.isArray(item)) return { problem: "not supported: associative list with lists as elements" };
  if (isJsonObject(item)) return { problem: "associative list without keys has an element that's a map type" };
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
  return valueElement(item);
}
