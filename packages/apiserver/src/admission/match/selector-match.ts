/** Matches requests with the namespace and object selectors of webhooks and policies. */
import { isJsonObject, newNotFound, selectorFromLabelSelector } from "@drover/machinery";
import type { DeepReadonly, JsonObject, LabelSelector, Labels, Selector } from "@drover/machinery";
import type { ObjectStore } from "../../registry/object-store.ts";
import type { Resource } from "../../registry/resource.ts";
import { StatusError } from "../../status-error.ts";
import type { AdmissionRequest } from "../admission.ts";
import { isNamespaces } from "./match-target.ts";
import type { MatchTarget } from "./match-target.ts";

/** Two compiled selectors. */
export interface RequestSelectors {
  readonly namespace: Selector;
  readonly object: Selector;
}

/** Compiles selectors; absent ones match everything. Throws a `SelectorError`. */
export function requestSelectors({
  namespaceSelector = {},
  objectSelector = {},
}: {
  readonly namespaceSelector?: DeepReadonly<LabelSelector>;
  readonly objectSelector?: DeepReadonly<LabelSelector>;
}): RequestSelectors {
  return { namespace: selectorFromLabelSelector(namespaceSelector), object: selectorFromLabelSelector(objectSelector) };
}

/** Whether the labels of the new or of the old object match. */
export function matchesObjectSelector(selector: Selector, { object, old }: Pick<AdmissionRequest, "object" | "old">): boolean {
  return selector.isEverything || hasLabels(selector, object) || hasLabels(selector, old);
}

const hasLabels = (selector: Selector, object: JsonObject | undefined): boolean =>
  object !== undefined && selector.matches(labelsOf(object));

function labelsOf({ metadata }: JsonObject): Labels {
  const labels = isJsonObject(metadata) ? metadata["labels"] : undefined;
  return isJsonObject(labels) ? (labels as Labels) : {};
}

/** Reads the labels of namespaces from the store, when a selector asks for them. */
export class NamespaceMatch {
  readonly #objects: ObjectStore;
  readonly #namespaces: Resource;

  /** `namespaces` is the resource of namespaces. */
  constructor(objects: ObjectStore, namespaces: Resource) {
    this.#objects = objects;
    this.#namespaces = namespaces;
  }

  /**
   * Whether the labels of the request's namespace match. Requests for cluster-scoped objects match every selector; a Namespace has the
   * labels that are written. Throws a 404 if the namespace does not exist.
   */
  matches(
    selector: Selector,
    { namespace, resource, subresource, operation }: MatchTarget,
    object: JsonObject | undefined,
  ): boolean | Promise<boolean> {
    if (selector.isEverything || (namespace === "" && !isNamespaces(resource))) return true;
    const isWritten = isNamespaces(resource) && subresource === "" && (operation === "CREATE" || operation === "UPDATE");
    if (isWritten) return selector.matches(labelsOf(object ?? {}));
    return this.#labels(namespace).then((labels) => selector.matches(labels));
  }

  async #labels(name: string): Promise<Labels> {
    const { stored } = await this.#objects.store.get(`${this.#namespaces.storagePrefix}${name}`);
    if (stored === undefined) throw new StatusError(newNotFound({ group: "", resource: "namespaces" }, name));
    return labelsOf(this.#objects.views(this.#namespaces).shared(stored) as JsonObject);
  }
}
