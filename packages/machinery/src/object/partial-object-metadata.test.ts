import { describe, expect, it } from "vitest";
import { negotiate } from "../wire/accept.ts";
import { partialObjectMetadataAccept, partialObjectMetadataListAccept } from "./partial-object-metadata.ts";

describe("Accept header for PartialObjectMetadata", () => {
  it.each([
    [partialObjectMetadataAccept, "PartialObjectMetadata"],
    [partialObjectMetadataListAccept, "PartialObjectMetadataList"],
  ])("%s", (accept, kind) => {
    const offers = [{ mediaType: "application/json", canStream: true }];
    expect(negotiate(accept, offers, () => true)?.convert).toEqual({ group: "meta.k8s.io", version: "v1", kind });
    // A server that cannot do it sends the whole object.
    expect(negotiate(accept, offers, (convert) => convert === undefined)?.convert).toBeUndefined();
  });
});
