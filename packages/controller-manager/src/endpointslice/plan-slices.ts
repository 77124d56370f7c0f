/**
 * How endpoints with the same ports are put into slices, with as few slices changed as can be: watchers are sent every slice that changes.
 *
 *     existing slices, wanted endpoints → planSlices → which stay, which change and how, which go, what is new
 */
import type { Endpoint } from "@drover/api/discovery/v1";
import type { DeepReadonly } from "@drover/machinery";
import { endpointIdentity, sameEndpoint } from "./slice-endpoint.ts";

type EndpointView = DeepReadonly<Endpoint>;

/** A slice, of which only its endpoints matter here. */
export interface EndpointsHolder {
  readonly endpoints?: readonly EndpointView[];
}

export interface SlicesQuestion<S extends EndpointsHolder> {
  /** All of these ports, of this service and family. */
  readonly existing: readonly S[];
  /** Each once. */
  readonly wanted: readonly EndpointView[];
  /** How many endpoints a slice holds at most. */
  readonly max: number;
  /** Whether a slice must be written for another reason than its endpoints: its labels are not right. @default never */
  readonly mustChange?: (slice: S) => boolean;
}

/** Slices that are named nowhere stay as they are. */
export interface SlicesPlan<S> {
  readonly created: readonly (readonly EndpointView[])[];
  readonly updated: readonly { readonly slice: S; readonly endpoints: readonly EndpointView[] }[];
  readonly deleted: readonly S[];
}

interface Draft<S> {
  readonly slice: S;
  endpoints: EndpointView[];
}

/**
 * Guarantees: every wanted endpoint is in exactly one slice afterwards, and nothing else is; no slice has more than
 * `max`; a slice whose endpoints
 * are all still wanted as they are is written only to take in what is new, and at most one such slice is; nothing is
 * moved from slice to slice.
 */
export function planSlices<S extends EndpointsHolder>({
  existing,
  wanted,
  max,
  mustChange = () => false,
}: SlicesQuestion<S>): SlicesPlan<S> {
  const left = new Map(wanted.map((endpoint) => [endpointIdentity(endpoint), endpoint]));
  const updated: Draft<S>[] = [];
  const unchanged: Draft<S>[] = [];
  const deleted: S[] = [];
  for (const slice of existing) {
    const { endpoints, isChanged } = kept(slice.endpoints ?? [], left, max);
    if (endpoints.length === 0) deleted.push(slice);
    else if (isChanged || mustChange(slice)) updated.push({ slice, endpoints });
    else unchanged.push({ slice, endpoints });
  }
  const remaining = [...left.values()];
  // Those that are written anyway are filled, the fullest first.
  updated.sort((a, b) => b.endpoints.length - a.endpoints.length);
  for (const draft of updated) draft.endpoints.push(...remaining.splice(0, max - draft.endpoints.length));
  const created: EndpointView[][] = [];
  while (remaining.length >= max) created.push(remaining.splice(0, max));
  if (remaining.length > 0) {
    const fill = bestFit(unchanged, max - remaining.length);
    if (fill === undefined) created.push(remaining);
    else updated.push({ slice: fill.slice, endpoints: [...fill.endpoints, ...remaining] });
  }
  return { created, updated, deleted };
}

/**
 * What of a slice is still wanted, as it is wanted now; taken out of what is left to be placed. One that is too full
 * keeps as many as it may.
 */
function kept(
  endpoints: readonly EndpointView[],
  left: Map<string, EndpointView>,
  max: number,
): { readonly endpoints: EndpointView[]; readonly isChanged: boolean } {
  const still: EndpointView[] = [];
  let isChanged = false;
  for (const endpoint of endpoints) {
    const identity = endpointIdentity(endpoint);
    const now = left.get(identity);
    if (now === undefined || still.length === max) {
      isChanged = true;
      continue;
    }
    left.delete(identity);
    still.push(now);
    isChanged ||= !sameEndpoint(endpoint, now);
  }
  return { endpoints: still, isChanged };
}

/** The fullest that has room for all of it. */
function bestFit<S>(drafts: readonly Draft<S>[], lengthMax: number): Draft<S> | undefined {
  return drafts
    .filter(({ endpoints }) => endpoints.length <= lengthMax)
    .reduce<Draft<S> | undefined>(
      (best, draft) => (best === undefined || draft.endpoints.length > best.endpoints.length ? draft : best),
      undefined,
    );
}
