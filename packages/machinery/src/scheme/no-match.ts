/** Errors of the REST mapper: no match, or several. In the words of apimachinery, which kubectl prints. */
import { errorBrand } from "../error-brand.ts";
import { apiVersionOf, printGroupVersionKind, printGroupVersionResource } from "../object/group-version.ts";
import type { GroupKind, GroupVersionKind, GroupVersionResource } from "../object/group-version.ts";
import { quoteGo } from "../go/go-quote.ts";

const noResource = errorBrand<NoResourceMatchError>("NoResourceMatchError");

/** No resource has this name. */
export class NoResourceMatchError extends Error {
  static {
    noResource.mark(this);
  }

  override readonly name = "NoResourceMatchError";
  readonly partialResource: GroupVersionResource;

  constructor(partialResource: GroupVersionResource) {
    super(`no matches for ${printGroupVersionResource(partialResource)}`);
    this.partialResource = partialResource;
  }
}

const noKind = errorBrand<NoKindMatchError>("NoKindMatchError");

/** No such kind, or not in the requested versions. */
export class NoKindMatchError extends Error {
  static {
    noKind.mark(this);
  }

  override readonly name = "NoKindMatchError";
  readonly groupKind: GroupKind;
  readonly searchedVersions: readonly string[];

  constructor(groupKind: GroupKind, searchedVersions: readonly string[]) {
    super(`no matches for kind ${quoteGo(groupKind.kind)} in ${searchedText(groupKind.group, searchedVersions)}`);
    this.groupKind = groupKind;
    this.searchedVersions = searchedVersions;
  }
}

function searchedText(group: string, versions: readonly string[]): string {
  const searched = [...new Set(versions.map((version) => apiVersionOf({ group, version })))].toSorted().map(quoteGo);
  if (searched.length === 0) return `group ${quoteGo(group)}`;
  return searched.length === 1 ? `version ${searched.join("")}` : `versions [${searched.join(" ")}]`;
}

const ambiguousResource = errorBrand<AmbiguousResourceError>("AmbiguousResourceError");

/** Several resources match and none is preferred. */
export class AmbiguousResourceError extends Error {
  static {
    ambiguousResource.mark(this);
  }

  override readonly name = "AmbiguousResourceError";
  readonly partialResource: GroupVersionResource;
  readonly matchingResources: readonly GroupVersionResource[];
  readonly matchingKinds: readonly GroupVersionKind[];

  constructor(
    partialResource: GroupVersionResource,
    matching: { readonly resources?: readonly GroupVersionResource[]; readonly kinds?: readonly GroupVersionKind[] },
  ) {
    const { resources = [], kinds = [] } = matching;
    super(`${printGroupVersionResource(partialResource)} ${matchesText(resources, kinds)}`);
    this.partialResource = partialResource;
    this.matchingResources = resources;
    this.matchingKinds = kinds;
  }
}

const ambiguousKind = errorBrand<AmbiguousKindError>("AmbiguousKindError");

/** Several kinds match and none is preferred. */
export class AmbiguousKindError extends Error {
  static {
    ambiguousKind.mark(this);
  }

  override readonly name = "AmbiguousKindError";
  readonly partialKind: GroupVersionKind;
  readonly matchingKinds: readonly GroupVersionKind[];

  constructor(partialKind: GroupVersionKind, matchingKinds: readonly GroupVersionKind[]) {
    super(`${printGroupVersionKind(partialKind)} ${matchesText([], matchingKinds)}`);
    this.partialKind = partialKind;
    this.matchingKinds = matchingKinds;
  }
}

/** Whether nothing matched, so that another discovery might help. */
export function isNoMatchError(error: unknown): error is NoResourceMatchError | NoKindMatchError {
  return noResource.is(error) || noKind.is(error);
}

/** Whether several matched. */
export function isAmbiguousError(error: unknown): error is AmbiguousResourceError | AmbiguousKindError {
  return ambiguousResource.is(error) || ambiguousKind.is(error);
}

function matchesText(resources: readonly GroupVersionResource[], kinds: readonly GroupVersionKind[]): string {
  const printed = {
    resources: `[${resources.map(printGroupVersionResource).join(" ")}]`,
    kinds: `[${kinds.map(printGroupVersionKind).join(" ")}]`,
  };
  return kinds.length > 0 ? `matches multiple kinds ${printed.kinds}` : `matches multiple resources ${printed.resources}`;
}
