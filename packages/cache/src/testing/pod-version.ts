/** Versions of small pods, for tests that need keys and versions but no content. */
import type { KubeObject, ObjectKey } from "@drover/machinery";
import { splitObjectKey } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import { versionOf } from "../source/parsed-version.ts";

export interface TestPod extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
}

export interface PodVersionOptions {
  /** @default the key plus "-uid" */
  readonly uid?: string;
  /** @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default none */
  readonly nodeName?: string;
}

/** Returns a pod at a version: `podVersion("shop/web", 7)`. */
export function podVersion(
  key: string,
  version: number,
  { uid = `${key}-uid`, labels, nodeName }: PodVersionOptions = {},
): ObjectVersion<TestPod> {
  const { namespace, name } = splitObjectKey(key);
  return versionOf<TestPod>({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      uid,
      resourceVersion: String(version),
      ...(namespace === "" ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels: { ...labels } }),
    },
    ...(nodeName === undefined ? {} : { spec: { nodeName } }),
  });
}

/** Returns a string as a key. */
export const keyOf = (key: string): ObjectKey => key as ObjectKey;
