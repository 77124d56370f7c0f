import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kinds } from "@drover/api";
import { checkFields, messageFields, MessagePlan, MessageReader, typedShape } from "@drover/api/shapes";
import type { Shape, StructShape } from "@drover/api/shapes";
import { exampleOf } from "@drover/api/testing";
import { apiVersionOf, createRandom, encodeJson, fieldTree, keptFields, pick } from "@drover/machinery";
import type { FieldTree, JsonObject, Random } from "@drover/machinery";
import { MessageProjection, peekMessage } from "@drover/machinery/protobuf";
import { jsonOf } from "../typed-object.ts";
import { builtInCodec } from "./built-in-codec.ts";

const someKind = fc.constantFrom(...kinds);
/** An object may have thousands of fields. */
const runs = (): number => 20 + Math.floor((fc.readConfigureGlobal().numRuns ?? 100) / 20);

describe("declared fields of a message", () => {
  const reader = new MessageReader();

  /** Paths that the type has, of any depth. */
  function somePaths(shape: StructShape, random: Random): readonly string[] {
    return Array.from({ length: 1 + random.int(5) }, () => {
      const names: string[] = [];
      for (let at: Shape = shape; at.kind === "struct" && at.fields.length > 0;) {
        const field: StructShape["fields"][number] = pick(random, at.fields);
        names.push(field.name);
        if (random.next() < 0.2) break;
        for (at = field.shape; at.kind === "list";) at = at.item;
      }
      return names.join(".");
    });
  }

  it("are read alike from the whole message and from one that was cut, and are what is kept of the whole object", () => {
    let shrunk = 0;
    fc.assert(
      fc.property(someKind, fc.nat(), fc.constantFrom(0.1, 0.3), (kind, seed, density) => {
        const random = createRandom(seed);
        const shape = typedShape(kind) ?? expect.fail("no shape");
        const codec = builtInCodec(kind, () => undefined);
        const { object } = codec.decodeValue(jsonOf(exampleOf(kind, random, { density })));
        const message = codec.messages?.encode(object) ?? expect.fail("no protobuf");
        const paths = somePaths(shape, random);
        checkFields(kind.kind, shape, paths);
        const tree = fieldTree(["apiVersion", "kind", "metadata", ...paths]);
        const type = { kind: kind.kind, apiVersion: apiVersionOf(kind) };
        const decoded = (bytes: Uint8Array, wanted?: FieldTree): JsonObject =>
          reader.read(
            bytes,
            0,
            bytes.length,
            MessagePlan.of(shape, { setsClaimTypes: true, ...(wanted === undefined ? {} : { wanted }) }),
            { ...type },
          );
        const expected = encodeJson(keptFields(decoded(message), tree));
        const projection = new MessageProjection(messageFields(shape, tree));
        const cut = projection.project(message, 0, message.length)?.slice() ?? expect.fail("not cut");
        const peeked = peekMessage(message, 0, message.length, { keepManagedFields: true }, projection) ?? expect.fail("not peeked");
        expect(peeked.bytes).toEqual(cut);
        if (cut.length < message.length) shrunk++;
        const texts = [encodeJson(decoded(message, tree)), encodeJson(decoded(cut, tree))];
        if (texts.some((text) => text !== expected)) expect(texts, paths.join(", ")).toEqual([expected, expected]);
      }),
      { numRuns: runs() * 5 },
    );
    expect(shrunk).toBeGreaterThan(runs());
  });
});
