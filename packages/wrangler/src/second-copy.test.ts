import { describe, expect, it } from "vitest";
import { isErrNoInformerFound } from "./cached-members.ts";
import { isErrOwnerNotFound } from "./object-owner.ts";
import { isStatusError } from "./status-error.ts";
import type * as CachedMembersModule from "./cached-members.ts";
import type * as ObjectOwnerModule from "./object-owner.ts";
import type * as StatusErrorModule from "./status-error.ts";

/** Loads a module once more, as a program does that has two copies of this package: same code, other classes. */
const secondCopy = async <Module>(path: string): Promise<Module> =>
  (await import(`${new URL(path, import.meta.url).pathname}?copy`)) as Module;

const rows: readonly (readonly [string, (error: unknown) => boolean, () => Promise<Error>])[] = [
  [
    "isErrNoInformerFound",
    isErrNoInformerFound,
    async () => new (await secondCopy<typeof CachedMembersModule>("./cached-members.ts")).ErrNoInformerFound("no cache"),
  ],
  [
    "isErrOwnerNotFound",
    isErrOwnerNotFound,
    async () => new (await secondCopy<typeof ObjectOwnerModule>("./object-owner.ts")).ErrOwnerNotFound("no owner"),
  ],
  [
    "isStatusError",
    isStatusError,
    async () => new (await secondCopy<typeof StatusErrorModule>("./status-error.ts")).StatusError({}, new Error("no")),
  ],
];

describe("predicates on errors of a second copy of the package", () => {
  it.each(rows)("%s recognises them, and no other error", async (_name, predicate, create) => {
    expect([predicate(await create()), predicate(new Error("other")), predicate(undefined)]).toEqual([true, false, false]);
  });
});
