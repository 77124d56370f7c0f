import { Deployment } from "@drover/api/apps/v1";
import { declaredFieldsOf, encodeJson } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { beforeAll, describe, expect, it } from "vitest";
import { podMessage } from "../testing/pod-message.ts";
import { FieldLimit } from "./field-limit.ts";
import { messageFormat } from "./message-format.ts";
import type { MessageFormat } from "./message-format.ts";
import { PoisonObjectError } from "./poison-object-error.ts";
import { sameContent } from "./same-content.ts";
import { VersionReader } from "./version-reader.ts";
import type { VersionReaderOptions } from "./version-reader.ts";

const target = { group: "", version: "v1", kind: "Pod" };
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
const web = { name: "web", namespace: "shop", labels: { app: "web" }, manager: "kubectl", nodeName: "a node with a long name" } as const;
const bytes = podMessage(web);

describe("messageFormat", () => {
  let full: MessageFormat;
  let metadata: MessageFormat;
  beforeAll(async () => {
    const [first, second] = await Promise.all([
      messageFormat({ target, projection: "full" }),
      messageFormat({ target, projection: "metadata" }),
    ]);
    if (first === undefined || second === undefined) throw new Error("Pods are built in");
    [full, metadata] = [first, second];
  });

  it("knows built-in kinds only; of other kinds their metadata", async () => {
    const widget = { group: "example.com", version: "v1", kind: "Widget" };
    expect(await messageFormat({ target: widget, projection: "full" })).toBeUndefined();
    expect(await messageFormat({ target: widget, projection: "metadata" })).toBeDefined();
    expect(await messageFormat({ target: { ...target, version: "v2" }, projection: "full" })).toBeUndefined();
    expect(await messageFormat({ target: Deployment, projection: "full" })).toBeDefined();
  });

  it("accepts the types that it can decode", () => {
    const types = [
      { apiVersion: "v1", kind: "Pod" },
      { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" },
      { apiVersion: "v2", kind: "Pod" },
      { apiVersion: "v1", kind: "Service" },
      { apiVersion: "", kind: "" },
    ];
    expect(types.map((type) => full.accepts(type))).toEqual([true, false, false, false, false]);
    expect(types.map((type) => metadata.accepts(type))).toEqual([true, true, false, false, false]);
  });

  it("decodes the JSON that Go writes, kind and apiVersion first", () => {
    expect(encodeJson(full.decode(bytes, { dropManagedFields: true }))).toBe(
      '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web","namespace":"shop","resourceVersion":"7","labels":{"app":"web"}},' +
        '"spec":{"containers":null,"nodeName":"a node with a long name"},"status":{}}',
    );
    expect(full.decode(bytes)).toMatchObject({ metadata: { managedFields: [{ manager: "kubectl" }] } });
  });

  it("decodes only metadata of the metadata projection, also of a full object", () => {
    expect(encodeJson(metadata.decode(bytes, { dropManagedFields: true }))).toBe(
      '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",' +
        '"metadata":{"name":"web","namespace":"shop","resourceVersion":"7","labels":{"app":"web"}}}',
    );
  });

  it("shares parts among objects that are frozen, and among no others", () => {
    const spec = (options?: object): unknown => (full.decode(bytes, options) as { readonly spec: unknown }).spec;
    expect(spec({ willFreeze: true })).toBe(spec({ willFreeze: true }));
    expect(spec()).not.toBe(spec());
    expect(spec({ willFreeze: false })).not.toBe(spec({ willFreeze: true }));
    // Managed fields are removed from the object itself.
    expect(spec({ willFreeze: true, dropManagedFields: true })).not.toBe(spec({ willFreeze: true }));
  });

  describe("of declared fields", () => {
    const formatOf = async (...fields: string[]) => {
      const limit = new FieldLimit(fields);
      const format = (await messageFormat({ target, projection: "full", limit })) ?? expect.fail("Pods are built in");
      return (given: Uint8Array, options: Partial<VersionReaderOptions> = {}) => readerOf({ limit, ...options }).read(given, format);
    };

    it("keeps only their bytes, and decodes what is kept of the whole object", async () => {
      const read = await formatOf("status");
      const [late, eager] = [read(bytes), read(bytes, { decode: "eager" })];
      expect([late.isParsed, late.labels]).toEqual([false, { app: "web" }]);
      expect(late.bytes).toBeLessThan(readerOf().read(bytes, full).bytes ?? 0);
      expect(new TextDecoder().decode(late.encoded)).not.toContain("long name");
      const expected = '{"name":"web","namespace":"shop","resourceVersion":"7","labels":{"app":"web"}},"status":{}}';
      for (const version of [late, eager]) {
        expect(encodeJson(version.object)).toBe(`{"kind":"Pod","apiVersion":"v1","metadata":${expected}`);
        expect(declaredFieldsOf(version.object)).toEqual(["status"]);
      }
    });

    it("decodes nothing else: what is malformed there does not matter", async () => {
      const broken = podMessage({ ...web, isBroken: true });
      for (const decode of ["late", "eager"] as const)
        expect((await formatOf("status"))(broken, { decode }).object).toMatchObject({ status: {} });
      // It is cut on arrival, so that an object whose declared fields are malformed is reported at once.
      const whole = await formatOf("spec.nodeName");
      expect(() => whole(broken)).toThrow(PoisonObjectError);
    });

    it("shares equal parts among frozen objects", async () => {
      const read = await formatOf("spec.nodeName");
      const [first, second] = [read(bytes), read(podMessage({ ...web, name: "other" }))].map(({ object }) => object as { spec?: unknown });
      expect(first?.spec).toEqual({ nodeName: web.nodeName });
      expect(first?.spec).toBe(second?.spec);
    });
  });

  describe("for a VersionReader", () => {
    it("identifies an object late and eager, with the same result", () => {
      for (const keepManagedFields of [false, true]) {
        const [late, eager] = (["late", "eager"] as const).map((decode) => readerOf({ decode, keepManagedFields }).read(bytes, full));
        expect([late?.isParsed, eager?.isParsed]).toEqual([false, true]);
        for (const version of [late, eager])
          expect(version).toMatchObject({ key: "shop/web", resourceVersion: "7", isTerminating: false, labels: { app: "web" } });
        expect(late?.isParsed).toBe(false);
        expect(encodeJson(late?.object)).toBe(encodeJson(eager?.object));
        expect(late?.object.metadata.managedFields).toEqual(keepManagedFields ? [{ manager: "kubectl" }] : undefined);
        expect([late, eager].map((version) => Object.isFrozen(version?.object.metadata.labels))).toEqual([true, true]);
      }
    });

    it("gives objects of their own to a reader that does not freeze", () => {
      const reader = readerOf({ freeze: false });
      const [first, second] = [reader.read(bytes, full).object, reader.read(bytes, full).object] as unknown as {
        spec: { nodeName: string };
      }[];
      if (first !== undefined) first.spec.nodeName = "changed";
      expect(second?.spec.nodeName).toBe(web.nodeName);
      // Nor are they parts of a frozen reader's objects.
      expect(readerOf().read(bytes, full).object).toMatchObject({ spec: { nodeName: web.nodeName } });
    });

    it("decodes metadata that occurs twice, which cannot be identified late", () => {
      const twice = Uint8Array.from([...podMessage(web), ...podMessage({ name: "other", labels: { b: "2" } })]);
      const version = readerOf().read(twice, full);
      expect([version.key, version.isParsed]).toEqual(["shop/other", true]);
      expect(version.labels).toEqual({ app: "web", b: "2" });
      expect(version.object.metadata).not.toHaveProperty("managedFields");
    });

    it("reads a label __proto__", () => {
      const labels = Object.fromEntries([["__proto__", "x"]]);
      expect(Object.entries(readerOf().read(podMessage({ ...web, labels }), full).labels)).toEqual([["__proto__", "x"]]);
    });

    it("throws a PoisonObjectError for an object that cannot be decoded, on arrival or when it is read", () => {
      const broken = podMessage({ ...web, isBroken: true });
      const late = readerOf().read(broken, full);
      expect(late.labels).toEqual({ app: "web" });
      const message = 'Pod "shop/web" at version 7 cannot be decoded: it is not protobuf: unexpected EOF';
      expect(() => late.object).toThrow(message);
      // The error is kept with the bytes.
      expect(() => late.object).toThrow(message);
      expect(() => readerOf({ decode: "eager" }).read(broken, full)).toThrow(message);
      for (const decode of ["late", "eager"] as const)
        expect(() => readerOf({ decode }).read(podMessage({}), full)).toThrow(expect.objectContaining({ key: undefined }) as Error);
    });
  });

  describe("for sameContent", () => {
    it("compares objects of both formats", () => {
      const reader = readerOf();
      const [a, b] = [reader.read(bytes, full), reader.read(podMessage({ ...web, manager: "other" }), full)];
      const changed = reader.read(podMessage({ ...web, nodeName: "a node with a long nama" }), full);
      const longer = reader.read(podMessage({ ...web, nodeName: "" }), full);
      const json = reader.read(new TextEncoder().encode(encodeJson(full.decode(bytes))));
      expect([b, json, changed, longer].map((other) => [sameContent(a, other), sameContent(other, a)])).toEqual([
        [true, true],
        [true, true],
        [false, false],
        [false, false],
      ]);
      expect([a, b, changed, json].map(({ isParsed }) => isParsed)).toEqual([false, false, false, false]);
      // Also once it is parsed.
      expect([a.object.metadata.name, sameContent(a, b), sameContent(json, a), sameContent(a, changed)]).toEqual([
        "web",
        true,
        true,
        false,
      ]);
    });

    it("says that an object that cannot be decoded equals only the same bytes", () => {
      const broken = (nodeName: string) => readerOf().read(podMessage({ ...web, nodeName, isBroken: true }), full);
      expect([sameContent(broken("a"), broken("a")), sameContent(broken("a"), broken("b"))]).toEqual([true, false]);
    });
  });
});
