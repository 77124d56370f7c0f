/** Parses a run from JSON and validates every field. */
import type { GroupKind, ObjectKey } from "@drover/machinery";
import { RecordFields } from "./record-fields.ts";
import type { CallRecord, CauseRecord, ChangeRecord, FieldChange, ResultRecord, RunRecord, Writer, WroteRecord } from "./run-record.ts";

/** Parses a run; `where` names it in errors. Throws a `TapeFormatError`. */
export function parseRunRecord(value: unknown, where: string): RunRecord {
  const fields = new RecordFields(value, where);
  return {
    run: fields.string("run"),
    controller: fields.string("controller"),
    key: key(fields),
    startedAt: fields.number("startedAt"),
    waitedMs: fields.number("waitedMs"),
    ...fields.optional("tookMs", (name) => fields.number(name)),
    attempts: fields.number("attempts"),
    causes: fields.list("causes", parseCause),
    causeCount: fields.number("causeCount"),
    calls: fields.list("calls", parseCall),
    callCount: fields.number("callCount"),
    ...fields.optional("result", (name) => parseResult(fields.object(name))),
  };
}

const key = (fields: RecordFields): ObjectKey => fields.string("key") as ObjectKey;

function parseCause(fields: RecordFields): CauseRecord {
  const type = fields.oneOf("type", ["change", "timer", "external", "after", "retry", "enqueue"]);
  const note = { ...fields.optional("note", (name) => fields.string(name)) };
  switch (type) {
    case "change":
      return parseChange(fields);
    case "timer":
      return { type, source: fields.string("source") };
    case "external":
      return { type, source: fields.string("source"), ...note };
    case "after":
      return { type, afterMs: fields.number("afterMs"), run: fields.string("run") };
    case "retry":
      return {
        type,
        attempt: fields.number("attempt"),
        error: fields.string("error"),
        run: fields.string("run"),
        isConflict: fields.boolean("isConflict"),
      };
    case "enqueue":
    default:
      return { type, ...note, ...fields.optional("parent", (name) => parseRunName(fields.object(name))) };
  }
}

function parseChange(fields: RecordFields): ChangeRecord {
  return {
    type: "change",
    event: fields.oneOf("event", ["added", "updated", "deleted", "resync", "initial"]),
    via: fields.oneOf("via", ["self", "owner", "mapped"]),
    kind: parseKind(fields.object("kind")),
    cluster: fields.string("cluster"),
    key: key(fields),
    uid: fields.string("uid"),
    resourceVersion: fields.string("resourceVersion"),
    ...fields.optional("resourceVersionBefore", (name) => fields.string(name)),
    ...fields.optional("fields", (name) => fields.list(name, parseField)),
    ...fields.optional("fieldCount", (name) => fields.number(name)),
    writers: fields.list("writers", parseWriter),
  };
}

const parseKind = (fields: RecordFields): GroupKind => ({ group: fields.string("group"), kind: fields.string("kind") });

const parseRunName = (fields: RecordFields): { readonly controller: string; readonly key: ObjectKey; readonly run: string } => ({
  controller: fields.string("controller"),
  key: key(fields),
  run: fields.string("run"),
});

const parseField = (fields: RecordFields): FieldChange => ({
  path: fields.string("path"),
  ...fields.optional("before", (name) => fields.string(name)),
  ...fields.optional("after", (name) => fields.string(name)),
});

function parseWriter(fields: RecordFields): Writer {
  const type = fields.oneOf("type", ["self", "manager", "unknown"]);
  switch (type) {
    case "self":
      return { type, ...parseRunName(fields) };
    case "manager":
      return {
        type,
        manager: fields.string("manager"),
        operation: fields.string("operation"),
        ...fields.optional("subresource", (name) => fields.string(name)),
        ...fields.optional("time", (name) => fields.string(name)),
      };
    case "unknown":
    default:
      return { type };
  }
}

function parseCall(fields: RecordFields): CallRecord {
  return {
    method: fields.string("method"),
    path: fields.string("path"),
    atMs: fields.number("atMs"),
    tookMs: fields.number("tookMs"),
    ...fields.optional("status", (name) => fields.number(name)),
    ...fields.optional("error", (name) => fields.string(name)),
    ...fields.optional("wrote", (name) => parseWrote(fields.object(name))),
  };
}

const parseWrote = (fields: RecordFields): WroteRecord => ({
  uid: fields.string("uid"),
  resourceVersion: fields.string("resourceVersion"),
  ...fields.optional("manager", (name) => fields.string(name)),
  ...fields.optional("key", (name) => fields.string(name) as ObjectKey),
});

function parseResult(fields: RecordFields): ResultRecord {
  const type = fields.oneOf("type", ["done", "after", "retry", "stop", "abandoned"]);
  switch (type) {
    case "done":
      return { type };
    case "after":
      return { type, afterMs: fields.number("afterMs") };
    case "retry":
      return {
        type,
        error: fields.string("error"),
        isConflict: fields.boolean("isConflict"),
        ...fields.optional("retryInMs", (name) => fields.number(name)),
        ...fields.optional("parked", (name) => fields.true(name)),
      };
    case "stop":
    case "abandoned":
    default:
      return { type, reason: fields.string("reason") };
  }
}
