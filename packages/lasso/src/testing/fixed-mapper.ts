/** A mapper with fixed rows, for tests without discovery. */
import { RestMapper } from "@drover/machinery";
import type { ResourceRow } from "@drover/machinery";
import type { Mapper } from "../retry-mapper.ts";

/** Answers from these rows; rejects with a no-match error for everything else. */
export function fixedMapper(...rows: readonly ResourceRow[]): Mapper {
  const mapper = new RestMapper(rows);
  return {
    kindFor: async (partial) => mapper.kindFor(partial),
    kindsFor: async (partial) => mapper.kindsFor(partial),
    resourceFor: async (partial) => mapper.resourceFor(partial),
    resourcesFor: async (partial) => mapper.resourcesFor(partial),
    restMapping: async (kind, options) => mapper.restMapping(kind, ...(options?.versions ?? [])),
    restMappings: async (kind, options) => mapper.restMappings(kind, ...(options?.versions ?? [])),
    singularFor: async (resource) => mapper.singularFor(resource),
  };
}
