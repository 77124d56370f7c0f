/**
 * Lists the whole state in pages.
 *
 *     VersionSource.list → page by page → VersionSnapshot
 */
import { isExpired, isInstanceOf } from "@drover/machinery";
import type { KubeObject, ListOptions } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import type { PoisonReport, SourceCall, VersionPage, VersionSource } from "../source/version-source.ts";

/** All objects at one resource version. */
export interface VersionSnapshot<T extends KubeObject> {
  readonly objects: readonly ObjectVersion<T>[];
  readonly resourceVersion: string;
  readonly poison: readonly PoisonReport[];
}

/**
 * Reads all pages. If the token of a later page has expired, requests the whole list once, without pages. Resolves only with the complete
 * list; rejects with the error of the source.
 */
export async function listSnapshot<T extends KubeObject>(
  source: VersionSource<T>,
  options: ListOptions,
  pageSize: number,
  call: SourceCall,
): Promise<VersionSnapshot<T>> {
  const first: ListOptions = pageSize > 0 ? { ...options, limit: pageSize } : options;
  try {
    return await readPages(source, first, call);
  } catch (error) {
    if (!isInstanceOf(error, PageExpired)) throw error;
    return readPages(source, options, call).catch((again: unknown) => {
      throw isInstanceOf(again, PageExpired) ? again.cause : again;
    });
  }
}

/** A page after the first has expired. */
class PageExpired extends Error {
  override readonly name = "PageExpired";
}

async function readPages<T extends KubeObject>(
  source: VersionSource<T>,
  options: ListOptions,
  call: SourceCall,
): Promise<VersionSnapshot<T>> {
  const page = await source.list(options, call);
  if (page.continue === undefined) return { objects: page.items, resourceVersion: page.resourceVersion, poison: page.poison };
  const objects = [...page.items];
  const poison = [...page.poison];
  // The token determines the version, and servers reject requests that contain both.
  const { resourceVersion: _version, resourceVersionMatch: _match, ...rest } = options;
  for (let token: string | undefined = page.continue; token !== undefined;) {
    call.signal.throwIfAborted();
    const next: VersionPage<T> = await nextPage(source, { ...rest, continue: token }, call);
    for (const item of next.items) objects.push(item);
    poison.push(...next.poison);
    if (next.continue === token)
      throw new Error(`list ${source.description}: the server returned the same continue token twice, so the list would never end`);
    token = next.continue;
  }
  return { objects, resourceVersion: page.resourceVersion, poison };
}

async function nextPage<T extends KubeObject>(source: VersionSource<T>, options: ListOptions, call: SourceCall): Promise<VersionPage<T>> {
  try {
    return await source.list(options, call);
  } catch (error) {
    throw isExpired(error) ? new PageExpired("a page has expired", { cause: error }) : error;
  }
}
