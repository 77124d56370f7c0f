import { describe, expect, it } from "vitest";
import { isApplySetError } from "./apply/apply-set-error.ts";
import { isForeignOwnerError } from "./apply/foreign-owner-error.ts";
import { isClaimError } from "./children/claim-error.ts";
import { isMistakeError } from "./operator/mistake-error.ts";
import { isTerminalError } from "./operator/terminal-error.ts";
import { isIncompatibleResourceError } from "./resource/incompatible-resource-error.ts";
import { isInvalidObjectError } from "./resource/invalid-object-error.ts";
import { isUnsayableSchemaError } from "./schema/refusal.ts";
import type * as ApplySetErrorModule from "./apply/apply-set-error.ts";
import type * as ForeignOwnerErrorModule from "./apply/foreign-owner-error.ts";
import type * as ClaimErrorModule from "./children/claim-error.ts";
import type * as MistakeErrorModule from "./operator/mistake-error.ts";
import type * as TerminalErrorModule from "./operator/terminal-error.ts";
import type * as IncompatibleResourceErrorModule from "./resource/incompatible-resource-error.ts";
import type * as InvalidObjectErrorModule from "./resource/invalid-object-error.ts";
import type * as RefusalModule from "./schema/refusal.ts";

/** Loads a module once more, as a program does that has two copies of this package: same code, other classes. */
const secondCopy = async <Module>(path: string): Promise<Module> =>
  (await import(`${new URL(path, import.meta.url).pathname}?copy`)) as Module;

const rows: readonly (readonly [string, (error: unknown) => boolean, () => Promise<Error>])[] = [
  [
    "isApplySetError",
    isApplySetError,
    async () => new (await secondCopy<typeof ApplySetErrorModule>("./apply/apply-set-error.ts")).ApplySetError("apply", [], []),
  ],
  [
    "isForeignOwnerError",
    isForeignOwnerError,
    async () =>
      new (await secondCopy<typeof ForeignOwnerErrorModule>("./apply/foreign-owner-error.ts")).ForeignOwnerError({
        object: "ConfigMap shop/a",
        set: "web",
        owner: "WebApp shop/web",
      }),
  ],
  [
    "isClaimError",
    isClaimError,
    async () => new (await secondCopy<typeof ClaimErrorModule>("./children/claim-error.ts")).ClaimError([], []),
  ],
  [
    "isMistakeError",
    isMistakeError,
    async () =>
      new (await secondCopy<typeof MistakeErrorModule>("./operator/mistake-error.ts")).MistakeError({ where: "a", what: "b", fix: "c" }),
  ],
  [
    "isTerminalError",
    isTerminalError,
    async () => (await secondCopy<typeof TerminalErrorModule>("./operator/terminal-error.ts")).terminal("no such registry"),
  ],
  [
    "isIncompatibleResourceError",
    isIncompatibleResourceError,
    async () =>
      new (await secondCopy<typeof IncompatibleResourceErrorModule>("./resource/incompatible-resource-error.ts")).IncompatibleResourceError(
        "webapps.example.com",
        [],
      ),
  ],
  [
    "isInvalidObjectError",
    isInvalidObjectError,
    async () =>
      new (await secondCopy<typeof InvalidObjectErrorModule>("./resource/invalid-object-error.ts")).InvalidObjectError("WebApp web", []),
  ],
  [
    "isUnsayableSchemaError",
    isUnsayableSchemaError,
    async () => new (await secondCopy<typeof RefusalModule>("./schema/refusal.ts")).UnsayableSchemaError("WebApp", []),
  ],
];

describe("predicates on errors of a second copy of the package", () => {
  it.each(rows)("%s recognises them, and no other error", async (_name, predicate, create) => {
    expect([predicate(await create()), predicate(new Error("other")), predicate(undefined)]).toEqual([true, false, false]);
  });
});
