import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestAnswer } from "../testing/test-server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const merge = { "content-type": "application/merge-patch+json" };
const versionOf = ({ object }: TestAnswer): string => (object["metadata"] as { readonly resourceVersion: string }).resourceVersion;

describe("updateObject", () => {
  it("starts over when another write comes first, so that concurrent patches without a version lose nothing", async () => {
    const { call } = await testServer();
    await call("POST", maps, { metadata: { name: "a" } });
    const names = Array.from({ length: 20 }, (_, index) => `key-${index}`);
    const answers = await Promise.all(names.map((name) => call("PATCH", `${maps}/a`, { data: { [name]: "1" } }, merge)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Object.keys((await call("GET", `${maps}/a`)).object["data"] as JsonObject).toSorted()).toEqual(names.toSorted());
  });

  it("answers 409 to all but one of several updates of the same resourceVersion", async () => {
    const { call } = await testServer();
    const resourceVersion = versionOf(await call("POST", maps, { metadata: { name: "a" } }));
    const update = (value: string): Promise<TestAnswer> =>
      call("PUT", `${maps}/a`, { metadata: { name: "a", resourceVersion }, data: { value } });
    const answers = await Promise.all(["1", "2", "3"].map(update));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409", "409"]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await call("GET", `${maps}/a`)).object["data"]).toEqual(winner?.object["data"]);
  });

  it("refuses an update without a resourceVersion where the kind does not allow it", async () => {
    const { call } = await testServer();
    const names = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" };
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    await call("POST", definitions, {
      metadata: { name: "widgets.ex.io" },
      spec: { group: "ex.io", scope: "Namespaced", names, versions: [{ name: "v1", served: true, storage: true, schema }] },
    });
    const widgets = "/apis/ex.io/v1/namespaces/default/widgets";
    const widget = { apiVersion: "ex.io/v1", kind: "Widget", metadata: { name: "a" } };
    expect(await call("POST", widgets, widget)).toMatchObject({ status: 201 });
    const answer = await call("PUT", `${widgets}/a`, widget);
    expect([answer.status, answer.object["message"]]).toEqual([
      422,
      'widgets.ex.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ]);
  });

  it("writes nothing, and sends no event, when the object would stay the same", async () => {
    const { call, watch } = await testServer();
    const version = versionOf(await call("POST", maps, { metadata: { name: "a" }, data: { one: "1", two: "2" } }));
    const events = await watch(`${maps}?watch=1&resourceVersion=${version}`);
    for (const data of [
      { one: "1", two: "2" },
      { two: "2", one: "1" },
    ]) {
      const answer = await call("PUT", `${maps}/a`, { metadata: { name: "a" }, data });
      expect([answer.status, versionOf(answer)]).toEqual([200, version]);
    }
    await call("PUT", `${maps}/a`, { metadata: { name: "a" }, data: { one: "3" } });
    expect(await events.next()).toMatchObject({ type: "MODIFIED", object: { data: { one: "3" } } });
    events.stop();
  });

  it("stores nothing in a dry run, and answers with the object that would be stored", async () => {
    const { call } = await testServer();
    await call("POST", maps, { metadata: { name: "a" }, data: { one: "1" } });
    const before = (await call("GET", `${maps}/a`)).text;
    const answer = await call("PATCH", `${maps}/a?dryRun=All`, { data: { one: "2" } }, merge);
    expect(answer).toMatchObject({ status: 200, object: { data: { one: "2" } } });
    expect((await call("GET", `${maps}/a`)).text).toBe(before);
  });

  it("deletes a terminating object when an update removes its last finalizer, and only then", async () => {
    const { call, watch } = await testServer();
    const finalizers = ["ex.io/one", "ex.io/two"];
    const version = versionOf(await call("POST", maps, { metadata: { name: "a", finalizers } }));
    const events = await watch(`${maps}?watch=1&resourceVersion=${version}`);
    await call("DELETE", `${maps}/a`);
    await call("PATCH", `${maps}/a`, { metadata: { finalizers: ["ex.io/two"] } }, merge);
    expect((await call("GET", `${maps}/a`)).status).toBe(200);
    await call("PATCH", `${maps}/a`, { metadata: { finalizers: [] } }, merge);
    expect((await call("GET", `${maps}/a`)).status).toBe(404);
    const types = [await events.next(), await events.next(), await events.next()].map((event) => event?.type);
    expect(types).toEqual(["MODIFIED", "MODIFIED", "DELETED"]);
    events.stop();
  });

  it("answers 404 to a patch of a missing object, and creates one by server-side apply", async () => {
    const { call } = await testServer();
    expect((await call("PATCH", `${maps}/a`, { data: { one: "1" } }, merge)).status).toBe(404);
    const applied = await call(
      "PATCH",
      `${maps}/a?fieldManager=test`,
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { one: "1" } },
      { "content-type": "application/apply-patch+yaml" },
    );
    expect(applied).toMatchObject({ status: 201, object: { data: { one: "1" } } });
  });
});
