/** The tables of the built-in kinds, printed by us and by a real server at the same time, from the same objects. */
import { kinds } from "@drover/api";
import { decodeJson, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue, Kind, Table, TableColumnDefinition, TableRow } from "@drover/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TablePrinter } from "../../packages/apiserver/src/registry/table-printer.ts";
import { printerOf } from "../../packages/apiserver/src/table/printers.ts";
import { scalePrinter } from "../../packages/apiserver/src/table/scale-printer.ts";
import { bodyOf, keyOf, kindOf, pathOf, sendObject } from "./kind-requests.ts";
import { minimalObjects } from "./minimal-objects.ts";
import { realServer, realServerMissing } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";
import { tableCases } from "./table-cases.ts";
import type { TableCase } from "./table-cases.ts";

const asTable = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const mergePatch = { "content-type": "application/merge-patch+json" };

/** We word the descriptions of columns ourselves. */
const withoutProse = (columns: readonly TableColumnDefinition[] | null): object[] =>
  (columns ?? []).map(({ description: _prose, ...column }) => column);

/** A second may pass between both printings. */
const withoutAges = (cells: readonly JsonValue[]): JsonValue[] =>
  cells.map((cell) => (typeof cell === "string" ? cell.replace(/^(?:\d+m)?\d+s$|^\d+m$/, "<age>") : cell));

describe.skipIf(realServerMissing !== undefined)(`tables${realServerMissing === undefined ? "" : ` (${realServerMissing})`}`, () => {
  let server: RealServer;
  let count = 0;
  beforeAll(async () => {
    server = await realServer();
  }, 90_000);
  afterAll(() => server.stop(), 30_000);

  async function get<T>(path: string, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    const { status, body } = await server.send({ method: "GET", path, headers });
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
    return decodeJson(body) as T;
  }

  /** Prints the objects of the real table again, so that both sides use the same state. */
  async function expectSame({ columns, row, order, noRows = "[]" }: TablePrinter, path: string): Promise<void> {
    const table = await get<Table<JsonObject>>(`${path}?includeObject=Object`, asTable);
    expect(withoutProse(columns)).toEqual(withoutProse(table.columnDefinitions));
    if (table.rows === null || table.rows.length === 0) return expect(JSON.stringify(table.rows)).toBe(noRows);
    const objects = table.rows.map(({ object }) => object ?? {});
    if (order !== undefined) expect(objects).toEqual(objects.toSorted(order));
    const ours = objects.map((object) => row(object, Date.now()));
    const shown = ({ cells, conditions }: Pick<TableRow, "cells" | "conditions">): object => ({ cells: withoutAges(cells), conditions });
    expect(ours.map(shown)).toEqual(table.rows.map(shown));
  }

  /** Creates the objects of a case and returns their path. */
  async function create({ kind: key, object = {}, status, at = "status", deletes = false }: TableCase, name: string): Promise<string> {
    const kind = kindOf(key);
    const minimal = minimalObjects[key] ?? {};
    const whole = bodyOf(kind, { ...minimal, ...object, metadata: { ...metadataOf(minimal), ...metadataOf(object) } }, name);
    await sendObject(server, "POST", pathOf(kind), whole);
    const path = `${pathOf(kind)}/${metadataOf(whole)["name"] as string}`;
    if (status !== undefined) {
      const answer = await server.send({ method: "PATCH", path: `${path}/${at}`, headers: mergePatch, body: JSON.stringify({ status }) });
      if (answer.status !== 200) throw new Error(`PATCH ${path}/${at}: ${answer.body}`);
    }
    if (deletes) await server.send({ method: "DELETE", path });
    return path;
  }

  async function remove(path: string): Promise<void> {
    await server.send({ method: "PATCH", path, headers: mergePatch, body: JSON.stringify({ metadata: { finalizers: null } }) });
    await server.send({ method: "DELETE", path: `${path}?gracePeriodSeconds=0` });
  }

  describe("of initial objects and of empty lists", () => {
    it.each(kinds.filter(({ verbs }) => verbs.includes("list")).map((kind): [string, Kind] => [keyOf(kind), kind]))(
      "%s",
      async (_key, kind) => {
        await expectSame(printerOf(kind), pathOf(kind).replace("/namespaces/default/", "/"));
      },
    );
  });

  describe("of minimal objects", () => {
    it.each(Object.keys(minimalObjects))("%s", async (key) => {
      const path = await create({ kind: key, title: "" }, `table-${count++}`);
      try {
        await expectSame(printerOf(kindOf(key)), path);
      } finally {
        await remove(path);
      }
    });
  });

  it("of a Scale", async () => {
    const path = await create({ kind: "apps/v1/Deployment", title: "", status: { replicas: 2 } }, `table-${count++}`);
    try {
      await expectSame(scalePrinter, `${path}/scale`);
    } finally {
      await remove(path);
    }
  });

  describe("of objects with every cell filled", () => {
    it.each(tableCases.map((each): [string, TableCase] => [`${each.kind}: ${each.title}`, each]))("%s", async (_title, each) => {
      const path = await create(each, `table-${count++}`);
      try {
        for (const key of [each.kind, ...(each.also ?? [])])
          await expectSame(printerOf(kindOf(key)), pathOf(kindOf(key)) + path.slice(path.lastIndexOf("/")));
      } finally {
        await remove(path);
      }
    });
  });
});

const metadataOf = ({ metadata }: JsonObject): JsonObject => (isJsonObject(metadata) ? metadata : {});
