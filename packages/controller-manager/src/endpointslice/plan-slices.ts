/**
 * Distributes endpoints with the same ports over slices and changes as few slices as possible, because watchers receive every
 * changed slice whole.
 *
 *     existing slices, wanted endpoints → planSlices → slices to keep, update, delete and create
 */
import type { Endpoint } from "@drover/api/discovery/v1";
import type { DeepReadonly } from "@drover/machinery";
import { endpointIdentity, sameEndpoint } from "./slice-endpoint.ts";

type EndpointView = DeepReadonly<Endpoint>;

/** A slice; only its endpoints matter here. */
export interface EndpointsHolder {
  readonly endpoints?: readonly EndpointView[];
}

export interface SlicesQuestion<S extends EndpointsHolder> {
  /** All slices with these ports, of this service and family. */
  readonly existing: readonly S[];
  /** Without duplicates. */
  readonly wanted: readonly EndpointView[];
  /** Maximum endpoints per slice. */
  readonly max: number;
  /** Whether a slice needs a write for another reason, such as wrong labels. @default never */
  readonly mustChange?: (slice: S) => boolean;
}

/** Slices that are not named stay as they are. */
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
 * Plans the slices. Guarantees: afterwards every wanted endpoint is in exactly one slice, and no other is in any; no slice exceeds
 * `max`; a slice whose endpoints are all wanted unchanged is written only to add new ones, and at most one such slice is; no
 * endpoint moves between slices.
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
  // Slices that are written anyway are filled first, the fullest of them first.
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
 * Returns the endpoints of a slice that are still wanted, in their wanted state, and removes them from `left`. A slice above `max`
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

/** The fullest slice that has room for all of it. */
function bestFit<S>(drafts: readonly Draft<S>[], lengthMax: number): Draft<S> | undefined {
  return drafts
    .filter(({ endpoints }) => endpoints.length <= lengthMax)
    .reduce<Draft<S> | undefined>(
      (best, draft) => (best === undefined || draft.endpoints.length > best.endpoints.length ? draft : best),
      undefined,
    );
}
