/**
 * Our descriptors compared with the answers of a real server (1.36.3, default flags) at /api and /apis: every resource
 * and subresource is described alike, and none is invented. conformance/recorded/api-discovery.json has the two answers
 * unchanged.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kinds } from "@drover/api";

interface DiscoveredKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind: DiscoveredKind;
  readonly scope: string;
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly {
    readonly subresource: string;
    readonly responseKind: DiscoveredKind;
    readonly verbs: readonly string[];
  }[];
}
interface DiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly { readonly version: string; readonly resources: readonly DiscoveredResource[] }[];
  }[];
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "..", "recorded", "api-discovery.json"), "utf8")) as Readonly<
  Record<"api" | "apis", DiscoveryList>
>;

const resources = [recorded.api, recorded.apis]
  .flatMap(({ items }) => items)
  .flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources: entries }) => entries.map((resource) => ({ group: metadata.name ?? "", version, resource }))),
  );

describe("descriptors of @drover/api", () => {
  it("cover every resource that a real server discovers, and no other", () => {
    const theirs = resources.map(({ group, version, resource }) => `${group}/${version}/${resource.resource}`);
    expect(kinds.map(({ group, version, plural }) => `${group}/${version}/${plural}`).toSorted()).toEqual(theirs.toSorted());
    expect(theirs).toHaveLength(68);
  });

  it.each(resources.map((entry) => [`${entry.resource.resource} ${entry.group}/${entry.version}`, entry] as const))(
    "say of %s what the server says",
    (_, { group, version, resource }) => {
      const ours = kinds.find((kind) => kind.group === group && kind.version === version && kind.plural === resource.resource);
      const { listKind, ...descriptor } = ours ?? expect.fail("no descriptor");
      const subresources = (resource.subresources ?? []).map(({ subresource, responseKind, verbs }) => {
        const own = responseKind.version === "" ? { group, version } : {};
        return [subresource, { ...responseKind, ...own, verbs }] as const;
      });
      expect(descriptor).toEqual({
        group,
        version,
        kind: resource.responseKind.kind,
        plural: resource.resource,
        singular: resource.singularResource,
        scope: resource.scope,
        verbs: resource.verbs,
        shortNames: resource.shortNames ?? [],
        categories: resource.categories ?? [],
        subresources: Object.fromEntries(subresources),
      });
      expect(listKind).toBe(`${resource.responseKind.kind}List`);
    },
  );
});
