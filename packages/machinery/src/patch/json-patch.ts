/**
 * Applies a JSON patch (RFC 6902) as the API server does, whose library is more lenient than the RFC: `replace` may create a
 * member, `add` without a value adds null, `test` of null holds for a missing member, `copy` from a missing member copies null, and
 * negative indexes count from the end.
 *
 *     document, JsonPatchOperation[] → document          all operations or none
 */
import { jsonEqual } from "../json/json-equal.ts";
import type { JsonValue } from "../json/json-value.ts";
import { insertAt, isContainer, JsonPatchDraft, readPlace, removeAt, replaceAt } from "./json-patch-draft.ts";
import type { JsonPlace } from "./json-patch-draft.ts";
import { JsonPatchError } from "./json-patch-operation.ts";
import type { JsonPatchFailure, JsonPatchOperation } from "./json-patch-operation.ts";
import { jsonSize } from "./json-size.ts";

/** Limits that keep a small patch from producing a huge document. */
export interface JsonPatchLimits {
  /** Maximum number of operations. @default 10_000 */
  readonly operationsMax?: number;
  /** Maximum bytes that all `copy` operations together may copy, measured as JSON. @default 3_145_728 */
  readonly copiedBytesMax?: number;
}

/**
 * Returns the document after all operations, in order. Throws a {@link JsonPatchError} at the first that fails.
 *
 * Guarantees: changes neither the document nor the operations; the result may share parts with both.
 */
export function applyJsonPatch(
  document: JsonValue,
  operations: readonly JsonPatchOperation[],
  { operationsMax = 10_000, copiedBytesMax = 3 * 1024 * 1024 }: JsonPatchLimits = {},
): JsonValue {
  if (operations.length > operationsMax) {
    throw new JsonPatchError(
      "too-many-operations",
      `The allowed maximum operations in a JSON patch is ${operationsMax}, got ${operations.length}`,
    );
  }
  const run: Run = { draft: new JsonPatchDraft(document), copiedBytes: 0, copiedBytesMax };
  for (const [index, operation] of operations.entries()) applyOperation(run, operation, index);
  return run.draft.root;
}

interface Run {
  readonly draft: JsonPatchDraft;
  copiedBytes: number;
  readonly copiedBytesMax: number;
}

/** An operation as received. */
type LooseOperation = { readonly [K in "op" | "path" | "from"]?: string | null } & { readonly value?: JsonValue };
type Fail = (reason: JsonPatchFailure, message: string) => never;

function applyOperation(run: Run, operation: LooseOperation, index: number): void {
  const { op, path } = operation;
  const fail: Fail = (reason, message) => {
    throw new JsonPatchError(reason, message, {
      index,
      ...(typeof op === "string" ? { op } : {}),
      ...(typeof path === "string" ? { path } : {}),
    });
  };
  switch (op ?? undefined) {
    case "add":
      return add(run, operation, fail);
    case "remove":
      return remove(run, operation, fail);
    case "replace":
      return replace(run, operation, fail);
    case "move":
      return move(run, operation, fail);
    case "copy":
      return copy(run, operation, fail);
    case "test":
      return test(run, operation, fail);
    case undefined:
    default:
      return fail("unknown-operation", `Unexpected kind: ${op ?? "unknown"}`);
  }
}

function add({ draft }: Run, { path, value = null }: LooseOperation, fail: Fail): void {
  const target = path ?? fail("missing-member", "add operation failed to decode path: missing value");
  const place =
    draft.findForWriting(target) ?? fail("missing-path", `add operation does not apply: doc is missing path: "${target}": missing value`);
  const problem = insertAt(place, value);
  if (problem !== undefined) fail("invalid-index", `error in add for path: '${target}': ${problem}`);
}

function remove({ draft }: Run, { path }: LooseOperation, fail: Fail): void {
  const target = path ?? fail("missing-member", "remove operation failed to decode path: missing value");
  const place =
    draft.findForWriting(target) ??
    fail("missing-path", `remove operation does not apply: doc is missing path: "${target}": missing value`);
  const problem = removeAt(place);
  if (problem !== undefined) fail(blame(place), `error in remove for path: '${target}': ${problem}`);
}

