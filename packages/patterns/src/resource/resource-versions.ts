/** Converts objects between versions of a resource: up to the current version, then down to the target. */
import { definedOnly, parseGroupVersion } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import type { ConvertedParts, OlderVersion } from "./resource.ts";

/** The versions of one resource. */
export interface ResourceVersions {
  /** For errors: "WebApp". */
  readonly kind: string;
  readonly group: string;
  /** Current version, in which objects are stored. */
  readonly version: string;
  readonly older: Readonly<Record<string, OlderVersion>>;
}

type Parts = DeepReadonly<ConvertedParts>;

/** Converts an object to another version. Throws for objects of another resource, and if a converter is missing. */
export function convertObject(object: DeepReadonly<KubeObject>, target: string, versions: ResourceVersions): KubeObject {
  const { group, version } = parseGroupVersion(object.apiVersion ?? "");
  if (group !== versions.group || object.kind !== versions.kind)
    throw new TypeError(
      `cannot convert ${object.kind ?? "an object without a kind"} of ${object.apiVersion ?? "no apiVersion"}: it is not a ${versions.kind} of ${versions.group}`,
    );
  if (version === target) return object as KubeObject;
  const { spec: given, status: stated, metadata, ...rest } = object as KubeObject & Parts;
  const { annotations: _, ...named } = metadata;
  const parts = { spec: given, ...definedOnly({ status: stated, annotations: metadata.annotations }) };
  const present = step(parts, version, "up", versions);
  const { spec, status, annotations = {} } = step(present, target, "down", versions);
  return {
    ...rest,
    apiVersion: `${group}/${target}`,
    metadata: Object.keys(annotations).length === 0 ? named : { ...named, annotations },
    spec,
    ...(status === undefined ? {} : { status }),
  } as KubeObject;
}

/** The current version needs no step, and neither does a version without converters: its objects have the same shape. */
function step(parts: Parts, version: string, direction: "up" | "down", { kind, version: present, older }: ResourceVersions): Parts {
  if (version === present) return parts;
  const known = Object.hasOwn(older, version) ? older[version] : undefined;
  if (known === undefined) throw new TypeError(`${kind} has no version ${version}; it has ${[present, ...Object.keys(older)].join(", ")}`);
  const convert = known[direction];
  if (convert === undefined && known.up === undefined && known.down === undefined) return parts;
  if (convert === undefined)
    throw new TypeError(`${kind} ${version} has no converter "${direction}"; give olderVersions.${version} both "up" and "down"`);
  const { annotations = parts.annotations, ...converted } = convert(parts);
  return { ...converted, ...definedOnly({ annotations }) };
}
