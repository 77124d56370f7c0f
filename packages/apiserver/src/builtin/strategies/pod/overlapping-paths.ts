/** Warnings about overlapping paths of files in one volume. */
import { quoteGo } from "@drover/machinery";
import { pairWarnings } from "./warning-pairs.ts";
import type { DownwardAPIVolumeFile, KeyToPath, Volume, VolumeProjection } from "@drover/api/core/v1";

interface PlacedFile {
  readonly path: string;
  /** The source among several; "" if there is only one. */
  readonly source: string;
}

/** Returns one warning per pair, up to a limit. */
export function overlappingPathWarnings(volumes: readonly Volume[] | undefined): string[] {
  return (volumes ?? []).flatMap(({ name, configMap, secret, downwardAPI, projected }) => {
    const warn = (what: string, overlaps: readonly string[]): string[] =>
      overlaps.map((pair) => `volume ${quoteGo(name)} (${what}): overlapping paths: ${pair}`);
    const sources = projected?.sources ?? [];
    return [
      ...warn(`ConfigMap ${quoteGo(configMap?.name ?? "")}`, overlapsOf(filesOf(configMap?.items, ""))),
      ...warn(`Secret ${quoteGo(secret?.secretName ?? "")}`, overlapsOf(filesOf(secret?.items, ""))),
      ...warn("DownwardAPI", overlapsOf(filesOf(downwardAPI?.items, ""))),
      ...sources
        .filter((source) => Object.keys(source).length === 0)
        .map(() => `volume ${quoteGo(name)} (Projected) has no sources provided`),
      ...warn("Projected", overlapsOf(sources.flatMap(projectedFiles))),
    ];
  });
}

function filesOf(items: readonly (KeyToPath | DownwardAPIVolumeFile)[] | undefined, source: string): PlacedFile[] {
  return (items ?? []).map(({ path }) => ({ path: path.replace(/\/+$/, ""), source }));
}

function projectedFiles({ configMap, secret, downwardAPI, serviceAccountToken }: VolumeProjection): PlacedFile[] {
  if (configMap?.items !== undefined) return filesOf(configMap.items, `ConfigMap ${quoteGo(configMap.name ?? "")}`);
  if (secret?.items !== undefined) return filesOf(secret.items, `Secret ${quoteGo(secret.name ?? "")}`);
  if (downwardAPI?.items !== undefined) return filesOf(downwardAPI.items, "DownwardAPI");
  return serviceAccountToken === undefined ? [] : filesOf([{ key: "", path: serviceAccountToken.path }], "ServiceAccountToken");
}

function overlapsOf(files: readonly PlacedFile[]): string[] {
  return pairWarnings(files, {
    // Paths that overlap begin with the same name.
    groupOf: ({ path }) => path.slice(0, `${path}/`.indexOf("/")),
    warn: (file, earlier) => (overlap(file.path, earlier.path) ? `${print(file)} with ${print(earlier)}` : undefined),
  }).flat();
}

function overlap(a: string, b: string): boolean {
  return a !== "" && b !== "" && (`${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`));
}

function print({ path, source }: PlacedFile): string {
  return source === "" ? quoteGo(path) : `${quoteGo(path)} (${source})`;
}
