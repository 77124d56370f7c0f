import { inspect } from "node:util";
import { JsonError, assert, declaredFieldsOf, encodeJson, encodeWatchEvent, jsonEqual } from "@drover/machinery";
import type { JsonObject, KubeObject } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FieldLimit } from "./field-limit.ts";
import type { ObjectVersion } from "./object-version.ts";
import { PoisonObjectError } from "./poison-object-error.ts";
import { readWatchEvents } from "./lazy-watch-events.ts";
import { sameContent } from "./same-content.ts";
import { readVersionPage } from "./version-page.ts";
import { jsonFormat } from "./object-format.ts";
import { VersionReader } from "./version-reader.ts";
import type { VersionReaderOptions } from "./version-reader.ts";

const target = { group: "", version: "v1", kind: "Pod" };
const about = { attempt: "list pods in shop", method: "GET" };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const readerOf = (options: Partial<VersionReaderOptions> = {}): VersionReader<KubeObject> =>
  new VersionReader({
    target,
    projection: "full",
    keepManagedFields: false,
    decode: "late",
    afterLook: "parsed",
    freeze: true,
    ...options,
  });

/** Everything observable of a version, or of the error instead of one. */
function seen(version: ObjectVersion): object {
  const { key, uid, resourceVersion, isTerminating } = version;
  try {
    const { labels, object } = version;
    assert(Object.isFrozen(object) && Object.isFrozen(object.metadata), `${key} is not frozen`);
    return { key, uid, resourceVersion, isTerminating, labels, object };
  } catch (error) {
    if (!(error instanceof PoisonObjectError)) throw error;
    return { poison: error.report };
  }
}

const seenEvents = (line: string, reader: VersionReader<KubeObject>): unknown => {
  const { events, failure } = readWatchEvents({ framing: "lines", lines: [bytesOf(line)], isUnterminated: false }, about, reader);
  return {
    failure: failure?.message,
    events: events.map((event) =>
      "version" in event ? withType(event.type, seen(event.version)) : event.type === "POISON" ? { poison: event.report } : event,
    ),
  };
};
/** A malformed object that is reported late is reported without its event type. */
const withType = (type: string, what: object): object => ("poison" in what ? what : { type, ...what });