function replace({ draft }: Run, { path, value = null }: LooseOperation, fail: Fail): void {
  const target = path ?? fail("missing-member", "replace operation failed to decode path: operation missing path field: missing value");
  if (target === "") {
    // The odd ending is the server's: it wraps a nil error.
    if (!isContainer(value)) return fail("invalid-root", "replace operation value must be object or array: %!w(<nil>)");
    return draft.replaceRoot(value);
  }
  const place =
    draft.findForWriting(target) ?? fail("missing-path", `replace operation does not apply: doc is missing path: ${target}: missing value`);
  if (typeof readPlace(place) === "string")
    fail("invalid-index", `replace operation does not apply: doc is missing key: ${target}: missing value`);
  replaceAt(place, value);
}

function move({ draft }: Run, { from, path }: LooseOperation, fail: Fail): void {
  const source = from ?? fail("missing-member", "move operation failed to decode from: operation, missing from field: missing value");
  const origin =
    draft.findForWriting(source) ??
    fail("missing-path", `move operation does not apply: doc is missing from path: ${source}: missing value`);
  const found = readPlace(origin);
  const value = typeof found === "string" ? null : (found.value ?? null);
  const problem = removeAt(origin);
  if (problem !== undefined) fail(blame(origin), `error in move for path: '${origin.key}': ${problem}`);
  const target = path ?? fail("missing-member", "move operation failed to decode path: operation missing path field: missing value");
  const place =
    draft.findForWriting(target) ??
    fail("missing-path", `move operation does not apply: doc is missing destination path: ${target}: missing value`);
  const refusal = insertAt(place, value);
  if (refusal !== undefined) fail("invalid-index", `error in move for path: '${target}': ${refusal}`);
}

function copy(run: Run, { from, path }: LooseOperation, fail: Fail): void {
  const source = from ?? fail("missing-member", "copy operation failed to decode from: operation, missing from field: missing value");
  const origin =
    run.draft.findForReading(source) ??
    fail("missing-path", `copy operation does not apply: doc is missing from path: ${source}: missing value`);
  const found = readPlace(origin);
  if (typeof found === "string") return fail("invalid-index", `error in copy for from: '${source}': ${found}`);
  const target = path ?? fail("missing-member", "copy operation failed to decode path: missing value");
  const place =
    run.draft.findForWriting(target) ??
    fail("missing-path", `copy operation does not apply: doc is missing destination path: ${target}: missing value`);
  const value = found.value ?? null;
  if (value !== null) run.copiedBytes += jsonSize(value);
  if (run.copiedBytes > run.copiedBytesMax) {
    fail(
      "copied-too-much",
      `Unable to complete the copy, the accumulated size increase of copy is ${run.copiedBytes}, exceeding the limit ${run.copiedBytesMax}`,
    );
  }
  const problem = insertAt(place, run.draft.duplicate(value));
  if (problem !== undefined) fail("invalid-index", `error while adding value during copy: ${problem}`);
}

function test({ draft }: Run, { path, value = null }: LooseOperation, fail: Fail): void {
  const target = path ?? fail("missing-member", "test operation failed to decode path: operation missing path field: missing value");
  const failed = `testing value ${target} failed: test failed`;
  if (target === "") return jsonEqual(draft.root, value) ? undefined : fail("test-failed", failed);
  const place =
    draft.findForReading(target) ?? fail("missing-path", `test operation does not apply: is missing path: ${target}: missing value`);
  const found = readPlace(place);
  if (typeof found === "string") return fail("invalid-index", `error in test for path: '${target}': ${found}`);
  if (!jsonEqual(found.value ?? null, value)) fail("test-failed", failed);
}

function blame({ container }: JsonPlace): JsonPatchFailure {
  return Array.isArray(container) ? "invalid-index" : "missing-path";
}
