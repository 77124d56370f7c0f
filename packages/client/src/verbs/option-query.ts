/**
 * Encodes options: in the query, or for a deletion in the body.
 *
 *     ListPageOptions → listQuery → "labelSelector=app%3Dweb&limit=500"
 */
import { definedOnly, encodeListOptions, encodeWriteOptions } from "@drover/machinery";
import type { DeleteOptions, ListOptions } from "@drover/machinery";
import type { ApplyOptions, ListPageOptions, RemoveCollectionOptions, RemoveOptions, SelectOptions, WatchOptions } from "./call-options.ts";
import { fieldSelectorText, labelSelectorText } from "./selection.ts";

/** Returns the query of a list or of the deletion of a collection. */
export function listQuery(options: ListPageOptions | RemoveCollectionOptions): string {
  return encodeListOptions(listOptionsOf(options));
}

/** Returns the query of a watch. */
export function watchQuery({ allowWatchBookmarks = true, sendInitialEvents, ...options }: WatchOptions): string {
  return encodeListOptions({
    ...listOptionsOf(options),
    watch: true,
    allowWatchBookmarks,
    ...definedOnly({ sendInitialEvents }),
  });
}

/** Same as options of the wire, with selectors as text. */
export function listOptionsOf(options: ListPageOptions | RemoveCollectionOptions | WatchOptions): ListOptions {
  const { limit, continue: token, resourceVersion, resourceVersionMatch, timeoutSeconds } = options as ListPageOptions;
  return definedOnly({ ...selectorsOf(options), limit, continue: token, resourceVersion, resourceVersionMatch, timeoutSeconds });
}

function selectorsOf({ labelSelector, fieldSelector }: SelectOptions): ListOptions {
  return {
    ...(labelSelector === undefined ? {} : { labelSelector: labelSelectorText(labelSelector) }),
    ...(fieldSelector === undefined ? {} : { fieldSelector: fieldSelectorText(fieldSelector) }),
  };
}

/** Returns the query of a create, update, patch or apply. */
export function writeQuery({ dryRun, fieldManager, fieldValidation, force }: ApplyOptions): string {
  return encodeWriteOptions(definedOnly({ dryRun: dryRun === undefined ? undefined : [dryRun], fieldManager, fieldValidation, force }));
}

/** Returns the body of a deletion; undefined without options. */
// In the body, not in the query, where `resourceVersion` is that of the list and not a precondition.
export function deleteBody({ preconditions, propagationPolicy, gracePeriodSeconds, dryRun }: RemoveOptions): DeleteOptions | undefined {
  const options = definedOnly({
    preconditions,
    propagationPolicy,
    gracePeriodSeconds,
    dryRun: dryRun === undefined ? undefined : [dryRun],
  });
  return Object.keys(options).length === 0 ? undefined : { apiVersion: "v1", kind: "DeleteOptions", ...options };
}
