import { ResponseError } from "@drover/client";
import { isApiError } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { ProtobufWriter, encodeEnvelope } from "@drover/machinery/protobuf";
import { describe, expect, it } from "vitest";
import { podListMessage, podMessage, statusMessage } from "../testing/pod-message.ts";
import { messageFormat } from "./message-format.ts";
import { readMessagePage } from "./message-page.ts";
import { VersionReader } from "./version-reader.ts";
import type { VersionReaderOptions } from "./version-reader.ts";
import type { VersionPage } from "./version-source.ts";

const about = { attempt: "list pods in shop", method: "GET" };
const target = { group: "", version: "v1", kind: "Pod" };

async function read(body: Uint8Array, options: Partial<VersionReaderOptions> = {}): Promise<VersionPage<KubeObject>> {
  const { projection = "full" } = options;
  const reader = new VersionReader<KubeObject>({
    target,
    projection,
    keepManagedFields: false,
    decode: "late",
    afterLook: "parsed",
    freeze: true,
    ...options,
  });
  const format = await messageFormat({ target, projection });
  if (format === undefined) throw new Error("Pods are built in");
  return readMessagePage(body, about, reader, format);
}

const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const [a, b] = [podMessage({ name: "a", manager: "kubectl" }), podMessage({ name: "b" })];

describe("readMessagePage", () => {
  it("reads items, resource version and continue token", async () => {
    for (const decode of ["late", "eager"] as const) {
      const page = await read(podListMessage([a, b], { token: "more" }), { decode });
      expect(page).toMatchObject({ resourceVersion: "9", continue: "more", poison: [] });
      expect(page.items.map(({ key, isParsed }) => [key, isParsed])).toEqual([
        ["a", decode === "eager"],
        ["b", decode === "eager"],
      ]);
      expect(page.items[0]?.object).toEqual({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a", resourceVersion: "7" },
        spec: { containers: null },
        status: {},
      });
    }
    expect(await read(podListMessage([]))).toEqual({ items: [], resourceVersion: "9", continue: undefined, poison: [] });
  });

  it("keeps managed fields if requested", async () => {
    const { items } = await read(podListMessage([a]), { keepManagedFields: true });
    expect(items[0]?.object.metadata.managedFields).toEqual([{ manager: "kubectl" }]);
  });

  it("reduces objects to their metadata, also those of a server that sends them whole", async () => {
    const partial = { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1" };
    for (const names of [partial, {}]) {
      const { items } = await read(podListMessage([podMessage({ name: "a", nodeName: "n1" })], names), { projection: "metadata" });
      expect(items[0]?.object).toEqual({
        kind: "PartialObjectMetadata",
        apiVersion: "meta.k8s.io/v1",
        metadata: { name: "a", resourceVersion: "7" },
      });
    }
  });

  it("reports items that cannot be decoded as poison, and keeps the rest", async () => {
    const body = podListMessage([a, podMessage({}), podMessage({ name: "broken", isBroken: true }), b]);
    const late = await read(body);
    expect(late.items.map(({ key }) => key)).toEqual(["a", "broken", "b"]);
    expect(late.poison).toMatchObject([{ key: undefined }]);
    expect(() => late.items[1]?.object).toThrow('Pod "broken" at version 7 cannot be decoded');
    const eager = await read(body, { decode: "eager" });
    expect(eager.items.map(({ key }) => key)).toEqual(["a", "b"]);
    expect(eager.poison).toMatchObject([{ key: undefined }, { key: "broken", resourceVersion: "7" }]);
  });

  it("rejects a list of another kind, which would be read as other fields", async () => {
    for (const names of [
      { kind: "ServiceList" },
      { kind: "PodList", apiVersion: "v2" },
      { kind: "Pod" },
      { kind: "" },
      { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1" },
    ]) {
      const error = await failureOf(read(podListMessage([a], names)));
      expect(error).toBeInstanceOf(ResponseError);
      expect((error as Error).message).toBe(
        `list pods in shop: expected a list with items, but the server answered with a ${names.kind || "nameless object"}`,
      );
    }
    expect(await failureOf(read(podListMessage([], { kind: "Table", apiVersion: "meta.k8s.io/v1" })))).toMatchObject({
      reason: "content-type",
      message: expect.stringContaining("a Table instead of objects") as string,
    });
  });

  it("rejects with the error that a server sends with status 200", async () => {
    const error = await failureOf(read(statusMessage({ status: "Failure", reason: "Expired", message: "too old", code: 410 })));
    expect(isApiError(error) && error).toMatchObject({ status: { reason: "Expired", code: 410 }, attempt: "list pods in shop" });
    expect(await failureOf(read(statusMessage({ status: "Success" })))).toMatchObject({
      message: "list pods in shop: expected a list with items, but the server answered with a Status",
    });
  });

  it("rejects a body that is truncated or not a list", async () => {
    const body = podListMessage([a, b], { token: "more" });
    for (let length = 4; length < body.length; length++) {
      const result = await read(body.subarray(0, length)).catch((error: unknown) => error);
      // Only the empty texts at the end of the envelope may be missing.
      if (body.length - length === 2 || body.length - length === 4) expect(result).toHaveProperty("resourceVersion", "9");
      else expect(result, String(length)).toBeInstanceOf(ResponseError);
    }
    const numbered = (write: (writer: ProtobufWriter) => void): Uint8Array => {
      const writer = new ProtobufWriter();
      write(writer);
      return encodeEnvelope({ kind: "PodList", apiVersion: "v1", message: writer.finish() });
    };
    for (const [name, write] of [
      ["ListMeta", (writer: ProtobufWriter) => writer.int64(1, 0)],
      ["ResourceVersion", (writer: ProtobufWriter) => writer.message(1, (metadata) => metadata.int64(2, 0))],
      ["Continue", (writer: ProtobufWriter) => writer.message(1, (metadata) => metadata.int64(3, 0))],
      ["Items", (writer: ProtobufWriter) => writer.int64(2, 0)],
    ] as const)
      expect(await failureOf(read(numbered(write)))).toMatchObject({
        reason: "json",
        message: `list pods in shop: the response is not protobuf: proto: wrong wireType = 0 for field ${name}`,
      });
  });
});
