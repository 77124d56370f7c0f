/**
 * From what a server says about itself to what generation needs.
 *
 *     ServerDocuments → ApiDescription
 */
import { apiVersionOf, byText } from "@drover/machinery";
import { mergeDefinitions } from "./merge-definitions.ts";
import type { ApiDescription, ServerDocuments } from "./openapi.ts";
import { readDiscovery } from "./read-discovery.ts";

/** What generation needs of a server's documents, in order; throws when they are not of the expected shape or contradict each other. */
export function trimDescription({ discovery, openapi }: ServerDocuments): ApiDescription {
  const versions = discovery.flatMap(readDiscovery);
  return { discovery: versions.toSorted((a, b) => byText(apiVersionOf(a), apiVersionOf(b))), definitions: mergeDefinitions(openapi) };
}
