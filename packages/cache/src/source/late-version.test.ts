import fc from "fast-check";
import { peekObject } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ByteShelf } from "./byte-shelf.ts";
import { lateVersion } from "./late-version.ts";
import { jsonFormat } from "./object-format.ts";
import type { AfterLook } from "./late-version.ts";
import type { ObjectVersion } from "./object-version.ts";
import { PoisonObjectError } from "./poison-object-error.ts";

interface Pod extends KubeObject {
  readonly spec: { readonly containers: readonly { readonly name: string }[] };
}

const text =
  '{"kind":"Pod","metadata":{"name":"web-0","namespace":"shop","uid":"u-1","resourceVersion":"41","labels":{"app":"web"}},"spec":{"containers":[{"name":"a"}]}}';

function versionOfText(
  source: string,
  afterLook: AfterLook = "parsed",
): { readonly version: ObjectVersion<Pod>; readonly reads: () => number } {
  const bytes = new TextEncoder().encode(source);
  const peeked = peekObject(bytes, 0, bytes.length);
  if (peeked === undefined) throw new Error("unusual");
  let reads = 0;
  const finish = (object: object): KubeObject => {
    reads++;
    return object as KubeObject;
  };
  return {
    version: lateVersion<Pod>(peeked, { kind: "Pod", format: jsonFormat, afterLook, finish, shelf: new ByteShelf(), freeze: true }),
    reads: () => reads,
  };
}

describe("lateVersion", () => {
  it("returns identity and labels without parsing the object", () => {
    const { version, reads } = versionOfText(text);
    expect(version).toMatchObject({
      key: "shop/web-0",
      uid: "u-1",
      resourceVersion: "41",
      isTerminating: false,
      labels: { app: "web" },
      isParsed: false,
    });
    expect(reads()).toBe(0);
  });

  it("returns the resource version exactly as the server sent it, number or not", () => {
    const digits = fc.array(fc.nat({ max: 9 }), { maxLength: 24 }).map((each) => each.join(""));
    const likeNumbers = fc.constantFrom("", "0", "007", "-1", "+1", "1e3", "0x10", "1.0", " 1", "1 ", "1n", "NaN", "999999999999999");
    const other = fc.string().filter((each) => JSON.stringify(each) === `"${each}"`);
    fc.assert(
      fc.property(fc.oneof(digits, likeNumbers, other), (resourceVersion) => {
        const { version } = versionOfText(text.replace('"41"', `"${resourceVersion}"`));
        expect(version.resourceVersion).toBe(resourceVersion);
      }),
    );
  });

  it("parses the object once, on first access, and freezes it recursively", () => {
    const { version, reads } = versionOfText(text);
    const { object } = version;
    expect(object).toEqual(JSON.parse(text));
    expect(version.object).toBe(object);
    expect(version.isParsed).toBe(true);
    expect(reads()).toBe(1);
    expect(
      [object, object.metadata, object.metadata.labels, object.spec.containers, object.spec.containers[0]].every(Object.isFrozen),
    ).toBe(true);
    expect(version.labels).toBe(object.metadata.labels);
  });

  it("returns the same object while it is referenced, also when it keeps the bytes", () => {
    const { version, reads } = versionOfText(text, "bytes");
    const { object } = version;
    expect(version.object).toBe(object);
    expect(version.labels).toEqual({ app: "web" });
    expect(version.isParsed).toBe(true);
    expect(reads()).toBe(1);
  });

  it("returns empty labels for an object without labels", () => {
    expect(versionOfText('{"metadata":{"name":"a"}}').version.labels).toEqual({});
    expect(versionOfText('{"metadata":{"name":"a","labels":null}}').version.labels).toEqual({});
  });

  it("throws the same error at every read of an object that is not JSON, with its name", () => {
    const { version } = versionOfText(text.replace('"a"', "tru"));
    const look = (): unknown => {
      try {
        return version.object;
      } catch (error) {
        return error;
      }
    };
    const error = look();
    expect(error).toBeInstanceOf(PoisonObjectError);
    expect((error as Error).message).toMatch(/^Pod "shop\/web-0" at version 41 cannot be decoded: it is not JSON: /);
    expect(look()).toBe(error);
    expect(version).toMatchObject({ key: "shop/web-0", labels: { app: "web" } });
  });

  it("throws at labels that cannot be decoded", () => {
    expect(() => versionOfText('{"metadata":{"name":"a","labels":{"a":tru}}}').version.labels).toThrow(PoisonObjectError);
  });

  it("throws at bytes that are not UTF-8 when the object is read", () => {
    const bytes = new TextEncoder().encode('{"metadata":{"name":"a"},"spec":"?"}').map((byte) => (byte === 0x3f ? 0xff : byte));
    const peeked = peekObject(bytes, 0, bytes.length);
    const version =
      peeked === undefined
        ? undefined
        : lateVersion(peeked, {
            kind: "Pod",
            format: jsonFormat,
            afterLook: "parsed",
            finish: (object) => object as unknown as KubeObject,
            shelf: new ByteShelf(),
            freeze: true,
          });
    expect(() => version?.object).toThrow('Pod "a" cannot be decoded: it is not JSON: invalid UTF-8 in JSON text');
  });

  it("returns the same after its bytes were moved, and has none to move once it is parsed", () => {
    const { version } = versionOfText(text);
    version.repack?.();
    expect([version.isParsed, version.labels]).toEqual([false, { app: "web" }]);
    const { object } = version;
    version.repack?.();
    expect(version.object).toBe(object);
    expect(object).toEqual(versionOfText(text).version.object);
  });
});
