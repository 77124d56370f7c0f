/**
 * Reduces the documents of a server to what generation needs.
 *
 *     ServerDocuments → ApiDescription
 */
import { apiVersionOf, byText } from "@drover/machinery";
import { mergeDefinitions } from "./merge-definitions.ts";
import type { ApiDescription, ServerDocuments } from "./openapi.ts";
import { readDiscovery } from "./read-discovery.ts";

/** The generator's input from a server's documents, in order; throws when they have an unexpected shape or contradict each other. */
export function trimDescription({ discovery, openapi }: ServerDocuments): ApiDescription {
  const versions = discovery.flatMap(readDiscovery);
  return { discovery: versions.toSorted((a, b) => byText(apiVersionOf(a), apiVersionOf(b))), definitions: mergeDefinitions(openapi) };
}
