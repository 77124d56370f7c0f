/**
 * Options of a list, a watch or the deletion of a collection, in the query.
 *
 *     ListOptions → encodeListOptions → query → parseListOptions → defaultListOptions → validateListOptions
 */
import { fieldForbidden, fieldNotSupported } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import { printGoJson } from "../json/go-json.ts";
import { definedOnly } from "../json/defined-only.ts";
import type { AllMembers } from "../json/defined-only.ts";
import { encodeQuery, readBoolean, readInt64, readText } from "./query.ts";
import type { Query } from "./query.ts";

export type ResourceVersionMatch = "NotOlderThan" | "Exact";

export interface ListOptions {
  /** "app=web,tier in (a,b)". @default everything */
  readonly labelSelector?: string;
  /** "metadata.name=web-0". @default everything */
  readonly fieldSelector?: string;
  /** Requests a watch instead of a list. @default false */
  readonly watch?: boolean;
  /** Allows the server to send BOOKMARK events. @default false */
  readonly allowWatchBookmarks?: boolean;
  /** For a list: how fresh (see `resourceVersionMatch`). For a watch: where to start. @default the newest */
  readonly resourceVersion?: string;
  /** Whether a list may be newer than `resourceVersion`. @default depends on the other options */
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** Seconds after which the server ends the request. @default the server's choice, 30 to 60 minutes for a watch */
  readonly timeoutSeconds?: number;
  /** Maximum items of a page. @default all */
  readonly limit?: number;
  /** Token of the previous page. @default the first page */
  readonly continue?: string;
  /** Starts a watch with the current state, followed by a bookmark that marks its end. @default decided by the server */
  readonly sendInitialEvents?: boolean;
  /** "shardRange(object.metadata.uid, '0x0', '0x8000000000000000')". @default everything */
  readonly shardSelector?: string;
}

/** Writes the query; leaves out options that are unset, empty, false or zero, as client-go does. */
export function encodeListOptions(options: ListOptions): string {
  return encodeQuery([
    ["labelSelector", options.labelSelector || undefined],
    ["fieldSelector", options.fieldSelector || undefined],
    ["watch", options.watch || undefined],
    ["allowWatchBookmarks", options.allowWatchBookmarks || undefined],
    ["resourceVersion", options.resourceVersion || undefined],
    ["resourceVersionMatch", options.resourceVersionMatch || undefined],
    ["timeoutSeconds", options.timeoutSeconds],
    ["limit", options.limit || undefined],
    ["continue", options.continue || undefined],
    ["sendInitialEvents", options.sendInitialEvents],
    ["shardSelector", options.shardSelector || undefined],
  ]);
}

/**
 * Parses the query and ignores unknown parameters. Throws a `QueryError` for an invalid number. Does not validate:
 * `resourceVersionMatch` may be any word until {@link validateListOptions}.
 */
export function parseListOptions(query: Query): ListOptions {
  return definedOnly({
    labelSelector: readText(query, "labelSelector"),
    fieldSelector: readText(query, "fieldSelector"),
    watch: readBoolean(query, "watch") || undefined,
    allowWatchBookmarks: readBoolean(query, "allowWatchBookmarks") || undefined,
    resourceVersion: readText(query, "resourceVersion"),
    resourceVersionMatch: readText(query, "resourceVersionMatch") as ResourceVersionMatch | undefined,
    timeoutSeconds: readInt64(query, "timeoutSeconds"),
    limit: readInt64(query, "limit") || undefined,
    continue: readText(query, "continue"),
    sendInitialEvents: readBoolean(query, "sendInitialEvents"),
    shardSelector: readText(query, "shardSelector"),
  } satisfies AllMembers<ListOptions>);
}

/**
 * Sets the server's defaults: a watch from the start ("" or "0") begins with the current state. A server without the WatchList
 * feature does not do this.
 */
export function defaultListOptions(options: ListOptions): ListOptions {
  if (options.sendInitialEvents !== undefined || options.resourceVersionMatch !== undefined || options.watch !== true) return options;
  const fromTheBeginning = (options.resourceVersion ?? "") === "" || options.resourceVersion === "0";
  return fromTheBeginning ? { ...options, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" } : options;
}

export interface ValidateListOptions {
  /** Whether the server supports WatchList. @default true */
  readonly watchList?: boolean;
}

/** Returns conflicts between options, in the server's words. It responds with 422, kind "ListOptions", group "meta.k8s.io", name "". */
export function validateListOptions(options: ListOptions, { watchList = true }: ValidateListOptions = {}): FieldError[] {
  return options.watch === true ? validateWatch(options, watchList) : validateList(options);
}

function validateList({ resourceVersionMatch: match, resourceVersion, continue: token, sendInitialEvents }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (match !== undefined) {
    if (!resourceVersion) errors.push(matchForbidden("resourceVersionMatch is forbidden unless resourceVersion is provided"));
    if (token) errors.push(matchForbidden("resourceVersionMatch is forbidden when continue is provided"));
    if (match !== "Exact" && match !== "NotOlderThan") errors.push(matchNotSupported(match, ["Exact", "NotOlderThan", ""]));
    if (match === "Exact" && resourceVersion === "0")
      errors.push(matchForbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (sendInitialEvents !== undefined) errors.push(fieldForbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  return errors;
}

function validateWatch({ resourceVersionMatch: match, continue: token, sendInitialEvents }: ListOptions, watchList: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined) {
    if (match !== "NotOlderThan") errors.push(matchForbidden("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
    if (!watchList)
      errors.push(
        fieldForbidden("sendInitialEvents", "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"),
      );
  }
  if (match !== undefined) {
    if (sendInitialEvents === undefined)
      errors.push(matchForbidden("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
    if (match !== "NotOlderThan") errors.push(matchNotSupported(match, ["NotOlderThan"]));
    if (token) errors.push(matchForbidden("resourceVersionMatch is forbidden when continue is provided"));
  }
  return errors;
}

const matchForbidden = (detail: string): FieldError => fieldForbidden("resourceVersionMatch", detail);

function matchNotSupported(match: string, supported: readonly string[]): FieldError {
  return { ...fieldNotSupported("resourceVersionMatch", match, supported), valueText: printGoJson(match) };
}
