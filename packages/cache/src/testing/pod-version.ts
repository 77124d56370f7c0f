/** Versions of small pods, for tests that care about who and when and not about what. */
import type { KubeObject, ObjectKey } from "@drover/machinery";
import { splitObjectKey } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import { versionOf } from "../source/parsed-version.ts";

export interface TestPod extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
}

export interface PodVersionOptions {
  /** @default the key with "-uid" behind it */
  readonly uid?: string;
  /** @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default none */
  readonly nodeName?: string;
}

/** A pod at a version: `podVersion("shop/web", 7)`. */
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

/** A key in a test, which is known to be one. */
export const keyOf = (key: string): ObjectKey => key as ObjectKey;