const seenPage = (text: string, reader: VersionReader<KubeObject>): unknown => {
  try {
    const page = readVersionPage({ status: 200, headers: {}, body: text }, about, reader);
    const poison: unknown[] = [...page.poison];
    const items = page.items.map(seen).filter((item) => !("poison" in item) || void poison.push(item.poison));
    return { ...page, items, poison: poison.map((report) => JSON.stringify(report)).toSorted() };
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};

describe("late and eager decoding of an object", () => {
  const letters = fc.string({
    unit: fc.constantFrom("a", '"', "\\", "{", "}", "[", "]", ",", ":", "é", "\n", "😀", "\u0000", "\ud800"),
    maxLength: 5,
  });
  const name = fc.constantFrom(
    "metadata",
    "managedFields",
    "name",
    "__proto__",
    "constructor",
    "toString",
    "labels",
    "uid",
    "0",
    "",
    "kind",
    "apiVersion",
    "items",
    "object",
    "type",
    "spec",
  );
  const key = fc.oneof(letters, name);
  const lookAlike = fc.constantFrom(
    '"managedFields":[',
    ']},"spec":{',
    ',"metadata":{"name":"x"}',
    '\\"spec',
    '"metadata"',
    "1234567890123456789",
    "<&>",
  );
  // Not `1e400`: whether decodeJson rejects it depends on the rest of the text.
  const number = fc.constantFrom(
    "9007199254740993",
    "-9223372036854775808",
    "18446744073709551616",
    "1.0",
    "0.1",
    "-0",
    "123456789012345678901234567890",
    "1e5",
  );
  const deep = fc.constantFrom(5, 998, 999, 1000, 1001, 1002).map((levels) => `${"[".repeat(levels)}${"]".repeat(levels)}`);
  const broken = fc.constantFrom("tru", "01", '"\t"', "[1 2]", "{'a':1}", "nul", "[1,]", '{"a"}', "\\", "NaN", '"\\x"', "{", "]");
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      { weight: 6, arbitrary: fc.oneof(letters, lookAlike).map((text) => encodeJson(text)) },
      { weight: 2, arbitrary: number },
      { weight: 2, arbitrary: fc.constantFrom("null", "true", "{}", "[]") },
      { weight: 4, arbitrary: fc.array(tie("tree"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`) },
      { weight: 6, arbitrary: fc.array(fc.tuple(key, tie("tree")), { maxLength: 3 }).map((entries) => written(entries)) },
    ),
  }));
  const written = (entries: readonly (readonly [string, string])[], space = ""): string =>
    `{${entries.map(([field, value]) => `${space}${encodeJson(field)}${space}:${value}`).join(",")}}`;
  const anything = fc.oneof({ weight: 40, arbitrary: tree }, { weight: 1, arbitrary: deep }, { weight: 1, arbitrary: broken });
  const texts = fc.dictionary(key, fc.oneof(letters, lookAlike), { maxKeys: 3, noNullPrototype: true }).map((value) => encodeJson(value));
  const usual = fc.constantFrom('"web-0"', '"shop"', '"4c1d9e02-7a35-4f68-b1c9-0e5d83a7f246"', '"41"');
  const strange = fc.constantFrom("null", "5", '""', '"\\u0061"', '"a/b"', "[]");
  const member = fc.oneof(
    {
      weight: 30,
      arbitrary: fc.tuple(
        fc.constantFrom("name", "name", "namespace", "uid", "resourceVersion", "deletionTimestamp", "generateName"),
        fc.oneof({ weight: 20, arbitrary: usual }, strange),
      ),
    },
    { weight: 10, arbitrary: fc.tuple(fc.constantFrom("labels", "annotations"), fc.oneof({ weight: 20, arbitrary: texts }, strange)) },
    // Dropped fields are not checked, so nothing in here is malformed.
    {
      weight: 10,
      arbitrary: fc.tuple(
        fc.constant("managedFields"),
        fc.oneof(
          fc.array(tree, { maxLength: 2 }).map((items) => `[${items.join(",")}]`),
          strange,
        ),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(
        key.filter((field) => field !== "managedFields"),
        anything,
      ),
    },
  );
  const metadata = fc
    .tuple(fc.array(member, { maxLength: 8 }), fc.boolean())
    .map(([members, named]) => written(named ? [["name", '"web-0"'], ...members] : members));
  const object = fc
    .tuple(
      fc.array(
        fc.oneof(
          { weight: 2, arbitrary: fc.tuple(key, anything) },
          {
            weight: 1,
            arbitrary: fc.constantFrom<[string, string]>(
              ["kind", '"Pod"'],
              ["apiVersion", '"v1"'],
              ["kind", '"WidgetList"'],
              ["kind", '""'],
            ),
          },
        ),
        { maxLength: 4 },
      ),
      metadata,
      fc.nat(4),
      fc.constantFrom("", "", "", "", "", "", " "),
    )
    .map(([members, meta, at, space]) => written(members.toSpliced(at, 0, ["metadata", meta]), space));

  // Unlike `toEqual`, it compares keys like `__proto__`, and it is much faster.
  const same = (late: unknown, eager: unknown): void => {
    if (!jsonEqual(late, eager)) expect(late).toStrictEqual(eager);
    else return;
    throw new Error(`not the same: ${inspect(late, { depth: 20 })} and ${inspect(eager, { depth: 20 })}`);
  };

  // A list has two objects on average, an event one: together as many objects as runs.
  const runs = fc.readConfigureGlobal()?.numRuns ?? 200;

  it("agree in a watch: objects, labels, identity, errors", () => {
    fc.assert(
      fc.property(
        object,
        fc.constantFrom("ADDED" as const, "MODIFIED" as const),
        fc.boolean(),
        fc.constantFrom("parsed" as const, "bytes" as const),
        (text, type, keepManagedFields, afterLook) => {
          const line = encodeWatchEvent(type, text).trimEnd();
          same(
            seenEvents(line, readerOf({ keepManagedFields, afterLook })),
            seenEvents(line, readerOf({ keepManagedFields, decode: "eager" })),
          );
        },
      ),
      { numRuns: runs / 2 },
    );
  });

  it("agree on declared fields: what is kept of the whole object, unless it cannot be decoded", () => {
    const path = fc.array(
      fc.oneof(
        name.filter((each) => each !== ""),
        fc.constant("spec"),
      ),
      { minLength: 1, maxLength: 3 },
    );
    const declared = fc.array(path, { maxLength: 4 }).map((paths) => paths.map((names) => names.join(".")));
    let compared = 0;
    fc.assert(
      fc.property(object, declared, fc.boolean(), (text, fields, keepManagedFields) => {
        const limit = new FieldLimit(fields);
        const eventOf = (options: Partial<VersionReaderOptions>): unknown =>
          seenEvents(encodeWatchEvent("ADDED", text).trimEnd(), readerOf({ keepManagedFields, ...options }));
        const [late, eager, whole] = [{ limit }, { limit, decode: "eager" as const }, { decode: "eager" as const }].map(eventOf);
        const [event] = (whole as { readonly events: readonly { readonly object?: JsonObject }[] }).events;
        // A malformed field that is not declared is not noticed late.
        if (event?.object === undefined) return;
        compared++;
        same(late, eager);
        same(eager, { failure: undefined, events: [{ ...event, object: limit.kept(event.object) }] });
      }),
      { numRuns: runs },
    );
    expect(compared).toBeGreaterThan(runs / 3);
  });

  it("agree in a list: also which items are poison, and the metadata of the list", () => {
    fc.assert(
      fc.property(fc.array(object, { maxLength: 4 }), fc.boolean(), (items, sorted) => {
        const text = sorted
          ? `{"apiVersion":"v1","items":[${items.join(",")}],"kind":"PodList","metadata":{"resourceVersion":"7","continue":"t"}}`
          : `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[${items.join(",")}]}\n`;
        same(seenPage(text, readerOf()), seenPage(text, readerOf({ decode: "eager" })));
      }),
      { numRuns: runs / 4 },
    );
  });
});

describe("VersionReader of declared fields", () => {
  const limit = new FieldLimit(["spec.nodeName", "status.phase"]);
  const pod = encodeJson({
    metadata: { name: "web-0", namespace: "shop", resourceVersion: "41", labels: { app: "web" }, managedFields: [{}] },
    spec: { nodeName: "n1", containers: Array.from({ length: 20 }, (_, index) => ({ name: `c${index}`, image: "nginx" })) },
    status: { phase: "Running", conditions: [{ type: "Ready" }] },
  });

  it("keeps only their bytes, and decodes these when they are read", () => {
    const version = readerOf({ limit }).read(bytesOf(pod));
    expect([version.isParsed, version.key, version.resourceVersion, version.labels]).toEqual([false, "shop/web-0", "41", { app: "web" }]);
    const kept =
      '{"metadata":{"name":"web-0","namespace":"shop","resourceVersion":"41","labels":{"app":"web"}},"spec":{"nodeName":"n1"},"status":{"phase":"Running"}}';
    expect([new TextDecoder().decode(version.encoded), version.bytes]).toEqual([kept, kept.length]);
    expect(encodeJson(version.object)).toBe(`{"kind":"Pod","apiVersion":"v1",${kept.slice(1)}`);
    expect(Object.isFrozen(version.object)).toBe(true);
  });

  it("marks every object, whichever way it is read", () => {
    const spaced = bytesOf(pod.replace('"spec":', '"spec": '));
    for (const options of [{}, { decode: "eager" }, { afterLook: "bytes" }, { freeze: false }] as const)
      for (const bytes of [bytesOf(pod), spaced]) {
        const version = readerOf({ limit, ...options }).read(bytes);
        for (const read of [version.decoded?.() ?? version.object, version.object]) {
          expect(declaredFieldsOf(read)).toEqual(["spec.nodeName", "status.phase"]);
          expect(encodeJson(read)).toContain('"spec":{"nodeName":"n1"},"status":{"phase":"Running"}}');
        }
      }
  });

  it("decodes nothing else: what is malformed there does not matter", () => {
    const broken = bytesOf(pod.replace('"nginx"', "nginx"));
    expect(readerOf({ limit }).read(broken).object).toMatchObject({ spec: { nodeName: "n1" } });
    expect(() => readerOf().read(broken).object).toThrow(PoisonObjectError);
  });

  it("compares what is kept", () => {
    const read = (text: string): ObjectVersion => readerOf({ limit }).read(bytesOf(text));
    expect(sameContent(read(pod), read(pod.replace("nginx", "httpd")))).toBe(true);
    expect(sameContent(read(pod), read(pod.replace("n1", "n2")))).toBe(false);
  });
});

describe("VersionReader", () => {
  const pod = { metadata: { name: "web-0", namespace: "shop", managedFields: [{}] }, spec: { x: 1 } };
  it("adds the kind that list items lack, and keeps an existing one", () => {
    const reader = readerOf();
    const read = (text: string): unknown => reader.read(bytesOf(text)).object;
    expect(read(encodeJson(pod))).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web-0", namespace: "shop" },
      spec: { x: 1 },
    });
    expect(read(encodeJson({ ...pod, kind: "", apiVersion: "" }))).toMatchObject({ apiVersion: "v1", kind: "Pod" });
    expect(read(encodeJson({ ...pod, kind: "Widget" }))).not.toHaveProperty("apiVersion");
  });
  it("reduces objects to their metadata if the server does not", () => {
    const whole = encodeJson({ ...pod, kind: "Pod", apiVersion: "v1" });
    for (const decode of ["late", "eager"] as const) {
      expect(readerOf({ projection: "metadata", decode }).read(bytesOf(whole)).object).toEqual({
        apiVersion: "meta.k8s.io/v1",
        kind: "PartialObjectMetadata",
        metadata: { name: "web-0", namespace: "shop" },
      });
    }
  });
  it("names the object that is not JSON, as far as known", () => {
    const reader = readerOf({ decode: "eager" });
    const broken = '{"metadata":{"name":"web-0","namespace":"shop","resourceVersion":"41"},"spec":tru}';
    expect(() => reader.read(bytesOf(broken))).toThrow(/^Pod "shop\/web-0" at version 41 cannot be decoded: it is not JSON: /);
    expect(reader.poison(new JsonError("syntax", "no"), jsonFormat)?.message).toBe(
      "Pod without a name cannot be decoded: it is not JSON: no",
    );
  });
});
